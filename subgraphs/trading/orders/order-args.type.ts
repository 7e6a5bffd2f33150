import { ArgsType, Field, ID, Int } from 'type-graphql';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { WalletArgs } from '../profiles/wallet-args.js';
import type { OrderType, Side } from '../venues/venue.js';
import type { OrderFilter, OrderTimeInForce } from './order.js';
import { OrderFilterEnum, OrderSideEnum, OrderTypeEnum, TimeInForceEnum } from './order.type.js';

@ArgsType()
export class CreateOrderArgs extends WalletArgs {
  @AtMost({ maxLength: 30 })
  @Field(() => String, { description: 'The market, as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => OrderSideEnum, { description: 'BUY or SELL the base currency.' })
  side!: Side;

  @Field(() => OrderTypeEnum, { description: 'MARKET or LIMIT.' })
  type!: OrderType;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'In the base currency, with no more decimals than `amountDecimals` of the market. This or `quoteAmount`.',
  })
  amount?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Of a BUY: what is spent at most, in the quote currency, the fee not included. This or `amount`.',
  })
  quoteAmount?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The limit, in the quote currency, with no more decimals than `priceDecimals` of the market. Required for LIMIT.',
  })
  price?: string | null;

  @AtMost({ maxLength: 64 })
  @Field(() => String, {
    nullable: true,
    description: 'An id of your own, 1 to 64 letters, digits, `-` and `_`, each once in a wallet.',
  })
  clientOrderId?: string | null;

  @Field(() => TimeInForceEnum, {
    nullable: true,
    description: 'GTC for LIMIT and IOC for MARKET when it is not given.',
  })
  timeInForce?: OrderTimeInForce | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Refuse the order rather than let it take at once. For LIMIT orders that wait.',
  })
  postOnly?: boolean | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Until when it waits; for GTD, within 366 days.' })
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
  @Field(() => String, { nullable: true, description: 'Only those of this market.' })
  symbol?: string | null;
}

@ArgsType()
export class CancelAfterArgs extends WalletArgs {
  @Field(() => Int, { description: 'Seconds from now, 1 to 86400; 0 takes the timer away.' })
  seconds!: number;
}

@ArgsType()
export class FetchOrdersArgs extends WalletArgs {
  @AtMost({ maxLength: 30 })
  @Field(() => String, { nullable: true, description: 'Only those of this market.' })
  symbol?: string | null;

  @Field(() => OrderFilterEnum, { nullable: true, description: 'Only those that stand so.' })
  status?: OrderFilter | null;

  @Field(() => Int, {
    nullable: true,
    defaultValue: 50,
    description: 'Orders a page, 1 to 100; 50 when it is not given.',
  })
  limit?: number | null;

  @AtMost({ maxLength: 500 })
  @Field(() => String, { nullable: true, description: '`nextToken` of the page before.' })
  nextToken?: string | null;
}
