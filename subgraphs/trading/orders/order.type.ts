import { ObjectType, ArgsType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { formatAmount } from '../format-amount.js';
import type { OrderType, Side, Fill } from '../venues/venue.js';
import { averagePriceOf, type OrderFilter, type OrderStatus, type OrderTimeInForce } from './order.js';
import type { OrderRow } from './order.store.js';
import { ofWallet } from '../profiles/require-wallet.js';
import {
  args,
  decimal,
  fields,
  flag,
  id,
  int,
  list,
  nullable,
  of,
  text,
  time,
} from '../../../shared/graphql/fields.js';

export const OrderSideEnum = describeEnum<Side>(
  'OrderSide',
  'Side of an order.',
  {
    BUY: 'Buys the base currency.',
    SELL: 'Sells the base currency.',
  },
  { BUY: ['Compra', 'Buy'], SELL: ['Venda', 'Sell'] },
);

const OrderTypeEnum = describeEnum<OrderType>(
  'OrderType',
  'Type of an order.',
  {
    MARKET: 'Executed at once, at the prices of the order books, within the collar of the market.',
    LIMIT: 'Executed at `price` or better.',
  },
  { MARKET: ['A mercado', 'Market'], LIMIT: ['Limitada', 'Limit'] },
);

export const OrderStatusEnum = describeEnum<OrderStatus>(
  'OrderStatus',
  'Status of an order.',
  {
    PENDING: 'Not filled yet, or its state at a venue is unknown; its funds are held.',
    PARTIALLY_FILLED: 'Filled partially; it can be filled further.',
    FILLED: 'Filled completely.',
    CANCELLED: 'Cancelled, or not fillable at once; `filledAmount` was filled before.',
    REJECTED: 'No venue accepted it.',
    EXPIRED: 'Expired; `filledAmount` was filled before.',
  },
  {
    PENDING: ['Pendente', 'Pending'],
    PARTIALLY_FILLED: ['Parcialmente executada', 'Partially filled'],
    FILLED: ['Executada', 'Filled'],
    CANCELLED: ['Cancelada', 'Cancelled'],
    REJECTED: ['Rejeitada', 'Rejected'],
    EXPIRED: ['Expirada', 'Expired'],
  },
);

const OrderFilterEnum = describeEnum<OrderFilter>('OrderFilter', 'Status by which a list of orders is filtered.', {
  OPEN: 'PENDING or PARTIALLY_FILLED.',
  PENDING: 'Not filled yet.',
  PARTIALLY_FILLED: 'Filled partially.',
  FILLED: 'Filled completely.',
  CANCELLED: 'Cancelled.',
  REJECTED: 'Rejected.',
  EXPIRED: 'Expired.',
});

@ObjectType({
  simpleResolvers: true,
  description:
    'An order. Amounts are decimal text with the decimals of their currency, prices with those of the market.',
})
export class Order extends fields({
  orderId: id('Id (UUID).'),
  clientOrderId: nullable.text('Id that the caller chose, unique within its wallet.'),
  symbol: text('Symbol of the market, such as `BTC/BRL`.'),
  side: of(() => OrderSideEnum, 'BUY or SELL.'),
  type: of(() => OrderTypeEnum, 'MARKET or LIMIT.'),
  timeInForce: of(() => TimeInForceEnum, 'How long it stays open.'),
  postOnly: flag('Whether it was to be rejected rather than executed at once.'),
  status: of(() => OrderStatusEnum, 'Status.'),
  reason: nullable.text('Reason for which it was rejected or not filled completely.'),
  amount: nullable.decimal('Requested amount, in the base currency.'),
  quoteAmount: nullable.decimal('What a BUY was to spend in all, in the quote currency: the fee is within it.'),
  price: nullable.decimal('Limit price, in the quote currency per unit of the base currency.'),
  filledAmount: decimal('Filled amount, in the base currency.'),
  averagePrice: nullable.decimal(
    'Average price of the filled amount, in the quote currency, with at least `priceDecimals` of the market, rounded half up to 8 decimals; null before the first fill.',
  ),
  fee: decimal('Fee charged so far, in `feeCurrency`, rounded down to its decimals.'),
  feeCurrency: text('Currency of the fee: the quote currency.'),
  expiresAt: nullable.time('Time of expiry (GTD).'),
  createdAt: time('Time at which it was placed.'),
  filledAt: nullable.time('Time at which it was filled completely.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A page of orders, newest first.' })
export class OrderList extends fields({
  orders: list<Shape<Order>>(() => Order, 'The orders of this page.'),
  nextToken: nullable.text('Token to pass for the next page; null on the last page (omitted over REST).'),
}) {}

export function toOrder(row: OrderRow): Shape<Order> {
  const { id: orderId, quote, baseDecimals, quoteDecimals, priceDecimals, ...order } = row;
  const written = (value: string | null, decimals: number) => (value === null ? null : formatAmount(value, decimals));
  return {
    orderId,
    clientOrderId: order.clientOrderId,
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    postOnly: order.postOnly,
    status: order.status,
    reason: order.reason,
    amount: written(order.amount, baseDecimals),
    quoteAmount: written(order.quoteAmount, quoteDecimals),
    price: written(order.price, priceDecimals),
    filledAmount: formatAmount(order.filledAmount, baseDecimals),
    averagePrice: averagePriceOf(row) ?? null,
    fee: formatAmount(order.fee, quoteDecimals),
    feeCurrency: quote,
    expiresAt: order.expiresAt,
    createdAt: order.createdAt,
    filledAt: order.filledAt,
  };
}

const TimeInForceEnum = describeEnum<OrderTimeInForce>(
  'TimeInForce',
  'Time in force: how long an order stays open.',
  {
    GTC: 'Good till cancelled: open until it is filled or cancelled. Default for LIMIT orders.',
    IOC: 'Immediate or cancel: executed at once as far as possible; the rest is cancelled. Default for MARKET orders.',
    FOK: 'Fill or kill: filled completely at once, or not at all.',
    GTD: 'Good till date: open until `expiresAt`.',
  },
  {
    GTC: ['Até cancelar', 'Good till cancelled'],
    IOC: ['Executa ou cancela', 'Immediate or cancel'],
    FOK: ['Tudo ou nada', 'Fill or kill'],
    GTD: ['Até a data', 'Good till date'],
  },
);

@ArgsType()
export class CreateOrderArgs extends args({
  ...ofWallet,
  symbol: text('Symbol of the market, such as `BTC/BRL`.', { maxLength: 30 }),
  side: of(() => OrderSideEnum, 'BUY or SELL, with respect to the base currency.'),
  type: of(() => OrderTypeEnum, 'MARKET or LIMIT.'),
  amount: nullable.decimal(
    'Amount in the base currency, with at most `amountDecimals` of the market; fees come on top. Give either this or `quoteAmount`.',
  ),
  quoteAmount: nullable.decimal(
    'For a BUY: the most that it spends in all, in the quote currency, the fee within it. Give either this or `amount`.',
  ),
  price: nullable.decimal(
    'Limit price, in the quote currency, with at most `priceDecimals` of the market. Required for LIMIT.',
  ),
  clientOrderId: nullable.text(
    'An id chosen by the caller, 1 to 64 letters, digits, `-` and `_`, unique within a wallet.',
    { maxLength: 64 },
  ),
  timeInForce: nullable.of(() => TimeInForceEnum, 'Time in force; default GTC for LIMIT and IOC for MARKET.'),
  postOnly: nullable.flag(
    'Whether to reject the order if it would be executed at once. Only for LIMIT orders with GTC or GTD.',
  ),
  expiresAt: nullable.of<string>(() => DateTimeScalar, 'Time of expiry, for GTD; within 366 days.'),
}) {}

@ArgsType()
export class OrderArgs extends args({
  ...ofWallet,
  orderId: id('Id of the order (UUID).'),
}) {}

@ArgsType()
export class CancelAllArgs extends args({
  ...ofWallet,
  symbol: nullable.text('Only orders of this market.', { maxLength: 30 }),
}) {}

@ArgsType()
export class CancelAfterArgs extends args({
  ...ofWallet,
  seconds: int('Seconds from now, 1 to 86400; 0 removes the timer.'),
}) {}

@ArgsType()
export class FetchOrdersArgs extends args({
  ...ofWallet,
  symbol: nullable.text('Only orders of this market.', { maxLength: 30 }),
  status: nullable.of(() => OrderFilterEnum, 'Only orders with this status.'),
  limit: nullable.int('Orders per page, 1 to 100; default 50.', { defaultValue: 50 }),
  nextToken: nullable.text('`nextToken` of the previous page.', { maxLength: 500 }),
}) {}

@ObjectType({ simpleResolvers: true, description: 'An amount that would be set aside for an order.' })
export class PreviewedHold extends fields({
  currency: text('Code of the currency.'),
  amount: decimal('Amount, in that currency.'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'What an order would do by the present order books. Books move: what is executed can differ.',
})
export class OrderPreview extends fields({
  refused: nullable.text('Reason for which the order would end at once, in English; null when it would be placed.'),
  amount: decimal('Amount that is expected to be executed at once, in the base currency.'),
  notional: decimal('Value of that amount, in the quote currency, without the fee.'),
  averagePrice: nullable.decimal(
    'Average price of that amount, in the quote currency, with at least `priceDecimals` of the market, rounded half up to 8 decimals; null when nothing would be executed at once.',
  ),
  worstPrice: nullable.decimal(
    'Worst price that any part of the order can have, also when it is sent again because books have moved, in the quote currency; null when it would end at once.',
  ),
  slippagePercent: nullable.decimal(
    'Average price relative to the mid price, in percent, rounded half up to 4 decimals: a positive value is worse. Null without a mid price.',
  ),
  fee: decimal(
    'Fee of the company on what is expected to be executed at once, by its rate for orders that remove liquidity, rounded down.',
  ),
  feeCurrency: text('Currency of the fee.'),
  hold: nullable.of(
    () => PreviewedHold,
    'What would be set aside: the most that the order can cost with its fee, or the amount of a SELL; null when it would end at once.',
  ),
}) {}

const LiquidityEnum = describeEnum<Fill['liquidity']>(
  'Liquidity',
  'Side of a trade with regard to the order book.',
  { MAKER: 'The order was in the order book before the trade', TAKER: 'The order was executed against the order book' },
  { MAKER: ['Adicionou liquidez', 'Added liquidity'], TAKER: ['Removeu liquidez', 'Removed liquidity'] },
);

@ObjectType({ simpleResolvers: true, description: 'Total of an execution.' })
class ExecutionCost extends fields({
  amount: decimal('Amount in the base currency.'),
  notional: decimal('Price × amount, in the quote currency.'),
  fees: decimal('Fees of the venues, in the quote currency.'),
  total: decimal('Total amount to be paid for a BUY, or received for a SELL, in the quote currency.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A level of an order book.' })
class ExecutionLevel extends fields({
  price: decimal('Price in the quote currency.'),
  amount: decimal('Amount in the base currency.'),
}) {}

@ObjectType('ConsideredVenue', {
  simpleResolvers: true,
  description: 'A venue in its state when the order was routed.',
})
class ConsideredVenueType extends fields({
  venue: text('Name.'),
  usable: flag('Whether orders could be sent to it.'),
  makerFee: decimal('Fee of an execution that added liquidity, in percent of its value.'),
  takerFee: decimal('Fee of an execution that removed liquidity, in percent of its value.'),
  bids: list<Shape<ExecutionLevel>>(() => ExecutionLevel, 'The best 20 bids, best first.', { assumedSize: 20 }),
  asks: list<Shape<ExecutionLevel>>(() => ExecutionLevel, 'The best 20 asks, best first.', { assumedSize: 20 }),
  alone: nullable.of<Shape<ExecutionCost>>(
    () => ExecutionCost,
    'Total of the order if it had been executed at this venue only; null when nothing could be executed.',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A part of an order that was sent to a venue.' })
class PlannedExecution extends fields({
  venue: text('The venue.'),
  amount: decimal('Amount in the base currency.'),
  limitPrice: decimal('Worst price that was allowed, in the quote currency.'),
  timeInForce: of(() => TimeInForceEnum, 'Time in force at the venue: GTC, IOC or FOK.'),
  round: int('Round in which it was sent, from 1 to 3. What an IOC order has left after a round is sent again.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A trade of an order on a venue.' })
export class OrderFill extends fields({
  venue: text('The venue.'),
  tradeId: text('Id of the trade at the venue.'),
  price: decimal('Price in the quote currency.'),
  amount: decimal('Amount in the base currency.'),
  liquidity: of(() => LiquidityEnum, 'Whether the order added liquidity to the order book, or removed it.'),
  tradedAt: time('Time of the trade.'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description:
    'Execution of an order, with the reasons for its routing. For a rejected order it is stored for 30 days; afterwards `venues` is empty, and the prices are null.',
})
export class OrderExecution extends fields({
  orderId: id('Id of the order.'),
  mid: nullable.decimal('Mid price between the best bid and ask when the order was routed.'),
  bound: nullable.decimal('Worst price that was allowed: the limit or the collar.'),
  refused: nullable.text('Reason for which it was not sent to any venue; null when it was.'),
  expected: nullable.of<Shape<ExecutionCost>>(() => ExecutionCost, 'Total that was expected to be executed at once.'),
  expectedSlippagePercent: nullable.decimal(
    'Expected average price relative to the mid price, in percent; a positive value is worse.',
  ),
  slippagePercent: nullable.decimal(
    'Average price of the fills relative to the mid price, in percent; a positive value is worse.',
  ),
  venues: list<Shape<ConsideredVenueType>>(() => ConsideredVenueType, 'The venues that were considered.', {
    assumedSize: 10,
  }),
  children: list<Shape<PlannedExecution>>(
    () => PlannedExecution,
    'Parts of the order that were sent to venues, by round.',
    { assumedSize: 20 },
  ),
  fills: list<Shape<OrderFill>>(() => OrderFill, 'Fills of the order, in the order of their trades; at most 1,000.', {
    assumedSize: 1000,
  }),
}) {}

const ResolutionEnum = describeEnum('ExecutionOutcome', 'Outcome of an order at a venue.', {
  FILLED: 'It was filled: `amount` at `price`.',
  CANCELLED: 'It was cancelled; if `amount` and `price` are given, that part was filled before.',
  REJECTED: 'The venue never accepted it.',
});

@ArgsType()
export class ResolutionArgs extends args({
  outcome: of(() => ResolutionEnum, 'Outcome at the venue.'),
  amount: nullable.decimal('Filled amount, in the base currency; at most the remaining amount.'),
  price: nullable.decimal('Average price of the filled amount, in the quote currency; not worse than the limit.'),
  reason: text('Source of the outcome, for the audit log: 1 to 500 characters on one line.'),
}) {}

@ObjectType({ description: 'An execution at a venue, for an order or for a hedge, whose outcome is unknown.' })
export class UnknownExecution extends fields({
  id: id('Id of the execution (UUID), which is its client order id at the venue.'),
  venue: text('The venue.'),
  amount: decimal('Amount that was sent, in the base currency.'),
  limitPrice: decimal('Limit price, in the quote currency.'),
  filledAmount: decimal('Amount that is known to be filled, in the base currency.'),
  reason: nullable.text('Last error.'),
  looks: int('Number of look-ups at the venue that did not find it since it was last found.'),
}) {}

@ObjectType({ description: 'An order that waits for an operator. Its funds remain held.' })
export class QuarantinedOrder extends fields({
  orderId: id('The order (UUID).'),
  companyId: id('Id of the company.'),
  symbol: text('The market.'),
  side: of(() => OrderSideEnum, 'BUY or SELL.'),
  synthetic: flag('Whether it is synthetic.'),
  createdAt: time('Time at which it was placed.'),
  quarantinedAt: time('Time since which it waits.'),
}) {}

export function toQuarantinedOrder(row: OrderRow): Omit<Shape<QuarantinedOrder>, 'executions'> {
  const { id: orderId, companyId, symbol, side, synthetic, createdAt, quarantinedAt } = row;
  return { orderId, companyId, symbol, side, synthetic, createdAt, quarantinedAt: quarantinedAt ?? createdAt };
}
