import type { ErrorDetail } from '../../shared/kernel/errors.js';

/** Checks that must pass before this instance receives traffic, by name; a check fails by throwing. */
export type ReadyChecks = Readonly<Record<string, () => Promise<void> | void>>;

/** An error of a check whose message may be shown to callers. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/** Time after which a check that has not ended counts as failed. */
const checkMs = 2_000;
/** Time for which a result is reused. */
const holdsMs = 1_000;
/** Time after which a hanging check is started again: a connection that was lost silently would block it for long. */
const abandonMs = 10_000;

/**
 * Returns the failing checks; none when the instance is ready. The checks run at most once a
 * second, however many requests come, and a check that has not ended does not run twice at the same time.
 * @param nowMs milliseconds that only ever grow: the clock of the database steps back when another server takes its place
 */
export function createReadiness(
  checks: ReadyChecks,
  nowMs = () => performance.now(),
): () => Promise<readonly ErrorDetail[]> {
  const named = Object.entries(checks).map(([name, check]) => ({ name, run: oneAtATime(check, nowMs) }));
  let known: Promise<readonly ErrorDetail[]> | undefined;
  let holdsUntil = 0;
  const look = async () => {
    const errors = await Promise.all(named.map(({ name, run }) => errorOfCheck(name, run())));
    holdsUntil = nowMs() + holdsMs;
    return errors.filter((error) => error !== undefined);
  };
  return () => {
    if (known === undefined || nowMs() >= holdsUntil) {
      holdsUntil = Infinity;
      known = look();
    }
    return known;
  };
}

function oneAtATime(check: ReadyChecks[string], nowMs: () => number): () => Promise<void> {
  let running: Promise<void> | undefined;
  let begunAt = 0;
  return () => {
    const now = nowMs();
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
  const late = new Promise<ErrorDetail>((resolve) =>
    setTimeout(() => {
      resolve({ path, message: 'did not respond in time' });
    }, checkMs).unref(),
  );
  const ended = running.then(
    () => undefined,
    (error: unknown) => ({ path, message: error instanceof NotReady ? error.message : 'is not ready' }),
  );
  return Promise.race([ended, late]);
}
