import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Decimal } from '../../../shared/decimal.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { OrderSideEnum } from '../orders/order.type.js';
import type { Side } from '../venues/venue.js';
import { quoteTtlSeconds, type QuoteState } from './quote.js';
import type { QuoteRow } from './quote.store.js';

const QuoteStatusEnum = describeEnum<QuoteState>('QuoteStatus', 'Where a quote stands.', {
  OPEN: 'It can be executed.',
  EXECUTED: 'It was executed: see `orderId`.',
  EXPIRED: 'Its time is over, by the clock of the server.',
});

@ObjectType({
  simpleResolvers: true,
  description: 'A price at which the house trades with the client until it expires. Amounts are decimal text.',
})
export class Quote {
  @Field(() => ID, { description: 'Its id (UUID).' })
  quoteId!: string;

  @Field(() => String, { description: 'The market, as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => OrderSideEnum, { description: 'BUY or SELL.' })
  side!: Side;

  @Field(() => QuoteStatusEnum, { description: 'Where it stands.' })
  status!: QuoteState;

  @Field(() => DecimalScalar, {
    description:
      '`quoteAmount` for one of the base currency, in the quote currency, rounded half up to 8 decimals. What is paid is `quoteAmount`.',
  })
  price!: string;

  @Field(() => DecimalScalar, { description: 'In the base currency.' })
  amount!: string;

  @Field(() => DecimalScalar, {
    description:
      'What a BUY pays and a SELL gets, in the quote currency: a BUY pays the fee besides, and of a SELL it is taken off.',
  })
  quoteAmount!: string;

  @Field(() => DecimalScalar, { description: 'The fee, in `feeCurrency`, rounded down to its decimals.' })
  fee!: string;

  @Field(() => String, { description: 'Currency of the fee: the quote currency.' })
  feeCurrency!: string;

  @Field(() => DecimalScalar, {
    description:
      'How much worse `quoteAmount` is than the books with the fees of the venues, in percent, rounded half up to 4 decimals. Larger values have lower marginal rates.',
  })
  spread!: string;

  @Field(() => DateTimeScalar, { description: 'Until when it can be executed, by the clock of the server.' })
  expiresAt!: Date;

  @Field(() => Int, { description: 'For how many seconds it is valid from its creation: 30.' })
  ttlSeconds!: number;

  @Field(() => ID, { nullable: true, description: 'The order that executed it; null before.' })
  orderId!: string | null;
}

const trimmed = (text: string) => new Decimal(text).toFixed();

export function toQuote(row: QuoteRow): Shape<Quote> {
  const { id: quoteId, symbol, side, state: status, amount, quoteAmount, expiresAt, orderId } = row;
  return {
    quoteId,
    symbol,
    side,
    status,
    price: new Decimal(quoteAmount).dividedBy(amount).toDecimalPlaces(8, Decimal.ROUND_HALF_UP).toFixed(),
    amount: trimmed(amount),
    quoteAmount: trimmed(quoteAmount),
    fee: trimmed(row.fee),
    feeCurrency: row.quote,
    spread: trimmed(row.spread),
    expiresAt,
    ttlSeconds: quoteTtlSeconds,
    orderId,
  };
}
