import { useState, type ReactNode } from 'react';
import { Table, type TableProps } from '../../design/table.js';
import type { Documents, Graph } from './graph.js';
import { FailureNotice, Loaded, More } from './parts.js';
import { useAction, useQuery } from './use-graph.js';

/** A page of a connection of the graph. */
export interface ListPage<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  /** A text, or null, where nobody counts them. */
  readonly totalCount: number | string | null;
}

interface PagedProps<Row> {
  readonly first: ListPage<Row>;
  readonly next: (after: string | null) => Promise<ListPage<Row>>;
  readonly show: (rows: readonly Row[]) => ReactNode;
}

/** The first page of a list, and a button that reads the next one. Give it a key of what the list depends on. */
function Paged<Row>({ first, next, show }: PagedProps<Row>) {
  const action = useAction();
  const [others, setOthers] = useState<readonly ListPage<Row>[]>([]);
  const rows = [first, ...others].flatMap(({ nodes }) => nodes);
  const { pageInfo } = others.at(-1) ?? first;
  return (
    <>
      {show(rows)}
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

/** A table by pages. Give it a key of what the list depends on. */
export function PagedTable<Row>({
  first,
  next,
  ...table
}: Omit<PagedProps<Row>, 'show'> & Omit<TableProps<Row>, 'rows'>) {
  return <Paged first={first} next={next} show={(rows) => <Table {...table} rows={rows} />} />;
}

interface PagedReadProps<Operations extends Documents<Operations>, Name extends keyof Operations, Row> {
  readonly graph: Graph<Operations>;
  readonly name: Name;
  readonly variables: Operations[Name]['variables'];
  readonly pick: (data: Operations[Name]['data']) => ListPage<Row> | undefined;
}

/** The list that a document reads by pages with `after`; nothing where there is none. */
export function PagedList<Operations extends Documents<Operations>, Name extends keyof Operations, Row>(
  props: PagedReadProps<Operations, Name, Row> & Pick<PagedProps<Row>, 'show'>,
) {
  const { graph, name, variables, pick, show } = props;
  const query = useQuery(graph, name, variables);
  return (
    <Loaded query={query}>
      {(data) => {
        const first = pick(data);
        return first === undefined ? null : (
          <Paged
            key={`${JSON.stringify(variables)} ${first.pageInfo.endCursor ?? ''}`}
            first={first}
            next={async (after) => pick(await graph.query(name, { ...variables, after })) ?? first}
            show={show}
          />
        );
      }}
    </Loaded>
  );
}

/** The same as a table. */
export function PagedQuery<Operations extends Documents<Operations>, Name extends keyof Operations, Row>({
  graph,
  name,
  variables,
  pick,
  ...table
}: PagedReadProps<Operations, Name, Row> & Omit<TableProps<Row>, 'rows'>) {
  return <PagedList {...{ graph, name, variables, pick }} show={(rows) => <Table {...table} rows={rows} />} />;
}
