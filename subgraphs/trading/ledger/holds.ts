import type { Context } from '../../../shared/context.js';
import type { Decimal } from '../../../shared/decimal.js';
import type { PostedJournal } from './journal.store.js';
import { postJournal, type Journal } from './post-journals.js';

export interface NewHold extends Pick<Journal, 'cause' | 'causeId' | 'synthetic'> {
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
