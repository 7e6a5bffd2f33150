import { Args, Ctx, Query, Resolver, Arg, Directive, FieldResolver, ID, Mutation, Root, Int } from 'type-graphql';
import { type Context, loaderOf } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { type OrderParts, previewOrder, createOrder } from './orders.acts.js';
import {
  CreateOrderArgs,
  FetchOrdersArgs,
  OrderArgs,
  OrderPreview,
  Order,
  OrderList,
  toOrder,
  CancelAfterArgs,
  CancelAllArgs,
  OrderExecution,
  QuarantinedOrder,
  ResolutionArgs,
  toQuarantinedOrder,
  UnknownExecution,
} from './order.type.js';
import { readOrders, requireOrder, type OrderReading, readExecution } from './read-orders.js';
import { executionsOfOrders } from './execution.store.js';
import { listQuarantined } from './order.store.js';
import { resolveExecution } from './resolve-execution.js';
import { isSettled } from './report.js';
import { FormMutation } from '../../../shared/graphql/forms.js';
import { InSteps } from '../../../shared/graphql/in-steps.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import { cancelAllAfter, cancelAllOrders, cancelOrder } from './cancel.acts.js';

const common = '401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company';

@Resolver()
export class OrderResolver {
  private readonly reading: OrderReading;

  constructor(
    cursors: CursorCodec,
    private readonly parts: OrderParts,
  ) {
    this.reading = { cursors, catalogue: parts.catalogue };
  }

  @Access('trader', 'read')
  @Query(() => Order, {
    description: `An order of the wallet. REST: GET /v1/orders/fetchOrder. Errors: ${common} or an order that is not in the wallet.`,
  })
  async fetchOrder(
    @Ctx() context: Context,
    @Args(() => OrderArgs) { orderId, ...choice }: OrderArgs,
  ): Promise<Shape<Order>> {
    return toOrder(await requireOrder(context, choice, orderId));
  }

  @Access('trader', 'read')
  @Query(() => OrderList, {
    description: `The orders of the wallet, newest first. REST: GET /v1/orders/fetchOrders. Errors: 400, with CAAS_ORD_002 for a symbol of no market; ${common}.`,
  })
  async fetchOrders(
    @Ctx() context: Context,
    @Args(() => FetchOrdersArgs) { profileId, synthetic, ...filter }: FetchOrdersArgs,
  ): Promise<Shape<OrderList>> {
    const { rows, nextToken } = await readOrders(context, this.reading, { profileId, synthetic }, filter);
    return { orders: rows.map(toOrder), nextToken };
  }

  @Access('trader', 'read')
  @Query(() => OrderExecution, {
    description: `Execution of an order: the order books that were considered, the total at each venue alone, the slippage against the mid price, and its fills. Errors: ${common} or an order that is not in the wallet.`,
  })
  orderExecution(
    @Ctx() context: Context,
    @Args(() => OrderArgs) { orderId, ...choice }: OrderArgs,
  ): Promise<Shape<OrderExecution>> {
    return readExecution(context, choice, orderId);
  }

  @Access('trader', 'read')
  @Query(() => OrderPreview, {
    description: `What an order would do now: the expected execution, its worst price, the fee, and what would be set aside. Writes nothing and reserves nothing. Errors: those of \`createOrder\` about the input, the market, the minimum, the agreed limits and the available balance; ${common}; 403 for a suspended profile or company.`,
  })
  previewOrder(
    @Ctx() context: Context,
    @Args(() => CreateOrderArgs) { profileId, synthetic, expiresAt, ...input }: CreateOrderArgs,
  ): Promise<Shape<OrderPreview>> {
    const request = { ...input, expiresAt: expiresAt == null ? null : new Date(expiresAt) };
    return previewOrder(context, this.parts, { profileId, synthetic }, request);
  }
}

@Resolver(() => QuarantinedOrder)
export class OrderOperatorResolver {
  @Access('operator', 'read')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [QuarantinedOrder], {
    description:
      'Orders that wait for an operator, because their outcome at a venue could not be determined; the oldest 500. Errors: 401, 403.',
  })
  async quarantinedOrders(@Ctx() context: Context): Promise<Shape<QuarantinedOrder>[]> {
    return (await listQuarantined(context, 500)).map(toQuarantinedOrder);
  }

  @FieldResolver(() => [UnknownExecution], {
    description: 'Unsettled executions of the order, by venue: their state is unknown or open, or fills are missing.',
  })
  async executions(
    @Root() { orderId }: Shape<QuarantinedOrder>,
    @Ctx() context: Context,
  ): Promise<Shape<UnknownExecution>[]> {
    const rows = await loaderOf(context, executionsOfOrders).load(orderId);
    return rows.filter((row) => !isSettled(row));
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => Order, {
    description:
      'Settles an execution that waits for an operator, with its outcome at the venue. Errors: 400; 401 and 403 without the role `trade`; 404; 409 for an execution that does not wait.',
  })
  async resolveExecution(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the execution (UUID).' }) id: string,
    @Args(() => ResolutionArgs) resolution: ResolutionArgs,
  ): Promise<Shape<Order>> {
    return toOrder(await resolveExecution(context, id, resolution));
  }
}

const tradeErrors =
  '401 CAAS_AUTH_001; 403 without the scope `trade`; 404 for a profile that does not belong to the company';

@Resolver()
export class OrderMutationsResolver {
  constructor(private readonly parts: OrderParts) {}

  @Access('trader', 'trade')
  @InSteps()
  @FormMutation()
  @Mutation(() => Order, {
    description: `Places an order and returns its state after the venues have responded. REST: POST /v1/orders/createOrder. Errors: 400; 400 CAAS_ORD_001 for insufficient funds, CAAS_ORD_002 for a market that is not traded, CAAS_ORD_003 for an order below its minimum; ${tradeErrors}; 403 for a suspended profile or company; 409 for a \`clientOrderId\` that was already used; 422 for an amount or a price that is not greater than 0, an \`expiresAt\` in the past, and an order that exceeds an agreed limit.`,
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
    description: `Cancels an open order and returns its state afterwards; earlier fills remain valid. While a venue does not respond, the order remains open, and is cancelled as soon as its state there is known. REST: POST /v1/orders/cancelOrder. Errors: ${tradeErrors} or an order that is not in the wallet; 409 for an order that is not open.`,
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
    description: `Cancels open orders of a wallet and returns their number: the oldest 500 for which no cancellation was requested before. Errors: ${tradeErrors}.`,
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
    description: `Sets the dead-man timer of a wallet, which cancels all of its open orders unless it is set again before. Returns the time at which it fires, null when it was removed. Errors: 400; ${tradeErrors}.`,
  })
  cancelAllAfter(
    @Ctx() context: Context,
    @Args(() => CancelAfterArgs) { seconds, ...choice }: CancelAfterArgs,
  ): Promise<Date | null> {
    return cancelAllAfter(context, choice, seconds);
  }
}
