import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, type TypePolicies } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import { possibleTypes, typePolicies } from './apollo-type-policies.js';

interface ApolloOptions {
  /** Address of the graph: `https://…/graphql`. */
  readonly url: string;
  /** Returns the credential of the next request, such as `{ authorization: 'Bearer …' }`. */
  readonly credential: () => Record<string, string>;
  /** The implementation of WebSocket, where the platform has none, such as that of `ws`. */
  readonly webSocket?: unknown;
  /** Returns the SHA-256 of a text, hexadecimal. */
  readonly sha256: (text: string) => string | Promise<string>;
  /** `pagedTypePolicies`, for lists without end; `typePolicies` by default. */
  readonly policies?: TypePolicies;
}

/**
 * Opens the clients of one caller: `present` has a normalized cache; `past` is for every document that passes `asOf`, and keeps nothing. Open new ones for
 * another caller.
 */
export function openApollo({ url, credential, webSocket, sha256, policies = typePolicies }: ApolloOptions) {
  const socket = createClient({
    url: url.replace(/^http/, 'ws'),
    connectionParams: credential,
    webSocketImpl: webSocket,
  });
  const requests = ApolloLink.from([
    new SetContextLink(() => ({ headers: credential() })),
    new PersistedQueryLink({ sha256 }),
    new HttpLink({ uri: url }),
  ]);
  const link = ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    new GraphQLWsLink(socket),
    requests,
  );
  return {
    present: new ApolloClient({ link, cache: new InMemoryCache({ possibleTypes, typePolicies: policies }) }),
    past: new ApolloClient({
      link,
      cache: new InMemoryCache({ possibleTypes }),
      defaultOptions: { query: { fetchPolicy: 'no-cache' }, watchQuery: { fetchPolicy: 'no-cache' } },
    }),
    close: () => socket.dispose(),
  };
}
