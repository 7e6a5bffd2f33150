import type { KeyRing } from '../../shared/crypto.js';
import { createCursorCodec } from '../../shared/cursor.js';
import { readMigrations } from '../../shared/database/migrate.js';
import { buildSubgraph } from '../../shared/subgraph/build.js';
import type { Subgraph } from '../../shared/subgraph/subgraph.js';
import { BalanceResolver } from './ledger/balance.resolver.js';
import { FindingResolver } from './ledger/finding.resolver.js';
import { ledgerJobs } from './ledger/jobs.js';
import { newFindings } from './ledger/metrics.js';
import { StatementResolver } from './ledger/statement.resolver.js';
import { CurrencyResolver } from './markets/currency.resolver.js';

export interface TradingParts {
  readonly keyRing: KeyRing;
}

/** The domain of trading, wired. */
export function createTrading({ keyRing }: TradingParts): Subgraph {
  const { schema, sdl } = buildSubgraph({
    name: 'trading',
    resolvers: [
      new CurrencyResolver(),
      new BalanceResolver(),
      new StatementResolver(createCursorCodec(keyRing, 'trading-statements')),
      new FindingResolver(),
    ],
  });
  return {
    name: 'trading',
    schema,
    sdl,
    jobs: [...ledgerJobs],
    metrics: [newFindings],
    entities: [],
    migrations: { schema: 'trading', migrations: readMigrations(new URL('./migrations/', import.meta.url)) },
  };
}
