import type { Context } from '../../../../shared/context.js';
import type { Custody, DepositSighting } from '../custody/custody.js';
import { applySighting } from './apply-sighting.js';
import { noteLook, readPosition, savePosition, unconfirmedDeposits } from './deposit.store.js';

/** Deposits of one call to custody. */
const atOnce = 200;

/**
 * Takes in what is new at custody, and how the deposits stand that have too few confirmations. What was read in part when the program
 * ended is read again: that changes nothing twice. Returns how many sightings there were.
 */
export async function readDeposits(context: Context, custody: Custody, synthetic: boolean): Promise<number> {
  const fresh = await readChanges(context, custody, synthetic);
  const waiting = await unconfirmedDeposits(context, synthetic, atOnce);
  if (waiting.length === 0) return fresh;
  // Whatever is said of them, if anything is: those that custody does not know any more keep no other from its turn.
  await noteLook(
    context,
    waiting.map(({ id }) => id),
  );
  const sightings = await custody.lookUpDeposits(context, waiting);
  await applyAll(context, synthetic, sightings);
  return fresh + sightings.length;
}

async function readChanges(context: Context, custody: Custody, synthetic: boolean): Promise<number> {
  let count = 0;
  for (;;) {
    const from = await readPosition(context, synthetic);
    const { sightings, position: to } = await custody.readDeposits(context, from, atOnce);
    // The position stays where something failed, so that it is read again.
    if (!(await applyAll(context, synthetic, sightings))) return count;
    if (to !== from) await savePosition(context, synthetic, { from, to });
    count += sightings.length;
    if (sightings.length < atOnce) return count;
  }
}

/** Returns whether all of them could be taken in. One that cannot keeps no other out. */
async function applyAll(context: Context, synthetic: boolean, sightings: readonly DepositSighting[]): Promise<boolean> {
  let whole = true;
  for (const sighting of sightings) {
    try {
      await applySighting(context, synthetic, sighting);
    } catch (error) {
      whole = false;
      const { network, transaction, output } = sighting;
      context.log.error(
        { err: error, network, transaction, output },
        'A deposit could not be taken in; it is tried again',
      );
    }
  }
  return whole;
}
