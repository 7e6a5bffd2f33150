// `GET /me` as a team would write it by hand with what Fastify's own plugins offer: a token whose signature is checked once, a session that can be ended, a limit for each
// session, a request id, a line of log for each request, and the durations of requests for Prometheus.
import { randomUUID } from 'node:crypto';
import jwt from '@fastify/jwt';
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { Histogram } from 'prom-client';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Duration of requests.',
  labelNames: ['method', 'route', 'status'],
});
const loggerInstance = pino(
  { base: null },
  pino.destination({ dest: 1, sync: false, minLength: 16_383, periodicFlush: 1000 }),
);
const server = Fastify({
  loggerInstance,
  disableRequestLogging: true,
  genReqId: () => randomUUID(),
  requestIdHeader: 'x-request-id',
});

await server.register(jwt, { secret: process.env.TOKEN_SECRET, verify: { cache: true } });
await server.register(rateLimit, {
  global: false,
  hook: 'preHandler',
  max: 10_000_000,
  timeWindow: '1 minute',
  keyGenerator: ({ user }) => user.jti,
});
server.addHook('onRequest', async (request, reply) => {
  reply.header('x-request-id', request.id).header('cache-control', 'no-store');
});
server.addHook('onResponse', async ({ id, method, url, ip, routeOptions, log }, { elapsedTime, statusCode }) => {
  log.info({ requestId: id, method, url, status: statusCode, ip, durationMs: elapsedTime }, 'request');
  durations.observe({ method, route: routeOptions.url, status: statusCode }, elapsedTime / 1000);
});

server.get('/healthz', async () => ({ ok: true }));
server.get(
  '/me',
  { config: { rateLimit: {} }, onRequest: (request) => request.jwtVerify() },
  async ({ user }, reply) => {
    const { rows } = await pool.query(
      `SELECT account.id, email, name, company, owner_type AS "ownerType"
       FROM accounts.sessions AS session JOIN accounts.accounts AS account ON account.id = session.account_id
       WHERE session.id = $1 AND ended_at IS NULL AND expires_at > now() AND disabled_at IS NULL`,
      [user.jti],
    );
    return rows[0] ?? reply.code(401).send({ statusCode: 401, message: 'The session has ended', error: 'Unauthorized' });
  },
);

process.once('SIGTERM', async () => {
  await server.close();
  await pool.end();
});
await server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
