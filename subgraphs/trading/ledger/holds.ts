import type { Context } from '../../../shared/context.js';
import type { Decimal } from '../../../shared/decimal.js';
import type { PostedJournal } from './journal.store.js';
import { postJournal, type Journal, type Posting } from './post-journals.js';

/** The cause of a change to a hold: its kind, and its id. */
type Cause = Pick<Journal, 'cause' | 'causeId' | 'synthetic'>;

export interface NewHold extends Cause {
  /** Id of the hold (UUID), chosen by the caller: opening it again changes nothing. */
  readonly id: string;
  readonly walletId: string;
  readonly currency: string;
  /** Above zero, with no more decimals than the currency has. */
  readonly amount: Decimal | string;
}

/**
 * Sets available funds of a wallet aside.
 * @throws {ApiError} INSUFFICIENT_BALANCE where less is available; CONFLICT where the id was used for another hold
 */
export function openHold(tx: Context, hold: NewHold): Promise<PostedJournal> {
  return postJournal(tx, holdJournal(hold));
}

/** Returns the journal that opens a hold, for callers that post it with others. */
export function holdJournal({ id, walletId, currency, amount, ...cause }: NewHold): Journal {
  return { ...cause, key: `hold.open:${id}`, holds: [{ act: 'open', id, walletId, currency, amount }] };
}

export interface HoldPosting extends Cause {
  /** The idempotency key, such as `fill:aurora:81223`. */
  readonly key: string;
  readonly holdId: string;
  /** The amount spent: above zero, and no more than remains. */
  readonly amount: Decimal | string;
  /** Where the funds go, and what comes in exchange. The client's own side, which the hold pays, is not listed. */
  readonly postings: readonly Posting[];
  /** Whether it is the last: the remainder becomes available in the same journal. */
  readonly final?: boolean;
}

/**
 * Spends a part of a hold.
 * @throws {ApiError} CONFLICT where less remains, or nothing, and for a key with other content
 */
export function postHold(
  tx: Context,
  { holdId, amount, final = false, ...journal }: HoldPosting,
): Promise<PostedJournal> {
  return postJournal(tx, {
    ...journal,
    holds: [{ act: 'spend', id: holdId, amount }, ...(final ? [{ act: 'release', id: holdId } as const] : [])],
  });
}

export interface HoldRelease extends Cause {
  readonly holdId: string;
}

/**
 * Makes the remainder of a hold available again. This happens once, whatever the number of requests and causes; a spent
 * hold returns nothing.
 * @throws {ApiError} CONFLICT for an unknown hold
 */
export function releaseHold(tx: Context, { holdId, ...cause }: HoldRelease): Promise<PostedJournal> {
  const key = `hold.release:${holdId}:${cause.cause}:${cause.causeId}`;
  return postJournal(tx, { ...cause, key, holds: [{ act: 'release', id: holdId }] });
}
