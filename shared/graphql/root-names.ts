import { getOperationAST, Kind, type DocumentNode, type SelectionSetNode } from 'graphql';

/** Returns the root fields that a document selects, including those in fragments. */
export function rootNames(document: DocumentNode): string[] {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  );
  const namesIn = (set: SelectionSetNode | undefined): string[] =>
    (set?.selections ?? []).flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection.name.value];
      return namesIn(
        selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragments.get(selection.name.value),
      );
    });
  return namesIn(getOperationAST(document)?.selectionSet);
}
