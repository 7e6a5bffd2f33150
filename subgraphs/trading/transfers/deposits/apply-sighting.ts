import type { Context } from '../../../../shared/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { Decimal, truncate } from '../../../../shared/decimal.js';
import { ApiError } from '../../../../shared/errors.js';
import { newId } from '../../../../shared/ids.js';
import { announce } from '../../../../shared/outbox/outbox.js';
import { byRule } from '../../../../shared/rule-error.js';
import { clientCurrencies, postJournal } from '../../ledger/post-journals.js';
import { tellReaders } from '../../streams/tell-readers.js';
import type { DepositSighting } from '../custody/custody.js';
import { findNetwork } from '../networks.js';
import { ownerOf, requireDecimals } from '../transfer.store.js';
import { findAddressOwner } from './deposit-address.store.js';
import { depositMoves, eventOf, postingsOf, type DepositEvent } from './deposit.js';
import { insertDeposit, lockOutput, saveDeposit, type DepositRow } from './deposit.store.js';

/**
 * Applies custody's data about an output, any number of times and in any order. The deposit is credited when it has its confirmations, and
 * the credit is taken back when its block is gone; if the client has less by then, the deposit is quarantined.
 */
export async function applySighting(context: Context, synthetic: boolean, sighting: DepositSighting): Promise<void> {
  await inTransaction(context, async (tx) => {
    const needed = findNetwork(sighting.currency, sighting.network)?.confirmations;
    const walletId = await findAddressOwner(tx, { synthetic, ...sighting });
    if (needed === undefined || walletId === undefined) {
      tx.log.error(
        { sighting: loggable(sighting) },
        'Custody reported a deposit to an address that belongs to no wallet',
      );
      return;
    }
    await insertDeposit(tx, await newDeposit(tx, synthetic, walletId, sighting));
    const row = await lockOutput(tx, synthetic, sighting);
    if (row === undefined) throw new Error('A deposit was not saved');
    if (sighting.revision < BigInt(row.revision)) return;
    if (!isSame(row, sighting)) {
      tx.log.error(
        { deposit: row.id, sighting: loggable(sighting) },
        'Custody reported different data of a deposit: it stays unchanged',
      );
      return;
    }
    const fresh = { ...row, revision: sighting.revision.toString(), confirmations: sighting.confirmations };
    const event = eventOf(row.state, sighting, needed);
    if (event === undefined) await saveDeposit(tx, fresh);
    else if (event === 'REVERSE' && row.state === 'CONFIRMED') await takeBack(tx, fresh);
    else await moveDeposit(tx, fresh, event);
  });
}

/**
 * Applies a transition to a deposit, which is locked: its journal, its event and its state, together.
 * @throws {ApiError} CONFLICT for an impossible transition; INSUFFICIENT_BALANCE if the client has less than is taken back
 */
export async function moveDeposit(tx: Context, row: DepositRow, event: DepositEvent): Promise<DepositRow> {
  const move = depositMoves[row.state][event];
  if (move === undefined) throw new ApiError('CONFLICT', byRule('DEPOSIT_STATE', { state: row.state }));
  const isCredit = move.effect === 'CREDIT';
  const moved = { ...row, state: move.to, confirmedAt: isCredit ? tx.clock.now() : row.confirmedAt };
  await saveDeposit(tx, moved);
  // Synthetic funds are not announced: a recipient might mistake them for real ones.
  if (isCredit && !row.synthetic) await announceDeposit(tx, moved);
  const postings = postingsOf(move.effect, row);
  if (postings.length > 0) {
    // Each revision of a deposit undergoes each transition once.
    const key = `deposit.${event.toLowerCase()}:${row.id}:${row.revision}`;
    const { id: causeId, walletId, synthetic, currency } = row;
    const journal = { key, cause: causes[event], causeId, synthetic, postings };
    await postJournal(tx, journal);
    await tellReaders(tx, { id: walletId, synthetic }, { currencies: clientCurrencies([journal], currency) });
  }
  return moved;
}

const causes: Readonly<Record<DepositEvent, string>> = {
  SEE: 'deposit.seen',
  CONFIRM: 'deposit.confirmed',
  REVERSE: 'deposit.reversed',
  QUARANTINE: 'deposit.quarantined',
  WRITE_OFF: 'deposit.written_off',
};

/** Takes a credit back; if the client has less by now, the deposit waits for an operator. */
async function takeBack(tx: Context, row: DepositRow): Promise<void> {
  try {
    await inTransaction(tx, (attempt) => moveDeposit(attempt, row, 'REVERSE'));
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'INSUFFICIENT_BALANCE')) throw error;
    await moveDeposit(tx, row, 'QUARANTINE');
    tx.log.error(
      { deposit: row.id },
      'A deposit was reorganized after the client had used it: it waits for an operator',
    );
  }
}

async function newDeposit(
  tx: Context,
  synthetic: boolean,
  walletId: string,
  { currency, network, address, transaction, output, amount, revision, confirmations }: DepositSighting,
): Promise<DepositRow> {
  const decimals = await requireDecimals(tx, currency);
  const now = tx.clock.now();
  return {
    id: newId(now.getTime()),
    walletId,
    synthetic,
    currency,
    network,
    address,
    transaction,
    output,
    amount,
    // The part finer than the currency stays in the house's account ROUNDING.
    credited: truncate(new Decimal(amount), decimals).toFixed(),
    state: 'SEEN',
    revision: revision.toString(),
    confirmations,
    resolution: null,
    seenAt: now,
    confirmedAt: null,
  };
}

function isSame(row: DepositRow, sighting: DepositSighting): boolean {
  return (
    row.currency === sighting.currency &&
    row.address === sighting.address &&
    new Decimal(row.amount).equals(sighting.amount)
  );
}

async function announceDeposit(tx: Context, row: DepositRow): Promise<void> {
  const { ownerId, profileId } = await ownerOf(tx, row.walletId);
  const data = {
    depositId: row.id,
    asset: row.currency,
    amount: row.credited,
    network: row.network,
    occurredAt: tx.clock.now().toISOString(),
    ...(profileId === null ? {} : { profileId }),
  };
  await announce(tx, {
    topic: 'deposit.confirmed',
    key: row.id,
    payload: { ownerId, data },
  });
}

function loggable({ revision, ...sighting }: DepositSighting): object {
  return { ...sighting, revision: revision.toString() };
}
