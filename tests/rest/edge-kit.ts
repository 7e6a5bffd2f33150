import { Registry } from 'prom-client';
import type { FastifyInstance } from 'fastify';
import type { Principal } from '../../shared/kernel/context.js';
import { createLocalBus } from '../../shared/events/bus.js';
import { loadConfig } from '../../shared/kernel/config.js';
import { systemClock } from '../../shared/kernel/clock.js';
import { createLog } from '../../shared/kernel/log.js';
import type { EdgeOptions } from '../../gateway/http/options.js';
import { createLimiter, createMemoryCounter } from '../../gateway/http/limits/limiter.js';
import type { Callers } from '../../gateway/http/route-policy.js';
import { createServer } from '../../gateway/http/server.js';
import { Database } from '../../shared/database/database.js';
import { testKeyRing } from '../kit/context.js';
import { rateLimitsOf } from '../kit/rate-limits.js';

export const goodKey = 'svcpub_good.secret';
export const slowKey = 'svcpub_slow.secret';
export const goodSession = 'header.session.signature';

const keyHolder: Principal = { kind: 'API_KEY', id: 'key-1', ownerId: 'account-1', scopes: ['confirmed'] };
const principals: Readonly<Record<string, Principal>> = {
  [goodKey]: keyHolder,
  [slowKey]: { ...keyHolder, id: 'key-2', rateLimit: 3 },
  [goodSession]: { kind: 'SESSION', id: 'session-1', ownerId: 'account-1', scopes: ['confirmed'] },
};

/** Callers who are known by the credentials above. */
export function testCallers(): Callers & { readonly touched: string[] } {
  const touched: string[] = [];
  return {
    touched,
    authenticate: ({ apiKey, bearer }) => Promise.resolve(principals[apiKey ?? bearer ?? '']),
    findClient: () => Promise.resolve(undefined),
    noteRefusal: () => undefined,
    touch: ({ kind, id }) => {
      if (kind !== 'ANONYMOUS') touched.push(id);
    },
  };
}

const { connections, requests } = loadConfig({ NODE_ENV: 'test' });
const defaults = { connections, requests };

export type TestEdge = ReturnType<typeof createTestEdge>;

export function createTestEdge(
  config: Partial<EdgeOptions['config']> = {},
  parts: Partial<Omit<EdgeOptions, 'config'>> = {},
) {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const app = createServer({
    config: {
      ...defaults,
      allowedOrigins: [],
      host: '127.0.0.1',
      metricsAllow: undefined,
      operatorUrl: undefined,
      publicUrl: 'http://localhost:4000',
      rateLimits: rateLimitsOf(1000),
      requireHttps: false,
      tls: undefined,
      tracing: undefined,
      trustProxy: [],
      ...config,
    },
    parts: { clock: systemClock, log, manager: new Database({ type: 'postgres' }).manager, bus: createLocalBus() },
    keyRing: testKeyRing,
    callers: testCallers(),
    limiter: createLimiter(createMemoryCounter(systemClock), systemClock),
    registry: new Registry(),
    checks: {},
    ...parts,
  });
  return { app, logged: () => lines.join('') };
}

/** Opens the application on a free port of the loopback and says where it is. */
export async function open(app: FastifyInstance): Promise<string> {
  return app.listen({ port: 0, host: '127.0.0.1' });
}
