import type { Context } from '../../../../shared/kernel/context.js';
import { ApiError } from '../../../../shared/kernel/errors.js';
import { byRule } from '../../../../shared/kernel/rule-error.js';
import { clientCurrencies, postJournal } from '../../ledger/post-journals.js';
import { tellReaders } from '../../streams/tell-readers.js';
import { depositMoves, postingsBetween, type DepositEvent, isCredited, keptOf } from './deposit.js';
import { saveDeposit, type DepositRow } from './deposit.store.js';
import { announce } from '../../../../shared/events/outbox/outbox.js';
import { formatAmount } from '../../format-amount.js';
import { ownerOf } from '../transfer.store.js';

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

/**
 * Announces a change of a deposit, in its transaction: each credit (as a correction where it takes the place of an earlier one), and what is taken
 * back of one. Synthetic funds are not announced: a recipient might mistake them for real ones.
 */
async function announceDeposit(tx: Context, before: DepositRow, after: DepositRow): Promise<void> {
  if (after.synthetic) return;
  if (after.state === 'CONFIRMED') {
    const correction = before.confirmedAt === null ? {} : { correction: true };
    await announceAs(tx, 'deposit.confirmed', after, {
      amount: formatAmount(after.credited, after.decimals),
      ...correction,
    });
  } else if (isCredited(before)) {
    const amount = formatAmount(keptOf(before).minus(keptOf(after)), after.decimals);
    const status = after.state === 'QUARANTINED' ? 'QUARANTINED' : 'REVERSED';
    await announceAs(tx, 'deposit.reversed', after, { amount, status });
  }
}

async function announceAs(
  tx: Context,
  topic: string,
  { id, walletId, currency, network }: DepositRow,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { ownerId, profileId } = await ownerOf(tx, walletId);
  const data = {
    depositId: id,
    asset: currency,
    network,
    ...fields,
    occurredAt: tx.clock.now().toISOString(),
    ...(profileId === null ? {} : { profileId }),
  };
  await announce(tx, { topic, key: id, payload: { ownerId, data } });
}
