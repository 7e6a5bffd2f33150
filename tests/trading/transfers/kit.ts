import type { Context, Principal } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { newId } from '../../../shared/kernel/ids.js';
import { roles } from '../../../shared/graphql/roles.js';
import { listBalances, findInBalances } from '../../../subgraphs/trading/ledger/ledger.store.js';
import type { OwnWallet } from '../../../subgraphs/trading/profiles/profile.store.js';
import { createTrading } from '../../../subgraphs/trading/subgraph.js';
import { sendTimes } from '../../../subgraphs/trading/transfers/withdrawals/send-withdrawal.js';
import { openTestDatabase } from '../../kit/database.js';
import { contextOn, credit, partsOf, runOn } from '../domain-kit.js';
import { newTrader, walletOf, type TestTrader } from '../kit.js';

/** Time between two blocks of the simulated networks. */
export const blockMs = 1_000;

export interface Funded {
  readonly trader: TestTrader;
  readonly wallet: OwnWallet;
}

/** Transfers on a database of their own, with a clock that tests move. */

export function newOperatorPrincipal(): Principal {
  return { kind: 'OPERATOR', id: newId(), ownerId: newId(), name: 'olga@casa.example', scopes: roles };
}

export async function openTransfers() {
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
  const rows = <T>(text: string, parameters: readonly unknown[] = []) =>
    context.manager.query<T[]>(text, [...parameters]);
  const pass = async (ms: number) => {
    aheadMs += ms;
    await engine.drain();
  };
  const give = (wallet: OwnWallet, amount: string, currency = 'BRL', outer: Context = context) =>
    credit(outer, wallet, { [currency]: amount });
  return {
    database,
    context,
    custody,
    engine,
    /** Another engine on the same database, as another instance has one. */
    openEngine,
    /** Lets time pass, and has done what is due then. */
    pass,
    settle: async () => {
      for (let round = 0; round < 20; round += 1) await pass(60_000);
    },
    funded: async (amount: string, currency?: string) => {
      const trader = await newTrader(context);
      const wallet = await walletOf(trader);
      if (new Decimal(amount).greaterThan(0)) await give(wallet, amount, currency);
      return { trader, wallet };
    },
    /** Gives a wallet funds, or takes them away, in a transaction of its own if none is given. */
    credit: give,
    balance: async (wallet: OwnWallet, currency = 'BRL') => {
      const found = (await listBalances(context, wallet)).find((row) => row.currency === currency);
      if (found === undefined) throw new Error(`There is no currency ${currency}`);
      return { available: found.available, locked: found.locked };
    },
    platform: async (kind: string, currency = 'BRL', synthetic = false) => {
      const [row] = await rows<{ total: string }>(
        `SELECT trim_scale(coalesce(sum(balance), 0))::text AS total FROM trading.ledger_accounts
         WHERE kind = $1 AND currency = $2 AND synthetic = $3`,
        [kind, currency, synthetic],
      );
      return row?.total ?? '0';
    },
    rows,
    run: runOn(domain.schema, context),
    /** The same on a house with real money, to which no custody is connected. */
    runWithoutCustody: runOn(unconnected.schema, context),
    /** Transfers with the simulated custody, and those of that house without one. */
    connected: domain.transfers,
    unconnected: unconnected.transfers,
    /** Lets time pass, and nothing else. */
    ahead: (ms: number) => {
      aheadMs += ms;
    },
    /** The promises of the ledger that are broken. */
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
