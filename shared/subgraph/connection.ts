/** Items of a list as a GraphQL connection, each with its cursor. */
export interface Connection<T> {
  readonly nodes: readonly T[];
  readonly edges: readonly { readonly node: T; readonly cursor: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/**
 * Builds a connection.
 * @param cursors the cursor of each node
 * @param endCursor where the next page begins, if not after the last node
 */
export function toConnection<T>(
  nodes: readonly T[],
  cursors: readonly string[],
  hasNextPage: boolean,
  endCursor: string | null = cursors.at(-1) ?? null,
): Connection<T> {
  return {
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: cursors[index] ?? '' })),
    pageInfo: { hasNextPage, endCursor },
  };
}
