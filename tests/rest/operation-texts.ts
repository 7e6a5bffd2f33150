import { buildOperationNodeForField } from '@graphql-tools/utils';
import { Kind, OperationTypeNode, print, visit, type GraphQLSchema } from 'graphql';
import type { OperationTexts } from '../../rest/operations.js';

/** Returns an operation for each root field of a small graph, named like the field: it selects everything. */
export function operationTexts(schema: GraphQLSchema): OperationTexts {
  const roots = [OperationTypeNode.QUERY, OperationTypeNode.MUTATION].flatMap((kind) =>
    Object.keys(schema.getRootType(kind)?.getFields() ?? {}).map((field) => {
      const node = visit(buildOperationNodeForField({ schema, kind, field }), {
        Field: ({ name }) => (name.value === '__typename' ? null : undefined),
      });
      return [field, print({ ...node, name: { kind: Kind.NAME, value: field } })] as const;
    }),
  );
  return { operations: new Map(roots), fragments: new Map() };
}
