import type { KeyRing } from '../../shared/crypto.js';
import { createCursorCodec } from '../../shared/cursor.js';
import { readMigrations } from '../../shared/database/migrate.js';
import { buildSubgraph } from '../../shared/subgraph/build.js';
import type { Subgraph } from '../../shared/subgraph/subgraph.js';
import { listBalances } from './ledger/balance.store.js';
import { BalanceResolver } from './ledger/balance.resolver.js';
import { FindingResolver } from './ledger/finding.resolver.js';
import { ledgerJobs } from './ledger/jobs.js';
import { newFindings } from './ledger/metrics.js';
import { StatementResolver } from './ledger/statement.resolver.js';
import { CurrencyResolver } from './markets/currency.resolver.js';
import { forgetEventsJob } from './streams/forget-events.js';
import { noMarkets, type MarketFeed } from './streams/market-feed.js';
import { createMarketStreams } from './streams/market-streams.js';
import { marketUpdatesResolver } from './streams/market-updates.resolver.js';
import { walletUpdatesResolver } from './streams/wallet-updates.resolver.js';
import { createWalletStreams } from './streams/wallet-streams.js';

export interface TradingParts {
  readonly keyRing: KeyRing;
  /** Where live prices come from; without it there is no market. */
  readonly markets?: MarketFeed;
}

/** The domain of trading, wired. */
export function createTrading({ keyRing, markets = noMarkets }: TradingParts): Subgraph {
  const walletStreams = createWalletStreams({
    snapshots: {
      orders: () => Promise.resolve([]),
      balance: async (context, wallet) => ({ wallets: await listBalances(context, wallet) }),
    },
  });
  const { schema, sdl } = buildSubgraph({
    name: 'trading',
    resolvers: [
      new CurrencyResolver(),
      new BalanceResolver(),
      new StatementResolver(createCursorCodec(keyRing, 'trading-statements')),
      new FindingResolver(),
      walletUpdatesResolver(walletStreams),
      marketUpdatesResolver(createMarketStreams(markets)),
    ],
  });
  return {
    name: 'trading',
    schema,
    sdl,
    jobs: [...ledgerJobs, forgetEventsJob],
    metrics: [newFindings],
    entities: [],
    migrations: { schema: 'trading', migrations: readMigrations(new URL('./migrations/', import.meta.url)) },
  };
}
