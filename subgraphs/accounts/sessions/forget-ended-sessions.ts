import type { Context } from '../../../shared/kernel/context.js';
import { forgetNetworks, forgetSessions } from './session.store.js';

const dayMs = 86_400_000;
/** How long an ended or expired session is kept, for questions about it. */
const endedKeptMs = 7 * dayMs;
/** How long a network is kept after the last session from it was opened. */
const networksKeptMs = 180 * dayMs;
const batch = 5_000;

/** Deletes sessions and networks after these times, in batches. */
export async function forgetEndedSessions(context: Context): Promise<void> {
  const now = context.clock.now().getTime();
  while ((await forgetSessions(context, new Date(now - endedKeptMs), batch)) === batch);
  await forgetNetworks(context, new Date(now - networksKeptMs));
}
