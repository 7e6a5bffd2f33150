import { parse, validate } from 'graphql';
import { createLocalBus } from '../../shared/events/bus.js';
import type { Clock } from '../../shared/kernel/clock.js';
import { createContext, type Context, type Principal } from '../../shared/kernel/context.js';
import { inTransaction } from '../../shared/database/transaction.js';
import type { ErrorExtensions } from '../../shared/kernel/errors.js';
import { newId } from '../../shared/kernel/ids.js';
import { createExecutor } from '../../shared/graphql/execute.js';
import { type Account, postJournals, type Journal } from '../../subgraphs/trading/ledger/post-journals.js';
import { listBalances, type BalanceRow, type WalletRef } from '../../subgraphs/trading/ledger/balance.store.js';
import type { PostedJournal } from '../../subgraphs/trading/ledger/journal.store.js';
import { createTrading } from '../../subgraphs/trading/subgraph.js';
import { quietLog, testKeyRing } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';

export interface Wallet extends WalletRef {
  /** A caller of the wallet's company. */
  readonly trader: Principal;
}

/** The ledger on a database of its own. The clock is the machine's, on which PostgreSQL runs too. */
export interface LedgerKit {
  readonly database: TestDatabase;
  readonly context: Context;
  /** The wallet of a new company. */
  wallet(synthetic?: boolean): Promise<Wallet>;
  /** A wallet with this much available, which came into the house's custody. */
  funded(amount: string, currency?: string, synthetic?: boolean): Promise<Wallet>;
  post(...journals: readonly Partial<Journal>[]): Promise<PostedJournal[]>;
  /** Runs acts in a transaction. */
  act<T>(work: (tx: Context) => Promise<T>): Promise<T>;
  balance(wallet: WalletRef, currency?: string): Promise<BalanceRow>;
  rows<T>(text: string, parameters?: readonly unknown[]): Promise<T[]>;
  run(text: string, variables: Record<string, unknown>, principal: Principal): Promise<Outcome>;
  close(): Promise<void>;
}

export interface Outcome {
  readonly data: Record<string, unknown> | null;
  /** The extensions of the first error. */
  readonly error?: ErrorExtensions & { readonly message: string };
}

export const available = ({ id }: WalletRef, currency = 'BRL'): Account => ({
  kind: 'AVAILABLE',
  walletId: id,
  currency,
});
export const custody = (currency = 'BRL'): Account => ({ kind: 'CUSTODY', currency });
export const fees = (currency = 'BRL'): Account => ({ kind: 'FEES', currency });
export const venue = (name = 'aurora', currency = 'BRL'): Account => ({ kind: 'VENUE', venue: name, currency });

/** A journal with a key and a cause of its own, where none are given. */
export function journal(parts: Partial<Journal>): Journal {
  return { key: newId(), cause: 'test', causeId: newId(), synthetic: false, ...parts };
}

/** What a move of an amount from one account to another posts. */
export const move = (from: Account, to: Account, amount: string): Pick<Journal, 'postings'> => ({
  postings: [
    { account: from, amount: `-${amount}` },
    { account: to, amount },
  ],
});

export const systemClock: Clock = { now: () => new Date() };

/** The wallet of a new company in a database. */
export async function addWallet(context: Pick<Context, 'manager'>, synthetic = false): Promise<Wallet> {
  const [company, id] = [newId(), newId()];
  await context.manager.query(
    `WITH company AS (
       INSERT INTO trading.companies (id, name, status, created_at, updated_at) VALUES ($1, 'Corretora', 'ACTIVE', now(), now())
       RETURNING id
     )
     INSERT INTO trading.company_terms (company_id, maker_fee, taker_fee, updated_at) SELECT id, 0, 0, now() FROM company`,
    [company],
  );
  await context.manager.query(
    'INSERT INTO trading.wallets (id, company_id, synthetic, created_at) VALUES ($1, $2, $3, now())',
    [id, company, synthetic],
  );
  return { id, synthetic, trader: { kind: 'TRADER', id: newId(), ownerId: company, scopes: ['read', 'trade'] } };
}

export async function openLedger(poolSize = 10): Promise<LedgerKit> {
  const database = await openTestDatabase({ poolSize });
  const { manager } = database.dataSource;
  const context = createContext({ clock: systemClock, log: quietLog, manager, bus: createLocalBus() });
  const domain = createTrading({
    config: {
      sandbox: false,
      demo: false,
      transfers: { approvalAbove: 100_000, travelRuleAbove: 5_000, coolingMs: 0 },
    },
    keyRing: testKeyRing,
    clock: systemClock,
    log: quietLog,
    databaseUrl: database.url,
  });
  const executor = createExecutor(domain.schema, testKeyRing);
  const act: LedgerKit['act'] = (work) => inTransaction(context, work);
  const post: LedgerKit['post'] = (...journals) => act((tx) => postJournals(tx, journals.map(journal)));
  return {
    database,
    context,
    wallet: (synthetic) => addWallet(context, synthetic),
    funded: async (amount, currency = 'BRL', synthetic = false) => {
      const wallet = await addWallet(context, synthetic);
      await post({ synthetic, ...move(custody(currency), available(wallet, currency), amount) });
      return wallet;
    },
    post,
    act,
    balance: async (wallet, currency = 'BRL') => {
      const found = (await listBalances(context, wallet)).find((row) => row.currency === currency);
      if (found === undefined) throw new Error(`There is no currency ${currency}`);
      return found;
    },
    rows: (text, parameters = []) => manager.query(text, [...parameters]),
    run: async (text, variables, principal) => {
      const document = parse(text);
      const invalid = validate(domain.schema, document);
      if (invalid.length > 0) throw new Error(invalid.map(({ message }) => message).join('\n'));
      const { data, errors } = await executor.execute(
        { document, variables },
        { ...context, principal, loaders: new Map() },
      );
      const [error] = errors ?? [];
      return {
        data: data ?? null,
        ...(error && { error: { ...(error.extensions as unknown as ErrorExtensions), message: error.message } }),
      };
    },
    close: () => database.close(),
  };
}
