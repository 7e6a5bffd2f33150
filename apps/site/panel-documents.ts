import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { graphqlFiles, operationRootsIn, readEach } from '../../gateway/graph/operation-file.js';
import type { Graph } from '../../gateway/graph/graph.js';

const folder = fileURLToPath(new URL('../panel/', import.meta.url));

/** Returns the texts of the documents that the panel sends, by area and name. */
export function panelDocuments(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const areas = readdirSync(folder).filter((area) => existsSync(join(folder, area, 'graph')));
  return new Map(areas.sort().map((area) => [area, graphqlFiles(join(folder, area, 'graph'))]));
}

/**
 * Returns the text of every document of the panel, which its pages name by their hashes.
 * @throws {Error} that names every document that does not fit the graph
 */
export function checkedPanelDocuments({ apiSchema }: Pick<Graph, 'apiSchema'>): readonly string[] {
  return [...panelDocuments()].flatMap(([area, texts]) => {
    readEach(`apps/panel/${area}/graph`, texts, (name, document) => operationRootsIn(apiSchema, name, document));
    return [...texts.values()];
  });
}
