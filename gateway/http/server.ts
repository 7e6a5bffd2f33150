import { createServer as createHttpServer, type RequestListener } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { createAdmission } from './limits/admission.js';
import { createClientErrors } from './reply/client-error.js';
import { boundConnections } from './limits/connections.js';
import { edge } from './edge.js';
import type { EdgeOptions } from './options.js';
import { createGate } from './limits/gate.js';
import { requestIdOf } from './reply/headers.js';
import { trustOf } from '../../shared/kernel/network.js';
import { idleTimeoutMs, serverTimeouts, terminateTls } from './transport.js';

/** One megabyte: the largest body of a path that sets no other limit. */
const bodyLimit = 1_048_576;

/** Creates the HTTP application with the edge in front; interfaces register their routes on it. */
export function createServer(options: EdgeOptions): FastifyInstance {
  const { config, registry } = options;
  const trusted = trustOf(config.trustProxy);
  const clientErrors = createClientErrors(options, trusted);
  const admission = createAdmission(config.requests);
  const gate = createGate({ admission, trusted, registry, log: options.parts.log, refuse: clientErrors.shed });
  const connections = boundConnections(config.connections, trusted, registry);
  const listener: RequestListener = (request, response) => {
    gate.pass(request, response, () => app.routing(request, response));
  };
  const app = Fastify({
    bodyLimit,
    trustProxy: config.trustProxy.length === 0 ? false : trusted,
    requestIdHeader: false,
    genReqId: (request) => requestIdOf(request.headers),
    // The edge's own hook sends the 503 in the standard envelope; see `draining` there.
    return503OnClosing: false,
    serverFactory: () => {
      // The edge itself refuses a request without Host, in the standard envelope.
      const server = createHttpServer({ ...serverTimeouts, requireHostHeader: false }, listener);
      server.timeout = idleTimeoutMs;
      connections.watch(server);
      return server;
    },
    clientErrorHandler: clientErrors.unparsable,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => {
      reply.hijack();
      gate.leave(request.raw);
      void clientErrors.badAddress(error, request, reply.raw);
    },
  });
  // Without a listener Node responds 417 with an empty body; the edge knows which expectations it refuses.
  app.server.on('checkExpectation', listener);
  boundHead(app);
  edge(app, options, { trusted, admission, gate, connections });
  if (config.tls !== undefined) terminateTls(app, config.tls, { host: config.host, connections, listener });
  return app;
}

/** Takes Fastify's `Content-Length: 0` off a 304 to HEAD, where it would be the length of the caller's copy (RFC 9110 §8.6). Call it before routes. */
function boundHead(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return;
    route.onSend = [route.onSend ?? []].flat().concat((_request, reply, payload, done) => {
      if (reply.statusCode === 304) reply.removeHeader('content-length');
      done(null, payload);
    });
  });
}
