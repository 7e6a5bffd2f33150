import {
  OperationTypeNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { flattenAt, type ChangeResponse } from '../gateway/at-places.js';
import { markedPlaces } from '../gateway/json-schema/marked-places.js';
import { selectionsBelow, sourceOf } from '../gateway/json-schema/selections.js';
import { operationRootsIn, plainDocument, responseKey, type OperationRoots } from '../gateway/operation-file.js';
import { argumentsOf } from './arguments-schema.js';
import { cursorPlaces, withCursorSchemas, type CursorPlace } from './next-cursor.js';
import { resourceTemplateOf } from './resources.js';
import { resultSchema } from './result-schema.js';
import type { Tool, ToolAnnotations } from './tool.js';
import { unknownPlaces } from './unknown-values.js';
import { placedVariables } from './variable-names.js';
import {
  completionOf,
  resourceValuesOf,
  toolValuesOf,
  vocabularyNames,
  type Completion,
  type ToolValues,
} from './vocabulary.js';

/**
 * Reads `mcp/tools/<name>.graphql`.
 * @param schema the graph's types, from `withVocabulary`
 * @throws {Error} that says what is wrong with the file.
 */
export function readTool(schema: GraphQLSchema, name: string, document: DocumentNode): Tool {
  const file = operationRootsIn(schema, name, document);
  const { operation, first, others } = file;
  const description = operation.description?.value.trim();
  if (!description) throw new Error('The operation needs a description for the agent');
  const declared = toolValuesOf(schema, operation);
  const { schema: inputSchema, forms } = argumentsOf(schema, operation);
  const { fragments } = sourceOf(schema, document);
  const cursors = cursorsOf(schema, file);
  const entry = {
    name,
    title: declared.title,
    description,
    inputSchema,
    outputSchema: withCursorSchemas(resultSchema(schema, file), cursors),
    annotations: annotationsOf(operation, declared),
  };
  return {
    entry,
    document: plainDocument(document, vocabularyNames),
    keys: [responseKey(first), ...others.map(responseKey)],
    flatten: new Map([first, ...others].map((node) => [responseKey(node), flattening(schema, file, node)])),
    variableNames: placedVariables(operation.selectionSet, fragments),
    unknowns: unknownPlaces(operation.selectionSet, fragments),
    forms,
    cursors,
    completions: completionsOf(schema, operation),
    resource: resourceTemplateOf(entry, resourceValuesOf(schema, operation)),
    whenNotFound: declared.whenNotFound,
  };
}

/** Returns the function that flattens the value of a root field. */
function flattening(schema: GraphQLSchema, { document, root }: OperationRoots, node: FieldNode): ChangeResponse {
  const type = root.getFields()[node.name.value]?.type;
  if (type === undefined) throw new Error(`The graph has no ${node.name.value}`);
  const value = { source: sourceOf(schema, document), type, selections: selectionsBelow([{ node, sometimes: false }]) };
  return flattenAt(markedPlaces(value, 'flatten'));
}

function cursorsOf(schema: GraphQLSchema, { document, first, others }: OperationRoots): CursorPlace[] {
  const { fragments } = sourceOf(schema, document);
  return [
    ...cursorPlaces(first.selectionSet, fragments),
    ...others.flatMap((node) => cursorPlaces(node.selectionSet, fragments, [responseKey(node)])),
  ];
}

function completionsOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ReadonlyMap<string, Completion> {
  const found = variableDefinitions.map((node) => [node.variable.name.value, completionOf(schema, node)] as const);
  return new Map(found.flatMap(([name, completion]) => (completion === undefined ? [] : [[name, completion]])));
}

function annotationsOf(
  { operation }: OperationDefinitionNode,
  { readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: ToolValues,
): ToolAnnotations {
  const writes = operation === OperationTypeNode.MUTATION;
  if (writes === readOnlyHint)
    throw new Error(`A ${operation} with readOnlyHint: ${String(readOnlyHint)} would mislead`);
  if (writes && typeof destructiveHint !== 'boolean') throw new Error('A mutation must say its destructiveHint');
  return {
    readOnlyHint,
    ...(typeof destructiveHint === 'boolean' ? { destructiveHint } : {}),
    idempotentHint,
    openWorldHint,
  };
}
