import type { GraphQLSchema } from 'graphql';
import type { Metric } from 'prom-client';
import type { DatabaseOptions } from '../database/database.js';
import type { SchemaMigrations } from '../database/migrate.js';
import type { Consumer } from '../outbox/relay.js';
import type { Job } from '../scheduler.js';

/** The face that every domain shows to the house: dependencies go in, this comes out. */
export interface Subgraph {
  /** Lower case with hyphens; names the subgraph in the supergraph, in `ROLE=subgraph:<name>` and in `SUBGRAPH_URLS`. */
  readonly name: string;
  /** Executable, with federation's `_entities` and `_service`. */
  readonly schema: GraphQLSchema;
  /** What composition reads, and what is committed as the subgraph's `schema.graphql`. */
  readonly sdl: string;
  readonly jobs: readonly Job[];
  /** What its jobs count. */
  readonly metrics?: readonly Metric[];
  /** What the relay hands events to, whoever's they are. */
  readonly consumers?: readonly Consumer[];
  /** TypeORM entities of the subgraph's own tables. */
  readonly entities: DatabaseOptions['entities'];
  readonly migrations: SchemaMigrations;
}
