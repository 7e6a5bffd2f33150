import type { AuditTrail } from '../../shared/security/audit/trail.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { Config } from '../../shared/kernel/config.js';
import type { Context } from '../../shared/kernel/context.js';
import type { KeyRing } from '../../shared/security/crypto.js';
import { createCursorCodec } from '../../shared/graphql/cursor.js';
import { readMigrations } from '../../shared/database/migrate.js';
import type { Logger } from '../../shared/kernel/log.js';
import { buildSubgraph } from '../../shared/graphql/build.js';
import type { Subgraph } from '../../shared/graphql/subgraph.js';
import { workQueueResolvers } from '../../shared/work/queue/work-queue.resolver.js';
import { CompanyResolver, CredentialResolver, TokenResolver } from './access/access.resolver.js';
import { openTraders, type Traders } from './access/traders.js';
import { unlinkTradingAccounts } from './access/companies.acts.js';
import { CandleResolver } from './candles/candle.resolver.js';
import { loadTradingDemo } from './demo/demo.js';
import { newFindings, openFindings, openVenueDifferences } from './ledger/findings.acts.js';
import { CurrencyResolver, MarketResolver, PoolsResolver, MarketOperatorResolver } from './markets/market.resolver.js';
import { createPools } from './markets/pools.js';
import { OrderOperatorResolver, OrderResolver, OrderMutationsResolver } from './orders/order.resolver.js';
import { type Markets, openMarkets } from './markets/open-markets.js';
import { BalanceResolver, FindingResolver, StatementResolver } from './ledger/ledger.resolver.js';
import { CorrectionResolver } from './ledger/corrections/correction.resolver.js';
import { oldestHedge, tradingJobs } from './jobs.js';
import { watchedHedges } from './quotes/hedge.store.js';
import { OpenHedgeResolver, QuoteResolver } from './quotes/quote.resolver.js';
import { fundSynthetic, type FundWallet } from './profiles/profiles.acts.js';
import { ProfileResolver } from './profiles/profile.resolver.js';
import { requireSynthetic } from './profiles/require-synthetic.js';
import { marketFeedOf, createMarketStreams } from './streams/market-streams.js';
import { snapshots, createWalletStreams } from './streams/wallet-streams.js';
import { walletUpdatesResolver, marketUpdatesResolver } from './streams/updates.resolver.js';
import { toTransferRules, valueByMarkets } from './transfers/networks.js';
import { oldestReadyWithdrawal } from './transfers/withdrawals/send-withdrawal.js';
import { createTransfers, type TransferParts, type Transfers } from './transfers/transfers.js';
import { VenueResolver, ConfiguredVenueResolver } from './venues/venue.resolver.js';
import type { Venue } from './venues/venue.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { newId } from '../../shared/kernel/ids.js';
import { createDesk } from './orders/create-desk.js';
import { createOrderEngine } from './orders/engine.js';
import type { ExecutionRow } from './orders/execution.store.js';
import { createHedger } from './quotes/hedge.js';
import { settleLateHedgeFills } from './quotes/settle-hedge.js';
import { createBalanceWatch, lookAge } from './venues/balances/watch-balances.js';
import { bookCapital } from './venues/open-venues.js';
import { openConfiguredVenues } from './venues/configured/open-configured.js';

export interface TradingParts {
  readonly config: Pick<Config, 'demo' | 'sandbox' | 'transfers'>;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly log: Logger;
  /** Database for the look-ups of traders. Nothing connects before the first. */
  readonly databaseUrl: string;
  readonly audit?: AuditTrail;
  /** Exchanges that receive orders, besides the simulated ones. */
  readonly exchanges?: readonly Venue[];
  /** How often their balances are compared with the ledger; every 15 seconds by default. */
  readonly balanceLooksMs?: number;
  /** Parts of deposits and withdrawals that replace the configured ones. */
  readonly transfers?: Partial<TransferParts>;
}

export interface Trading extends Subgraph {
  readonly traders: Traders;
  readonly fundWallet: FundWallet;
  readonly markets: Markets;
  readonly transfers: Transfers;
  /** Connects to the venues and processes orders, in processes that serve this module. */
  open(context: Context): Promise<RunningServices>;
  /** Gives the demo's company funds and a history, if it has none. The module must be open. */
  loadDemo(context: Context, apiKey: string): Promise<void>;
  close(): Promise<void>;
}

/** Wires the trading module. No order is accepted before it is opened. */
export function createTrading(parts: TradingParts): Trading {
  const traders = openTraders(parts);
  const { tokens, forgetFamily } = traders;
  const services = createTradingServices(parts);
  const orderParts = { desk: services.desk, catalogue: services.markets.catalogue };
  const pools = createPools({
    venues: (synthetic) => services.markets.data.venues(synthetic),
    now: () => parts.clock.now(),
  });
  const profileCursors = createCursorCodec(parts.keyRing, 'trading-profiles');
  const transfers = createTransfers({
    keyRing: parts.keyRing,
    rules: toTransferRules(parts.config.transfers),
    valueInBrl: valueByMarkets(services.markets.data),
    simulatesReal: !isReal(parts.config),
    ...parts.transfers,
  });
  const { schema, sdl } = buildSubgraph({
    name: 'trading',
    resolvers: [
      new CompanyResolver({ fund: fundSynthetic, profileCursors }),
      new CredentialResolver(),
      new TokenResolver({ tokens, forgetFamily }),
      new ProfileResolver({ fund: fundSynthetic, cursors: profileCursors }),
      new CurrencyResolver(),
      new MarketResolver(services.markets.catalogue, services.markets.data),
      new MarketOperatorResolver(services.markets.catalogue),
      new CandleResolver(services.markets.catalogue),
      new VenueResolver(services.markets.venues),
      new ConfiguredVenueResolver({ keyRing: parts.keyRing, isReal: isReal(parts.config) }),
      new PoolsResolver(pools),
      new BalanceResolver(),
      new StatementResolver(createCursorCodec(parts.keyRing, 'trading-statement-pages')),
      new FindingResolver(transfers.reconcileCustody),
      new CorrectionResolver(),
      ...transfers.resolvers,
      new OrderMutationsResolver(orderParts),
      new OrderResolver(createCursorCodec(parts.keyRing, 'trading-orders'), orderParts),
      new OrderOperatorResolver(),
      new QuoteResolver(orderParts),
      new OpenHedgeResolver(),
      ...workQueueResolvers({
        domain: 'Trading',
        words: 'trading',
        role: 'trade',
        queues: [...transfers.queues, watchedHedges],
      }),
      walletUpdatesResolver(
        createWalletStreams({ snapshots }),
        createCursorCodec(parts.keyRing, 'trading-streams', 'an event of this subscription and wallet'),
      ),
      marketUpdatesResolver(createMarketStreams(marketFeedOf(services.markets.catalogue, services.markets.data))),
    ],
  });
  if (parts.config.sandbox) requireSynthetic(schema);
  return {
    name: 'trading',
    schema,
    sdl,
    jobs: [...tradingJobs, ...transfers.jobs],
    metrics: [newFindings, openFindings, openVenueDifferences, lookAge, oldestHedge, oldestReadyWithdrawal],
    consumers: [unlinkTradingAccounts],
    migrations: { schema: 'trading', migrations: readMigrations(new URL('./migrations/', import.meta.url)) },
    traders,
    transfers,
    fundWallet: fundSynthetic,
    markets: services.markets,
    open: (context) => services.open(context),
    loadDemo: (context, apiKey) => loadTradingDemo(context, orderParts, apiKey),
    close: () => traders.close(),
  };
}

interface RunningServices {
  close(): Promise<void>;
}

/** Creates what the folders of trading share: the venues, their market data, and the desk that sends orders. One per process that serves this module. */
function createTradingServices({ config, keyRing, clock, log, exchanges = [], balanceLooksMs }: TradingParts) {
  const markets = openMarkets({ clock, log, demo: config.demo, history: config.demo || config.sandbox });
  for (const exchange of exchanges) markets.add(exchange);
  const { venues } = markets;
  const desk = createDesk(newId(), markets.data);
  const restore = (executions: readonly ExecutionRow[]) => {
    for (const exchange of venues.simulated) {
      exchange.restore(executions.filter(({ venue }) => venue === exchange.name).map(toRestored));
    }
  };
  return {
    desk,
    markets,
    open: async (context: Context): Promise<RunningServices> => {
      for (const venue of [...venues.simulated, ...exchanges]) {
        const balances = await venue.balances();
        await inTransaction(context, (tx) => bookCapital(tx, venue, balances));
      }
      if (isReal(config)) for (const venue of await openConfiguredVenues(context, keyRing)) markets.add(venue);
      const engine = createOrderEngine(context, { desk, restore, settleOthers: settleLateHedgeFills });
      await engine.start();
      await markets.start(context);
      const hedger = createHedger(context, { desk, catalogue: markets.catalogue });
      hedger.start();
      const simulated = new Set(venues.simulated.map(({ name }) => name));
      const lasting = venues.all.filter(({ name }) => !simulated.has(name));
      const watch = createBalanceWatch(context, lasting, balanceLooksMs);
      watch.start();
      return {
        close: async () => {
          await watch.stop();
          await hedger.stop();
          await engine.stop();
          await markets.stop();
        },
      };
    },
  };
}

/** Whether real money is involved: nothing in the demo, whose funds are invented, or the sandbox goes to a real exchange or custody. */
function isReal({ demo, sandbox }: TradingParts['config']): boolean {
  return !demo && !sandbox;
}

function toRestored({ id, symbol, side, limitPrice, amount, filledAmount }: ExecutionRow) {
  return {
    clientOrderId: id,
    symbol,
    side,
    price: new Decimal(limitPrice),
    amount: new Decimal(amount),
    filled: new Decimal(filledAmount),
  };
}
