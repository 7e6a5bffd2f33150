import type { Schema } from '@apollo/federation-internals';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Context } from '../shared/context.js';
import type { GraphResult, GraphResultStream } from '../shared/subgraph/executor.js';
import type { Variables } from '../shared/subgraph/variables.js';
import type { InternalNames } from './internal-names.js';
import type { Plan } from './plan.js';

/** An operation of a document, valid and planned. Everything that was made for it lives as long as this object. */
export interface Prepared {
  /** Only this operation and the fragments that it uses. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
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
