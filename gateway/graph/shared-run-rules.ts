import { getDirectiveValues, Kind, OperationTypeNode, print, type GraphQLSchema } from 'graphql';
import { sharedRunRule } from '../../shared/subgraph/shared-run.js';
import type { Prepared, Sharing } from './operation.js';

/**
 * Returns how readers of a subscription may share its runs; undefined where its field declares nothing.
 * @param isOneSubgraphs whether the subgraph that declares it resolves all of it: what others add may differ between readers
 */
export function sharingOf(
  supergraph: GraphQLSchema,
  { document, operation }: Prepared,
  isOneSubgraphs: boolean,
): Sharing | undefined {
  if (operation.operation !== OperationTypeNode.SUBSCRIPTION) return undefined;
  const [field, ...others] = operation.selectionSet.selections;
  if (field?.kind !== Kind.FIELD || others.length > 0) return undefined;
  const node = supergraph.getSubscriptionType()?.getFields()[field.name.value]?.astNode;
  const directive = supergraph.getDirective('sharedRun');
  if (node == null || directive == null) return undefined;
  const declared = getDirectiveValues(directive, node);
  if (declared === undefined) return undefined;
  const { begins, readers } = sharedRunRule.parse(declared);
  return { begins, readers: isOneSubgraphs ? readers : 'equal', text: print(document) };
}
