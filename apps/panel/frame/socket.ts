import type { SubscriptionForwarder } from '@urql/core';
import type { Client } from 'graphql-ws';
import { whenUp } from './connection.js';
import { FailureError, failureOf, noResponse } from './failure.js';
import { loadPart, PartError } from './load-part.js';
import { readSession } from './session.js';
type Receiver = Parameters<ReturnType<SubscriptionForwarder>['subscribe']>[0];

let socket: Promise<Client> | undefined;
/** Close code of a socket whose session has ended, or whose cookie was renewed (docs/contract/browser-sessions.md §1.4). */
const unauthorized = 4401;
/** A session that was lost twice in this time is not merely renewed. */
const shortMs = 5_000;

/** Opens the WebSocket with the first subscription; it closes after the last one. It authenticates by the cookie of the page. */
function openSocket(): Promise<Client> {
  socket ??= loadPart(() => import('./socket-client.js')).then(
    ({ openClient }) => openClient(`${location.origin.replace(/^http/, 'ws')}/graphql`),
    (error: unknown) => {
      // The next subscription tries again.
      socket = undefined;
      throw error;
    },
  );
  return socket;
}

export const forwardToSocket: SubscriptionForwarder = ({ variables, extensions }) => ({
  subscribe: (receiver) => {
    // The document is named by its hash; the protocol asks for a text in any case.
    const payload = { query: '', ...(variables === undefined ? {} : { variables }), extensions: { ...extensions } };
    return { unsubscribe: keepSubscribed(payload, receiver) };
  },
});

/** Subscribes, and subscribes again after a renewed session; if the session has ended, the routes lead to the log-in. Returns a function that unsubscribes. */
function keepSubscribed(payload: Parameters<Client['subscribe']>[0], receiver: Receiver): () => void {
  let stop: (() => void) | undefined;
  let isEnded = false;
  let lostAt = Number.NEGATIVE_INFINITY;
  const begin = async () => {
    const client = await retried(openSocket);
    if (isEnded) return;
    stop = client.subscribe(payload, {
      next: ({ data = null, errors }) => receiver.next(errors === undefined ? { data } : { data, errors }),
      error: (error) => {
        renew(error).catch(fail);
      },
      complete: () => receiver.complete(),
    });
  };
  const renew = async (error: unknown) => {
    const isClosed = error instanceof CloseEvent && error.code === unauthorized;
    const isRepeated = performance.now() - lostAt < shortMs;
    if (!isClosed && (!isRefused(error) || isRepeated)) throw error;
    lostAt = performance.now();
    if (isRepeated) await new Promise((resolve) => setTimeout(resolve, shortMs));
    if ((await retried(readSession)) !== null && !isEnded) await begin();
  };
  const fail = (error: unknown) => {
    if (!isEnded) receiver.error(error);
  };
  begin().catch(fail);
  return () => {
    isEnded = true;
    stop?.();
  };
}

function isRefused(errors: unknown): boolean {
  return (
    Array.isArray(errors) && errors.some((error: unknown) => failureOf(extensionsOf(error)).code === 'UNAUTHORIZED')
  );
}

function extensionsOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'extensions' in error ? error.extensions : undefined;
}

/** Runs work, and again when the server is back where it did not respond. */
async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isWithoutResponse(error)) throw error;
      await whenUp();
    }
  }
}

function isWithoutResponse(error: unknown): boolean {
  if (error instanceof PartError) return error.reason === 'NO_RESPONSE';
  return error instanceof FailureError && error.failure.code === noResponse.code;
}
