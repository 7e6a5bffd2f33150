import type { Context } from '../../../../shared/context.js';
import { unavailability } from '../../../../shared/database/unavailable.js';
import type { Custody, DepositSighting } from '../custody/custody.js';
import { applySighting } from './apply-sighting.js';
import { noteLook, readPosition, savePosition, unconfirmedDeposits } from './deposit.store.js';
import { setAside } from './set-aside.js';

/** Deposits per call to custody. */
const atOnce = 200;

/**
 * Applies new deposits at custody, and updates those with too few confirmations. A run that the end of the program
 * interrupted is repeated: nothing is applied twice. Returns the number of sightings.
 */
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

/**
 * Applies a sighting.
 * @param onError called for a failure of the sighting itself
 * @throws if the database is unavailable, which is no failure of the sighting
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
