import type { Context } from '../../../shared/context.js';
import type { KeyRing } from '../../../shared/crypto.js';
import { judge } from '../deliveries/delivery.js';
import { secretPurpose } from '../subscriptions/secret.js';
import type { Claimed } from './claim.store.js';
import type { Sender } from './send.js';
import type { Outcome } from './settle.store.js';
import { signatureHeaders } from './sign.js';

export interface AttemptParts {
  readonly keyRing: KeyRing;
  readonly sender: Sender;
  /** Milliseconds between one attempt and the next. */
  readonly retryDelaysMs: readonly number[];
  /** From 0 to 1, for the waits. */
  readonly chance: () => number;
}

/** Makes an attempt of a claimed delivery: signs, sends, and judges what came back. Nothing is written here. */
export async function attempt(
  { clock }: Pick<Context, 'clock'>,
  { keyRing, sender, retryDelaysMs, chance }: AttemptParts,
  claimed: Claimed,
  lease: string,
): Promise<Outcome> {
  const { eventId: id, url, body, failures, byPrevious, startedAt } = claimed;
  const open = (sealed: Buffer | null) => (sealed === null ? undefined : keyRing.open(secretPurpose, sealed));
  const secrets = { current: keyRing.open(secretPurpose, claimed.secret), previous: open(claimed.previousSecret) };
  const timestamp = Math.floor(startedAt.getTime() / 1000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Lastro-Webhooks/1',
    ...signatureHeaders(secrets, { id, timestamp, body }, byPrevious),
  };
  const result = await sender.send({ url, headers, body });
  const standing = { failures, byPrevious, overlap: secrets.previous !== undefined };
  return { claimed, lease, result, verdict: judge(standing, result, retryDelaysMs, chance()), endedAt: clock.now() };
}
