import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Context } from '../shared/context.js';
import type { KeyRing } from '../shared/crypto.js';
import { createExecutor } from '../shared/subgraph/execute.js';
import type { Answer, AnswerStream, GraphRequest } from '../shared/subgraph/executor.js';

/** Where a part of the graph comes from: a subgraph in this process, or one over HTTP. */
export interface SubgraphDataSource {
  /** The subgraph's schema, to tell which documents it can answer alone. */
  readonly schema: GraphQLSchema;
  /** Whether it is asked over the network, so that asking for less is worth some work. */
  readonly remote: boolean;
  /** Told of documents that will be run, before the first run. */
  prepare(document: DocumentNode): void;
  execute(request: GraphRequest, context: Context): Promise<Answer>;
  subscribe(request: GraphRequest, context: Context): Promise<AnswerStream | Answer>;
}

/** By name of the subgraph. */
export type SubgraphDataSources = Readonly<Record<string, SubgraphDataSource>>;

/** A subgraph of this process. */
export function localDataSource(schema: GraphQLSchema, keyRing: KeyRing): SubgraphDataSource {
  return { schema, remote: false, ...createExecutor(schema, keyRing) };
}
