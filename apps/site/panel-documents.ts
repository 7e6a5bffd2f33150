import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { graphqlFiles, operationRootsIn, readEach } from '../../gateway/graph/operation-file.js';
import type { Graph } from '../../gateway/graph/graph.js';

const folder = fileURLToPath(new URL('../panel/', import.meta.url));

export function panelDocuments(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const areas = readdirSync(folder).filter((area) => existsSync(join(folder, area, 'graph')));
  const errors = readFileSync(join(folder, 'frame/inputErrors.graphql'), 'utf8');
  const whole = ([name, text]: [string, string]) =>
    [name, text.includes('...inputErrors') ? `${text}\n${errors}` : text] as const;
  return new Map(
    areas.sort().map((area) => [area, new Map([...graphqlFiles(join(folder, area, 'graph'))].map(whole))]),
  );
}

/** Returns the text of every document of the panel, which its pages name by their hashes. @throws {Error} that names every document that does not fit the graph */
export function checkedPanelDocuments({ apiSchema }: Pick<Graph, 'apiSchema'>): readonly string[] {
  return [...panelDocuments()].flatMap(([area, texts]) => {
    readEach(`apps/panel/${area}/graph`, texts, (name, document) => operationRootsIn(apiSchema, name, document));
    return [...texts.values()];
  });
}
