import { getDirectiveValues, parse, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import type { VariableDefinitionNode } from 'graphql';
import { z } from 'zod';
import { withDirectives } from '../gateway/graph/known-documents.js';

const vocabulary = parse(`
  directive @tool(title: String!, whenNotFound: String!) on QUERY

  "Makes the result of the tool a resource, whose address holds the arguments"
  directive @resource(uri: String!, title: String!, list: String, items: String, label: String) on QUERY

  "Limits and forms of an argument. values: the texts that it may have, in any case; isSymbol: codes of currencies, which may be in any case and joined by - or /"
  directive @argument(
    minimum: Int
    maximum: Int
    minItems: Int
    maxItems: Int
    pattern: String
    values: [String!]
    isSymbol: Boolean
  ) on VARIABLE_DEFINITION
  "A part of the result, which the agent selects by its name in the argument secoes"
  directive @section on VARIABLE_DEFINITION
  "Where values of the argument are found, for hosts that complete what a person types"
  directive @complete(tool: String!, values: String!, search: String, with: [String!]) on VARIABLE_DEFINITION
  "Replaces pageInfo, or adds to a numbered page, the cursor of the next page under the name that it has in every tool"
  directive @nextCursor on FIELD
  "Replaces a connection by its nodes"
  directive @flatten on FIELD
  "The one field below a root field, whose value is the result in its place"
  directive @result on FIELD
  "A list of requested values that nothing has: where it is not empty, the result says which tool finds those that exist"
  directive @foundBy(tool: String!) on FIELD
`);

/** Names of the directives, which the graph does not know. */
export const vocabularyNames: ReadonlySet<string> = new Set([
  'tool',
  'resource',
  'argument',
  'section',
  'complete',
  'nextCursor',
  'flatten',
  'result',
  'foundBy',
]);

export function withVocabulary(schema: GraphQLSchema): GraphQLSchema {
  return withDirectives(schema, vocabulary);
}

const toolForm = z.object({ title: z.string().min(1), whenNotFound: z.string().min(1) });

/** @throws {Error} when the operation has no valid `@tool` */
export function toolValuesOf(schema: GraphQLSchema, operation: OperationDefinitionNode) {
  const values = valuesOf(schema, 'tool', operation);
  if (values === undefined) throw new Error('The operation needs the directive @tool: see mcp/README.md');
  return toolForm.parse(values);
}

const resourceForm = z.object({
  uri: z.string(),
  title: z.string(),
  list: z.string().nullish(),
  items: z.string().nullish(),
  label: z.string().nullish(),
});

/** The values of `@resource`; undefined without it. */
export function resourceValuesOf(schema: GraphQLSchema, operation: OperationDefinitionNode) {
  const values = valuesOf(schema, 'resource', operation);
  return values && resourceForm.parse(values);
}

const argumentForm = z
  .object({
    values: z.array(z.string()).nullish(),
    isSymbol: z.boolean().nullish(),
  })
  .catchall(z.unknown());

/** The limits of `@argument` as keywords of JSON Schema, and whether it is a symbol. */
export function argumentValuesOf(schema: GraphQLSchema, definition: VariableDefinitionNode) {
  const { values, isSymbol, ...limits } = argumentForm.parse(valuesOf(schema, 'argument', definition) ?? {});
  const set = Object.entries(limits).filter(([, value]) => value !== null && value !== undefined);
  const choices = values == null ? {} : { enum: values };
  return { isSymbol: isSymbol === true, limits: { ...Object.fromEntries(set), ...choices } };
}

const completeForm = z.object({
  tool: z.string(),
  values: z.string(),
  search: z.string().nullish(),
  with: z.array(z.string()).nullish(),
});

/** Where values of an argument are found: a tool, the path of the values in its result, and the arguments that it gets. */
export type Completion = z.output<typeof completeForm>;

/** The values of `@complete`; undefined without it. */
export function completionOf(schema: GraphQLSchema, definition: VariableDefinitionNode): Completion | undefined {
  const values = valuesOf(schema, 'complete', definition);
  return values && completeForm.parse(values);
}

export function isSection({ directives = [] }: VariableDefinitionNode): boolean {
  return directives.some(({ name }) => name.value === 'section');
}

function valuesOf(schema: GraphQLSchema, name: string, node: OperationDefinitionNode | VariableDefinitionNode) {
  const directive = schema.getDirective(name);
  return directive ? getDirectiveValues(directive, node) : undefined;
}
