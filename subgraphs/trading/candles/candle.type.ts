import { Field, ObjectType } from 'type-graphql';
import { DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { formatAmount } from '../format-amount.js';
import type { MarketDecimals } from '../markets/market.type.js';
import type { CandleRow } from './candle.store.js';

@ObjectType({
  simpleResolvers: true,
  description: 'Prices and volume of a market in an interval. Prices are in the quote currency.',
})
export class Candle {
  @Field(() => DateTimeScalar, { description: 'Start of the interval in UTC; weeks start on Mondays.' })
  timestamp!: Date;

  @Field(() => DecimalScalar, { description: 'First price.' })
  open!: string;

  @Field(() => DecimalScalar, { description: 'Highest price.' })
  high!: string;

  @Field(() => DecimalScalar, { description: 'Lowest price.' })
  low!: string;

  @Field(() => DecimalScalar, { description: 'Last price.' })
  close!: string;

  @Field(() => DecimalScalar, {
    description: 'Traded amount, in the base currency; 0 when the prices are mid prices.',
  })
  volume!: string;
}

@ObjectType({ simpleResolvers: true, description: 'The candles of a market.' })
export class HistoricalPrices {
  @Field(() => String, { description: 'Symbol of the market, such as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => String, { description: '`1h`, `4h`, `1d` or `1w`.' })
  interval!: string;

  @Field(() => [Candle], { description: 'Candles, oldest first; the last one has not ended.' })
  candles!: Candle[];
}

export function toCandle(
  { openedAt, open, high, low, close, volume }: CandleRow,
  { priceDecimals, baseDecimals }: MarketDecimals,
): Shape<Candle> {
  return {
    timestamp: openedAt,
    open: formatAmount(open, priceDecimals),
    high: formatAmount(high, priceDecimals),
    low: formatAmount(low, priceDecimals),
    close: formatAmount(close, priceDecimals),
    volume: formatAmount(volume, baseDecimals),
  };
}
