import { fixedClock } from '../../kit/clock.js';
import type { Principal } from '../../../shared/kernel/context.js';
import { seedMarkets } from '../../../subgraphs/trading/markets/open-markets.js';
import { createTrading } from '../../../subgraphs/trading/subgraph.js';
import { simulatedMarkets } from '../../../subgraphs/trading/venues/simulated/world.js';
import { openTestDatabase } from '../../kit/database.js';
import { contextOn, partsOf, runOn } from '../domain-kit.js';

export const trader = (...scopes: readonly string[]): Principal => ({
  kind: 'TRADER',
  id: 'c',
  ownerId: 'company',
  scopes,
});

/** The markets of the demo on a database of its own, at noon of 2026-11-20 in São Paulo, a Friday. Nothing moves by itself. */
export async function openMarketKit() {
  const database = await openTestDatabase();
  const clock = fixedClock('2026-11-20T15:00:00Z');
  const context = contextOn(database, clock);
  const parts = partsOf(database, clock);
  const trading = createTrading({ ...parts, config: { ...parts.config, demo: true } });
  const run = runOn(trading.schema, context);
  await seedMarkets(context, simulatedMarkets);
  return {
    database,
    context,
    clock,
    trading,
    run: (text: string, variables: Record<string, unknown> = {}, principal = trader('read')) =>
      run(text, variables, principal),
    /** Lets the simulated exchanges quote and trade once. */
    tick: () => {
      for (const exchange of trading.markets.venues.simulated) exchange.tick();
    },
    close: async () => {
      trading.markets.data.close();
      await database.close();
    },
  };
}
