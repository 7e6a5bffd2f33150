/** A page of a list by cursor, as far as a test asks for it. */
export interface Page<Node> {
  readonly totalCount: number;
  readonly nodes: readonly Node[];
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** Reads a list to its end, page by page. */
export async function readAll<Node>(
  read: (after: string | null) => Promise<Pick<Page<Node>, 'nodes' | 'pageInfo'>>,
): Promise<Node[]> {
  const all: Node[] = [];
  for (let after: string | null | undefined = null; after !== undefined;) {
    const { nodes, pageInfo }: Pick<Page<Node>, 'nodes' | 'pageInfo'> = await read(after);
    all.push(...nodes);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined;
  }
  return all;
}
