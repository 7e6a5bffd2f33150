import { Kind, OperationTypeNode, type SelectionSetNode } from 'graphql';
import type { Prepared } from '../operation.js';

/** Number of root fields of an operation that are limited individually, besides the document's cost; each alias counts. */
export interface ThrottledFields {
  /** Fields that attackers would call repeatedly: limited by source address, like their documented paths. */
  readonly guarded: number;
  /** The other mutations: each counts as a request of a trading company's rate, as on its documented path. */
  readonly mutations: number;
}

/** Counts the throttled fields of an operation. @param names the fields that are limited by source address */
export function throttledFields(prepared: Prepared, names: ReadonlySet<string>): ThrottledFields {
  const isMutation = prepared.operation.operation === OperationTypeNode.MUTATION;
  return {
    guarded: countRootFields(prepared, (name) => names.has(name)),
    mutations: isMutation ? countRootFields(prepared, (name) => !name.startsWith('__') && !names.has(name)) : 0,
  };
}

function countRootFields({ document, operation }: Prepared, counts: (name: string) => boolean): number {
  const fragments = new Map<string, SelectionSetNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition.selectionSet);
  }
  const count = (set: SelectionSetNode | undefined): number =>
    (set?.selections ?? []).reduce((total, node) => {
      if (node.kind === Kind.FIELD) return total + (counts(node.name.value) ? 1 : 0);
      return total + count(node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments.get(node.name.value));
    }, 0);
  return count(operation.selectionSet);
}
