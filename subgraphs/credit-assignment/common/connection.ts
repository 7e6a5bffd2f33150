/** Some items of a list, each with its place, as a GraphQL connection. */
export interface Connection<T> {
  readonly nodes: readonly T[];
  readonly edges: readonly { readonly node: T; readonly cursor: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** @param cursorOf the place of an item, to continue after it */
export function toConnection<R, T>(
  rows: readonly R[],
  toNode: (row: R) => T,
  cursorOf: (row: R) => string,
  hasNextPage: boolean,
): Connection<T> {
  const edges = rows.map((row) => ({ node: toNode(row), cursor: cursorOf(row) }));
  const endCursor = edges.at(-1)?.cursor ?? null;
  return { nodes: edges.map(({ node }) => node), edges, pageInfo: { hasNextPage, endCursor } };
}
