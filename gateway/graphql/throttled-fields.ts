import { Kind, OperationTypeNode, type SelectionSetNode } from 'graphql';
import type { Prepared } from '../operation.js';

/** How many root fields of an operation are limited one by one, not by what the document costs; each alias is counted. */
export interface ThrottledFields {
  /** Those that attackers would hammer: by source address, as their documented paths are. */
  readonly guarded: number;
  /** Of the others those that are mutations: of a company that trades each is a request of its rate, as on its documented path. */
  readonly mutations: number;
}

/** @param names the fields that are guarded */
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
