import { ApiError } from '../../shared/kernel/errors.js';

interface ListPage<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** @param mostPages a longer list is refused: a part would pass for the whole @throws {ApiError} UNPROCESSABLE for it, and what `readPage` throws */
export async function everyPage<T>(
  mostPages: number,
  readPage: (after: string | null) => Promise<ListPage<T>>,
): Promise<readonly T[]> {
  const rows: T[] = [];
  let after: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const { nodes, pageInfo }: ListPage<T> = await readPage(after);
    rows.push(...nodes);
    if (!pageInfo.hasNextPage) return rows;
    after = pageInfo.endCursor;
  }
  throw new ApiError('UNPROCESSABLE', {
    message: `There are more than ${rows.length} rows: use filters, or the interfaces for programs (/docs)`,
  });
}
