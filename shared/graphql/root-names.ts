import {
  getOperationAST,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  return new Map(
    definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [])),
  );
}

/** Returns the fields of a selection set, each as often as it is selected, including those in fragments. */
export function fieldsIn({ selections }: SelectionSetNode, fragments: Fragments): FieldNode[] {
  return selections.flatMap((one) => {
    if (one.kind === Kind.FIELD) return one;
    const set = one.kind === Kind.INLINE_FRAGMENT ? one.selectionSet : fragments.get(one.name.value)?.selectionSet;
    return set === undefined ? [] : fieldsIn(set, fragments);
  });
}

/** Returns the root fields of the only operation of a document, each as often as it is selected. */
export function rootNames(document: DocumentNode): string[] {
  const operation = getOperationAST(document);
  if (operation == null) return [];
  return fieldsIn(operation.selectionSet, fragmentsOf(document)).map(({ name }) => name.value);
}
