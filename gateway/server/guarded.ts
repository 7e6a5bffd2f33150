import { Kind, type SelectionSetNode } from 'graphql';
import type { Prepared } from '../graph.js';

/**
 * How many root fields of an operation are among `names`, each alias counted: operations that attackers would hammer are
 * limited one by one, not by what a document costs.
 */
export function guardedFields({ document, operation }: Prepared, names: ReadonlySet<string>): number {
  const fragments = new Map<string, SelectionSetNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition.selectionSet);
  }
  const count = (set: SelectionSetNode | undefined): number =>
    (set?.selections ?? []).reduce((total, node) => {
      if (node.kind === Kind.FIELD) return total + (names.has(node.name.value) ? 1 : 0);
      return total + count(node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments.get(node.name.value));
    }, 0);
  return count(operation.selectionSet);
}
