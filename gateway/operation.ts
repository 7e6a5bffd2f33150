import type { Schema } from '@apollo/federation-internals';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Context } from '../shared/context.js';
import type { GraphResult, GraphResultStream } from '../shared/subgraph/executor.js';
import type { SharedRunRule } from '../shared/subgraph/shared-run.js';
import type { Variables } from '../shared/subgraph/variables.js';
import type { InternalNames } from './internal-names.js';
import type { Plan } from './plan.js';

/** How readers of a subscription may share its runs: see `SharedRunRule`. */
export interface Sharing extends SharedRunRule {
  /** The text of the document, the same however it was written. */
  readonly text: string;
}

/** An operation of a document, valid and planned. Everything that was made for it lives as long as this object. */
export interface Prepared {
  /** Only this operation and the fragments that it uses. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Undefined where each reader has a run of its own. */
  readonly sharing?: Sharing | undefined;
}

/** The plan that `prepare` makes for a valid operation. */
export interface Planned {
  readonly plan: Plan;
  /** The document that was planned, and its names. */
  readonly names: InternalNames;
}

/** The graph as callers see it, for Apollo's library and for GraphQL's own; and the schema that only the gateway knows. */
export interface Schemas {
  readonly api: Schema;
  readonly apiSchema: GraphQLSchema;
  readonly supergraphSchema: GraphQLSchema;
}

/** Executes one operation. */
export interface OperationExecutor {
  compile(): void;
  run(variables: Variables, context: Context): Promise<GraphResult>;
  subscribe(variables: Variables, context: Context): Promise<GraphResultStream | GraphResult>;
}
