import { Arg, Args, Ctx, Directive, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { ResolutionArgs, UnknownExecution } from '../orders/order-execution.type.js';
import { listOpenHedges, unsettledOrdersOf } from './open-hedge.store.js';
import { OpenHedge } from './quote.type.js';
import { resolveHedgeOrder } from './settle-hedge.js';

@Resolver(() => OpenHedge)
export class OpenHedgeResolver {
  @Access('operator', 'read')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [OpenHedge], {
    description: 'Executed quotes that are not yet completely traded at the venues; the oldest 500. Errors: 401, 403.',
  })
  openHedges(@Ctx() context: Context): Promise<Omit<Shape<OpenHedge>, 'orders'>[]> {
    return listOpenHedges(context, 500);
  }

  @FieldResolver(() => [UnknownExecution], {
    description:
      'Unsettled orders at venues for the hedge, oldest first. While there are any, no more are sent; from 12 `looks` on an operator can settle one of them (`resolveHedgeOrder`).',
  })
  orders(@Root() { quoteId }: Shape<OpenHedge>, @Ctx() context: Context): Promise<Shape<UnknownExecution>[]> {
    return loaderOf(context, unsettledOrdersOf).load(quoteId);
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => ID, {
    description:
      'Settles a hedge order whose outcome at the venue could not be determined in 12 look-ups, with its outcome there; later reports of the venue change nothing. The rest of the hedge is traded again. Returns the id of the quote. Errors: 400; 401 and 403 without the role `trade`; 404; 409 for a hedge order that does not wait for an operator.',
  })
  resolveHedgeOrder(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the hedge order (UUID), which is the client order id at the venue.' })
    id: string,
    @Args(() => ResolutionArgs) resolution: ResolutionArgs,
  ): Promise<string> {
    return resolveHedgeOrder(context, id, resolution);
  }
}
