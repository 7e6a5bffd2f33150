import { parse, validate } from 'graphql';
import { fixedClock } from '../../shared/kernel/clock.js';
import { loadConfig } from '../../shared/kernel/config.js';
import { createContext, type Context, type Principal } from '../../shared/kernel/context.js';
import { createLocalBus } from '../../shared/events/bus.js';
import type { ErrorExtensions } from '../../shared/kernel/errors.js';
import { createExecutor } from '../../shared/graphql/execute.js';
import { seedMarkets } from '../../subgraphs/trading/markets/open-markets.js';
import { createTrading, type Trading } from '../../subgraphs/trading/subgraph.js';
import { simulatedMarkets } from '../../subgraphs/trading/venues/simulated/world.js';
import { quietLog, testKeyRing } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';

export interface MarketKit {
  readonly database: TestDatabase;
  readonly context: Context;
  readonly clock: ReturnType<typeof fixedClock>;
  readonly trading: Trading;
  run(
    text: string,
    variables?: Record<string, unknown>,
    principal?: Principal,
  ): Promise<{
    readonly data: Record<string, unknown> | null;
    readonly error?: ErrorExtensions & { readonly message: string };
  }>;
  /** Lets the simulated exchanges quote and trade once. */
  tick(): void;
  close(): Promise<void>;
}

/** A credential of a company with some scopes. */
export const trader = (...scopes: readonly string[]): Principal => ({
  kind: 'TRADER',
  id: 'c',
  ownerId: 'company',
  scopes,
});

/** The markets of the demo on a database of its own, at noon of 2026-11-20 in São Paulo, a Friday. Nothing moves by itself. */
export async function openMarketKit(): Promise<MarketKit> {
  const database = await openTestDatabase();
  const clock = fixedClock('2026-11-20T15:00:00Z');
  const { manager } = database.dataSource;
  const context = createContext({ clock, log: quietLog, manager, bus: createLocalBus() });
  const trading = createTrading({
    config: { ...loadConfig({ NODE_ENV: 'test' }), demo: true, sandbox: false },
    clock,
    log: quietLog,
    keyRing: testKeyRing,
    databaseUrl: database.url,
  });
  const executor = createExecutor(trading.schema, testKeyRing);
  await seedMarkets(context, simulatedMarkets);
  return {
    database,
    context,
    clock,
    trading,
    run: async (text, variables = {}, principal = trader('read')) => {
      const document = parse(text);
      const invalid = validate(trading.schema, document);
      if (invalid.length > 0) throw new Error(invalid.map((error) => error.message).join('\n'));
      const { data, errors } = await executor.execute(
        { document, variables },
        { ...context, principal, loaders: new Map() },
      );
      const [error] = errors ?? [];
      // Errors of the executor carry the extensions of an error of the house.
      const extensions = error?.extensions as unknown as ErrorExtensions;
      return { data: data ?? null, ...(error && { error: { ...extensions, message: error.message } }) };
    },
    tick: () => {
      for (const exchange of trading.markets.venues.simulated) exchange.tick();
    },
    close: async () => {
      trading.markets.data.close();
      await database.close();
    },
  };
}
