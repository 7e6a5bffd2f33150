import type { Context, Principal } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/kernel/ids.js';
import { listBalances, type PostedJournal, type WalletRef } from '../../../subgraphs/trading/ledger/ledger.store.js';
import {
  postJournal,
  postJournals,
  type Account,
  type Journal,
  type Posting,
} from '../../../subgraphs/trading/ledger/post-journals.js';
import { createTrading } from '../../../subgraphs/trading/subgraph.js';
import { openTestDatabase } from '../../kit/database.js';
import { contextOn, partsOf, runOn } from '../domain-kit.js';

export interface Wallet extends WalletRef {
  /** A caller of the wallet's company. */
  readonly trader: Principal;
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

/** The ledger on a database of its own. The clock is the machine's, on which PostgreSQL runs too. */
export async function openLedger(poolSize = 10) {
  const database = await openTestDatabase({ poolSize });
  const context = contextOn(database);
  const domain = createTrading(partsOf(database));
  const act = <T>(work: (tx: Context) => Promise<T>) => inTransaction(context, work);
  const post = (...journals: readonly Partial<Journal>[]) => act((tx) => postJournals(tx, journals.map(journal)));
  return {
    database,
    context,
    wallet: (synthetic?: boolean) => addWallet(context, synthetic),
    /** A wallet with this much available, which came into the house's custody. */
    funded: async (amount: string, currency = 'BRL', synthetic = false) => {
      const wallet = await addWallet(context, synthetic);
      await post({ synthetic, ...move(custody(currency), available(wallet, currency), amount) });
      return wallet;
    },
    post,
    act,
    balance: async (wallet: WalletRef, currency = 'BRL') => {
      const found = (await listBalances(context, wallet)).find((row) => row.currency === currency);
      if (found === undefined) throw new Error(`There is no currency ${currency}`);
      return found;
    },
    rows: <T>(text: string, parameters: readonly unknown[] = []) => context.manager.query<T[]>(text, [...parameters]),
    run: runOn(domain.schema, context),
    close: () => database.close(),
  };
}

type Cause = Pick<Journal, 'cause' | 'causeId' | 'synthetic'>;

interface HoldPosting extends Cause {
  readonly key: string;
  readonly holdId: string;
  readonly amount: string;
  /** Where the funds go, and what comes in exchange. The client's own side, which the hold pays, is not listed. */
  readonly postings: readonly Posting[];
  /** Whether it is the last: the remainder becomes available in the same journal. */
  readonly final?: boolean;
}

/** Spends a part of a hold. */
export function postHold(
  tx: Context,
  { holdId, amount, final = false, ...journal }: HoldPosting,
): Promise<PostedJournal> {
  return postJournal(tx, {
    ...journal,
    holds: [{ act: 'spend', id: holdId, amount }, ...(final ? [{ act: 'release', id: holdId } as const] : [])],
  });
}

/** Makes the remainder of a hold available again; a repetition for the same cause changes nothing. */
export function releaseHold(
  tx: Context,
  { holdId, ...cause }: Cause & { readonly holdId: string },
): Promise<PostedJournal> {
  const key = `hold.release:${holdId}:${cause.cause}:${cause.causeId}`;
  return postJournal(tx, { ...cause, key, holds: [{ act: 'release', id: holdId }] });
}
