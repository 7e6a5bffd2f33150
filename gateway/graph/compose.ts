import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';
import { compactSdl } from '../../shared/graphql/compact-sdl.js';
import type { Subgraph } from '../../shared/graphql/subgraph.js';

/**
 * Composes the subgraphs into the supergraph that is committed as `supergraph.graphql`. Its addresses are those at which a
 * federation router finds the subgraphs under their own names; our gateway takes addresses from `SUBGRAPH_URLS`.
 * @throws when the subgraphs do not fit together, with every error.
 */
export function composeSupergraph(subgraphs: readonly Pick<Subgraph, 'name' | 'sdl'>[]): string {
  const services = subgraphs
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ name, sdl }) => ({ name, url: `http://${name}:4000/graphql`, typeDefs: parse(sdl) }));
  const { supergraphSdl, errors } = composeServices(services);
  if (errors === undefined) return compactSdl(supergraphSdl);
  throw new Error(`The subgraphs do not compose:\n${errors.map((error) => `  - ${error.message}`).join('\n')}`);
}
