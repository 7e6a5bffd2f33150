import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../shared/config.js';
import type { Trust } from './network.js';

/** Whether a request came by TLS: to this process, or to a proxy that is trusted to say so. */
export function isSecure(request: IncomingMessage, trusted: Trust): boolean {
  if (request.socket instanceof TLSSocket) return true;
  const forwarded = request.headers['x-forwarded-proto'];
  if (typeof forwarded !== 'string' || !trusted(request.socket.remoteAddress ?? '')) return false;
  // Proxies append: the last value is the one that the trusted proxy itself saw.
  return forwarded.split(',').at(-1)?.trim().toLowerCase() === 'https';
}

/** The same address by HTTPS: on the house's public name where it has one, else on the name that was asked for. */
export function secureAddress(publicUrl: string, tlsPort: number | undefined, host: string, target: string): string {
  const path = target.startsWith('/') ? target : '/';
  if (publicUrl.startsWith('https://')) return new URL(publicUrl).origin + path;
  const port = tlsPort === undefined || tlsPort === 443 ? '' : `:${tlsPort}`;
  return `https://${host.replace(/:\d+$/, '')}${port}${path}`;
}

/**
 * Where this process terminates TLS itself (1.2 or later): a port of its own in front of the same routes, open as long as
 * the application listens. Its requests, its WebSocket upgrades and what it cannot read go to the application's own
 * server.
 */
export function terminateTls(app: FastifyInstance, tls: NonNullable<Config['tls']>, host: string): void {
  const server = createServer(
    {
      cert: readFileSync(tls.certFile),
      key: readFileSync(tls.keyFile),
      minVersion: 'TLSv1.2',
      requireHostHeader: false,
    },
    (request, response) => {
      app.routing(request, response);
    },
  );
  server.requestTimeout = app.server.requestTimeout;
  server.keepAliveTimeout = app.server.keepAliveTimeout;
  server.on('upgrade', (...event) => app.server.emit('upgrade', ...event));
  server.on('clientError', (...event) => app.server.emit('clientError', ...event));
  server.on('checkExpectation', (...event) => app.server.emit('checkExpectation', ...event));
  app.addHook('onListen', async () => {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(tls.port, host, resolve);
    });
    const address = server.address();
    app.edgeMaker.tlsPort = typeof address === 'object' && address !== null ? address.port : tls.port;
  });
  app.addHook('preClose', () => closeTls(server));
}

/** Refuses new connections and waits for the requests under way. */
function closeTls(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeIdleConnections();
  });
}
