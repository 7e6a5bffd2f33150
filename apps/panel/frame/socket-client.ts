// Apart, so that only the client of the package is loaded, with the first subscription.
import { createClient, type Client } from 'graphql-ws';
import { askNow, noteResponse, noteSocket, whenUp } from './connection.js';

/** A socket on which nothing comes is asked whether it is alive, and given up where it is not: a network that is gone closes nothing. */
const quietMs = 10_000;
const pongMs = 5_000;
const mostWaitMs = 15_000;
/** Close code of a socket that this page has closed after its last subscription. */
const normal = 1_000;

/** Opens the socket with the first subscription. It is opened again as long as there is one, soon after a server that was away is back. */
export function openClient(url: string): Client {
  let pong: ReturnType<typeof setTimeout> | undefined;
  const client = createClient({
    url,
    lazyCloseTimeout: 1_000,
    keepAlive: quietMs,
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: async (retries) => {
      // Pages do not all come at once.
      await sleep(Math.min(2 ** retries * 500, mostWaitMs) * (0.5 + Math.random() / 2));
      await whenUp();
    },
    shouldRetry: () => true,
    on: {
      connected: () => {
        noteSocket(true);
        noteResponse();
      },
      closed: (event) => {
        clearTimeout(pong);
        noteSocket(false);
        if (!(event instanceof CloseEvent) || event.code !== normal) void askNow();
      },
      ping: (isReceived) => {
        if (isReceived) return;
        pong = setTimeout(() => {
          client.terminate();
        }, pongMs);
      },
      pong: (isReceived) => {
        if (isReceived) clearTimeout(pong);
      },
    },
  });
  return client;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
