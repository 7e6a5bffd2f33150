import { readMigrations } from '../../shared/database/migrate.js';
import { buildSubgraph } from '../../shared/subgraph/build.js';
import type { Subgraph } from '../../shared/subgraph/subgraph.js';
import { CurrencyResolver } from './markets/currency.resolver.js';

/** The domain of trading, wired. */
export function createTrading(): Subgraph {
  const { schema, sdl } = buildSubgraph({
    name: 'trading',
    resolvers: [new CurrencyResolver()],
  });
  return {
    name: 'trading',
    schema,
    sdl,
    jobs: [],
    entities: [],
    migrations: { schema: 'trading', migrations: readMigrations(new URL('./migrations/', import.meta.url)) },
  };
}
