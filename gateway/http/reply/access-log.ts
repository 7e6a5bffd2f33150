import type { FastifyInstance, FastifyReply } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Logger } from '../../../shared/kernel/log.js';
import type { NoteRequest } from '../../../shared/kernel/logged-request.js';
import { pathOf } from '../route-policy.js';
import { endRequestSpan } from './request-span.js';

export interface AccessParts {
  readonly log: Logger;
  readonly registry: Registry;
  readonly noteRequest?: NoteRequest | undefined;
}

/** Logs one line and records one measurement per response. Neither contains a query string, a header or a body. */
export function recordAccess(app: FastifyInstance, parts: AccessParts): void {
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response, by route template, method and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.04, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [parts.registry],
  });
  // The line holds only the fields named below and needs no redaction, which would cost ten times as much as the line.
  const lines = parts.log.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    const ms = reply.elapsedTime;
    const { principal, route, span } = request.edge;
    if (span !== undefined) endRequestSpan(span, reply.statusCode);
    seconds.observe({ method: request.method, route, status: reply.statusCode }, ms / 1000);
    lines.info(
      {
        requestId: request.id,
        method: request.method,
        path: pathOf(request),
        status: reply.statusCode,
        ms: Math.round(ms * 10) / 10,
        ip: request.ip,
        ...(span === undefined ? {} : { traceId: span.traceId }),
        caller: principal.kind,
        ...(principal.kind === 'ANONYMOUS' ? {} : { callerId: principal.id }),
      },
      'answered',
    );
    parts.noteRequest?.({
      principal,
      requestId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      errorCode: request.edge.errorCode,
      durationMs: ms,
      bytes: lengthOf(reply),
    });
    done();
  });
}

function lengthOf(reply: FastifyReply): number | undefined {
  const length = Number(reply.getHeader('content-length'));
  return Number.isSafeInteger(length) ? length : undefined;
}

/** The known facts of a request that could not be read; it has no method and no path. */
export interface Unread {
  readonly requestId: string;
  readonly status: number;
  readonly ip: string;
}

/** Logs one line and counts each request that could not be read and therefore reached no hook. */
export function recordClientError(parts: { log: Logger; registry: Registry }): (unread: Unread) => void {
  const unreadable = new Counter({
    name: 'http_requests_unreadable_total',
    help: 'Requests that are not valid HTTP or have an invalid address, by the status of the response.',
    labelNames: ['status'],
    registers: [parts.registry],
  });
  const lines = parts.log.child({}, { redact: [] });
  return (unread) => {
    unreadable.inc({ status: unread.status });
    lines.info({ ...unread, caller: 'ANONYMOUS' }, 'could not be read');
  };
}
