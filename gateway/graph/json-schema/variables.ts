import {
  getNamedType,
  isInputObjectType,
  isInputType,
  Kind,
  typeFromAST,
  TypeInfo,
  valueFromAST,
  visit,
  visitWithTypeInfo,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from 'graphql';

export interface Variable extends Pick<
  GraphQLArgument,
  'name' | 'type' | 'defaultValue' | 'description' | 'extensions'
> {
  readonly definition: VariableDefinitionNode;
}

/** Returns the variables of an operation. A description in the document itself goes first. */
export function variablesOf(schema: GraphQLSchema, operation: OperationDefinitionNode): Variable[] {
  const inputs = inputsOf(schema, operation);
  return (operation.variableDefinitions ?? []).map((definition) => {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type)) throw new Error(`$${name} has a type that is not in the schema`);
    const { description, extensions } = inputs.get(name) ?? { description: undefined, extensions: {} };
    return {
      name,
      type,
      defaultValue: definition.defaultValue && valueFromAST(definition.defaultValue, type),
      description: definition.description?.value.trim() ?? description,
      extensions,
      definition,
    };
  });
}

function inputsOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): Map<string, GraphQLArgument | GraphQLInputField> {
  const inputs = new Map<string, GraphQLArgument | GraphQLInputField>();
  const types = new TypeInfo(schema);
  const reader = visitWithTypeInfo(types, {
    Variable: (node, _key, parent) => {
      if (parent === undefined || !('kind' in parent) || types.getDirective() !== null) return;
      const owner = getNamedType(types.getParentInputType());
      const isField = parent.kind === Kind.OBJECT_FIELD && isInputObjectType(owner);
      const input = isField ? owner.getFields()[parent.name.value] : types.getArgument();
      if (input != null && (isField || parent.kind === Kind.ARGUMENT)) inputs.set(node.name.value, input);
    },
  });
  visit(operation, reader);
  return inputs;
}
