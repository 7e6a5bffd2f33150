import type { Context } from '../../../../shared/kernel/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { Decimal, truncate } from '../../../../shared/kernel/decimal.js';
import { ApiError } from '../../../../shared/kernel/errors.js';
import { newId } from '../../../../shared/kernel/ids.js';
import { type DepositSighting, custodyOf, type Custodies, type OutputRef, type Custody } from '../custody/custody.js';
import { findNetwork } from '../networks.js';
import { requireDecimals } from '../transfer.store.js';
import {
  findAddressOwner,
  insertDeposit,
  lockOutput,
  saveDeposit,
  type DepositRow,
  noteLook,
  readPosition,
  savePosition,
  unconfirmedDeposits,
  deleteSetAside,
  outputOf,
  saveSetAside,
  setAsideDeposits,
  type SetAside,
} from './deposit.store.js';
import { eventOf } from './deposit.js';
import { takeBack, moveDeposit } from './deposits.acts.js';
import { messageOf } from '../../../../shared/kernel/thrown.js';
import { endClaim } from '../../../../shared/work/queue/work-items.store.js';
import { type Hold, backoffMs } from '../../../../shared/work/queue/work-queue.js';
import { keepFindings } from '../../ledger/findings.acts.js';
import { unavailability } from '../../../../shared/database/unavailable.js';

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
    // A reorganised deposit is taken back as it was credited, even if custody now reports another currency or address.
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
    quarantinedAt: null,
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

/** Delay before the next attempt: doubled with each one. */
const waits = { firstMs: 5_000, mostMs: 600_000 };
/** After so many attempts an operator must investigate. */
const triesBeforeFinding = 3;

/** Sets a deposit aside that could not be applied, so that it holds up no other; it is tried again, and after some attempts a finding alerts an operator. */
async function setAside(context: Context, synthetic: boolean, output: OutputRef, error: unknown): Promise<void> {
  const dueAt = new Date(context.clock.now().getTime() + backoffMs(1, waits));
  await saveSetAside(context, synthetic, output, { error: wordsOf(error), dueAt });
  tellSetAside(context, output, error);
}

/** Tries a deposit that was set aside again, with custody's current data. */
export async function retrySetAside(
  context: Context,
  custodies: Custodies,
  one: SetAside,
  { lease, deadline }: Pick<Hold, 'lease' | 'deadline'>,
): Promise<void> {
  const output = outputOf(one);
  try {
    const lookUp = custodyOf(custodies, one.synthetic).lookUpDeposits(context, [output]);
    const [sighting] = await Promise.race([lookUp, aborted(deadline)]);
    if (sighting === undefined) throw new Error('Custody no longer knows the deposit');
    await applySighting(context, one.synthetic, sighting);
    await deleteSetAside(context, one.id, lease);
  } catch (error) {
    const attempts = one.attempts + 1;
    const end = { afterMs: backoffMs(attempts, waits), set: 'attempts = $5, error = $6' };
    const parameters = [attempts, wordsOf(error)];
    const isOurs = await endClaim(
      context,
      setAsideDeposits([one.synthetic]),
      { id: one.id, lease },
      { ...end, parameters },
    );
    if (!isOurs) return;
    tellSetAside(context, output, error);
    if (attempts >= triesBeforeFinding) await findSetAside(context, one.synthetic, output, wordsOf(error));
  }
}

function tellSetAside({ log }: Context, { network, transaction, output }: OutputRef, err: unknown): void {
  log.error({ err, network, transaction, output }, 'A deposit could not be applied; it is set aside');
}

async function findSetAside(
  context: Context,
  synthetic: boolean,
  { network, transaction, output }: OutputRef,
  reason: string,
): Promise<void> {
  await keepFindings(context, [
    {
      invariant: 'DEPOSIT_SET_ASIDE',
      currency: null,
      synthetic,
      subject: clean(`${network} ${transaction} ${output}`).slice(0, 200),
      expected: 'a deposit that is applied',
      actual: reason,
    },
  ]);
}

/** Rejects when the signal is aborted: a call to custody is not waited for beyond its lease. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        reject(new Error('Custody did not respond in time', { cause: signal.reason }));
      },
      { once: true },
    );
  });
}

function wordsOf(error: unknown): string {
  const text = clean(messageOf(error)).slice(0, 500);
  return text === '' ? 'It failed without an error message' : text;
}

/** Removes characters that PostgreSQL does not store in text. */
function clean(text: string): string {
  return text.replaceAll('\0', '');
}

/** Deposits per call to custody. */
const atOnce = 200;

/** A run that the end of the program interrupted is repeated: nothing is applied twice. Returns the number of sightings. */
export async function readDeposits(context: Context, custody: Custody, synthetic: boolean): Promise<number> {
  const fresh = await readChanges(context, custody, synthetic);
  const waiting = await unconfirmedDeposits(context, synthetic, atOnce);
  if (waiting.length === 0) return fresh;
  // Recorded whatever custody reports, if anything: deposits that custody no longer knows must not hold up others.
  await noteLook(
    context,
    waiting.map(({ id }) => id),
  );
  const sightings = await custody.lookUpDeposits(context, waiting);
  for (const sighting of sightings) {
    await tryToApply(context, synthetic, sighting, (err) => {
      const { network, transaction, output } = sighting;
      context.log.error({ err, network, transaction, output }, 'A deposit could not be applied; this will be retried');
      return Promise.resolve();
    });
  }
  return fresh + sightings.length;
}

async function readChanges(context: Context, custody: Custody, synthetic: boolean): Promise<number> {
  let count = 0;
  for (;;) {
    const from = await readPosition(context, synthetic);
    const { sightings, position: to } = await custody.readDeposits(context, from, atOnce);
    // A sighting that cannot be applied does not hold up others. If it cannot even be set aside, the position stays, so that all are read again.
    for (const sighting of sightings) {
      await tryToApply(context, synthetic, sighting, (error) => setAside(context, synthetic, sighting, error));
    }
    if (to !== from) await savePosition(context, synthetic, { from, to });
    count += sightings.length;
    if (sightings.length < atOnce) return count;
  }
}

/** @param onError called for a failure of the sighting itself @throws if the database is unavailable */
async function tryToApply(
  context: Context,
  synthetic: boolean,
  sighting: DepositSighting,
  onError: (error: unknown) => Promise<void>,
): Promise<void> {
  try {
    await applySighting(context, synthetic, sighting);
  } catch (error) {
    if (unavailability(error) !== undefined) throw error;
    await onError(error);
  }
}
