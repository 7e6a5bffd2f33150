import {
  getDirectiveValues,
  isInputType,
  isNonNullType,
  Kind,
  typeFromAST,
  TypeInfo,
  valueFromAST,
  visit,
  visitWithTypeInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from 'graphql';
import { inputSchema } from './input-schema.js';
import { described, type JsonSchema, type ObjectSchema } from './json-schema.js';

/**
 * The schema of a tool's arguments: the variables of its operation, each with its own description or that of the
 * graph's argument that it feeds, and with the limits of `@argument`.
 */
export function argumentsSchema(schema: GraphQLSchema, operation: OperationDefinitionNode): ObjectSchema {
  const fed = descriptionsOfFedArguments(schema, operation);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type)) throw new Error(`$${name} has no type that the graph knows`);
    const argument = described(inputSchema(type), definition.description?.value, fed.get(name));
    if (argument.description === undefined) throw new Error(`$${name} needs a description: it is what the agent reads`);
    const preset = definition.defaultValue && { default: valueFromAST(definition.defaultValue, type) };
    properties[name] = { ...argument, ...limitsOf(schema, definition), ...preset };
    if (isNonNullType(type) && preset === undefined) required.push(name);
  }
  return { type: 'object', properties, required, additionalProperties: false };
}

function limitsOf(schema: GraphQLSchema, definition: VariableDefinitionNode): JsonSchema {
  const directive = schema.getDirective('argument');
  const values = (directive && getDirectiveValues(directive, definition)) ?? {};
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** What the graph says of the field arguments that take a variable as it is, by the variable's name. */
function descriptionsOfFedArguments(schema: GraphQLSchema, operation: OperationDefinitionNode): Map<string, string> {
  const descriptions = new Map<string, string>();
  const types = new TypeInfo(schema);
  const reader = visitWithTypeInfo(types, {
    Variable: (node, _key, parent) => {
      const description = types.getArgument()?.description;
      const isValue = parent !== undefined && 'kind' in parent && parent.kind === Kind.ARGUMENT;
      if (isValue && types.getDirective() === null && description) descriptions.set(node.name.value, description);
    },
  });
  visit(operation, reader);
  return descriptions;
}
