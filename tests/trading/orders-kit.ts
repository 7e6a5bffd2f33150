import { parse, validate } from 'graphql';
import { createLocalBus } from '../../shared/events/bus.js';
import { systemClock } from '../../shared/kernel/clock.js';
import { createContext, type Context } from '../../shared/kernel/context.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { createExecutor } from '../../shared/graphql/execute.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { listBalances, type BalanceRow } from '../../subgraphs/trading/ledger/balance.store.js';
import { postJournals } from '../../subgraphs/trading/ledger/post-journals.js';
import type { OwnWallet } from '../../subgraphs/trading/profiles/wallet.store.js';
import type { Venue } from '../../subgraphs/trading/venues/venue.js';
import { createTrading, type Trading } from '../../subgraphs/trading/subgraph.js';
import { quietLog, testKeyRing } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { newTrader, walletOf, type TestTrader } from './kit.js';

export interface OrdersKit {
  readonly database: TestDatabase;
  readonly context: Context;
  readonly trading: Trading;
  /** A company whose own wallet holds these funds. */
  trader(funds?: Readonly<Record<string, string>>, options?: Parameters<typeof newTrader>[1]): Promise<TestTrader>;
  /** Gives a real wallet funds. */
  fund(walletId: string, funds: Readonly<Record<string, string>>): Promise<void>;
  /** Runs a document as somebody. */
  run(trader: Pick<TestTrader, 'context'>, document: string, variables?: Record<string, unknown>): Promise<GraphResult>;
  /** The balances of a wallet, by currency. */
  balances(wallet: Pick<OwnWallet, 'id' | 'synthetic'>): Promise<Readonly<Record<string, BalanceRow>>>;
  rows<T>(sql: string, parameters?: readonly unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/**
 * A trading domain that is open, over its simulated exchanges, on a database of its own.
 * @param exchanges those of the real world, in place of the simulated ones
 */
export async function openOrders(exchanges?: readonly Venue[]): Promise<OrdersKit> {
  const database = await openTestDatabase({ poolSize: 20 });
  const { manager } = database.dataSource;
  const context = createContext({ clock: systemClock, log: quietLog, manager, bus: createLocalBus() });
  const trading = createTrading({
    config: {
      sandbox: false,
      demo: exchanges === undefined,
      transfers: { approvalAbove: 100_000, travelRuleAbove: 5_000, coolingMs: 3_600_000 },
    },
    keyRing: testKeyRing,
    clock: systemClock,
    log: quietLog,
    databaseUrl: database.url,
    ...(exchanges === undefined ? {} : { exchanges }),
  });
  const running = await trading.open(context);
  const executor = createExecutor(trading.schema, testKeyRing);
  const fund = async (walletId: string, funds: Readonly<Record<string, string>>) => {
    const postings = Object.entries(funds).flatMap(([currency, amount]) => [
      { account: { kind: 'AVAILABLE', walletId, currency } as const, amount },
      { account: { kind: 'CUSTODY', currency } as const, amount: `-${amount}` },
    ]);
    const journal = { key: `test:${walletId}`, cause: 'test', causeId: walletId, synthetic: false, postings };
    await inTransaction(context, (tx) => postJournals(tx, [journal]));
  };
  return {
    database,
    context,
    trading,
    trader: async (funds = { BRL: '1000000', BTC: '10' }, options = {}) => {
      const trader = await newTrader(context, { ...options, fund: trading.fundWallet });
      const { id: walletId } = await walletOf(trader);
      await fund(walletId, funds);
      return trader;
    },
    fund,
    run: async (trader, text, variables = {}) => {
      const document = parse(text);
      const [invalid] = validate(trading.schema, document);
      if (invalid !== undefined) throw invalid;
      const answer = await executor.execute({ document, variables }, { ...trader.context, loaders: new Map() });
      return JSON.parse(JSON.stringify(answer)) as GraphResult;
    },
    balances: async (wallet) =>
      Object.fromEntries((await listBalances(context, wallet)).map((row) => [row.currency, row])),
    rows: (sql, parameters = []) => manager.query(sql, [...parameters]),
    close: async () => {
      await running.close();
      await trading.close();
      await database.close();
    },
  };
}
