import { cacheExchange as documentCache, Client, fetchExchange, subscriptionExchange, type Exchange } from '@urql/core';
import { cacheExchange, type CacheExchangeOpts, type ResolverConfig } from '@urql/exchange-graphcache';
import { createClient } from 'graphql-ws';
import { keys } from './graphcache-keys.js';
import { possibleTypes } from './schema-types.js';

interface UrqlOptions {
  /** Address of the graph: `https://…/graphql`. */
  readonly url: string;
  /** Returns the credential of the next request, such as `{ authorization: 'Bearer …' }`. */
  readonly credential: () => Record<string, string>;
  /** The implementation of WebSocket, where the platform has none, such as that of `ws`. */
  readonly webSocket?: unknown;
  /** The introspection of the schema: with it the cache knows lists, unions and fields that may be null. */
  readonly schema: NonNullable<CacheExchangeOpts['schema']>;
  /** `resolvers` of `graphcache-keys.ts`, for lists without end. */
  readonly resolvers?: ResolverConfig;
}

/**
 * Opens the clients of one caller: `present` has a normalized cache; `past` is for every document that passes `asOf`, and keeps results by document and
 * variables. Open new ones for another caller.
 */
export function openUrql({ url, credential, webSocket, schema, resolvers = {} }: UrqlOptions) {
  const socket = createClient({
    url: url.replace(/^http/, 'ws'),
    connectionParams: credential,
    webSocketImpl: webSocket,
  });
  const events = subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe: ({ next, error, complete }) => ({
        unsubscribe: socket.subscribe(
          { query, variables },
          { next: ({ data = null, errors }) => next({ data, ...(errors && { errors }) }), error, complete },
        ),
      }),
    }),
  });
  const open = (cache: Exchange) =>
    new Client({
      url,
      exchanges: [cache, fetchExchange, events],
      fetchOptions: () => ({ headers: credential() }),
      preferGetMethod: false,
    });
  return {
    present: open(cacheExchange({ schema, keys, possibleTypes, resolvers })),
    past: open(documentCache),
    close: () => socket.dispose(),
  };
}
