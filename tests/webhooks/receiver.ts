import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { until } from '../kit/until.js';

/** A request as a receiver saw it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** What the envelope says. */
  readonly event: { readonly type: string; readonly id: string; readonly createdAt: string; readonly data: unknown };
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

export type Reply = (response: ServerResponse, received: Received) => void;

const ok: Reply = (response) => response.end('ok');

export interface ReceiverOptions {
  readonly tls?: { readonly key: string; readonly cert: string };
}

export async function openReceiver(answer: Reply = ok, { tls }: ReceiverOptions = {}) {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const event = JSON.parse(body) as Received['event'];
      const one = { path: request.url ?? '', headers: request.headers, body, event };
      received.push(one);
      answer(response, one);
    });
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port');
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}/hook`,
    received,
    /** Resolves once so many requests have come in, and answers them all. */
    until: (count: number) =>
      until(`delivery ${count}`, () => {
        if (received.length >= count) return received;
        throw new Error(`${received.length} deliveries`);
      }),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
