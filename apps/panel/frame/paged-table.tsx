import { useEffect, useState, type ReactNode } from 'react';
import { Table, type TableProps } from '../../design/basics.js';
import type { Documents, Graph } from './graph.js';
import { FailureNotice, Loaded, More } from './parts.js';
import { useAction, useQuery, type Query } from './use-graph.js';

interface ListPage<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  /** A text, or null, where nobody counts them. */
  readonly totalCount: number | string | null;
}

export interface Pages<Row, Data = unknown> extends Query<Data> {
  readonly first: ListPage<Row> | undefined;
  readonly next: (after: string | null) => Promise<ListPage<Row> | undefined>;
  readonly key: string;
}

/** @param pick returns the list in what a document reads; undefined where there is none @param by the variable that says where a page begins */
export function usePages<Operations extends Documents<Operations>, Name extends keyof Operations, Row>(
  graph: Graph<Operations>,
  name: Name,
  variables: Operations[Name]['variables'],
  pick: (data: Operations[Name]['data']) => ListPage<Row> | undefined,
  by: 'after' | 'nextToken' = 'after',
): Pages<Row, Operations[Name]['data']> {
  const query = useQuery(graph, name, variables);
  const first = query.data === undefined ? undefined : pick(query.data);
  return {
    ...query,
    first,
    next: async (after) => pick(await graph.query(name, { ...variables, [by]: after })),
    key: JSON.stringify(variables),
  };
}

export const pageOf = <Row,>(nodes: readonly Row[], nextToken: string | null): ListPage<Row> => ({
  nodes,
  pageInfo: { hasNextPage: nextToken !== null, endCursor: nextToken },
  totalCount: null,
});

type Show<Row> = (rows: readonly Row[]) => ReactNode;

/** A list, and a button that reads more of it; nothing where there is none. */
export function PagedList<Row>({ pages, show }: { readonly pages: Pages<Row>; readonly show: Show<Row> }) {
  const { first, next } = pages;
  return (
    <Loaded query={pages}>
      {() =>
        first === undefined ? null : <Read key={pages.key} of={pages.data} first={first} next={next} show={show} />
      }
    </Loaded>
  );
}

function Read<Row>(props: {
  readonly of: unknown;
  readonly first: ListPage<Row>;
  readonly next: Pages<Row>['next'];
  readonly show: Show<Row>;
}) {
  const { of, first, next, show } = props;
  const action = useAction();
  const [read, setRead] = useState<{ readonly of: unknown; readonly pages: readonly ListPage<Row>[] }>({
    of,
    pages: [first],
  });
  const pages = read.of !== of && read.pages.length === 1 ? [first] : read.pages;
  const rows = pages.flatMap(({ nodes }) => nodes);
  const { pageInfo } = pages.at(-1) ?? first;
  const { run, isBusy } = action;
  // The change may be on any page, so all shown pages are read again; the old ones stay on screen until then.
  useEffect(() => {
    if (read.of === of || read.pages.length === 1 || isBusy) return;
    const again = [first];
    void run(async () => {
      for (let last = first; last.pageInfo.hasNextPage && again.length < read.pages.length;) {
        const page = await next(last.pageInfo.endCursor);
        if (page === undefined) break;
        again.push(page);
        last = page;
      }
    }).finally(() => setRead({ of, pages: again }));
  }, [of, first, next, read, run, isBusy]);
  return (
    <>
      {show(rows)}
      <FailureNotice failure={action.failure} />
      <More
        shown={rows.length}
        total={first.totalCount}
        hasMore={pageInfo.hasNextPage}
        isBusy={isBusy}
        onMore={() => {
          void run(async () => {
            const page = await next(pageInfo.endCursor);
            if (page !== undefined) setRead({ of, pages: [...pages, page] });
          });
        }}
      />
    </>
  );
}

export function PagedTable<Row>({ pages, ...table }: { readonly pages: Pages<Row> } & Omit<TableProps<Row>, 'rows'>) {
  return <PagedList pages={pages} show={(rows) => <Table {...table} rows={rows} />} />;
}
