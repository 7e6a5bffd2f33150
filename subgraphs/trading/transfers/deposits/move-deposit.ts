import type { Context } from '../../../../shared/context.js';
import { ApiError } from '../../../../shared/errors.js';
import { byRule } from '../../../../shared/rule-error.js';
import { clientCurrencies, postJournal } from '../../ledger/post-journals.js';
import { tellReaders } from '../../streams/tell-readers.js';
import { announceDeposit } from './announce-deposit.js';
import { depositMoves, postingsBetween, type DepositEvent } from './deposit.js';
import { saveDeposit, type DepositRow } from './deposit.store.js';

/**
 * Applies a transition to a deposit, which is locked: its journal, its event and its state, together.
 * @param before the deposit, with custody's newest revision
 * @param changes its amounts after the transition, as far as they change; where `takenBack` is not given, nothing of the credit is taken back
 * @throws {ApiError} CONFLICT for an impossible transition; INSUFFICIENT_BALANCE if the client has less than is taken back
 */
export async function moveDeposit(
  tx: Context,
  before: DepositRow,
  event: DepositEvent,
  changes: Partial<Pick<DepositRow, 'amount' | 'credited' | 'takenBack'>> = {},
): Promise<DepositRow> {
  const state = depositMoves[before.state][event];
  if (state === undefined) throw new ApiError('CONFLICT', byRule('DEPOSIT_STATE', { state: before.state }));
  const after = {
    ...before,
    takenBack: '0',
    ...changes,
    state,
    confirmedAt: state === 'CONFIRMED' ? tx.clock.now() : before.confirmedAt,
  };
  await saveDeposit(tx, after);
  await announceDeposit(tx, before, after);
  const postings = postingsBetween(before, after);
  if (postings.length > 0) {
    // Each revision of a deposit undergoes each transition once.
    const key = `deposit.${event.toLowerCase()}:${after.id}:${after.revision}`;
    const { id: causeId, walletId, synthetic, currency } = after;
    const journal = { key, cause: causes[event], causeId, synthetic, postings };
    await postJournal(tx, journal);
    await tellReaders(tx, { id: walletId, synthetic }, { currencies: clientCurrencies([journal], currency) });
  }
  return after;
}

const causes: Readonly<Record<DepositEvent, string>> = {
  SEE: 'deposit.seen',
  CONFIRM: 'deposit.confirmed',
  CORRECT: 'deposit.corrected',
  REVERSE: 'deposit.reversed',
  QUARANTINE: 'deposit.quarantined',
  WRITE_OFF: 'deposit.written_off',
};
