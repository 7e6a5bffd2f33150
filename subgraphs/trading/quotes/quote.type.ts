import { ObjectType, ArgsType } from 'type-graphql';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { formatAmount } from '../format-amount.js';
import { OrderSideEnum } from '../orders/order.type.js';
import { quoteTtlSeconds, totalOf, type QuoteState } from './quote.js';
import type { QuoteRow } from './quote.store.js';
import { ofWallet } from '../profiles/require-wallet.js';
import { args, decimal, fields, flag, id, int, nullable, of, text, time } from '../../../shared/graphql/fields.js';

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
  description:
    'A price at which the platform trades with the client until it expires. Amounts are decimal text with the decimals of their currency.',
})
export class Quote extends fields({
  quoteId: id('Id (UUID).'),
  symbol: text('Symbol of the market, such as `BTC/BRL`.'),
  side: of(() => OrderSideEnum, 'BUY or SELL.'),
  status: of(() => QuoteStatusEnum, 'Status.'),
  price: decimal(
    'Price of one unit of the base currency, in the quote currency, with the decimals of the market and without the fee. The order of the quote has it as `averagePrice`.',
  ),
  amount: decimal('Amount in the base currency.'),
  quoteAmount: decimal(
    'What a BUY pays and a SELL gets in all, in the quote currency: `price` × `amount`, rounded against the client, and the fee, which a BUY pays besides and which is deducted from a SELL.',
  ),
  fee: decimal('Fee within `quoteAmount`, in `feeCurrency`, rounded down to its decimals.'),
  feeCurrency: text('Currency of the fee: the quote currency.'),
  spread: decimal(
    'Difference by which `price` × `amount` is worse than the order books with the fees of the venues, in percent with 4 decimals, rounded half up. Larger values have lower marginal rates.',
  ),
  expiresAt: time('Time until which it can be executed, by the clock of the server.'),
  ttlSeconds: int('Validity in seconds from its creation: 30.'),
  orderId: nullable.id('Id of the order that executed it; null before.'),
}) {}

export function toQuote(row: QuoteRow): Shape<Quote> {
  const { id: quoteId, symbol, side, state: status, expiresAt, orderId } = row;
  return {
    quoteId,
    symbol,
    side,
    status,
    price: formatAmount(row.price, row.priceDecimals),
    amount: formatAmount(row.amount, row.baseDecimals),
    quoteAmount: formatAmount(totalOf(side, row.value, row.fee), row.quoteDecimals),
    fee: formatAmount(row.fee, row.quoteDecimals),
    feeCurrency: row.quote,
    spread: new Decimal(row.spread).toFixed(4),
    expiresAt,
    ttlSeconds: quoteTtlSeconds,
    orderId,
  };
}

@ObjectType({
  simpleResolvers: true,
  description:
    'An executed quote that the platform has not completely traded at the venues: the rest is its own position.',
})
export class OpenHedge extends fields({
  quoteId: id('Id of the quote (UUID).'),
  companyId: id('Id of the company that executed it.'),
  synthetic: flag('Whether it is synthetic.'),
  symbol: text('Symbol of the market, such as `BTC/BRL`.'),
  side: of(() => OrderSideEnum, 'Side of the client, which is also the side of the trades at the venues.'),
  amount: decimal('Total amount to be traded, in the base currency.'),
  hedgedAmount: decimal('Amount traded so far, in the base currency.'),
  since: time('Time at which the quote was executed.'),
  overdueSince: nullable.time('Time since which it is overdue and logged as an error; null before.'),
  reason: nullable.text('Reason for which the last attempt to trade it failed.'),
}) {}

@ArgsType()
export class CreateQuoteArgs extends args({
  ...ofWallet,
  symbol: text('Symbol of the market, such as `BTC/BRL`.', { maxLength: 30 }),
  side: of(() => OrderSideEnum, 'BUY or SELL, with respect to the base currency.'),
  amount: nullable.decimal(
    'Amount in the base currency, with at most `amountDecimals` of the market; fees come on top. Give either this or `quoteAmount`.',
  ),
  quoteAmount: nullable.decimal(
    'What a BUY pays at most and a SELL gets at least in all, in the quote currency, the fee taken into account: a BUY gets the largest amount that does not cost more, a SELL the smallest that yields as much. Give either this or `amount`.',
  ),
}) {}

@ArgsType()
export class QuoteArgs extends args({
  ...ofWallet,
  quoteId: id('Id of the quote (UUID).'),
}) {}
