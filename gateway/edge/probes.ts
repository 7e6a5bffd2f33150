import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { Fault, type FaultDetail } from '../../shared/errors.js';
import type { EdgeRules } from './rules.js';

/** What must hold before this instance takes traffic, by name; a check fails by throwing. */
export type ReadyChecks = Readonly<Record<string, () => Promise<void> | void>>;

const rules: EdgeRules = { credential: 'none', bucket: 'probe', plainHttp: true };

/** A check that hangs is a check that failed. */
const checkMs = 2_000;

async function faultOfCheck(name: string, check: () => Promise<void> | void): Promise<FaultDetail | undefined> {
  const late = new Promise<FaultDetail>((resolve) => {
    setTimeout(resolve, checkMs, { path: name, message: 'did not answer in time' }).unref();
  });
  const ran = (async () => check())().then(
    () => undefined,
    () => ({ path: name, message: 'is not ready' }),
  );
  return Promise.race([ran, late]);
}

/** `/healthz`: the process lives. `/readyz`: it can serve; 503 says what is missing. `/metrics`: Prometheus text. */
export function probes(
  app: FastifyInstance,
  parts: { checks: ReadyChecks; registry: Registry; isDraining(): boolean },
): void {
  app.get('/healthz', { config: { edge: rules } }, () => ({ status: 'ok' }));
  app.get('/readyz', { config: { edge: rules } }, async () => {
    if (parts.isDraining()) throw new Fault('UNAVAILABLE', { message: 'The instance is shutting down' });
    const faults = await Promise.all(Object.entries(parts.checks).map(([name, check]) => faultOfCheck(name, check)));
    const details = faults.filter((fault) => fault !== undefined);
    if (details.length > 0) throw new Fault('UNAVAILABLE', { details });
    return { status: 'ready' };
  });
  app.get('/metrics', { config: { edge: rules } }, async (_request, reply) =>
    reply.header('content-type', parts.registry.contentType).send(await parts.registry.metrics()),
  );
}
