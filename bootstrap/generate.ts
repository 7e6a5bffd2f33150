import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeSupergraph } from '../gateway/graph/compose.js';
import { createGraph } from '../gateway/graph/graph.js';
import { localDataSource } from '../gateway/graph/data-source.js';
import { loadTools } from '../mcp/load-tools.js';
import { openApi } from '../rest/openapi/document.js';
import { loadOperations } from '../rest/operations.js';
import { routes } from '../rest/routes.js';
import { loadConfig } from '../shared/kernel/config.js';
import { describeDatabase } from '../shared/database/describe.js';
import { compactJson } from '../shared/kernel/format/compact-json.js';
import { importSchema, printSchema } from '../shared/import/model/schema.js';
import { createLog } from '../shared/kernel/log.js';
import { creditAssignmentImport } from '../subgraphs/credit-assignment/import/domain.js';
import { issuancesImport } from '../subgraphs/issuances/import/domain.js';
import { tokenizationImport } from '../subgraphs/tokenization/import/domain.js';
import { eventTypes } from '../subgraphs/webhooks/events/event.js';
import { panelDocuments } from '../apps/site/panel-documents.js';
import { pageDocuments } from '../apps/site/reader.js';
import { openInfrastructure } from './infrastructure.js';
import { migrations } from './migrations.js';
import { resultTypes, sentTypes } from './result-types.js';
import { openDomains } from './subgraphs.js';

/** A generated file: its path relative to the repository's root, and its text. */
export interface Artefact {
  readonly path: string;
  readonly text: string;
}

/** Makes every committed file that is generated from the code, on an empty database of its own. */
export async function makeArtefacts(): Promise<Artefact[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lastro-generate-'));
  const config = loadConfig({ DATA_DIR: dataDir, DEMO: 'false', LOG_LEVEL: 'error' });
  try {
    const infrastructure = await openInfrastructure(config, createLog(config.logLevel));
    try {
      const domains = await openDomains(infrastructure);
      const supergraphSdl = composeSupergraph(domains.all);
      const sources = Object.fromEntries(
        domains.all.map(({ name, schema }) => [name, localDataSource(schema, infrastructure.keyRing)]),
      );
      const { apiSchema } = await createGraph({ supergraphSdl, sources });
      const schemas = migrations.map(({ schema }) => schema);
      const artefacts = [
        ...domains.all.map(({ name, sdl }) => ({ path: `subgraphs/${name}/schema.graphql`, text: sdl })),
        { path: 'supergraph.graphql', text: supergraphSdl },
        { path: 'rest/openapi.json', text: json(openApi(loadOperations(apiSchema), routes, eventTypes)) },
        { path: 'mcp/tools.json', text: json({ tools: loadTools(apiSchema).map(({ entry }) => entry) }) },
        { path: 'apps/site/graph/operations.ts', text: resultTypes(apiSchema, pageDocuments()) },
        ...[...panelDocuments()].map(([area, texts]) => ({
          path: `apps/panel/${area}/graph/operations.ts`,
          text: sentTypes(apiSchema, texts),
        })),
        { path: 'subgraphs/issuances/import/operation.schema.json', text: printSchema(importSchema(issuancesImport)) },
        {
          path: 'subgraphs/tokenization/import/patrimony.schema.json',
          text: printSchema(importSchema(tokenizationImport)),
        },
        {
          path: 'subgraphs/credit-assignment/import/criteria.schema.json',
          text: printSchema(importSchema(creditAssignmentImport)),
        },
        { path: 'shared/database/schema.txt', text: await describeDatabase(infrastructure.context.manager, schemas) },
      ];
      await domains.close();
      return artefacts;
    } finally {
      await infrastructure.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function json(value: unknown): string {
  return `${compactJson(value)}\n`;
}
