import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '../../../shared/kernel/ids.js';
import type { Standing } from '../limits/limiter.js';

const saneToken = /^[A-Za-z0-9._:-]{1,64}$/;

/** Returns the request's id: the caller's own when it is safe in a log line, else a new one. */
export function requestIdOf(headers: Readonly<Record<string, string | string[] | undefined>>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && saneToken.test(given) ? given : newId();
}

/** Headers that may be empty, without wallet and mode: a program without a value for one must not act on the company's own money. */
const optional = [
  'authorization',
  'idempotency-key',
  'mcp-protocol-version',
  'x-api-key',
  'x-client-id',
  'x-idempotency-key',
  'x-query-cost',
  'x-signature',
  'x-timestamp',
];

/** Removes optional headers that are empty: programs write one so where they have no value for it. */
export function dropEmptyHeaders({ headers }: IncomingMessage): void {
  for (const name of optional) if (headers[name] === '') Reflect.deleteProperty(headers, name);
}

/** Headers of every response. A page that needs more than JSON sets its own Content-Security-Policy. */
const security = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** Strict-Transport-Security: a browser that came by HTTPS uses only HTTPS for a year, for this name and its subdomains. */
const strictTransport = 'max-age=31536000; includeSubDomains';

export function baseHeaders(requestId: string, secure: boolean): Record<string, string> {
  const own = { ...security, 'x-request-id': requestId };
  return secure ? { ...own, 'strict-transport-security': strictTransport } : own;
}

export function standingHeaders(standing: Standing): Record<string, number> {
  return {
    'x-ratelimit-limit': standing.limit,
    'x-ratelimit-remaining': standing.remaining,
    'x-ratelimit-reset': standing.resetsAt,
  };
}

const exposed =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, X-Idempotent-Replayed, X-Ignored-Parameters';
const accepted =
  'Authorization, Content-Type, X-API-Key, X-Client-Id, X-Timestamp, X-Signature, Idempotency-Key, X-Idempotency-Key, X-Profile-Id, X-Synthetic, X-Request-Id, X-Query-Cost, Content-Encoding, Apollo-Require-Preflight, MCP-Protocol-Version, MCP-Session-Id';

/** Allows front ends of `origins` to read responses. No cookies are used, so none are allowed. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, origins: ReadonlySet<string>): void {
  if (origins.size === 0) return;
  reply.header('vary', 'Origin');
  const origin = request.headers.origin;
  if (origin === undefined || !origins.has(origin)) return;
  reply.header('access-control-allow-origin', origin);
  reply.header('access-control-expose-headers', exposed);
}

export function isPreflight(request: FastifyRequest): boolean {
  return (
    request.method === 'OPTIONS' &&
    request.headers.origin !== undefined &&
    request.headers['access-control-request-method'] !== undefined
  );
}

/** Responds to a preflight request; the browser continues only when `allowOrigin` named its origin. */
export function answerPreflight(reply: FastifyReply, methods: readonly string[]): FastifyReply {
  reply.header('access-control-allow-methods', methods.join(', '));
  reply.header('access-control-allow-headers', accepted);
  reply.header('access-control-max-age', 600);
  return reply.code(204).send();
}
