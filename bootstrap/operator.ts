import { createGraph } from '../gateway/graph/graph.js';
import { localDataSource } from '../gateway/graph/data-source.js';
import type { Config } from '../shared/config.js';
import { requireDatabase } from '../shared/database/store.js';
import type { Logger } from '../shared/log.js';
import type { GraphResult } from '../shared/subgraph/executor.js';
import type { Variables } from '../shared/subgraph/variables.js';
import { closeAll } from './close-all.js';
import { identifyOperator, type IdentifyOptions } from './identify-operator.js';
import { openInfrastructure } from './infrastructure.js';
import { openDomains } from './subgraphs.js';
import { readSupergraph } from './supergraph.js';

/** Runs an operation on the graph. */
export type RunOperation = (document: string, variables: Variables) => Promise<GraphResult>;

/**
 * Lets `work` run operations on the graph as the operator whose key the command has, with or without a running server: on the database of
 * `DATABASE_URL`, else on the one that a running `npm start` keeps on `DATA_DIR`, else on the one in that folder, whose server is started for the duration of the work.
 * The server relays the events of the work, immediately or when it next starts.
 * @throws {ApiError} UNAUTHORIZED where there are operators and the command has no key of one
 */
export async function asOperator<T>(
  config: Config,
  log: Logger,
  work: (run: RunOperation) => Promise<T>,
  options: IdentifyOptions = {},
): Promise<T> {
  requireDatabase(config);
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const infrastructure = await openInfrastructure(config, log, { beside: true, patienceMs: 0 });
    closers.unshift(() => infrastructure.close());
    const context = await identifyOperator(infrastructure.context, config, options);
    const domains = await openDomains(infrastructure);
    closers.unshift(() => domains.close());
    const sources = Object.fromEntries(
      domains.all.map(({ name, schema }) => [name, localDataSource(schema, infrastructure.keyRing)]),
    );
    const graph = await createGraph({
      supergraphSdl: await readSupergraph(),
      sources,
      accelerated: config.accelerated,
    });
    return await work((document, variables) =>
      graph.run(graph.prepare(document), variables, { ...context, loaders: new Map() }),
    );
  } finally {
    await closeAll(closers);
  }
}
