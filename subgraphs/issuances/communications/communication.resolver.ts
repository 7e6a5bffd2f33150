import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { inPeriod, PeriodArgs } from '../operations/period.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { communicationsOf } from '../operations/operation-parts.store.js';
import { Operation } from '../operations/operation.type.js';
import { Communication } from './communication.type.js';

@Resolver(() => Operation)
export class CommunicationResolver {
  @AsOf()
  @FieldResolver(() => [Communication], {
    description:
      'Notices and material facts in a period, newest first. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async communications(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
    @Args(() => PeriodArgs) period: PeriodArgs,
  ): Promise<readonly Shape<Communication>[]> {
    return inPeriod(await loaderOf(context, communicationsOf).load(id), period, ({ date }) => date);
  }
}
