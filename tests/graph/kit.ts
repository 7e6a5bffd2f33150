import type { FastifyInstance } from 'fastify';
import { composeSupergraph } from '../../gateway/graph/compose.js';
import { createGraph, type Graph } from '../../gateway/graph/graph.js';
import { graphqlPlugin, type GraphqlPluginOptions } from '../../gateway/graphql/plugin.js';
import { localDataSource } from '../../gateway/graph/data-source.js';
import { loadConfig, type Config } from '../../shared/kernel/config.js';
import { testKeyRing } from '../kit/context.js';
import { createTestEdge, testCallers } from '../rest/edge-kit.js';
import { librarySubgraph } from './library.js';
import { reviewsSubgraph } from './reviews.js';

/** The graph of the tests: a library and what its readers think. */
export function testGraph({ accelerated = process.env['GRAPH_ACCELERATOR'] !== 'off' } = {}): Promise<Graph> {
  const library = librarySubgraph();
  const reviews = reviewsSubgraph();
  return createGraph({
    accelerated,
    supergraphSdl: composeSupergraph([library, reviews]),
    sources: {
      library: localDataSource(library.schema, testKeyRing),
      reviews: localDataSource(reviews.schema, testKeyRing),
    },
  });
}

const config = loadConfig({ NODE_ENV: 'test' });
export const graphqlConfig = config.graphql;

type Edge = Parameters<typeof createTestEdge>;

export interface PluginParts {
  readonly graphql?: Partial<Config['graphql']>;
  readonly production?: boolean;
  readonly sockets?: Partial<Config['sockets']>;
  readonly subscriptions?: Partial<Config['subscriptions']>;
  readonly edge?: Edge[0];
  readonly parts?: Edge[1];
  readonly heartbeatMs?: number;
  readonly callers?: GraphqlPluginOptions['callers'];
  readonly graph?: Graph | undefined;
}

export async function testPlugin({
  graphql,
  production = false,
  sockets,
  subscriptions,
  edge,
  parts,
  heartbeatMs,
  callers = testCallers(),
  graph,
}: PluginParts = {}): Promise<FastifyInstance> {
  const { app } = createTestEdge(edge, { callers, ...parts });
  await graphqlPlugin(app, {
    graph: graph ?? (await testGraph()),
    config: {
      production,
      graphql: { ...graphqlConfig, ...graphql },
      sockets: { ...config.sockets, ...sockets },
      subscriptions: { ...config.subscriptions, ...subscriptions },
    },
    callers,
    heartbeatMs,
  });
  return app;
}
