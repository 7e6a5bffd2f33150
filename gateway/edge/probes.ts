import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Clock } from '../../shared/clock.js';
import { ApiError } from '../../shared/errors.js';
import { singleFlight } from '../../shared/single-flight.js';
import { trustOf, type Trust } from './network.js';
import { createReadiness, type ReadyChecks } from './readiness.js';
import type { EdgeRules } from './route-policy.js';

const rules: EdgeRules = { credential: 'none', bucket: 'unmetered', plainHttp: true };

export interface ProbeParts {
  readonly checks: ReadyChecks;
  readonly clock: Clock;
  readonly registry: Registry;
  /** The networks that may read the metrics; undefined is everyone. For anyone else the path does not exist. */
  readonly metricsAllow: readonly string[] | undefined;
  /** Proxies whose forwarding headers are trusted. */
  readonly trusted: Trust;
  isDraining(): boolean;
}

/** Registers the probes. `/healthz`: the process is alive. `/readyz`: it can serve; 503 lists the failing checks. `/metrics`: Prometheus text. */
export function probes(app: FastifyInstance, parts: ProbeParts): void {
  const { registry } = parts;
  const readiness = createReadiness(parts.checks);
  // Some metrics query the database.
  const measure = singleFlight(() => registry.metrics());
  app.get('/healthz', { config: { edge: rules } }, () => ({ status: 'ok' }));
  app.get('/readyz', { config: { edge: rules } }, async () => {
    if (parts.isDraining()) throw new ApiError('UNAVAILABLE', { message: 'The instance is shutting down' });
    const details = await readiness();
    if (details.length > 0) throw new ApiError('UNAVAILABLE', { details });
    return { status: 'ready' };
  });
  app.get('/metrics', { config: { edge: { ...rules, ...onlyTo(parts) } } }, async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await measure()),
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
