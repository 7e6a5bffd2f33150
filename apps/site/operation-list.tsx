import { z } from 'zod';
import { selectField, type FilterParts } from '../design/filter-form.js';
import { Table, type Column } from '../design/basics.js';
import type { Operations } from './graph/operations.js';
import { pathIn } from './layout.js';
import { comparisonPath } from './comparison.js';
import { headsOf, ListBody, optionsOf } from './list-body.js';
import { definePage, fields, remunerationsOf, type Locale } from './page.js';
import { sum } from '../../shared/kernel/decimal.js';
import { State } from './tones.js';

const types = ['CR', 'CRI', 'CRA', 'DEB'] as const;
const statuses = [
  'STRUCTURING',
  'OFFERED',
  'ACTIVE',
  'DEFAULTED',
  'ACCELERATED',
  'ENDED',
  'CANCELLED',
  'OTHER',
] as const;
const indexers = ['PREFIXED', 'CDI', 'IPCA', 'IGPM', 'TR', 'SELIC', 'USD'] as const;
const sorts = {
  name: 'NAME',
  type: 'TYPE',
  issue: 'EMISSION_DATE',
  maturity: 'MATURITY_DATE',
  volume: 'VOLUME',
  rating: 'RATING',
  status: 'STATUS',
} as const;
const sortNames = ['name', 'type', 'issue', 'maturity', 'volume', 'rating', 'status'] as const;

/** Columns beside the name; all but the last ones are shown to a reader who has not chosen. */
const columnNames = ['type', 'remuneration', 'issue', 'maturity', 'volume', 'rating', 'status', 'issuer'] as const;
type ColumnName = (typeof columnNames)[number];
const shownAtFirst: readonly ColumnName[] = columnNames.slice(0, 7);

const filterFields = {
  q: fields.search,
  type: fields.oneOf(types),
  status: fields.oneOf(statuses),
  indexer: fields.oneOf(indexers),
  alert: fields.oneOf(['yes']),
  sort: fields.oneOf(sortNames),
  order: fields.oneOf(['asc', 'desc']),
  columns: fields.some(columnNames),
};
export const operationFilter = z.object(filterFields);
type Filter = z.output<typeof operationFilter>;

export function listVariables({ q, type, status, indexer, alert, sort = 'maturity', order = 'asc' }: Filter) {
  const text = q?.trim();
  return {
    alerted: alert !== undefined,
    filter: {
      ...(text === undefined || text === '' ? {} : { text }),
      ...(type === undefined ? {} : { types: [type] }),
      ...(status === undefined ? {} : { statuses: [status] }),
      ...(indexer === undefined ? {} : { indexers: [indexer] }),
    },
    sort: { field: sorts[sort], direction: order === 'asc' ? ('ASC' as const) : ('DESC' as const) },
  };
}

const path = '/emissoes';

export const operationList = definePage({
  path,
  query: z.object({ ...filterFields, after: fields.cursor }),
  load: async ({ read, locale, query }) => {
    const { operations } = await read('operationList', {
      locale: locale.graph,
      first: 25,
      after: query.after ?? null,
      ...listVariables(query),
    });
    return operations;
  },
  view: (operations, { locale, query }) => {
    const { text } = locale;
    const { after, ...filter } = query;
    return {
      title: text.list.title,
      description: text.list.description,
      path,
      area: 'operations',
      body: (
        <ListBody
          locale={locale}
          title={text.list.title}
          action={pathIn(locale, path)}
          filter={filter}
          after={after}
          list={operations}
          form={filterForm(filter, locale)}
          table={
            <OperationTable
              rows={operations.nodes}
              isWhole={operations.nodes.length === operations.totalCount}
              filter={filter}
              locale={locale}
            />
          }
        />
      ),
    };
  },
});

function filterForm(filter: Filter, locale: Locale): FilterParts {
  const { list, table, operation } = locale.text;
  const names: Readonly<Record<string, string>> = {
    PREFIXED: locale.code === 'en' ? 'Fixed' : 'Prefixado',
    IGPM: 'IGP-M',
    SELIC: 'Selic',
    USD: locale.code === 'en' ? 'US dollar' : 'Dólar',
  };
  const states: Readonly<Record<string, string>> = list.statuses;
  return {
    kept: { sort: filter.sort, order: filter.order },
    choice: {
      name: 'columns',
      label: list.columns,
      chosen: chosenColumns(filter),
      options: columnNames.map((value) => ({ value, text: { ...table, issuer: operation.issuer }[value] })),
    },
    fields: [
      { name: 'q', label: list.search, type: 'search', value: filter.q ?? '' },
      selectField(
        'type',
        list.type,
        filter.type ?? '',
        optionsOf(locale, types, (one) => one),
      ),
      selectField(
        'status',
        list.status,
        filter.status ?? '',
        optionsOf(locale, statuses, (one) => states[one] ?? one),
      ),
      selectField(
        'indexer',
        list.indexer,
        filter.indexer ?? '',
        optionsOf(locale, indexers, (one) => names[one] ?? one),
      ),
      selectField(
        'alert',
        list.alert,
        filter.alert ?? '',
        optionsOf(locale, ['yes'], () => list.alerted),
      ),
    ],
  };
}

/** A sign that says what is wrong with an operation; none where nothing is. */
function Alerts({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  const said = names.join(', ');
  return <span className="icon bad" role="img" aria-label={said} title={said} />;
}

type Row = Operations['operationList']['data']['operations']['nodes'][number];

const chosenColumns = ({ columns }: Filter): readonly string[] => columns?.split(',') ?? shownAtFirst;

/** The rows, in the order of a column whose head was chosen, with a box before each name to compare some of them. */
function OperationTable(props: {
  readonly rows: readonly Row[];
  /** Whether the rows are all of the list: only these have a total. */
  readonly isWhole: boolean;
  readonly filter: Filter;
  readonly locale: Locale;
}) {
  const { rows, isWhole, filter, locale } = props;
  const { table, list, operation } = locale.text;
  const { sort = 'maturity' as const, order } = filter;
  const sortBy = headsOf(pathIn(locale, path), filter, { sort, order });
  const chosen = chosenColumns(filter);
  const hasTotal = isWhole && chosen.includes('volume');
  const columns: readonly (Column<Row> & { readonly name: ColumnName })[] = [
    { name: 'type', label: table.type, kind: 'desk', sort: sortBy('type'), cell: ({ type }) => type },
    {
      name: 'remuneration',
      label: table.remuneration,
      kind: 'wide',
      cell: ({ series }) => remunerationsOf(locale, series) || null,
    },
    {
      name: 'issue',
      label: table.issue,
      kind: 'desk',
      sort: sortBy('issue'),
      cell: ({ emissionDate }) => locale.date(emissionDate),
    },
    {
      name: 'maturity',
      label: table.maturity,
      kind: 'nowrap',
      sort: sortBy('maturity'),
      cell: ({ maturityDate }) => locale.date(maturityDate),
    },
    {
      name: 'volume',
      label: table.volume,
      kind: 'number',
      sort: sortBy('volume'),
      total: hasTotal ? locale.money(sum(rows.map(({ volume }) => volume)).toFixed(), 0) : undefined,
      cell: ({ volume }) => locale.money(volume, 0),
    },
    { name: 'rating', label: table.rating, kind: 'desk', sort: sortBy('rating'), cell: ({ rating }) => rating },
    { name: 'status', label: table.status, sort: sortBy('status'), cell: State },
    { name: 'issuer', label: operation.issuer, kind: 'desk', cell: ({ issuer }) => issuer },
  ];
  const boxes = (
    <Table
      caption={list.title}
      rows={rows}
      keyOf={({ ticker }) => ticker}
      empty={list.empty}
      columns={[
        {
          label: table.name,
          kind: 'wide',
          sort: sortBy('name'),
          total: hasTotal ? table.total : undefined,
          cell: ({ ticker, slug, name, alertKinds }) => (
            <>
              <input type="checkbox" name="codigo" value={ticker} aria-label={list.compared(name)} />{' '}
              <a href={pathIn(locale, `/emissoes/${slug}`)}>{name}</a>{' '}
              <Alerts names={alertKinds.map((kind) => operation.alerts[kind])} />
            </>
          ),
        },
        ...columns
          .filter(({ name }) => chosen.includes(name))
          // A chosen column is shown on phones too.
          .map((column) =>
            column.kind === 'desk' && filter.columns !== undefined ? { ...column, kind: 'nowrap' as const } : column,
          ),
      ]}
    />
  );
  if (rows.length < 2) return boxes;
  return (
    <form action={pathIn(locale, comparisonPath)} className="section">
      {boxes}
      <button type="submit" className="start">
        {list.compare}
      </button>
    </form>
  );
}
