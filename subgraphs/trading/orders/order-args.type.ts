import { ArgsType, Field, ID, Int, ObjectType } from 'type-graphql';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import { WalletArgs } from '../profiles/require-wallet.js';
import type { OrderType, Side } from '../venues/venue.js';
import type { OrderFilter, OrderTimeInForce } from './order.js';
import { OrderFilterEnum, OrderSideEnum, OrderTypeEnum, TimeInForceEnum } from './order.type.js';

@ArgsType()
export class CreateOrderArgs extends WalletArgs {
  @AtMost({ maxLength: 30 })
  @Field(() => String, { description: 'Symbol of the market, such as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => OrderSideEnum, { description: 'BUY or SELL, with respect to the base currency.' })
  side!: Side;

  @Field(() => OrderTypeEnum, { description: 'MARKET or LIMIT.' })
  type!: OrderType;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Amount in the base currency, with at most `amountDecimals` of the market; fees come on top. Give either this or `quoteAmount`.',
  })
  amount?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'For a BUY: the most that it spends in all, in the quote currency, the fee within it. Give either this or `amount`.',
  })
  quoteAmount?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Limit price, in the quote currency, with at most `priceDecimals` of the market. Required for LIMIT.',
  })
  price?: string | null;

  @AtMost({ maxLength: 64 })
  @Field(() => String, {
    nullable: true,
    description: 'An id chosen by the caller, 1 to 64 letters, digits, `-` and `_`, unique within a wallet.',
  })
  clientOrderId?: string | null;

  @Field(() => TimeInForceEnum, {
    nullable: true,
    description: 'Time in force; default GTC for LIMIT and IOC for MARKET.',
  })
  timeInForce?: OrderTimeInForce | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether to reject the order if it would be executed at once. Only for LIMIT orders with GTC or GTD.',
  })
  postOnly?: boolean | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time of expiry, for GTD; within 366 days.' })
  expiresAt?: string | null;
}

@ArgsType()
export class OrderArgs extends WalletArgs {
  @Field(() => ID, { description: 'Id of the order (UUID).' })
  orderId!: string;
}

@ArgsType()
export class CancelAllArgs extends WalletArgs {
  @AtMost({ maxLength: 30 })
  @Field(() => String, { nullable: true, description: 'Only orders of this market.' })
  symbol?: string | null;
}

@ArgsType()
export class CancelAfterArgs extends WalletArgs {
  @Field(() => Int, { description: 'Seconds from now, 1 to 86400; 0 removes the timer.' })
  seconds!: number;
}

@ArgsType()
export class FetchOrdersArgs extends WalletArgs {
  @AtMost({ maxLength: 30 })
  @Field(() => String, { nullable: true, description: 'Only orders of this market.' })
  symbol?: string | null;

  @Field(() => OrderFilterEnum, { nullable: true, description: 'Only orders with this status.' })
  status?: OrderFilter | null;

  @Field(() => Int, {
    nullable: true,
    defaultValue: 50,
    description: 'Orders per page, 1 to 100; default 50.',
  })
  limit?: number | null;

  @AtMost({ maxLength: 500 })
  @Field(() => String, { nullable: true, description: '`nextToken` of the previous page.' })
  nextToken?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'An amount that would be set aside for an order.' })
export class PreviewedHold {
  @Field(() => String, { description: 'Code of the currency.' })
  currency!: string;

  @Field(() => DecimalScalar, { description: 'Amount, in that currency.' })
  amount!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'What an order would do by the present order books. Books move: what is executed can differ.',
})
export class OrderPreview {
  @Field(() => String, {
    nullable: true,
    description: 'Reason for which the order would end at once, in English; null when it would be placed.',
  })
  refused!: string | null;

  @Field(() => DecimalScalar, { description: 'Amount that is expected to be executed at once, in the base currency.' })
  amount!: string;

  @Field(() => DecimalScalar, { description: 'Value of that amount, in the quote currency, without the fee.' })
  notional!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Average price of that amount, in the quote currency, with at least `priceDecimals` of the market, rounded half up to 8 decimals; null when nothing would be executed at once.',
  })
  averagePrice!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Worst price that any part of the order can have, also when it is sent again because books have moved, in the quote currency; null when it would end at once.',
  })
  worstPrice!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Average price relative to the mid price, in percent, rounded half up to 4 decimals: a positive value is worse. Null without a mid price.',
  })
  slippagePercent!: string | null;

  @Field(() => DecimalScalar, {
    description:
      'Fee of the company on what is expected to be executed at once, by its rate for orders that remove liquidity, rounded down.',
  })
  fee!: string;

  @Field(() => String, { description: 'Currency of the fee.' })
  feeCurrency!: string;

  @Field(() => PreviewedHold, {
    nullable: true,
    description:
      'What would be set aside: the most that the order can cost with its fee, or the amount of a SELL; null when it would end at once.',
  })
  hold!: PreviewedHold | null;
}
