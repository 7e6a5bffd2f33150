import type { Clock } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { Logger } from '../../../shared/kernel/log.js';
import { listHoursSince } from '../candles/candle.store.js';
import { seedCandles } from '../candles/seed-candles.js';
import { createCandleWriter, type CandleWriter } from '../candles/writer.js';
import { openVenues, type Venues } from '../venues/open-venues.js';
import { simulatedMarkets, simulatedPrices } from '../venues/simulated/world.js';
import type { Venue, VenueMarket } from '../venues/venue.js';
import { createCatalogue, type Catalogue } from './catalogue.js';
import { createMarketData, type MarketData } from './market-data.js';
import { usualCollarPercent } from './market.type.js';
import { addFirstMarkets } from './market.store.js';

export interface MarketsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether live trading is simulated as well. */
  readonly demo: boolean;
  /** Whether simulated trading begins with a history of candles: for the demo and the sandbox. */
  readonly history?: boolean;
}

export interface Markets {
  readonly venues: Venues;
  readonly catalogue: Catalogue;
  readonly data: MarketData;
  /** Adds a real exchange, before `start`. */
  add(exchange: Venue): void;
  /** Seeds what is missing, starts the venues, and writes candles from then on. Call `restore` of `venues.simulated` before. */
  start(context: Context): Promise<void>;
  stop(): Promise<void>;
}

const dayMs = 86_400_000;

/** Opens the markets. Nothing runs, and nothing is written, before `start`. */
export function openMarkets(options: MarketsOptions): Markets {
  const { clock, log, demo, history = demo } = options;
  const venues = openVenues(options);
  const data = createMarketData({ venues: venues.all, clock, log });
  let writer: CandleWriter | undefined;
  return {
    venues,
    catalogue: createCatalogue(),
    data,
    add: (exchange) => data.add(venues.add(exchange)),
    start: async (context) => {
      const worlds = [...new Set(venues.all.map(({ synthetic }) => synthetic))];
      await seedMarkets(context, simulatedMarkets);
      const since = new Date(clock.now().getTime() - dayMs);
      for (const synthetic of worlds) {
        const priceAt = simulatedPrices(synthetic).at;
        if (history && (synthetic || demo))
          await seedCandles(context, { synthetic, markets: simulatedMarkets, priceAt });
        data.remember(synthetic, await listHoursSince(context, synthetic, since));
      }
      await venues.start();
      const tapes = worlds.map((synthetic) => ({ synthetic, tape: data.tape(synthetic) }));
      writer = createCandleWriter(context, { tapes, sample: data.sampleMids });
      writer.start();
    },
    stop: async () => {
      await venues.stop();
      await writer?.stop();
      data.close();
    },
  };
}

/** Adds the markets of the venues if there are no markets at all; later changes by operators stay. */
export function seedMarkets(context: Context, markets: readonly VenueMarket[]): Promise<void> {
  const rows = markets.map(({ minAmount, ...market }) => ({
    ...market,
    minOrderSize: minAmount.toFixed(),
    collarPercent: usualCollarPercent,
  }));
  return addFirstMarkets(context, rows);
}
