// Validates and plans every document of the program when it is built, and describes what operators may call, so that neither is done at each start. A
// program without these files, or with documents for another supergraph, does it itself.
import { rename, writeFile } from 'node:fs/promises';
import { createGraph } from '../gateway/graph/graph.js';
import { digestOf, preparedFile, type PreparedDocuments } from '../gateway/graph/known-documents.js';
import { loadSupergraph } from '../gateway/graph/supergraph.js';
import { remoteDataSources } from '../gateway/graph/remote/remote-data-sources.js';
import { prepareChannels } from '../gateway/live/socket/channels.js';
import { prepareTool } from '../mcp/call-tool.js';
import { loadTools } from '../mcp/load-tools.js';
import { loadOperations } from '../rest/operations.js';
import { routes } from '../rest/routes.js';
import { systemClock } from '../shared/kernel/clock.js';
import { createKeyRing } from '../shared/security/crypto.js';
import { checkedPanelDocuments } from '../apps/site/panel-documents.js';
import { createReaders } from '../apps/site/reader.js';
import { describeOperatorFields } from './describe-operator-fields.js';
import { operatorFieldsFile } from './operator-fields.js';
import { readSupergraph } from './supergraph.js';

const supergraphSdl = await readSupergraph();
const supergraph = await loadSupergraph(supergraphSdl);
// Nothing is sent: the sources only have the subgraphs' schemas.
const urls = Object.fromEntries(supergraph.gateway.subgraphs.map((name) => [name, 'http://127.0.0.1']));
const sources = remoteDataSources(supergraphSdl, urls, {
  keyRing: createKeyRing(Buffer.alloc(32)),
  clock: systemClock,
});
const graph = await createGraph({ supergraphSdl, sources });

const operations = loadOperations(graph.apiSchema);
for (const { operation } of routes) graph.prepare(operations(operation).document, { assumeValid: true });
for (const tool of loadTools(graph.apiSchema)) prepareTool(graph, tool);
for (const text of checkedPanelDocuments(graph)) graph.prepare(text);
createReaders(graph);
prepareChannels(graph);

const prepared: PreparedDocuments = {
  supergraph: digestOf(supergraphSdl),
  documents: Object.fromEntries(supergraph.known.entries()),
};
await put(preparedFile, JSON.stringify(prepared));
await put(operatorFieldsFile, JSON.stringify(await describeOperatorFields()));

/** Nobody reads a part of a file. */
async function put(file: URL, text: string): Promise<void> {
  const temporary = new URL(`${file.href}.${process.pid}.tmp`);
  await writeFile(temporary, text);
  await rename(temporary, file);
}
