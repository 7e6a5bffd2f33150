import type { Context } from '../../../../shared/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { Decimal, truncate } from '../../../../shared/decimal.js';
import { newId } from '../../../../shared/ids.js';
import type { DepositSighting } from '../custody/custody.js';
import { findNetwork } from '../networks.js';
import { requireDecimals } from '../transfer.store.js';
import { findAddressOwner } from './deposit-address.store.js';
import { eventOf } from './deposit.js';
import { insertDeposit, lockOutput, saveDeposit, type DepositRow } from './deposit.store.js';
import { moveDeposit } from './move-deposit.js';
import { takeBack } from './take-back.js';

/**
 * Applies custody's data about an output, any number of times and in any order. The deposit is credited when it has its confirmations, and
 * the credit is taken back when its block is gone; if the client has less by then, that is taken back, and the deposit is quarantined.
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
    else if (event === 'REVERSE' && row.state === 'CONFIRMED') await reverseCredit(tx, fresh);
    else await moveDeposit(tx, fresh, event);
  });
}

/** Takes a credit back; if the client has less by now, the deposit waits for an operator. */
async function reverseCredit(tx: Context, row: DepositRow): Promise<void> {
  const { state } = await takeBack(tx, row, 'QUARANTINE');
  if (state === 'QUARANTINED')
    tx.log.error(
      { deposit: row.id },
      'A deposit was reorganized after the client had used it: it waits for an operator',
    );
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
    takenBack: '0',
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

function loggable({ revision, ...sighting }: DepositSighting): object {
  return { ...sighting, revision: revision.toString() };
}
