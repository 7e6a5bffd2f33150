import type { DocumentNode, ExecutionResult } from 'graphql';
import type { Context } from '../kernel/context.js';
import type { Variables } from './variables.js';

export type GraphResult = ExecutionResult<Record<string, unknown>>;
export type GraphResultStream = AsyncIterableIterator<GraphResult, undefined>;

export interface GraphRequest {
  /** Valid, with one operation. Its compiled form lives as long as this object, so whoever stores documents bounds the memory. */
  readonly document: DocumentNode;
  readonly variables?: Variables | undefined;
}

/** Runs documents on one subgraph's schema. Never throws, and never exposes internal errors. */
export interface Executor {
  /** Runs a query or a mutation; with `context.idempotency`, a mutation at most once for its key. */
  execute(request: GraphRequest, context: Context): Promise<GraphResult>;
  /** Starts a subscription: a stream of results, or a single result with the error that prevented it. */
  subscribe(request: GraphRequest, context: Context): Promise<GraphResultStream | GraphResult>;
}
