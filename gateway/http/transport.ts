import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../shared/kernel/config.js';
import type { Connections } from './limits/connections.js';
import type { Trust } from '../../shared/kernel/network.js';

/** Whether a request came by TLS: to this process, or to a proxy that is trusted to report it. */
export function isSecure(request: IncomingMessage, trusted: Trust): boolean {
  if (request.socket instanceof TLSSocket) return true;
  const forwarded = request.headers['x-forwarded-proto'];
  if (typeof forwarded !== 'string' || !trusted(request.socket.remoteAddress ?? '')) return false;
  // Proxies append: the last value is the one that the trusted proxy itself saw.
  return forwarded.split(',').at(-1)?.trim().toLowerCase() === 'https';
}

/** Returns the same address with HTTPS: on the configured public name where there is one, else on the requested name. */
export function secureAddress(publicUrl: string, tlsPort: number | undefined, host: string, target: string): string {
  const path = target.startsWith('/') ? target : '/';
  if (publicUrl.startsWith('https://')) return new URL(publicUrl).origin + path;
  const port = tlsPort === undefined || tlsPort === 443 ? '' : `:${tlsPort}`;
  return `https://${host.replace(/:\d+$/, '')}${port}${path}`;
}

/** The cipher suites of TLS 1.3, and the suites of TLS 1.2 with forward secrecy and authenticated encryption (RFC 9325 §4.2). */
const cipherSuites = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** Terminates TLS (1.2 or later) on its own port, opened before the plain one, which redirects here. All of it goes to the application's own server. */
export function terminateTls(
  app: FastifyInstance,
  tls: NonNullable<Config['tls']>,
  { host, connections, listener }: TlsParts,
): void {
  const server = createServer(
    {
      ...serverTimeouts,
      cert: readFileSync(tls.certFile),
      key: readFileSync(tls.keyFile),
      minVersion: 'TLSv1.2',
      ciphers: cipherSuites,
      handshakeTimeout: handshakeTimeoutMs,
      requireHostHeader: false,
    },
    listener,
  );
  server.timeout = idleTimeoutMs;
  connections.watch(server);
  server.on('upgrade', (...event) => app.server.emit('upgrade', ...event));
  server.on('clientError', (...event) => app.server.emit('clientError', ...event));
  server.on('checkExpectation', (...event) => app.server.emit('checkExpectation', ...event));
  // Not `onListen`: Fastify neither waits for that hook nor fails with it.
  app.addHook('onReady', async () => {
    server.maxRequestsPerSocket = app.server.maxRequestsPerSocket;
    server.listen({ port: tls.port, host, backlog });
    await once(server, 'listening');
    const address = server.address();
    app.edgeMaker.tlsPort = typeof address === 'object' && address !== null ? address.port : tls.port;
  });
  let closed: Promise<void> = Promise.resolve();
  // Refuses new connections from now on; the end of the open ones is awaited when the application closes.
  app.addHook('preClose', (done) => {
    closed = new Promise((resolve) => {
      server.close(() => resolve());
    });
    done();
  });
  app.addHook('onClose', () => closed);
}

export interface TlsParts {
  readonly host: string;
  readonly connections: Connections;
  readonly listener: RequestListener;
}

/** Maximum number of connections that wait to be accepted; the operating system may allow fewer. */
export const backlog = 4_096;
/** Time without any traffic after which a connection is closed: its peer does not read its response. */
export const idleTimeoutMs = 120_000;
const handshakeTimeoutMs = 10_000;

/** Timeouts of requests, on every port; they are checked every two seconds. */
export const serverTimeouts = {
  connectionsCheckingInterval: 2_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than the 60 s after which load balancers close an idle connection, so that they close first.
  keepAliveTimeout: 65_000,
} as const;
