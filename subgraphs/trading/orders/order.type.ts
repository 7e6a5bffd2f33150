import { Field, ID, ObjectType } from 'type-graphql';
import { Decimal } from '../../../shared/decimal.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { OrderType, Side } from '../venues/venue.js';
import { averagePriceOf, type OrderFilter, type OrderStatus, type OrderTimeInForce } from './order.js';
import type { OrderRow } from './order.store.js';

export const OrderSideEnum = describeEnum<Side>('OrderSide', 'Which side of the market an order takes.', {
  BUY: 'Buys the base currency.',
  SELL: 'Sells the base currency.',
});

export const OrderTypeEnum = describeEnum<OrderType>('OrderType', 'How an order is priced.', {
  MARKET: 'At once, at the prices of the books, within the collar of the market.',
  LIMIT: 'At `price` or better.',
});

export const TimeInForceEnum = describeEnum<OrderTimeInForce>('TimeInForce', 'How long an order waits.', {
  GTC: 'Until it is filled or cancelled. The default of LIMIT orders.',
  IOC: 'Takes what is there at once; the rest is cancelled. The default of MARKET orders.',
  FOK: 'Is filled whole at once, or not at all.',
  GTD: 'Until `expiresAt`.',
});

export const OrderStatusEnum = describeEnum<OrderStatus>('OrderStatus', 'Where an order stands.', {
  PENDING: 'Nothing of it is filled yet, or its fate at a venue is not known; its funds are set aside.',
  PARTIALLY_FILLED: 'A part is filled, and more can be.',
  FILLED: 'All of it is filled.',
  CANCELLED: 'It was cancelled, or could not wait; `filledAmount` was filled before.',
  REJECTED: 'No venue took it.',
  EXPIRED: 'Its time was over; `filledAmount` was filled before.',
});

export const OrderFilterEnum = describeEnum<OrderFilter>('OrderFilter', 'Which orders a list shows.', {
  OPEN: 'PENDING or PARTIALLY_FILLED.',
  PENDING: 'Nothing is filled yet.',
  PARTIALLY_FILLED: 'A part is filled.',
  FILLED: 'All is filled.',
  CANCELLED: 'Cancelled.',
  REJECTED: 'Rejected.',
  EXPIRED: 'Expired.',
});

@ObjectType({ simpleResolvers: true, description: 'An order. Amounts are decimal text.' })
export class Order {
  @Field(() => ID, { description: 'Its id (UUID).' })
  orderId!: string;

  @Field(() => String, { nullable: true, description: 'The id that the caller gave it, unique in its wallet.' })
  clientOrderId!: string | null;

  @Field(() => String, { description: 'The market, as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => OrderSideEnum, { description: 'BUY or SELL.' })
  side!: Side;

  @Field(() => OrderTypeEnum, { description: 'MARKET or LIMIT.' })
  type!: OrderType;

  @Field(() => TimeInForceEnum, { description: 'How long it waits.' })
  timeInForce!: OrderTimeInForce;

  @Field(() => Boolean, { description: 'Whether it was refused rather than taking at once.' })
  postOnly!: boolean;

  @Field(() => OrderStatusEnum, { description: 'Where it stands.' })
  status!: OrderStatus;

  @Field(() => String, { nullable: true, description: 'Why it was rejected, or not filled whole.' })
  reason!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'What was asked for, in the base currency.' })
  amount!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What was asked for, in the quote currency, without the fee.',
  })
  quoteAmount!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The limit, in the quote currency for one of the base currency.',
  })
  price!: string | null;

  @Field(() => DecimalScalar, { description: 'Filled, in the base currency.' })
  filledAmount!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Average price of what is filled, in the quote currency, rounded half up to 8 decimals; null before the first fill.',
  })
  averagePrice!: string | null;

  @Field(() => DecimalScalar, { description: 'Fee charged so far, in `feeCurrency`, rounded down to its decimals.' })
  fee!: string;

  @Field(() => String, { description: 'Currency of the fee: the quote currency.' })
  feeCurrency!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it expires (GTD).' })
  expiresAt!: Date | null;

  @Field(() => DateTimeScalar, { description: 'When it was placed.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was filled whole.' })
  filledAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A page of orders, the newest first.' })
export class OrderList {
  @Field(() => [Order], { description: 'The orders.' })
  orders!: Shape<Order>[];

  @Field(() => String, {
    nullable: true,
    description: 'What to send for the next page; null on the last one (REST leaves it out).',
  })
  nextToken!: string | null;
}

const trimmed = (text: string) => new Decimal(text).toFixed();

export function toOrder(row: OrderRow): Shape<Order> {
  const { id: orderId, quote, ...order } = row;
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
    amount: order.amount === null ? null : trimmed(order.amount),
    quoteAmount: order.quoteAmount === null ? null : trimmed(order.quoteAmount),
    price: order.price === null ? null : trimmed(order.price),
    filledAmount: trimmed(order.filledAmount),
    averagePrice: averagePriceOf(row) ?? null,
    fee: trimmed(order.fee),
    feeCurrency: quote,
    expiresAt: order.expiresAt,
    createdAt: order.createdAt,
    filledAt: order.filledAt,
  };
}
