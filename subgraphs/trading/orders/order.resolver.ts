import { Args, Ctx, Query, Resolver, Arg, Directive, FieldResolver, ID, Mutation, Root } from 'type-graphql';
import { type Context, loaderOf } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { type OrderParts, previewOrder } from './orders.acts.js';
import { CreateOrderArgs, FetchOrdersArgs, OrderArgs, OrderPreview, Order, OrderList, toOrder } from './order.type.js';
import {
  OrderExecution,
  QuarantinedOrder,
  ResolutionArgs,
  toQuarantinedOrder,
  UnknownExecution,
} from './order-execution.type.js';
import { readExecution } from './read-execution.js';
import { readOrders, requireOrder, type OrderReading } from './read-orders.js';
import { executionsOfOrders } from './execution.store.js';
import { listQuarantined } from './order.store.js';
import { resolveExecution } from './resolve-execution.js';
import { isSettled } from './report.js';

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
  async previewOrder(
    @Ctx() context: Context,
    @Args(() => CreateOrderArgs) { profileId, synthetic, expiresAt, ...input }: CreateOrderArgs,
  ): Promise<Shape<OrderPreview>> {
    const request = { ...input, expiresAt: expiresAt == null ? null : new Date(expiresAt) };
    const { ending, ...preview } = await previewOrder(context, this.parts, { profileId, synthetic }, request);
    return { ...preview, refused: ending?.reason ?? null };
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
