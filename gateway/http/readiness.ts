import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { ApiError, type ErrorDetail } from '../../shared/kernel/errors.js';
import { type Trust, trustOf } from '../../shared/kernel/network.js';
import { shared } from '../../shared/memo.js';
import type { EdgeRules } from './route-policy.js';

/** Checks that must pass before this instance receives traffic, by name; a check fails by throwing. */
export type ReadyChecks = Readonly<Record<string, () => Promise<void> | void>>;

/** An error of a check whose message may be shown to callers. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

const checkMs = 2_000;
const holdsMs = 1_000;
/** Time after which a hanging check is started again: a connection that was lost silently would block it for long. */
const abandonMs = 10_000;

/** Returns the failing checks, run at most once a second and never twice at a time. @param nowMs grows only: the database's clock may step back */
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
    setTimeout(() => resolve({ path, message: 'did not respond in time' }), checkMs).unref(),
  );
  const ended = running.then(
    () => undefined,
    (error: unknown) => ({ path, message: error instanceof NotReady ? error.message : 'is not ready' }),
  );
  return Promise.race([ended, late]);
}

const rules: EdgeRules = { credential: 'none', bucket: 'unmetered', plainHttp: true };

interface ProbeParts {
  readonly checks: ReadyChecks;
  readonly registry: Registry;
  /** The networks that may read the metrics; undefined is everyone. For anyone else the path does not exist. */
  readonly metricsAllow: readonly string[] | undefined;
  readonly trusted: Trust;
  isDraining(): boolean;
}

/** Registers the probes. `/healthz`: the process is alive. `/readyz`: it can serve; 503 lists the failing checks. `/metrics`: Prometheus text. */
export function probes(app: FastifyInstance, parts: ProbeParts): void {
  const { registry } = parts;
  const readiness = createReadiness(parts.checks);
  // Some metrics query the database.
  const measured = shared<string>();
  app.get('/healthz', { config: { edge: rules } }, () => ({ status: 'ok' }));
  app.get('/readyz', { config: { edge: rules } }, async () => {
    if (parts.isDraining()) throw new ApiError('UNAVAILABLE', { message: 'The instance is shutting down' });
    const details = await readiness();
    if (details.length > 0) throw new ApiError('UNAVAILABLE', { details });
    return { status: 'ready' };
  });
  app.get('/metrics', { config: { edge: { ...rules, ...onlyTo(parts) } } }, async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await measured('', () => registry.metrics())),
  );
}

/** Limits the metrics to networks. An untrusted proxy hides the caller behind its own address, so requests that it forwards are always refused. */
function onlyTo({ metricsAllow, trusted }: Pick<ProbeParts, 'metricsAllow' | 'trusted'>): Pick<EdgeRules, 'visibleTo'> {
  if (metricsAllow === undefined) return {};
  const allowed = trustOf(metricsAllow);
  return {
    visibleTo: ({ ip, headers, socket }) => {
      const passedOn = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
      return allowed(ip) && (!passedOn || trusted(socket.remoteAddress ?? ''));
    },
  };
}
