import type { GraphQLSchema } from 'graphql';
import type { SchemaMigrations } from '../database/migrate.js';
import type { Measured } from '../kernel/metrics.js';
import type { Consumer } from '../events/outbox/outbox.js';
import type { Job } from '../work/scheduler.js';

/** The interface between a domain and the program: the factory of every subgraph takes its dependencies and returns this. */
export interface Subgraph {
  /** Lower case with hyphens; names the subgraph in the supergraph, in `ROLE=subgraph:<name>` and in `SUBGRAPH_URLS`. */
  readonly name: string;
  /** Executable, with federation's `_entities` and `_service`. */
  readonly schema: GraphQLSchema;
  /** The input of composition, committed as the subgraph's `schema.graphql`. */
  readonly sdl: string;
  readonly jobs: readonly Job[];
  readonly metrics?: readonly Measured[];
  readonly consumers?: readonly Consumer[];
  readonly migrations: SchemaMigrations;
}
