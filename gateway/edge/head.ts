import type { FastifyInstance } from 'fastify';

/**
 * Takes `Content-Length: 0` off a 304 to HEAD: Fastify adds it to every response to HEAD without a body, and there it would be the length of the
 * response that the caller has (RFC 9110 §8.6). Call it before routes are added.
 */
export function boundHead(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return;
    route.onSend = [route.onSend ?? []].flat().concat((_request, reply, payload, done) => {
      if (reply.statusCode === 304) reply.removeHeader('content-length');
      done(null, payload);
    });
  });
}
