import type { Context } from '../../../../shared/context.js';
import { announce } from '../../../../shared/outbox/outbox.js';
import { formatAmount } from '../../format-amount.js';
import { clientCurrencies, postJournals } from '../../ledger/post-journals.js';
import { tellReaders } from '../../streams/tell-readers.js';
import { maskAddress } from '../addresses/mask-address.js';
import { findNetwork } from '../networks.js';
import { ownerOf } from '../transfer.store.js';
import { journalOf, transition, type WithdrawalEvent } from './withdrawal.js';
import { saveWithdrawal, type WithdrawalRow } from './withdrawal.store.js';

/** The changes that an event brings to a withdrawal; omitted fields stay as they are. */
export interface Outcome {
  readonly transaction?: string | null;
  /** Why it failed, for the caller. */
  readonly failure?: string;
  /** When it is due next; never when omitted. */
  readonly dueAt?: Date;
}

/** An event of a withdrawal. */
export interface WithdrawalMove {
  readonly event: WithdrawalEvent;
  readonly outcome?: Outcome;
}

/**
 * Applies one or several transitions to a withdrawal, which is locked: its state, its events and its journals, together.
 * @throws {ApiError} CONFLICT for an impossible transition
 */
export async function moveWithdrawal(
  tx: Context,
  row: WithdrawalRow,
  ...moves: readonly WithdrawalMove[]
): Promise<WithdrawalRow> {
  const moved = moves.reduce((before, move) => afterMove(tx, before, move), row);
  await saveWithdrawal(tx, moved);
  // Synthetic funds are not announced: a recipient might mistake them for real ones.
  if (moved.state === 'COMPLETED' && !moved.synthetic) await announceWithdrawal(tx, moved);
  // In one call, which locks all their accounts in the canonical order.
  const journals = moves.flatMap(({ event }) => journalOf(event, row) ?? []);
  await postJournals(tx, journals);
  const { walletId: id, synthetic, currency } = row;
  await tellReaders(tx, { id, synthetic }, { currencies: clientCurrencies(journals, currency) });
  return moved;
}

function afterMove({ clock }: Context, row: WithdrawalRow, { event, outcome = {} }: WithdrawalMove): WithdrawalRow {
  const now = clock.now();
  return {
    ...row,
    state: transition(row.state, event),
    transaction: outcome.transaction ?? row.transaction,
    failure: outcome.failure ?? row.failure,
    dueAt: outcome.dueAt ?? null,
    // Look-ups are counted from zero again.
    attempts: event === 'ACCEPT' || event === 'LOOK_AGAIN' ? 0 : row.attempts,
    sentAt: event === 'ACCEPT' ? now : row.sentAt,
    completedAt: completedAt(event, row, now),
  };
}

function completedAt(event: WithdrawalEvent, row: WithdrawalRow, now: Date): Date | null {
  if (event === 'COME_BACK') return null;
  return event === 'CONFIRM' ? now : row.completedAt;
}

async function announceWithdrawal(tx: Context, row: WithdrawalRow): Promise<void> {
  const { ownerId, profileId } = await ownerOf(tx, row.walletId);
  const data = {
    withdrawalId: row.id,
    asset: row.currency,
    amount: formatAmount(row.amount, row.decimals),
    fee: formatAmount(row.fee, row.decimals),
    address: maskAddress(findNetwork(row.currency, row.network)?.addressKind, row.address),
    network: row.network,
    occurredAt: tx.clock.now().toISOString(),
    ...(profileId === null ? {} : { profileId }),
  };
  await announce(tx, {
    topic: 'withdrawal.completed',
    key: row.id,
    payload: { ownerId, data },
  });
}
