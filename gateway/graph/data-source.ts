import type { GraphQLSchema } from 'graphql';
import type { Context } from '../../shared/kernel/context.js';
import type { KeyRing } from '../../shared/security/crypto.js';
import { createExecutor } from '../../shared/graphql/execute.js';
import type { GraphResult, GraphResultStream, GraphRequest } from '../../shared/graphql/executor.js';

export interface SubgraphDataSource {
  readonly schema: GraphQLSchema;
  /** Whether requests go over the network, where requesting less is worth some work. */
  readonly remote: boolean;
  execute(request: GraphRequest, context: Context): Promise<GraphResult>;
  subscribe(request: GraphRequest, context: Context): Promise<GraphResultStream | GraphResult>;
}

export type SubgraphDataSources = Readonly<Record<string, SubgraphDataSource>>;

export function localDataSource(schema: GraphQLSchema, keyRing: KeyRing): SubgraphDataSource {
  return { schema, remote: false, ...createExecutor(schema, keyRing) };
}
