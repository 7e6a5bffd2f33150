import type { FastifyInstance } from 'fastify';
import { composeSupergraph } from '../../gateway/compose.js';
import { createGraph, type Graph } from '../../gateway/graph.js';
import { graphqlDoor, type GraphqlDoorOptions } from '../../gateway/server/door.js';
import { localSource } from '../../gateway/source.js';
import { loadConfig, type Config } from '../../shared/config.js';
import { testKeyRing } from '../kit/context.js';
import { createTestEdge, testCallers } from '../rest/edge-kit.js';
import { librarySubgraph } from './library.js';
import { reviewsSubgraph } from './reviews.js';

/** The graph of the tests: a library and what its readers think. */
export function testGraph(): Graph {
  const library = librarySubgraph();
  const reviews = reviewsSubgraph();
  return createGraph({
    supergraphSdl: composeSupergraph([library, reviews]),
    sources: {
      library: localSource(library.schema, testKeyRing),
      reviews: localSource(reviews.schema, testKeyRing),
    },
  });
}

const config = loadConfig({ NODE_ENV: 'test' });
export const graphqlConfig = config.graphql;

type Edge = Parameters<typeof createTestEdge>;

export interface DoorParts {
  readonly graphql?: Partial<Config['graphql']>;
  readonly production?: boolean;
  readonly sockets?: Partial<Config['sockets']>;
  readonly edge?: Edge[0];
  readonly parts?: Edge[1];
  readonly timing?: GraphqlDoorOptions['timing'];
  readonly callers?: GraphqlDoorOptions['callers'];
}

/** The GraphQL door behind the edge. */
export async function testDoor({
  graphql,
  production = false,
  sockets,
  edge,
  parts,
  timing,
  callers = testCallers(),
}: DoorParts = {}): Promise<FastifyInstance> {
  const { app } = createTestEdge(edge, { callers, ...parts });
  await graphqlDoor(app, {
    graph: testGraph(),
    config: { production, graphql: { ...graphqlConfig, ...graphql }, sockets: { ...config.sockets, ...sockets } },
    callers,
    ...(timing === undefined ? {} : { timing }),
  });
  return app;
}
