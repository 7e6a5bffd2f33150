import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { newId } from '../../../shared/kernel/ids.js';
import { writeJournals, type JournalRecord, type PostedJournal, listAvailable } from './ledger.store.js';

/** A credit (above zero) or debit of an account. */
export interface Posting {
  readonly account: Account;
  /** A decimal in the account's currency. */
  readonly amount: Decimal | string;
}

/** A change to a hold. Every change posts to the `LOCKED` account of the wallet, and nothing else does. */
export type HoldChange =
  | {
      readonly act: 'open';
      readonly id: string;
      readonly walletId: string;
      readonly currency: string;
      readonly amount: Decimal | string;
    }
  /** Takes part or all of the remainder; the postings of the journal say where it goes. */
  | { readonly act: 'spend'; readonly id: string; readonly amount: Decimal | string }
  /** Makes the remainder available again. A closed hold has none. */
  | { readonly act: 'release'; readonly id: string };

/** Movements of funds that are posted together or not at all. Per currency they add up to zero, holds included. */
export interface Journal {
  /** The idempotency key, such as `fill:aurora:81223`: up to 300 characters. */
  readonly key: string;
  /** The kind of cause, such as `order.fill`, and its id. */
  readonly cause: string;
  readonly causeId: string;
  readonly synthetic: boolean;
  readonly postings?: readonly Posting[];
  readonly holds?: readonly HoldChange[];
}

/** Returns the currencies in which journals change their client's balances. @param held the currency of the holds they change */
export function clientCurrencies(journals: readonly Journal[], held: string): string[] {
  const currencies = journals.flatMap(({ postings = [], holds = [] }) => [
    ...postings.flatMap(({ account }) => (account.kind === 'AVAILABLE' ? [account.currency] : [])),
    ...(holds.length > 0 ? [held] : []),
  ]);
  return [...new Set(currencies)];
}

/**
 * Posts journals in their order, all of them or none, in one call to the database. Journals that belong together are posted together: one call
 * locks all accounts in one order, while two calls in one transaction can deadlock with another transaction, and one of the two is then rolled
 * back (UNAVAILABLE). Accounts stay locked until the transaction ends, so post as late in it as you can. Posting a journal with a known key
 * again changes nothing, and its result says so.
 * @throws {ApiError} INSUFFICIENT_BALANCE if a client's balance would fall below zero; CONFLICT for a key with other content, and for a hold
 * that does not exist or has too little left
 * @throws outside of `inTransaction`, and for journals that do not balance, or give a client more decimals than the currency has
 */
export async function postJournals(tx: Context, journals: readonly Journal[]): Promise<PostedJournal[]> {
  if (tx.onCommit === undefined)
    throw new Error('Journals must be posted inside inTransaction, together with their change');
  const [first] = journals;
  if (first === undefined) return [];
  if (journals.some(({ synthetic }) => synthetic !== first.synthetic))
    throw new Error('Real and synthetic journals cannot be posted together');
  return writeJournals(tx, first.synthetic, journals.map(toRecord));
}

/** Posts live and synthetic journals, the live ones first. See `postJournals`. */
export async function postBothWorlds(tx: Context, journals: readonly Journal[]): Promise<void> {
  for (const world of [false, true]) {
    await postJournals(
      tx,
      journals.filter(({ synthetic }) => synthetic === world),
    );
  }
}

export async function postJournal(tx: Context, journal: Journal): Promise<PostedJournal> {
  const [posted] = await postJournals(tx, [journal]);
  if (posted === undefined) throw new Error('The ledger did not return the result of a journal');
  return posted;
}

/** Merges the postings of each account, in a canonical order and form, so that equal journals compare equal. */
function toRecord({ key, cause, causeId, postings = [], holds = [] }: Journal): JournalRecord {
  const merged = new Map<string, { owner: string; kind: string; currency: string; amount: Decimal }>();
  for (const { account, amount } of postings) {
    const { kind, currency } = account;
    const owner = ownerOf(account);
    const name = JSON.stringify([owner, kind, currency]);
    const before = merged.get(name)?.amount ?? new Decimal(0);
    merged.set(name, { owner, kind, currency, amount: before.plus(finite(amount)) });
  }
  return {
    id: newId(),
    key,
    cause,
    causeId,
    postings: [...merged]
      .filter(([, { amount }]) => !amount.isZero())
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, posting]) => ({ ...posting, amount: posting.amount.toFixed() })),
    holds: holds.map((change) =>
      change.act === 'release' ? change : { ...change, amount: finite(change.amount).toFixed() },
    ),
  };
}

function finite(amount: Decimal | string): Decimal {
  const value = new Decimal(amount);
  if (!value.isFinite()) throw new Error(`An amount is invalid: ${value.toString()}`);
  return value;
}

/** A client's account that callers post to. The funds set aside (`LOCKED`) change through holds only. */
export interface ClientAccount {
  readonly kind: 'AVAILABLE';
  readonly walletId: string;
  readonly currency: string;
}

export interface VenueAccount {
  readonly kind: 'VENUE';
  readonly venue: string;
  readonly currency: string;
}

/** An account of the house of which there is one per currency. The README lists their signs. */
export interface HouseAccount {
  readonly kind:
    | 'FEES'
    | 'SPREAD'
    | 'ROUNDING'
    | 'VENUE_FEES'
    | 'CAPITAL'
    | 'PRINCIPAL'
    | 'CUSTODY'
    | 'DEPOSITS_IN_TRANSIT'
    | 'WITHDRAWALS_IN_TRANSIT';
  readonly currency: string;
}

/** An account, named by its purpose. Accounts are created with their first posting. */
export type Account = ClientAccount | VenueAccount | HouseAccount;

/** Returns the owner of an account in the ledger: the id of the wallet, the name of the venue, or an empty owner. */
export function ownerOf(account: Account): string {
  if (account.kind === 'AVAILABLE') return account.walletId;
  return account.kind === 'VENUE' ? account.venue : '';
}

export interface NewHold extends Pick<Journal, 'cause' | 'causeId' | 'synthetic'> {
  /** Id of the hold (UUID), chosen by the caller: opening it again changes nothing. */
  readonly id: string;
  readonly walletId: string;
  readonly currency: string;
  /** Above zero, with no more decimals than the currency has. */
  readonly amount: Decimal | string;
}

/** @throws {ApiError} INSUFFICIENT_BALANCE; CONFLICT where the id was used for another hold */
export function openHold(tx: Context, hold: NewHold): Promise<PostedJournal> {
  return postJournal(tx, holdJournal(hold));
}

export function holdJournal({ id, walletId, currency, amount, ...cause }: NewHold): Journal {
  return { ...cause, key: `hold.open:${id}`, holds: [{ act: 'open', id, walletId, currency, amount }] };
}

export interface Giving {
  readonly walletId: string;
  readonly synthetic: boolean;
  readonly currency: string;
  readonly amount: Decimal | string;
}

/** Whether wallets appear to have the funds for each payment in turn. Nothing is locked: it only avoids vain attempts, and the ledger decides. */
export async function withinFunds(context: Context, giving: readonly Giving[]): Promise<boolean[]> {
  if (giving.length === 0) return [];
  const available = await listAvailable(context, giving);
  const fundsOf = ({ walletId, currency }: Giving) => `${walletId} ${currency}`;
  const left = new Map(giving.map((one, index) => [fundsOf(one), new Decimal(available[index] ?? 0)]));
  return giving.map((one) => {
    const rest = left.get(fundsOf(one))?.minus(one.amount);
    if (rest === undefined || rest.lessThan(0)) return false;
    left.set(fundsOf(one), rest);
    return true;
  });
}
