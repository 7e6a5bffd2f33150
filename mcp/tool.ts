import type { DocumentNode } from 'graphql';
import type { ChangeResponse } from '../gateway/graph/at-places.js';
import type { PlacedVariables } from '../gateway/graph/variable-names.js';
import type { ArgumentForms } from './argument-forms.js';
import type { ObjectSchema } from './json-schema.js';
import type { CursorPlace } from './next-cursor.js';
import type { ResourceTemplate } from './resources.js';
import type { UnknownPlace } from './unknown-values.js';
import type { Completion } from './vocabulary.js';

export interface ToolEntry {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  /** Hints of the protocol for the agent's host: no tool writes. */
  annotations: { readonly readOnlyHint: true; readonly idempotentHint?: true; readonly openWorldHint: false };
}

/** A tool: one operation on the graph, and its description for agents. */
export interface Tool {
  readonly entry: ToolEntry;
  /** The operation as the graph runs it, without the parts that only the agent reads. */
  readonly document: DocumentNode;
  /** Response keys of the root fields. The value of the first is the tool's result; the other values are added to it under their keys. */
  readonly keys: readonly [string, ...string[]];
  readonly pick: (data: Readonly<Record<string, unknown>>) => unknown;
  /** Replaces the connections that the file marks with `@flatten` by their nodes, in the value of each root field. */
  readonly flatten: ReadonlyMap<string, ChangeResponse>;
  /** Names of the arguments in the errors of each field. */
  readonly variableNames: PlacedVariables;
  readonly unknowns: readonly UnknownPlace[];
  readonly forms: ArgumentForms;
  readonly cursors: readonly CursorPlace[];
  readonly completions: ReadonlyMap<string, Completion>;
  readonly resource: ResourceTemplate | undefined;
  /** Instruction to the agent when the requested thing does not exist. */
  readonly whenNotFound: string;
}
