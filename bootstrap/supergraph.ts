import { readFile } from 'node:fs/promises';

/** Reads the committed supergraph; tests check that it matches the code. */
export function readSupergraph(): Promise<string> {
  return readFile(new URL('../supergraph.graphql', import.meta.url), 'utf8');
}
