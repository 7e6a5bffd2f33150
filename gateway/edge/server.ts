import Fastify, { type FastifyInstance } from 'fastify';
import { createBelow } from './below.js';
import { edge, type EdgeOptions } from './edge.js';
import { requestIdOf } from './headers.js';
import { trustOf } from './network.js';

/** One megabyte: the largest body that a path accepts unless it says otherwise. */
const bodyLimit = 1_048_576;

/** The HTTP application of the house, with the edge in front; doors register their routes on it. */
export function createServer(options: EdgeOptions): FastifyInstance {
  const { trustProxy } = options.config;
  const trusted = trustOf(trustProxy);
  const below = createBelow(options, trusted);
  const app = Fastify({
    bodyLimit,
    trustProxy: trustProxy.length === 0 ? false : trusted,
    requestIdHeader: false,
    genReqId: (request) => requestIdOf(request.headers),
    // The edge's own hook answers 503 in the house's form; see `draining` there.
    return503OnClosing: false,
    requestTimeout: 30_000,
    // Longer than the 60 s after which load balancers let an idle connection go, so that they close first.
    keepAliveTimeout: 65_000,
    // The edge refuses a request without Host itself, in the house's form.
    http: { requireHostHeader: false },
    clientErrorHandler: below.answerParser,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => {
      reply.hijack();
      void below.answerUnreadable(error, request, reply.raw);
    },
  });
  // Without a listener Node answers 417 with an empty body; the edge knows which expectations it refuses.
  app.server.on('checkExpectation', (request, response) => {
    app.routing(request, response);
  });
  edge(app, options, trusted);
  return app;
}
