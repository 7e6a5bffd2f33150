import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Decimal } from '../../../shared/decimal.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { OrderSideEnum } from '../orders/order.type.js';
import type { Side } from '../venues/venue.js';
import { quoteTtlSeconds, type QuoteState } from './quote.js';
import type { QuoteRow } from './quote.store.js';

const QuoteStatusEnum = describeEnum<QuoteState>(
  'QuoteStatus',
  'Status of a quote.',
  {
    OPEN: 'It can be executed.',
    EXECUTED: 'It was executed: see `orderId`.',
    EXPIRED: 'It has expired, by the clock of the server.',
  },
  { OPEN: ['Aberta', 'Open'], EXECUTED: ['Executada', 'Executed'], EXPIRED: ['Expirada', 'Expired'] },
);

@ObjectType({
  simpleResolvers: true,
  description: 'A price at which the platform trades with the client until it expires. Amounts are decimal text.',
})
export class Quote {
  @Field(() => ID, { description: 'Id (UUID).' })
  quoteId!: string;

  @Field(() => String, { description: 'Symbol of the market, such as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => OrderSideEnum, { description: 'BUY or SELL.' })
  side!: Side;

  @Field(() => QuoteStatusEnum, { description: 'Status.' })
  status!: QuoteState;

  @Field(() => DecimalScalar, {
    description:
      '`quoteAmount` per unit of the base currency, in the quote currency, rounded half up to 8 decimals. The amount to be paid is `quoteAmount`.',
  })
  price!: string;

  @Field(() => DecimalScalar, { description: 'Amount in the base currency.' })
  amount!: string;

  @Field(() => DecimalScalar, {
    description:
      'Amount that a BUY pays and a SELL receives, in the quote currency, before the fee: a BUY pays the fee in addition, from a SELL it is deducted.',
  })
  quoteAmount!: string;

  @Field(() => DecimalScalar, { description: 'Fee in `feeCurrency`, rounded down to its decimals.' })
  fee!: string;

  @Field(() => String, { description: 'Currency of the fee: the quote currency.' })
  feeCurrency!: string;

  @Field(() => DecimalScalar, {
    description:
      'Difference by which `quoteAmount` is worse than the order books with the fees of the venues, in percent with 4 decimals, rounded half up. Larger values have lower marginal rates.',
  })
  spread!: string;

  @Field(() => DateTimeScalar, { description: 'Time until which it can be executed, by the clock of the server.' })
  expiresAt!: Date;

  @Field(() => Int, { description: 'Validity in seconds from its creation: 30.' })
  ttlSeconds!: number;

  @Field(() => ID, { nullable: true, description: 'Id of the order that executed it; null before.' })
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
    spread: new Decimal(row.spread).toFixed(4),
    expiresAt,
    ttlSeconds: quoteTtlSeconds,
    orderId,
  };
}
