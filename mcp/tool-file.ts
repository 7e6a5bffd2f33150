import {
  extendSchema,
  getDirectiveValues,
  getNullableType,
  isCompositeType,
  Kind,
  OperationTypeNode,
  parse,
  validate,
  visit,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { z } from 'zod';
import { argumentsSchema } from './arguments-schema.js';
import { fedArguments } from './fed-arguments.js';
import { outputSchema } from './output-schema.js';
import { isConditional, sourceOf } from './selections.js';
import type { Tool, ToolAnnotations } from './tool.js';

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
`);

const vocabularyNames = new Set(['tool', 'argument']);

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
 * Reads the text of `mcp/tools/<name>.graphql`.
 * @param schema the graph's types, from `withVocabulary`
 * @throws {Error} that says what is wrong with the file.
 */
export function readTool(schema: GraphQLSchema, name: string, text: string): Tool {
  const document = parse(text);
  const errors = validate(schema, document);
  if (errors.length > 0) throw new Error(errors.map(withPlace).join('\n'));
  const operation = onlyOperation(document);
  if (operation.name?.value !== name) throw new Error(`The operation must be named ${name}, like its file`);
  const description = operation.description?.value.trim();
  if (!description) throw new Error('The operation needs a description for the agent');
  const declared = toolOf(schema, operation);
  const { key, output, fed } = resultOf(schema, document, operation);
  const entry = {
    name,
    title: declared.title,
    description,
    inputSchema: argumentsSchema(schema, operation),
    outputSchema: output,
    annotations: annotationsOf(operation, declared),
  };
  return { entry, document: plain(document), rootKey: key, fed, whenNotFound: declared.whenNotFound };
}

function withPlace(error: GraphQLError): string {
  const [place] = error.locations ?? [];
  return place === undefined ? error.message : `${place.line}:${place.column} ${error.message}`;
}

function onlyOperation(document: DocumentNode): OperationDefinitionNode {
  const [operation, ...others] = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined || others.length > 0) throw new Error('The file must hold exactly one operation');
  return operation;
}

function toolOf(schema: GraphQLSchema, operation: OperationDefinitionNode): z.output<typeof toolValues> {
  const directive = schema.getDirective('tool');
  const values = directive && getDirectiveValues(directive, operation);
  if (values === undefined) throw new Error('The operation needs the directive @tool: see mcp/README.md');
  return toolValues.parse(values);
}

/** Returns the key and schema of the one root field. Its value is the tool's result, so that the agent does not have to unwrap it. */
function resultOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
  const root = schema.getRootType(operation.operation);
  const [node, ...others] = operation.selectionSet.selections;
  if (!root || node?.kind !== Kind.FIELD || others.length > 0 || isConditional(node)) {
    throw new Error('The operation must select one root field, unconditionally');
  }
  const field = root.getFields()[node.name.value];
  if (field === undefined || !isCompositeType(getNullableType(field.type))) {
    throw new Error(`${node.name.value} must return an object: the protocol supports no other result`);
  }
  const schemaOfField = outputSchema(sourceOf(schema, document), root, [{ node, sometimes: false }]);
  // A null at the root is reported as a tool error, and alternatives at the root are all objects.
  return {
    key: node.alias?.value ?? node.name.value,
    output: { ...schemaOfField, type: 'object' as const },
    fed: fedArguments(node),
  };
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

/** Returns the document without the tool directives, as any GraphQL server accepts it. */
function plain(document: DocumentNode): DocumentNode {
  return visit(document, {
    Directive: ({ name }) => (vocabularyNames.has(name.value) ? null : undefined),
    StringValue: (_node, key) => (key === 'description' ? null : undefined),
  });
}
