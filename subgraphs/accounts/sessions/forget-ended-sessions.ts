import type { Context } from '../../../shared/context.js';
import { forgetNetworks, forgetSessions } from './session.store.js';

const dayMs = 86_400_000;
/** How long a session that ended or expired is kept, for whoever asks what became of it. */
const endedKeptMs = 7 * dayMs;
/** How long a network is remembered from which no session is opened any more. */
const networksKeptMs = 180 * dayMs;
const batch = 5_000;

/** Deletes sessions and networks whose time is past, in batches. */
export async function forgetEndedSessions(context: Context): Promise<void> {
  const now = context.clock.now().getTime();
  while ((await forgetSessions(context, new Date(now - endedKeptMs), batch)) === batch);
  await forgetNetworks(context, new Date(now - networksKeptMs));
}
