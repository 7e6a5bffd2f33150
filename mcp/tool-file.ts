import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  getNullableType,
  isCompositeType,
  isNonNullType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isScalarType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { flattenAt, type ChangeResponse } from '../gateway/graph/at-places.js';
import { markedPlaces } from '../gateway/graph/json-schema/marked-places.js';
import { selectionsBelow, sourceOf, isConditional, type Source } from '../gateway/graph/json-schema/selections.js';
import {
  operationRootsIn,
  plainDocument,
  responseKey,
  sentValue,
  type OperationRoots,
  graphqlFiles,
  readEach,
} from '../gateway/graph/operation-file.js';
import { placedVariables } from '../gateway/graph/variable-names.js';
import { cursorPlaces, withCursorSchemas, type CursorPlace } from './next-cursor.js';
import { resourceTemplateOf } from './resources.js';
import type { Tool } from './tool.js';
import { unknownPlaces } from './unknown-values.js';
import {
  completionOf,
  resourceValuesOf,
  toolValuesOf,
  vocabularyNames,
  type Completion,
  argumentValuesOf,
  isSection,
  withVocabulary,
} from './vocabulary.js';
import { type JsonSchema, bounded, scalarSchema } from '../gateway/graph/json-schema/json-schema.js';
import { outputSchemas } from '../gateway/graph/json-schema/output-schema.js';
import { agentSchemas, type ObjectSchema } from './json-schema.js';
import { constraintOf } from '../gateway/graph/limits/constraint-checks.js';
import { variablesOf, type Variable } from '../gateway/graph/json-schema/variables.js';
import { sectionsArgument, type ArgumentForms } from './argument-forms.js';
import { fileURLToPath } from 'node:url';

/** Reads `mcp/tools/<name>.graphql`. @param schema the graph's types, from `withVocabulary` @throws {Error} that says what is wrong with the file. */
export function readTool(schema: GraphQLSchema, name: string, document: DocumentNode): Tool {
  const file = operationRootsIn(schema, name, document);
  const { operation, root, first, others } = file;
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
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const,
  };
  return {
    entry,
    document: plainDocument(document, vocabularyNames),
    keys: [responseKey(first), ...others.map(responseKey)],
    pick: sentValue(root, first).pick,
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

function flattening(schema: GraphQLSchema, { document, root }: OperationRoots, node: FieldNode): ChangeResponse {
  const type = root.getFields()[node.name.value]?.type;
  if (type === undefined) throw new Error(`The graph has no ${node.name.value}`);
  const value = { source: sourceOf(schema, document), type, selections: selectionsBelow([{ node, sometimes: false }]) };
  return flattenAt(markedPlaces(value, 'flatten'));
}

function cursorsOf(schema: GraphQLSchema, { document, root, first, others }: OperationRoots): CursorPlace[] {
  const { fragments } = sourceOf(schema, document);
  return [
    ...cursorPlaces(sentValue(root, first).node.selectionSet, fragments),
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

/** Bounds of the graph that are narrower than the format: no URN, upper-case letters, no leap seconds, no year 0. */
const patterns: Readonly<Record<string, string>> = {
  ID: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  Date: '^(?!0000)',
  DateTime: String.raw`^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$`,
};

/** An input's schema with one type, since some hosts refuse two; null is accepted undeclared. @param within input objects around it, to find recursion */
function inputSchema(type: GraphQLInputType, within: readonly GraphQLInputObjectType[] = []): JsonSchema {
  const nullable: GraphQLInputType = getNullableType(type);
  if (isListType(nullable)) return { type: 'array', items: inputSchema(nullable.ofType, within) };
  if (isInputObjectType(nullable)) return objectSchema(nullable, within);
  if (isEnumType(nullable)) return agentSchemas.enumeration(nullable);
  if (isScalarType(nullable)) return { ...scalarSchema(nullable.name), ...patternOf(nullable.name) };
  throw new Error(`${String(type)} is not an input type`);
}

function patternOf(scalar: string): Pick<JsonSchema, 'pattern'> {
  const pattern = patterns[scalar];
  return pattern === undefined ? {} : { pattern };
}

function objectSchema(type: GraphQLInputObjectType, within: readonly GraphQLInputObjectType[]): JsonSchema {
  if (within.includes(type)) throw new Error(`${type.name} contains itself, which the schema of a tool cannot express`);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const field of Object.values(type.getFields())) {
    const schema = agentSchemas.described(
      bounded(inputSchema(field.type, [...within, type]), constraintOf(field)),
      field.description,
    );
    properties[field.name] = field.defaultValue === undefined ? schema : { ...schema, default: field.defaultValue };
    if (isNonNullType(field.type) && field.defaultValue === undefined) required.push(field.name);
  }
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The arguments of a tool: their schema, and the other forms in which they are accepted. */
export interface ToolArguments {
  readonly schema: ObjectSchema;
  readonly forms: ArgumentForms;
}

/** A tool's arguments: its operation's variables with their own or the graph's description, limits of `@argument`, and sections as one argument. */
function argumentsOf(schema: GraphQLSchema, operation: OperationDefinitionNode): ToolArguments {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const symbols = new Set<string>();
  const sections: Variable[] = [];
  for (const variable of variablesOf(schema, operation)) {
    const { name, type, defaultValue, definition } = variable;
    const given = argumentValuesOf(schema, definition);
    if (given.isSymbol) symbols.add(name);
    if (isSection(definition)) {
      sections.push(variable);
      continue;
    }
    const argument = agentSchemas.described(bounded(inputSchema(type), constraintOf(variable)), variable.description);
    if (argument.description === undefined) throw new Error(`$${name} needs a description for the agent`);
    const preset = defaultValue === undefined ? {} : { default: defaultValue };
    properties[name] = { ...argument, ...given.limits, ...preset };
    if (isNonNullType(type) && defaultValue === undefined) required.push(name);
  }
  if (sections.length > 0) properties[sectionsArgument] = sectionsSchema(sections);
  const forms = { symbols, sections: new Map(sections.map((one) => [one.name, one.defaultValue === true])) };
  return { schema: { type: 'object', properties, required, additionalProperties: false }, forms };
}

function sectionsSchema(sections: readonly Variable[]): JsonSchema {
  const meanings = sections.map(({ name, description, type, defaultValue }) => {
    if (!description) throw new Error(`$${name} needs a description for the agent`);
    if (String(type) !== 'Boolean!' || typeof defaultValue !== 'boolean')
      throw new Error(`$${name} is a section: it must be a Boolean! with a default`);
    return `${name}: ${description}`;
  });
  const names = sections.map(({ name }) => name);
  const usual = sections.flatMap(({ name, defaultValue }) => (defaultValue === true ? [name] : []));
  return {
    type: 'array',
    items: { type: 'string', enum: names },
    maxItems: 2 * names.length,
    description: ['Parts of the result', ...meanings].join('\n'),
    default: usual,
  };
}

const schemas = outputSchemas(agentSchemas);

/** Schema of a result: the value of the first root field unwrapped, the values of others under their keys. A list is under its key, too. */
function resultSchema(schema: GraphQLSchema, { document, root, first, others }: OperationRoots): ObjectSchema {
  const source = sourceOf(schema, document);
  const withRoots = (nodes: readonly FieldNode[], result: ObjectSchema) =>
    nodes.reduce((whole, node) => withRoot(whole, source, root, node), result);
  const { node, field } = sentValue(root, first);
  const type = getNullableType(field.type);
  if (isListType(type)) return withRoots([first, ...others], { type: 'object', required: [], properties: {} });
  if (!isCompositeType(type))
    throw new Error(`${first.name.value} must return an object or a list: the protocol supports no other result`);
  // A null at the root is reported as a tool error, and alternatives at the root are all objects.
  const result = schemas(source, type, selectionsBelow([{ node, sometimes: false }]));
  return withRoots(others, { ...agentSchemas.described(result, field.description), type: 'object' });
}

function withRoot(whole: ObjectSchema, source: Source, root: GraphQLObjectType, node: FieldNode): ObjectSchema {
  const field = root.getFields()[node.name.value];
  const key = responseKey(node);
  const { properties, required = [] } = whole;
  if (field === undefined || properties === undefined || Object.hasOwn(properties, key))
    throw new Error(`${key} cannot be added to the result of the first root field: it needs another alias`);
  const value = agentSchemas.described(rootSchema(source, field.type, node), field.description);
  return {
    ...whole,
    properties: { ...properties, [key]: value },
    required: isConditional(node) ? required : [...required, key],
  };
}

function rootSchema(source: Source, type: GraphQLOutputType, node: FieldNode): JsonSchema {
  const value = schemas(source, type, selectionsBelow([{ node, sometimes: false }]));
  return isNonNullType(type) ? value : agentSchemas.orNull(value);
}

const ownTools = fileURLToPath(new URL('./tools/', import.meta.url));

/** Reads every tool of a folder, by name. @param schema the graph's public types @throws {Error} that names every file with an error */
export function loadTools(schema: GraphQLSchema, folder: string = ownTools): readonly Tool[] {
  const types = withVocabulary(schema);
  return readEach('mcp/tools', graphqlFiles(folder), (name, document) => readTool(types, name, document));
}
