import type { Context } from '../../../../shared/context.js';
import { unavailability } from '../../../../shared/database/unavailable.js';
import type { Custody, DepositSighting } from '../custody/custody.js';
import { applySighting } from './apply-sighting.js';
import { noteLook, readPosition, savePosition, unconfirmedDeposits } from './deposit.store.js';
import { retrySetAside, setAside } from './set-aside.js';

/** Deposits of one call to custody. */
const atOnce = 200;

/**
 * Takes in what is new at custody, and how the deposits stand that have too few confirmations. What was read in part when the program
 * ended is read again: that changes nothing twice. Returns how many sightings there were.
 */
export async function readDeposits(context: Context, custody: Custody, synthetic: boolean): Promise<number> {
  const fresh = (await readChanges(context, custody, synthetic)) + (await retrySetAside(context, custody, synthetic));
  const waiting = await unconfirmedDeposits(context, synthetic, atOnce);
  if (waiting.length === 0) return fresh;
  // Whatever is said of them, if anything is: those that custody does not know any more keep no other from its turn.
  await noteLook(
    context,
    waiting.map(({ id }) => id),
  );
  const sightings = await custody.lookUpDeposits(context, waiting);
  for (const sighting of sightings) {
    await tryToApply(context, synthetic, sighting, (err) => {
      const { network, transaction, output } = sighting;
      context.log.error({ err, network, transaction, output }, 'A deposit could not be taken in; it is tried again');
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
    // What cannot be taken in holds up no other. Where it cannot even be set aside the position stays, so that all is read again.
    for (const sighting of sightings) {
      await tryToApply(context, synthetic, sighting, (error) => setAside(context, synthetic, sighting, error));
    }
    if (to !== from) await savePosition(context, synthetic, { from, to });
    count += sightings.length;
    if (sightings.length < atOnce) return count;
  }
}

/**
 * Takes a sighting in.
 * @param onError what is done where that fails for a reason of its own
 * @throws while the database cannot serve: nothing is said of the sighting by that
 */
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
