import { getDirectiveValues, isNonNullType, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { constraintOf } from '../gateway/constraint-checks.js';
import { bounded, type JsonSchema } from '../gateway/json-schema/json-schema.js';
import { variablesOf, type Variable } from '../gateway/json-schema/variables.js';
import { inputSchema } from './input-schema.js';
import { agentSchemas, type ObjectSchema } from './json-schema.js';

/**
 * Returns the schema of a tool's arguments: the variables of its operation, each with its own description or that of the
 * graph's argument that it is passed to, and with the limits of `@argument`.
 */
export function argumentsSchema(schema: GraphQLSchema, operation: OperationDefinitionNode): ObjectSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const variable of variablesOf(schema, operation)) {
    const { name, type, defaultValue } = variable;
    const argument = agentSchemas.described(bounded(inputSchema(type), constraintOf(variable)), variable.description);
    if (argument.description === undefined) throw new Error(`$${name} needs a description for the agent`);
    const preset = defaultValue === undefined ? {} : { default: defaultValue };
    properties[name] = { ...argument, ...limitsOf(schema, variable), ...preset };
    if (isNonNullType(type) && defaultValue === undefined) required.push(name);
  }
  return { type: 'object', properties, required, additionalProperties: false };
}

function limitsOf(schema: GraphQLSchema, { definition }: Variable): JsonSchema {
  const directive = schema.getDirective('argument');
  const values = (directive && getDirectiveValues(directive, definition)) ?? {};
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
