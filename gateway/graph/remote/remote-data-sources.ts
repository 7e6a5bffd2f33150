import { Supergraph } from '@apollo/federation-internals';
import type { GraphQLSchema } from 'graphql';
import type { Clock } from '../../../shared/kernel/clock.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import { remoteDataSource, type RemoteDataSource } from './remote-data-source.js';
import { createCallTokens } from './call-token.js';

/**
 * Creates the data sources of a gateway whose subgraphs all run in other processes; their schemas are read from the supergraph.
 * @throws when `urls` lacks one of them.
 */
export function remoteDataSources(
  supergraphSdl: string,
  urls: Readonly<Record<string, string>>,
  { keyRing, clock }: { readonly keyRing: KeyRing; readonly clock: Clock },
): Record<string, RemoteDataSource> {
  const tokens = createCallTokens(keyRing, clock);
  return Object.fromEntries(
    Object.entries(subgraphSchemas(supergraphSdl)).map(([name, schema]) => {
      const url = urls[name];
      if (url === undefined) throw new Error(`SUBGRAPH_URLS lacks the subgraph ${name}`);
      return [name, remoteDataSource({ name, url, schema, tokens })];
    }),
  );
}

function subgraphSchemas(supergraphSdl: string): Record<string, GraphQLSchema> {
  const subgraphs = Supergraph.build(supergraphSdl, { validateSupergraph: false }).subgraphs();
  return Object.fromEntries(subgraphs.values().map(({ name, schema }) => [name, schema.toGraphQLJSSchema()]));
}
