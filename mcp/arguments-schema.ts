import {
  getDirectiveValues,
  getNamedType,
  isInputObjectType,
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
import { constraintOf } from '../gateway/constraint-checks.js';
import type { Constraint } from '../shared/subgraph/constraint.js';
import { bounded, inputSchema } from './input-schema.js';
import { described, type JsonSchema, type ObjectSchema } from './json-schema.js';

/**
 * Returns the schema of a tool's arguments: the variables of its operation, each with its own description or that of the
 * graph's argument that it feeds, and with the limits of `@argument`.
 */
export function argumentsSchema(schema: GraphQLSchema, operation: OperationDefinitionNode): ObjectSchema {
  const fed = fedBy(schema, operation);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type)) throw new Error(`$${name} has a type that is not in the schema`);
    const { description, constraint = {} } = fed.get(name) ?? {};
    const argument = described(bounded(inputSchema(type), constraint), definition.description?.value, description);
    if (argument.description === undefined) throw new Error(`$${name} needs a description for the agent`);
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

interface Fed {
  readonly description: string | undefined;
  readonly constraint: Constraint;
}

/** Collects the descriptions and constraints of the field arguments and input fields that take a variable unchanged, by the variable's name. */
function fedBy(schema: GraphQLSchema, operation: OperationDefinitionNode): Map<string, Fed> {
  const fed = new Map<string, Fed>();
  const types = new TypeInfo(schema);
  const reader = visitWithTypeInfo(types, {
    Variable: (node, _key, parent) => {
      if (parent === undefined || !('kind' in parent) || types.getDirective() !== null) return;
      const owner = getNamedType(types.getParentInputType());
      const input =
        parent.kind === Kind.OBJECT_FIELD && isInputObjectType(owner)
          ? owner.getFields()[parent.name.value]
          : types.getArgument();
      const isArgument = parent.kind === Kind.ARGUMENT;
      if (input == null || !(isArgument || parent.kind === Kind.OBJECT_FIELD)) return;
      const description = isArgument && input.description ? input.description : undefined;
      fed.set(node.name.value, { description, constraint: constraintOf(input) });
    },
  });
  visit(operation, reader);
  return fed;
}
