import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { type OrderParts, previewOrder } from './orders.acts.js';
import { CreateOrderArgs, FetchOrdersArgs, OrderArgs, OrderPreview } from './order-args.type.js';
import { OrderExecution } from './order-execution.type.js';
import { Order, OrderList, toOrder } from './order.type.js';
import { readExecution } from './read-execution.js';
import { readOrders, requireOrder, type OrderReading } from './read-orders.js';

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
    description: `What an order would do now: the expected execution, its worst price, the fee, and what would be set aside. Writes nothing and reserves nothing. Errors: those of \`createOrder\` about the input, the market, the minimum and the available balance; ${common}; 403 for a suspended profile or company. Agreed limits are not checked.`,
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
