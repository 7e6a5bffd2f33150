import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics } from 'prom-client';
import type { Callers } from '../gateway/edge/route-policy.js';
import { NotReady } from '../gateway/edge/readiness.js';
import { createServer } from '../gateway/edge/server.js';
import { lackingMigrations } from '../shared/database/migrate.js';
import type { NoteRequest } from '../shared/logged-request.js';
import { createErrorPage } from '../web/public/error-page.js';
import type { Infrastructure } from './infrastructure.js';
import { migrations } from './migrations.js';

/** Callers of a role whose interfaces identify no callers of their own. */
export const nobody: Callers = {
  authenticate: () => Promise.resolve(undefined),
  findClient: () => Promise.resolve(undefined),
  touch: () => undefined,
  noteRefusal: () => undefined,
};

/** Creates the HTTP application of a role, with the edge and the probes but no interfaces yet. */
export function openApp(infrastructure: Infrastructure, callers: Callers, noteRequest?: NoteRequest): FastifyInstance {
  const { config, clock, log, context, keyRing, registry, limiter, dataSource, writingError, bus, replicas, tracer } =
    infrastructure;
  collectDefaultMetrics({ register: registry });
  return createServer({
    config,
    parts: {
      clock,
      log,
      manager: context.manager,
      published: replicas?.published,
      bus,
      audit: infrastructure.audit,
      tracer,
    },
    keyRing,
    callers,
    limiter,
    registry,
    noteRequest,
    errorPage: createErrorPage(config),
    checks: {
      database: async () => {
        const error = await writingError();
        if (error !== undefined) throw new NotReady(error);
      },
      migrations: async () => {
        const lacking = await lackingMigrations(dataSource, migrations);
        if (lacking.length > 0) throw new Error(`${lacking.join(', ')} not applied`);
      },
    },
  });
}
