import { Arg, Args, Ctx, Int, Query, Resolver, ObjectType } from 'type-graphql';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { Context } from '../../../shared/kernel/context.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Catalogue } from '../markets/catalogue.js';
import { SymbolArgs } from '../markets/market.resolver.js';
import { intervalNames, isInterval } from './tape.js';
import { formatAmount } from '../format-amount.js';
import type { MarketDecimals } from '../markets/market.type.js';
import { type CandleRow, readCandles } from './candle.store.js';
import { decimal, fields, list, text, time } from '../../../shared/graphql/fields.js';

const mostCandles = 1_000;

@Resolver()
export class CandleResolver {
  constructor(private readonly catalogue: Catalogue) {}

  @Access('market', 'read')
  @Query(() => HistoricalPrices, {
    description:
      'The last candles of a market, from trades on all venues. An interval without trades has mid prices and a volume of 0; one without any data repeats the previous close. API keys may read them too. REST: GET /v1/market/fetchHistoricalPrices. Errors: 400 for an invalid `interval` or `limit`; 400 CAAS_ORD_002 for a symbol that is not a market; 401 CAAS_AUTH_001; 403 without the scope `read`.',
  })
  async historicalPrices(
    @Ctx() context: Context,
    @Args(() => SymbolArgs) { symbol, synthetic }: SymbolArgs,
    @AtMost({ maxLength: 12 })
    @Arg('interval', () => String, { defaultValue: '1d', description: '`1h`, `4h`, `1d` or `1w`; default `1d`.' })
    interval: string,
    @Arg('limit', () => Int, {
      defaultValue: 30,
      description: `Number of candles, from 1 to ${mostCandles}; default 30.`,
    })
    limit: number,
  ): Promise<Shape<HistoricalPrices>> {
    const isOutside = limit < 1 || limit > mostCandles;
    if (!isInterval(interval)) {
      refuse('BAD_REQUEST', [
        { path: 'interval', message: `must be one of ${intervalNames.join(', ')}` },
        ...(isOutside ? [{ path: 'limit', message: `must be from 1 to ${mostCandles}` }] : []),
      ]);
      throw new RangeError('An invalid interval was not rejected');
    }
    requireBounds({ name: 'limit', value: limit, min: 1, max: mostCandles });
    const market = await this.catalogue.require(context, symbol);
    const rows = await readCandles(context, { synthetic, symbol, interval, limit });
    return { symbol, interval, candles: rows.map((row) => toCandle(row, market)) };
  }
}

@ObjectType({
  simpleResolvers: true,
  description: 'Prices and volume of a market in an interval. Prices are in the quote currency.',
})
export class Candle extends fields({
  timestamp: time('Start of the interval in UTC; weeks start on Mondays.'),
  open: decimal('First price.'),
  high: decimal('Highest price.'),
  low: decimal('Lowest price.'),
  close: decimal('Last price.'),
  volume: decimal('Traded amount, in the base currency; 0 when the prices are mid prices.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'The candles of a market.' })
class HistoricalPrices extends fields({
  symbol: text('Symbol of the market, such as `BTC/BRL`.'),
  interval: text('`1h`, `4h`, `1d` or `1w`.'),
  candles: list(() => Candle, 'Candles, oldest first; the last one has not ended.'),
}) {}

function toCandle(
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
