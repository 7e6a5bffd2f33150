import type { Clock } from '../../shared/clock.js';
import type { ErrorDetail } from '../../shared/errors.js';

/** What must hold before this instance takes traffic, by name; a check fails by throwing. */
export type ReadyChecks = Readonly<Record<string, () => Promise<void> | void>>;

/** What a check throws that may say why it failed. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/** A check that hangs is a check that failed. */
const checkMs = 2_000;
/** How long an answer holds: whoever asks more often hears the same. */
const holdsMs = 1_000;
/** When a check that hangs is begun anew: a connection that died without a word would hold it for long. */
const abandonMs = 10_000;

/**
 * Looks what keeps the instance from serving; nothing when it is ready. However many ask, the checks run at most once a
 * second, and one that has not ended is not run beside itself.
 */
export function createReadiness(checks: ReadyChecks, clock: Clock): () => Promise<readonly ErrorDetail[]> {
  const named = Object.entries(checks).map(([name, check]) => ({ name, run: oneAtATime(check, clock) }));
  let known: Promise<readonly ErrorDetail[]> | undefined;
  let holdsUntil = 0;
  const look = async () => {
    const faults = await Promise.all(named.map(({ name, run }) => errorOfCheck(name, run())));
    holdsUntil = clock.now().getTime() + holdsMs;
    return faults.filter((fault) => fault !== undefined);
  };
  return () => {
    if (known === undefined || clock.now().getTime() >= holdsUntil) {
      holdsUntil = Infinity;
      known = look();
    }
    return known;
  };
}

function oneAtATime(check: ReadyChecks[string], clock: Clock): () => Promise<void> {
  let running: Promise<void> | undefined;
  let begunAt = 0;
  return () => {
    const now = clock.now().getTime();
    if (running !== undefined && now - begunAt < abandonMs) return running;
    const own = (async () => check())().finally(() => {
      if (running === own) running = undefined;
    });
    begunAt = now;
    running = own;
    return own;
  };
}

async function errorOfCheck(path: string, running: Promise<void>): Promise<ErrorDetail | undefined> {
  const late = new Promise<ErrorDetail>((resolve) => {
    setTimeout(resolve, checkMs, { path, message: 'did not answer in time' }).unref();
  });
  const ended = running.then(
    () => undefined,
    (error: unknown) => ({ path, message: error instanceof NotReady ? error.message : 'is not ready' }),
  );
  return Promise.race([ended, late]);
}
