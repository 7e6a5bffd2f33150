import type { DocumentNode } from 'graphql';
import type { ChangeResponse } from '../gateway/at-places.js';
import type { VariableNames } from './variable-names.js';
import type { ObjectSchema } from './json-schema.js';

/** The description of a tool that an agent reads before it calls it: an entry of `tools/list` and of the public catalogue. */
export interface ToolEntry {
  name: string;
  title: string;
  /** What the tool returns, and when to use it. */
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: ToolAnnotations;
}

/** Hints of the protocol for the agent's host; `destructiveHint` only where the tool writes. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint?: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A tool: one operation on the graph, and its description for agents. */
export interface Tool {
  readonly entry: ToolEntry;
  /** The operation as the graph runs it, without the parts that only the agent reads. */
  readonly document: DocumentNode;
  /** Response key of the one root field, whose value is the tool's result. */
  readonly rootKey: string;
  /** Replaces the connections in the result that its file marks with `@flatten` by their nodes. */
  readonly flatten: ChangeResponse;
  readonly variableNames: VariableNames;
  /** Instruction to the agent when the requested thing does not exist. */
  readonly whenNotFound: string;
}
