import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { findPatrimony } from './patrimony.store.js';
import { Patrimony, toPatrimony, type PatrimonyShape } from './patrimony.type.js';

@Resolver(() => Patrimony)
export class PatrimonyResolver {
  @Access('anyone')
  @Query(() => Patrimony, { nullable: true, description: 'An estate; null when there is none.' })
  async patrimony(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: "The estate's ticker or slug, whatever the case" }) ticker: string,
  ): Promise<PatrimonyShape | null> {
    const row = await findPatrimony(context, ticker);
    return row === undefined ? null : toPatrimony(row);
  }
}
