import { composeServices } from '@apollo/composition';
import { parse, print, visit } from 'graphql';
import type { Subgraph } from '../../shared/graphql/subgraph.js';

/** Composes the committed supergraph, with addresses for federation routers; our gateway has `SUBGRAPH_URLS`. @throws with every error of a misfit */
export function composeSupergraph(subgraphs: readonly Pick<Subgraph, 'name' | 'sdl'>[]): string {
  const services = subgraphs
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ name, sdl }) => ({ name, url: `http://${name}:4000/graphql`, typeDefs: parse(sdl) }));
  const { supergraphSdl, errors } = composeServices(services);
  if (errors === undefined) return lineByDefinition(supergraphSdl);
  throw new Error(`The subgraphs do not compose:\n${errors.map((error) => `  - ${error.message}`).join('\n')}`);
}

/** Prints each definition on one line: only the gateway reads this file; people read the subgraphs' schemas. */
function lineByDefinition(sdl: string): string {
  const document = visit(parse(sdl, { noLocation: true }), { StringValue: (node) => ({ ...node, block: false }) });
  return document.definitions.map((definition) => `${print(definition).replaceAll(/\s*\n\s*/g, ' ')}\n`).join('');
}
