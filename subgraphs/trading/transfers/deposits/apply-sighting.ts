import type { Context } from '../../../../shared/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { Decimal, truncate } from '../../../../shared/decimal.js';
import { ApiError } from '../../../../shared/errors.js';
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
 * the credit is taken back when its block is gone; if the client has less by then, that is taken back, and the deposit is quarantined. A
 * corrected amount is what is credited, and changes an earlier credit by the difference.
 * @throws where it cannot be applied: the deposit is to be set aside
 */
export async function applySighting(context: Context, synthetic: boolean, sighting: DepositSighting): Promise<void> {
  await inTransaction(context, async (tx) => {
    const row = (await lockOutput(tx, synthetic, sighting)) ?? (await addDeposit(tx, synthetic, sighting));
    if (row === undefined || sighting.revision < BigInt(row.revision)) return;
    const { confirmations, reorganised } = sighting;
    // What a deposit was credited with is taken back, whatever else custody says of it by then.
    if (!reorganised && (row.currency !== sighting.currency || row.address !== sighting.address))
      throw new Error('Custody reported another currency or address of a deposit than before');
    const fresh = { ...row, revision: sighting.revision.toString(), confirmations, reorganised };
    const event = eventOf(row, sighting, requireConfirmations(row));
    if (event === undefined) await saveDeposit(tx, fresh);
    else if (event !== 'REVERSE') await moveOn(tx, fresh, event, await amountsOf(tx, sighting));
    else if (row.state === 'CONFIRMED') await reverseCredit(tx, fresh);
    else await moveDeposit(tx, fresh, event);
  });
}

/** Adds a deposit, and returns it, locked; undefined if its address belongs to no wallet, which is logged. */
async function addDeposit(tx: Context, synthetic: boolean, sighting: DepositSighting): Promise<DepositRow | undefined> {
  requireConfirmations(sighting);
  const walletId = await findAddressOwner(tx, { synthetic, ...sighting });
  if (walletId === undefined) {
    const { revision, ...rest } = sighting;
    tx.log.error(
      { sighting: { ...rest, revision: revision.toString() } },
      'Custody reported a deposit to an address that belongs to no wallet',
    );
    return undefined;
  }
  await insertDeposit(tx, await newDeposit(tx, synthetic, walletId, sighting));
  const row = await lockOutput(tx, synthetic, sighting);
  if (row === undefined) throw new Error('A deposit was not saved');
  return row;
}

/** Returns the confirmations after which a deposit is credited. */
function requireConfirmations({ currency, network }: Pick<DepositSighting, 'currency' | 'network'>): number {
  const found = findNetwork(currency, network);
  if (found === undefined) throw new Error(`${currency} has no network ${network} here`);
  return found.confirmations;
}

/** Applies a transition with custody's newest amount, which may be below what was credited before. */
async function moveOn(
  tx: Context,
  row: DepositRow,
  event: Parameters<typeof moveDeposit>[2],
  amounts: Pick<DepositRow, 'amount' | 'credited'>,
): Promise<void> {
  try {
    await moveDeposit(tx, row, event, amounts);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'INSUFFICIENT_BALANCE')) throw error;
    const words = `Custody corrected the amount from ${row.amount} to ${amounts.amount}`;
    throw new Error(`${words}, and the client has less than the difference`, { cause: error });
  }
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
  sighting: DepositSighting,
): Promise<DepositRow> {
  const { currency, network, address, transaction, output, revision, confirmations, reorganised } = sighting;
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
    ...(await amountsOf(tx, sighting)),
    takenBack: '0',
    state: 'SEEN',
    revision: revision.toString(),
    confirmations,
    reorganised,
    resolution: null,
    seenAt: now,
    confirmedAt: null,
  };
}

/** Returns the amount received, and what the client is credited: the part finer than the currency's decimals stays in the house's account ROUNDING. */
async function amountsOf(
  tx: Context,
  { currency, amount }: DepositSighting,
): Promise<Pick<DepositRow, 'amount' | 'credited' | 'decimals'>> {
  const decimals = await requireDecimals(tx, currency);
  return { amount, credited: truncate(new Decimal(amount), decimals).toFixed(), decimals };
}
