import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { ResolutionEnum, toUnknownExecution, UnknownExecution } from '../orders/quarantine.type.js';
import type { Resolution } from '../orders/resolve-execution.js';
import { listOpenHedges, unsettledOrdersOf } from './open-hedge.store.js';
import { OpenHedge } from './open-hedge.type.js';
import { resolveHedgeOrder } from './resolve-hedge-order.js';

@Resolver(() => OpenHedge)
export class OpenHedgeResolver {
  @Access('operator', 'read')
  @Query(() => [OpenHedge], {
    description: 'Executed quotes that are not yet traded whole at the venues; the oldest 500. Errors: 401, 403.',
  })
  openHedges(@Ctx() context: Context): Promise<Omit<Shape<OpenHedge>, 'orders'>[]> {
    return listOpenHedges(context, 500);
  }

  @FieldResolver(() => [UnknownExecution], {
    description:
      'What was sent to venues for it and is not settled, the oldest first. While there is any nothing more is sent; from 12 `looks` on an operator may say what became of it (`resolveHedgeOrder`).',
  })
  async orders(@Root() { quoteId }: Shape<OpenHedge>, @Ctx() context: Context): Promise<Shape<UnknownExecution>[]> {
    return (await loaderOf(context, unsettledOrdersOf).load(quoteId)).map(toUnknownExecution);
  }

  @Access('operator', 'trade')
  @Mutation(() => ID, {
    description:
      'Settles what was sent to a venue for a hedge, and whose fate could not be found out in 12 looks, by what was found out of it there; what the venue says of it afterwards changes nothing. What is left of the hedge is traded anew. Returns the id of the quote. Errors: 400; 401 and 403 without the role `trade`; 404; 409 for one that does not wait for an operator.',
  })
  resolveHedgeOrder(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the hedge order (UUID), which is the client order id at the venue.' })
    id: string,
    @Arg('outcome', () => ResolutionEnum, { description: 'What became of it.' }) outcome: Resolution['outcome'],
    @Arg('amount', () => DecimalScalar, {
      nullable: true,
      description: 'Filled, in the base currency; not more than was left.',
    })
    amount: string | null | undefined,
    @Arg('price', () => DecimalScalar, {
      nullable: true,
      description: 'Average price of that, in the quote currency; not worse than the limit.',
    })
    price: string | null | undefined,
    @Arg('reason', () => String, {
      description: 'How it was found out, for the audit log: 1 to 500 characters on one line.',
    })
    reason: string,
  ): Promise<string> {
    return resolveHedgeOrder(context, id, { outcome, amount, price, reason });
  }
}
