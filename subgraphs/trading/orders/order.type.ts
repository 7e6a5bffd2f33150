import { Field, ID, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { formatAmount } from '../format-amount.js';
import type { OrderType, Side } from '../venues/venue.js';
import { averagePriceOf, type OrderFilter, type OrderStatus, type OrderTimeInForce } from './order.js';
import type { OrderRow } from './order.store.js';

export const OrderSideEnum = describeEnum<Side>(
  'OrderSide',
  'Side of an order.',
  {
    BUY: 'Buys the base currency.',
    SELL: 'Sells the base currency.',
  },
  { BUY: ['Compra', 'Buy'], SELL: ['Venda', 'Sell'] },
);

export const OrderTypeEnum = describeEnum<OrderType>(
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

export const OrderFilterEnum = describeEnum<OrderFilter>(
  'OrderFilter',
  'Status by which a list of orders is filtered.',
  {
    OPEN: 'PENDING or PARTIALLY_FILLED.',
    PENDING: 'Not filled yet.',
    PARTIALLY_FILLED: 'Filled partially.',
    FILLED: 'Filled completely.',
    CANCELLED: 'Cancelled.',
    REJECTED: 'Rejected.',
    EXPIRED: 'Expired.',
  },
);

@ObjectType({
  simpleResolvers: true,
  description:
    'An order. Amounts are decimal text with the decimals of their currency, prices with those of the market.',
})
export class Order {
  @Field(() => ID, { description: 'Id (UUID).' })
  orderId!: string;

  @Field(() => String, { nullable: true, description: 'Id that the caller chose, unique within its wallet.' })
  clientOrderId!: string | null;

  @Field(() => String, { description: 'Symbol of the market, such as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => OrderSideEnum, { description: 'BUY or SELL.' })
  side!: Side;

  @Field(() => OrderTypeEnum, { description: 'MARKET or LIMIT.' })
  type!: OrderType;

  @Field(() => TimeInForceEnum, { description: 'How long it stays open.' })
  timeInForce!: OrderTimeInForce;

  @Field(() => Boolean, { description: 'Whether it was to be rejected rather than executed at once.' })
  postOnly!: boolean;

  @Field(() => OrderStatusEnum, { description: 'Status.' })
  status!: OrderStatus;

  @Field(() => String, { nullable: true, description: 'Reason for which it was rejected or not filled completely.' })
  reason!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Requested amount, in the base currency.' })
  amount!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What a BUY was to spend in all, in the quote currency: the fee is within it.',
  })
  quoteAmount!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Limit price, in the quote currency per unit of the base currency.',
  })
  price!: string | null;

  @Field(() => DecimalScalar, { description: 'Filled amount, in the base currency.' })
  filledAmount!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Average price of the filled amount, in the quote currency, with at least `priceDecimals` of the market, rounded half up to 8 decimals; null before the first fill.',
  })
  averagePrice!: string | null;

  @Field(() => DecimalScalar, { description: 'Fee charged so far, in `feeCurrency`, rounded down to its decimals.' })
  fee!: string;

  @Field(() => String, { description: 'Currency of the fee: the quote currency.' })
  feeCurrency!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time of expiry (GTD).' })
  expiresAt!: Date | null;

  @Field(() => DateTimeScalar, { description: 'Time at which it was placed.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time at which it was filled completely.' })
  filledAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A page of orders, newest first.' })
export class OrderList {
  @Field(() => [Order], { description: 'The orders of this page.' })
  orders!: Shape<Order>[];

  @Field(() => String, {
    nullable: true,
    description: 'Token to pass for the next page; null on the last page (omitted over REST).',
  })
  nextToken!: string | null;
}

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

export const TimeInForceEnum = describeEnum<OrderTimeInForce>(
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
