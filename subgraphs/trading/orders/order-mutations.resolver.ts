import { Args, Ctx, Int, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { FormMutation } from '../../../shared/graphql/forms.js';
import { InSteps } from '../../../shared/graphql/in-steps.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { cancelAllAfter, cancelAllOrders, cancelOrder } from './cancel.acts.js';
import { createOrder, type OrderParts } from './orders.acts.js';
import { CancelAfterArgs, CancelAllArgs, CreateOrderArgs, OrderArgs, Order, toOrder } from './order.type.js';

const common =
  '401 CAAS_AUTH_001; 403 without the scope `trade`; 404 for a profile that does not belong to the company';

@Resolver()
export class OrderMutationsResolver {
  constructor(private readonly parts: OrderParts) {}

  @Access('trader', 'trade')
  @InSteps()
  @FormMutation()
  @Mutation(() => Order, {
    description: `Places an order and returns its state after the venues have responded. REST: POST /v1/orders/createOrder. Errors: 400; 400 CAAS_ORD_001 for insufficient funds, CAAS_ORD_002 for a market that is not traded, CAAS_ORD_003 for an order below its minimum; ${common}; 403 for a suspended profile or company; 409 for a \`clientOrderId\` that was already used; 422 for an amount or a price that is not greater than 0, an \`expiresAt\` in the past, and an order that exceeds an agreed limit.`,
  })
  async createOrder(
    @Ctx() context: Context,
    @Args(() => CreateOrderArgs) { profileId, synthetic, expiresAt, ...input }: CreateOrderArgs,
  ): Promise<Shape<Order>> {
    const request = { ...input, expiresAt: expiresAt == null ? null : new Date(expiresAt) };
    return toOrder(await createOrder(context, this.parts, { profileId, synthetic }, request));
  }

  @Access('trader', 'trade')
  @InSteps()
  @Mutation(() => Order, {
    description: `Cancels an open order and returns its state afterwards; earlier fills remain valid. While a venue does not respond, the order remains open, and is cancelled as soon as its state there is known. REST: POST /v1/orders/cancelOrder. Errors: ${common} or an order that is not in the wallet; 409 for an order that is not open.`,
  })
  async cancelOrder(
    @Ctx() context: Context,
    @Args(() => OrderArgs) { orderId, ...choice }: OrderArgs,
  ): Promise<Shape<Order>> {
    return toOrder(await cancelOrder(context, this.parts.desk, choice, orderId));
  }

  @Access('trader', 'trade')
  @InSteps()
  @Mutation(() => Int, {
    description: `Cancels open orders of a wallet and returns their number: the oldest 500 for which no cancellation was requested before. Errors: ${common}.`,
  })
  cancelAllOrders(
    @Ctx() context: Context,
    @Args(() => CancelAllArgs) { symbol, ...choice }: CancelAllArgs,
  ): Promise<number> {
    return cancelAllOrders(context, this.parts.desk, choice, symbol ?? undefined);
  }

  @Access('trader', 'trade')
  @Mutation(() => DateTimeScalar, {
    nullable: true,
    description: `Sets the dead-man timer of a wallet, which cancels all of its open orders unless it is set again before. Returns the time at which it fires, null when it was removed. Errors: 400; ${common}.`,
  })
  cancelAllAfter(
    @Ctx() context: Context,
    @Args(() => CancelAfterArgs) { seconds, ...choice }: CancelAfterArgs,
  ): Promise<Date | null> {
    return cancelAllAfter(context, choice, seconds);
  }
}
