import type { DocumentNode, ExecutionResult } from 'graphql';
import type { Context } from '../context.js';
import type { Variables } from './variables.js';

export type Answer = ExecutionResult<Record<string, unknown>>;
export type AnswerStream = AsyncIterableIterator<Answer, undefined>;

export interface GraphRequest {
  /**
   * Parsed, valid against the schema, and with one operation. What is compiled for a document lives as long as this
   * object does, so whoever keeps documents bounds the memory.
   */
  readonly document: DocumentNode;
  readonly variables?: Variables | undefined;
}

/** Runs documents on one subgraph's schema. It never throws, and never shows what went wrong inside. */
export interface Executor {
  /** Compiles a document now, for those that are known before the first request. */
  prepare(document: DocumentNode): void;
  /** Runs a query or a mutation; with `context.idempotency`, a mutation at most once for its key. */
  execute(request: GraphRequest, context: Context): Promise<Answer>;
  /** Begins a subscription: a stream of answers, or the one answer that says why there is none. */
  subscribe(request: GraphRequest, context: Context): Promise<AnswerStream | Answer>;
}
