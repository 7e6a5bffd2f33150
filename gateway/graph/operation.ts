import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { Context } from '../../shared/kernel/context.js';
import type { GraphResult, GraphResultStream } from '../../shared/graphql/executor.js';
import type { SharedRunRule } from '../../shared/graphql/shared-run.js';
import type { Variables } from '../../shared/graphql/variables.js';

/** How readers of a subscription may share its runs: see `SharedRunRule`. */
export interface Sharing extends SharedRunRule {
  readonly text: string;
}

/** An operation of a document, and valid. Everything that was made for it lives as long as this object. */
export interface Prepared {
  /** Only this operation and the fragments that it uses. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Undefined where each reader has a run of its own. */
  readonly sharing?: Sharing | undefined;
}

export interface OperationExecutor {
  run(variables: Variables, context: Context): Promise<GraphResult>;
  subscribe(variables: Variables, context: Context): Promise<GraphResultStream | GraphResult>;
}
