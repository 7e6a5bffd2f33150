import type { Context, Principal } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { newId } from '../../../shared/kernel/ids.js';
import { roles } from '../../../shared/graphql/roles.js';
import { listBalances, type BalanceRow, findInBalances } from '../../../subgraphs/trading/ledger/ledger.store.js';
import type { OwnWallet } from '../../../subgraphs/trading/profiles/profile.store.js';
import { createTrading } from '../../../subgraphs/trading/subgraph.js';
import type { SimulatedCustody } from '../../../subgraphs/trading/transfers/custody/simulated/simulated-custody.js';
import type { TransferEngine, Transfers } from '../../../subgraphs/trading/transfers/transfers.js';
import { sendTimes } from '../../../subgraphs/trading/transfers/withdrawals/send-withdrawal.js';
import { openTestDatabase, type TestDatabase } from '../../kit/database.js';
import { contextOn, credit, partsOf, runOn, type Run } from '../domain-kit.js';
import { newTrader, walletOf, type TestTrader } from '../kit.js';

/** Time between two blocks of the simulated networks. */
export const blockMs = 1_000;

/** A company with funds in its own wallet. */
export interface Funded {
  readonly trader: TestTrader;
  readonly wallet: OwnWallet;
}

/** Transfers on a database of their own, with a clock that tests move. */
export interface TransferKit {
  readonly database: TestDatabase;
  readonly context: Context;
  readonly custody: SimulatedCustody;
  readonly engine: TransferEngine;
  /** Another engine on the same database, as another instance has one. */
  openEngine(): TransferEngine;
  /** Lets time pass, and has done what is due then. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until everything that is under way is over. */
  settle(): Promise<void>;
  funded(amount: string, currency?: string): Promise<Funded>;
  /** Gives a wallet funds, or takes them away, in a transaction of its own if none is given. */
  credit(wallet: OwnWallet, amount: string, currency?: string, tx?: Context): Promise<void>;
  balance(wallet: OwnWallet, currency?: string): Promise<Pick<BalanceRow, 'available' | 'locked'>>;
  /** The balance of an account of the house. */
  platform(kind: string, currency?: string, synthetic?: boolean): Promise<string>;
  rows<T>(text: string, parameters?: readonly unknown[]): Promise<T[]>;
  readonly run: Run;
  /** The same on a house with real money, to which no custody is connected. */
  readonly runWithoutCustody: Run;
  /** Transfers with the simulated custody, and those of that house without one. */
  readonly connected: Transfers;
  readonly unconnected: Transfers;
  /** Lets time pass, and nothing else. */
  ahead(ms: number): void;
  /** The promises of the ledger that are broken. */
  discrepancies(): Promise<unknown[]>;
  close(): Promise<void>;
}

export function newOperatorPrincipal(): Principal {
  return { kind: 'OPERATOR', id: newId(), ownerId: newId(), name: 'olga@casa.example', scopes: roles };
}

export async function openTransfers(): Promise<TransferKit> {
  const database = await openTestDatabase({ poolSize: 20 });
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const context = contextOn(database, clock);
  const parts = partsOf(database, clock);
  const domain = createTrading({
    ...parts,
    transfers: {
      blockMs,
      simulatesReal: true,
      valueInBrl: (_context, { currency, amount }) => Promise.resolve(amount.times(prices[currency] ?? 0)),
    },
  });
  const unconnected = createTrading(parts);
  const custody = domain.transfers.simulated.real;
  if (custody === undefined) throw new Error('Custody is not simulated');
  const openEngine = () => domain.transfers.openEngine(context, sendTimes);
  const engine = openEngine();
  const rows: TransferKit['rows'] = (text, parameters = []) => context.manager.query(text, [...parameters]);
  const pass: TransferKit['pass'] = async (ms) => {
    aheadMs += ms;
    await engine.drain();
  };
  const give: TransferKit['credit'] = (wallet, amount, currency = 'BRL', outer = context) =>
    credit(outer, wallet, { [currency]: amount });
  return {
    database,
    context,
    custody,
    engine,
    openEngine,
    pass,
    settle: async () => {
      for (let round = 0; round < 20; round += 1) await pass(60_000);
    },
    funded: async (amount, currency) => {
      const trader = await newTrader(context);
      const wallet = await walletOf(trader);
      if (new Decimal(amount).greaterThan(0)) await give(wallet, amount, currency);
      return { trader, wallet };
    },
    credit: give,
    balance: async (wallet, currency = 'BRL') => {
      const found = (await listBalances(context, wallet)).find((row) => row.currency === currency);
      if (found === undefined) throw new Error(`There is no currency ${currency}`);
      return { available: found.available, locked: found.locked };
    },
    platform: async (kind, currency = 'BRL', synthetic = false) => {
      const [row] = await rows<{ total: string }>(
        `SELECT trim_scale(coalesce(sum(balance), 0))::text AS total FROM trading.ledger_accounts
         WHERE kind = $1 AND currency = $2 AND synthetic = $3`,
        [kind, currency, synthetic],
      );
      return row?.total ?? '0';
    },
    rows,
    run: runOn(domain.schema, context),
    runWithoutCustody: runOn(unconnected.schema, context),
    connected: domain.transfers,
    unconnected: unconnected.transfers,
    ahead: (ms) => {
      aheadMs += ms;
    },
    discrepancies: () => findInBalances(context),
    close: async () => {
      await engine.stop();
      await domain.close();
      await unconnected.close();
      await database.close();
    },
  };
}

/** What a unit of each currency is worth in BRL. */
const prices: Readonly<Record<string, string>> = { BRL: '1', USDT: '5', ETH: '20000', BTC: '500000' };
