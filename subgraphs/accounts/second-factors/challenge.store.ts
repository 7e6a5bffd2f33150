import type { Context } from '../../../shared/context.js';
import { sha256 } from '../../../shared/crypto.js';

/** What a challenge is signed for: a log-in, a proof within a session, or a new passkey. */
export type ChallengePurpose = 'LOGIN' | 'PROVE' | 'REGISTER';

/** How long a challenge waits for its signature. */
export const challengeMs = 5 * 60_000;
/** Maximum number of challenges of one session that wait; beyond it the oldest are deleted. */
const maxWaiting = 10;

/** Stores a challenge, as its hash, for one session; null before the log-in. */
export async function addChallenge(
  { manager, clock }: Context,
  purpose: ChallengePurpose,
  sessionId: string | null,
  challenge: string,
): Promise<void> {
  const expiresAt = new Date(clock.now().getTime() + challengeMs);
  await manager.execute(
    `INSERT INTO accounts.challenges (challenge_hash, purpose, session_id, expires_at) VALUES ($1, $2, $3, $4)`,
    [sha256(challenge), purpose, sessionId, expiresAt],
  );
  if (sessionId === null) return;
  await manager.execute(
    `DELETE FROM accounts.challenges WHERE challenge_hash IN
       (SELECT challenge_hash FROM accounts.challenges WHERE session_id = $1 ORDER BY expires_at DESC OFFSET ${maxWaiting})`,
    [sessionId],
  );
}

/** Takes a challenge away; returns false if there is none of this purpose and session, it has expired, or it was used. */
export function takeChallenge(
  { manager, clock }: Context,
  purpose: ChallengePurpose,
  sessionId: string | null,
  challenge: string,
): Promise<boolean> {
  return manager.changes(
    `DELETE FROM accounts.challenges WHERE challenge_hash = $1 AND purpose = $2
       AND session_id IS NOT DISTINCT FROM $3::uuid AND expires_at > $4`,
    [sha256(challenge), purpose, sessionId, clock.now()],
  );
}

/** Deletes expired challenges. */
export async function forgetChallenges({ manager, clock }: Context): Promise<void> {
  await manager.execute('DELETE FROM accounts.challenges WHERE expires_at <= $1', [clock.now()]);
}
