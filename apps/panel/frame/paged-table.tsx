import { useState } from 'react';
import { Table, type Column } from '../../design/table.js';
import { FailureNotice, More } from './parts.js';
import { useAction } from './use-graph.js';

/** A page of a connection of the graph. */
export interface ListPage<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount: number;
}

/** A list by pages: the first page, and a button that reads the next one. Give it a key of what the list depends on. */
export function PagedTable<Row>(props: {
  readonly caption: string;
  readonly first: ListPage<Row>;
  readonly next: (after: string | null) => Promise<ListPage<Row>>;
  readonly keyOf: (row: Row) => string;
  readonly empty: string;
  readonly columns: readonly Column<Row>[];
}) {
  const { caption, first, next, keyOf, empty, columns } = props;
  const action = useAction();
  const [others, setOthers] = useState<readonly ListPage<Row>[]>([]);
  const rows = [first, ...others].flatMap(({ nodes }) => nodes);
  const { pageInfo } = others.at(-1) ?? first;
  return (
    <>
      <Table caption={caption} rows={rows} keyOf={keyOf} empty={empty} columns={columns} />
      <FailureNotice failure={action.failure} />
      <More
        shown={rows.length}
        total={first.totalCount}
        hasMore={pageInfo.hasNextPage}
        isBusy={action.isBusy}
        onMore={() => {
          void action.run(async () => {
            const page = await next(pageInfo.endCursor);
            setOthers((before) => [...before, page]);
          });
        }}
      />
    </>
  );
}
