import {
  extendSchema,
  getDirectiveValues,
  getNullableType,
  isCompositeType,
  OperationTypeNode,
  parse,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { z } from 'zod';
import { flattenAt } from '../gateway/at-places.js';
import { markedPlaces, type SelectedValue } from '../gateway/json-schema/marked-places.js';
import { outputSchemas } from '../gateway/json-schema/output-schema.js';
import { selectionsBelow, sourceOf } from '../gateway/json-schema/selections.js';
import { operationIn, plainDocument, type OperationFile } from '../gateway/operation-file.js';
import { argumentsSchema } from './arguments-schema.js';
import { variableNames } from './variable-names.js';
import { agentSchemas, type ObjectSchema } from './json-schema.js';
import type { Tool, ToolAnnotations } from './tool.js';

const resultSchemas = outputSchemas(agentSchemas);

/** Directives that a tool's file adds to the operation itself. */
const vocabulary = parse(`
  directive @tool(
    title: String!
    readOnlyHint: Boolean!
    destructiveHint: Boolean
    idempotentHint: Boolean!
    openWorldHint: Boolean!
    whenNotFound: String!
  ) on QUERY | MUTATION

  directive @argument(minimum: Int, maximum: Int, pattern: String) on VARIABLE_DEFINITION

  directive @flatten on FIELD
`);

const vocabularyNames = new Set(['tool', 'argument', 'flatten']);

const toolValues = z.object({
  title: z.string().min(1),
  readOnlyHint: z.boolean(),
  destructiveHint: z.boolean().nullish(),
  idempotentHint: z.boolean(),
  openWorldHint: z.boolean(),
  whenNotFound: z.string().min(1),
});

/** Returns the graph's types with the directives that a tool's file may use. */
export function withVocabulary(schema: GraphQLSchema): GraphQLSchema {
  return extendSchema(schema, vocabulary, { assumeValid: true });
}

/**
 * Reads `mcp/tools/<name>.graphql`.
 * @param schema the graph's types, from `withVocabulary`
 * @throws {Error} that says what is wrong with the file.
 */
export function readTool(schema: GraphQLSchema, name: string, document: DocumentNode): Tool {
  const file = operationIn(schema, name, document);
  const { operation } = file;
  const description = operation.description?.value.trim();
  if (!description) throw new Error('The operation needs a description for the agent');
  const declared = toolOf(schema, operation);
  const entry = {
    name,
    title: declared.title,
    description,
    inputSchema: argumentsSchema(schema, operation),
    outputSchema: resultSchema(schema, file),
    annotations: annotationsOf(operation, declared),
  };
  return {
    entry,
    document: plainDocument(document, vocabularyNames),
    rootKey: file.key,
    flatten: flattenAt(markedPlaces(resultIn(schema, file), 'flatten')),
    variableNames: variableNames(file.node),
    whenNotFound: declared.whenNotFound,
  };
}

function toolOf(schema: GraphQLSchema, operation: OperationDefinitionNode): z.output<typeof toolValues> {
  const directive = schema.getDirective('tool');
  const values = directive && getDirectiveValues(directive, operation);
  if (values === undefined) throw new Error('The operation needs the directive @tool: see mcp/README.md');
  return toolValues.parse(values);
}

/** Returns the root field's value: it is the tool's result, so that the agent does not have to unwrap it. */
function resultIn(schema: GraphQLSchema, { document, node, root }: OperationFile): SelectedValue {
  const type = root.getFields()[node.name.value]?.type;
  if (type === undefined || !isCompositeType(getNullableType(type)))
    throw new Error(`${node.name.value} must return an object: the protocol supports no other result`);
  return { source: sourceOf(schema, document), type, selections: selectionsBelow([{ node, sometimes: false }]) };
}

/** Returns the schema of the result. A null at the root is reported as a tool error, and alternatives at the root are all objects. */
function resultSchema(schema: GraphQLSchema, file: OperationFile): ObjectSchema {
  const { source, type, selections } = resultIn(schema, file);
  const description = file.root.getFields()[file.node.name.value]?.description;
  return { ...agentSchemas.described(resultSchemas(source, type, selections), description), type: 'object' };
}

function annotationsOf(
  { operation }: OperationDefinitionNode,
  { readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: z.output<typeof toolValues>,
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
