import type { SubscriptionForwarder } from '@urql/core';
import type { Client } from 'graphql-ws';

let socket: Promise<Client> | undefined;

/** Opens the WebSocket with the first subscription; it closes after the last one. It authenticates by the cookie of the page. */
function openSocket(): Promise<Client> {
  socket ??= import('./socket-client.js').then(({ openClient }) =>
    openClient(`${location.origin.replace(/^http/, 'ws')}/graphql`),
  );
  return socket;
}

export const forwardToSocket: SubscriptionForwarder = ({ variables, extensions }) => ({
  subscribe: (sink) => {
    let stop: (() => void) | undefined;
    let isEnded = false;
    openSocket().then(
      (client) => {
        if (isEnded) return;
        // The document is named by its hash; the protocol asks for a text in any case.
        stop = client.subscribe(
          { query: '', ...(variables === undefined ? {} : { variables }), extensions: { ...extensions } },
          {
            next: ({ data = null, errors }) => {
              sink.next(errors === undefined ? { data } : { data, errors });
            },
            error: (error) => {
              sink.error(error);
            },
            complete: () => {
              sink.complete();
            },
          },
        );
      },
      (error: unknown) => {
        sink.error(error);
      },
    );
    return {
      unsubscribe: () => {
        isEnded = true;
        stop?.();
      },
    };
  },
});
