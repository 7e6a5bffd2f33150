import type { GraphQLSchema } from 'graphql';
import type { Metric } from 'prom-client';
import type { Context } from '../context.js';
import type { DatabaseOptions } from '../database/database.js';
import type { SchemaMigrations } from '../database/migrate.js';
import type { Consumer } from '../outbox/outbox.js';
import type { Job } from '../scheduler.js';

/** A number that is read from the database when the metrics are asked for. */
export interface DatabaseGauge {
  readonly name: string;
  readonly help: string;
  read(context: Context): Promise<number>;
}

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
  /** What the database says of it; the same in every process. */
  readonly gauges?: readonly DatabaseGauge[];
  /** What the relay hands events to, whoever's they are. */
  readonly consumers?: readonly Consumer[];
  /** TypeORM entities of the subgraph's own tables. */
  readonly entities: DatabaseOptions['entities'];
  readonly migrations: SchemaMigrations;
}
