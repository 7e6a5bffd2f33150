import type { DocumentNode } from 'graphql';
import type { ObjectSchema } from './json-schema.js';

/** What an agent reads about a tool before it calls it: an entry of `tools/list` and of the public catalogue. */
export interface ToolEntry {
  name: string;
  title: string;
  /** What the tool answers, and when to use which. */
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: ToolAnnotations;
}

/** Hints of the protocol to the agent's host; `destructiveHint` only where the tool writes. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint?: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A tool: one operation on the graph, and how an agent sees it. */
export interface Tool {
  readonly entry: ToolEntry;
  /** The operation as the graph takes it, without what only the agent reads. */
  readonly document: DocumentNode;
  /** The key of the answer's one root field, whose value is the tool's result. */
  readonly rootKey: string;
  /** Arguments of the graph by path, each with the tool's argument that feeds it. */
  readonly fed: ReadonlyMap<string, string>;
  /** What the agent does when the thing that it asked for does not exist. */
  readonly whenNotFound: string;
}
