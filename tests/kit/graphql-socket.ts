import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** A client of graphql-ws, which says who it is in its first message, and does not connect again. */
export const openGraphqlSocket = (address: string, connectionParams: Readonly<Record<string, string>>) =>
  createClient({
    url: `${address.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams,
  });
