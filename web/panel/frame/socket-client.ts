// Apart, so that the package is loaded with the first subscription, and of it the client alone.
import { createClient } from 'graphql-ws';

export const openClient = (url: string) =>
  createClient({
    url,
    lazyCloseTimeout: 1_000,
    retryAttempts: Number.POSITIVE_INFINITY,
    // A renewed cookie closes the socket with 4401; the next connection has the new one.
    shouldRetry: () => true,
  });
