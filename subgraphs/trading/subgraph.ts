import type { Clock } from '../../shared/clock.js';
import type { Config } from '../../shared/config.js';
import { readMigrations } from '../../shared/database/migrate.js';
import type { Logger } from '../../shared/log.js';
import { buildSubgraph } from '../../shared/subgraph/build.js';
import type { Subgraph } from '../../shared/subgraph/subgraph.js';
import { CandleResolver } from './candles/candle.resolver.js';
import { candleRetentionJob } from './candles/retention-job.js';
import { CurrencyResolver } from './markets/currency.resolver.js';
import { MarketOperatorResolver } from './markets/market-operator.resolver.js';
import { MarketResolver } from './markets/market.resolver.js';
import { openMarkets, type Markets } from './markets/open-markets.js';
import { VenueResolver } from './venues/venue.resolver.js';

export interface TradingParts {
  readonly config: Pick<Config, 'demo'>;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Trading extends Subgraph {
  /** The venues and what is known of the markets. Where trading is served they are started. */
  readonly markets: Markets;
}

/** The domain of trading, wired. No venue runs before `markets.start`. */
export function createTrading({ config, clock, log }: TradingParts): Trading {
  const markets = openMarkets({ clock, log, demo: config.demo });
  const { catalogue, data } = markets;
  const { schema, sdl } = buildSubgraph({
    name: 'trading',
    resolvers: [
      new CurrencyResolver(),
      new MarketResolver(catalogue, data),
      new MarketOperatorResolver(catalogue),
      new CandleResolver(catalogue),
      new VenueResolver(markets.venues),
    ],
  });
  return {
    name: 'trading',
    schema,
    sdl,
    jobs: [candleRetentionJob],
    entities: [],
    migrations: { schema: 'trading', migrations: readMigrations(new URL('./migrations/', import.meta.url)) },
    markets,
  };
}
