import { createGraph } from '../gateway/graph.js';
import { localSource } from '../gateway/source.js';
import type { Config } from '../shared/config.js';
import { findEmbedded } from '../shared/database/embedded.js';
import type { Logger } from '../shared/log.js';
import type { Answer } from '../shared/subgraph/execute.js';
import type { Variables } from '../shared/subgraph/variables.js';
import { closeAll } from './close-all.js';
import { readSupergraph } from './doors.js';
import { openFloor } from './floor.js';
import { entities, openDomains } from './subgraphs.js';

/** Runs an operation on the graph. */
export type RunOperation = (document: string, variables: Variables) => Promise<Answer>;

/**
 * Lets `work` run operations on the graph as the operator, beside the server or without one: on the database of `DATABASE_URL`,
 * else on the one that a running `npm start` keeps on `DATA_DIR`, else on one started there for the time of the work. What it
 * announces is relayed by the server, at once or when it starts.
 */
export async function asOperator<T>(config: Config, log: Logger, work: (run: RunOperation) => Promise<T>): Promise<T> {
  const url = config.database.url ?? (await findEmbedded(config.dataDir));
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const floor = await openFloor({ ...config, database: { ...config.database, url } }, log, { entities });
    closers.unshift(() => floor.close());
    const domains = await openDomains(floor);
    closers.unshift(() => domains.close());
    const sources = Object.fromEntries(
      domains.all.map(({ name, schema }) => [name, localSource(schema, floor.keyRing)]),
    );
    const graph = createGraph({ supergraphSdl: await readSupergraph(), sources });
    return await work((document, variables) =>
      graph.run(graph.prepare(document), variables, { ...floor.context, loaders: new Map() }),
    );
  } finally {
    await closeAll(closers);
  }
}
