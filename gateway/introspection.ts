import type { FieldSelection } from '@apollo/federation-internals';
import {
  executeSync,
  getOperationAST,
  Kind,
  OperationTypeNode,
  visit,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import type { Variables } from '../shared/subgraph/variables.js';

/** Compiles a selection of `__schema` or `__type`, which the graph resolves itself, from the schema that callers see. */
export function compileIntrospection(
  apiSchema: GraphQLSchema,
  document: DocumentNode,
  selection: FieldSelection,
): (variables: Variables) => unknown {
  const field = selection.expandFragments().toSelectionNode();
  const used = new Set<string>();
  visit(field, {
    Variable: ({ name }) => {
      used.add(name.value);
    },
  });
  const declared = getOperationAST(document)?.variableDefinitions ?? [];
  const query: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        kind: Kind.OPERATION_DEFINITION,
        operation: OperationTypeNode.QUERY,
        variableDefinitions: declared.filter(({ variable }) => used.has(variable.name.value)),
        selectionSet: { kind: Kind.SELECTION_SET, selections: [field] },
      },
    ],
  };
  return (variableValues) => {
    const { data, errors } = executeSync({ schema: apiSchema, document: query, rootValue: {}, variableValues });
    if (errors !== undefined) throw new Error('The introspection of the schema failed', { cause: errors[0] });
    return data?.[(field.alias ?? field.name).value];
  };
}
