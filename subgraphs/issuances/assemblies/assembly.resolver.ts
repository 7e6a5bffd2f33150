import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { inPeriod, PeriodArgs } from '../operations/period.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { assembliesOf } from '../operations/operation-parts.store.js';
import { Operation } from '../operations/operation.type.js';
import { Assembly } from './assembly.type.js';

@Resolver(() => Operation)
export class AssemblyResolver {
  @AsOf()
  @FieldResolver(() => [Assembly], {
    description:
      'Meetings of the holders in a period, newest first. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async assemblies(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
    @Args(() => PeriodArgs) period: PeriodArgs,
  ): Promise<readonly Shape<Assembly>[]> {
    return inPeriod(await loaderOf(context, assembliesOf).load(id), period, ({ date }) => date);
  }
}
