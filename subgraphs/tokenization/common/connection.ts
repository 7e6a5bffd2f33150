/** Some items of a list, each with its place, as a GraphQL connection. */
export interface Connection<T> {
  readonly nodes: readonly T[];
  readonly edges: readonly { readonly node: T; readonly cursor: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** @param cursors of each node */
export function toConnection<T>(nodes: readonly T[], cursors: readonly string[], hasNextPage: boolean): Connection<T> {
  return {
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: cursors[index] ?? '' })),
    pageInfo: { hasNextPage, endCursor: cursors.at(-1) ?? null },
  };
}
