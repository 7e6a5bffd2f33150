import { z } from 'zod';
import { Links, noted, Section, Table, type Column, Stats } from '../../design/basics.js';
import { tableLinks } from '../files/table-file.js';
import type { Operations } from '../graph/operations.js';
import { headsOf, ListPager, Shown } from '../list-body.js';
import { pathIn, Head, tokensStep } from '../layout.js';
import { addressOf, definePage, fields, trancheRemunerationOf, type Locale, required } from '../page.js';
import { priceDecimals } from '../price-chart.js';
import { State } from '../tones.js';

const path = '/tokenizacao';
const statuses = ['ACTIVE', 'FUNDRAISING', 'CLOSED', 'DRAFT'] as const;

const sorts = {
  name: 'NAME',
  class: 'RISK_CLASS',
  rate: 'RATE',
  maturity: 'MATURITY_DATE',
  price: 'UNIT_PRICE',
  total: 'TOTAL_VALUE',
  status: 'STATUS',
} as const;
type SortName = keyof typeof sorts;
const sortNames = ['name', 'class', 'rate', 'maturity', 'price', 'total', 'status'] as const;

export const tokensOverview = definePage({
  path,
  query: z.object({
    status: fields.oneOf(statuses),
    sort: fields.oneOf(sortNames),
    order: fields.oneOf(['asc', 'desc']),
    after: fields.cursor,
  }),
  load: async ({ read, locale, query }) => {
    const [{ patrimonies }, { tranches }] = await Promise.all([
      read('patrimonyList', { locale: locale.graph, first: 50 }),
      read('trancheList', {
        locale: locale.graph,
        first: 50,
        after: query.after ?? null,
        filter: query.status === undefined ? {} : { status: query.status },
        sort:
          query.sort === undefined
            ? null
            : { field: sorts[query.sort], direction: query.order === 'desc' ? 'DESC' : 'ASC' },
      }),
    ]);
    return { patrimonies, tranches };
  },
  view: ({ patrimonies, tranches }, { locale, query }) => {
    const { text } = locale;
    const action = pathIn(locale, path);
    const { after, ...filter } = query;
    const { status, sort, order } = filter;
    return {
      title: text.tokens.title,
      description: text.tokens.description,
      path,
      area: 'tokens',
      body: (
        <>
          <div className="head">
            <h1>{text.tokens.title}</h1>
          </div>
          <Section
            id="estates"
            title={text.tokens.estates}
            links={<Links label={text.exports.label} items={tableLinks(`${action}/patrimonios`)} />}
          >
            <EstateTable rows={patrimonies.nodes} locale={locale} />
            <Shown of={patrimonies} locale={locale} />
          </Section>
          <Section
            id="series"
            title={text.tokens.series}
            links={
              <Links
                label={text.tokens.status}
                items={[
                  {
                    href: addressOf(action, { ...filter, status: undefined }),
                    text: text.list.any,
                    current: status === undefined,
                  },
                  ...statuses.map((one) => ({
                    href: addressOf(action, { ...filter, status: one }),
                    text: text.tokens.statuses[one],
                    current: one === status,
                  })),
                ]}
              />
            }
          >
            <TrancheTable rows={tranches.nodes} locale={locale} sortBy={headsOf(action, filter, { sort, order })} />
            <ListPager locale={locale} action={action} filter={filter} after={after} list={tranches} />
          </Section>
        </>
      ),
    };
  },
});

type Estate = Operations['patrimonyList']['data']['patrimonies']['nodes'][number];

function EstateTable({ rows, locale }: { readonly rows: readonly Estate[]; readonly locale: Locale }) {
  const { table, tokens } = locale.text;
  return (
    <Table
      caption={tokens.estates}
      rows={rows}
      keyOf={({ ticker }) => ticker}
      empty={tokens.noEstates}
      columns={[
        {
          label: table.name,
          kind: 'wide',
          cell: ({ ticker, name }) => <a href={pathIn(locale, `/tokenizacao/patrimonios/${ticker}`)}>{name}</a>,
        },
        { label: table.ticker, kind: 'nowrap', cell: ({ ticker }) => ticker },
        { label: tokens.trancheCount, kind: 'number', cell: ({ trancheCount }) => locale.decimal(trancheCount) },
        { label: tokens.assetCount, kind: 'number', cell: ({ assetCount }) => locale.decimal(assetCount) },
        { label: tokens.issued, kind: 'number', cell: ({ totalIssued }) => locale.money(totalIssued) },
        { label: tokens.created, kind: 'nowrap', cell: ({ createdAt }) => locale.date(createdAt) },
        { label: table.status, cell: State },
      ]}
    />
  );
}

type Tranche = Omit<Operations['trancheList']['data']['tranches']['nodes'][number], 'patrimonyTicker' | 'stale'>;

/** Tokenized series with their prices; sorted by their heads where the page can. */
export function TrancheTable(props: {
  readonly rows: readonly Tranche[];
  readonly locale: Locale;
  readonly sortBy?: (name: SortName) => NonNullable<Column<Tranche>['sort']>;
}) {
  const { rows, locale, sortBy } = props;
  const head = (name: SortName) => (sortBy === undefined ? {} : { sort: sortBy(name) });
  const { table, tokens } = locale.text;
  return (
    <Table
      caption={tokens.series}
      rows={rows}
      keyOf={({ ticker }) => ticker}
      empty={tokens.none}
      columns={[
        {
          label: table.name,
          kind: 'wide',
          ...head('name'),
          cell: ({ ticker, name }) => <a href={pathIn(locale, `/tokenizacao/series/${ticker}`)}>{name}</a>,
        },
        { label: table.riskClass, ...head('class'), cell: ({ classNameLabel }) => classNameLabel },
        {
          label: table.remuneration,
          kind: 'nowrap',
          ...head('rate'),
          cell: (tranche) => trancheRemunerationOf(locale, tranche),
        },
        {
          label: table.maturity,
          kind: 'nowrap',
          ...head('maturity'),
          cell: ({ maturityDate }) => locale.date(maturityDate),
        },
        {
          label: table.unitPrice,
          kind: 'number',
          ...head('price'),
          cell: ({ unitPrice }) => locale.decimal(unitPrice, priceDecimals),
        },
        {
          label: table.date,
          kind: 'nowrap',
          cell: ({ pricedOn, projected }) =>
            noted(locale.date(pricedOn), projected ? locale.text.tranche.estimated : null),
        },
        { label: table.total, kind: 'number', ...head('total'), cell: ({ totalValue }) => locale.money(totalValue) },
        { label: table.status, ...head('status'), cell: State },
      ]}
    />
  );
}

export const estatePage = definePage({
  path: '/tokenizacao/patrimonios/:ticker',
  query: z.object({}),
  load: async ({ read, locale, params }) => {
    const { patrimony } = await read('patrimonyPage', { ticker: required(params['ticker']), locale: locale.graph });
    return required(patrimony);
  },
  view: (patrimony, { locale }) => {
    const { text } = locale;
    return {
      title: patrimony.name,
      description: text.estate.description(patrimony.name),
      path: `/tokenizacao/patrimonios/${patrimony.ticker}`,
      area: 'tokens',
      body: (
        <>
          <Head locale={locale} way={[tokensStep(locale)]} here={patrimony.ticker} title={patrimony.name}>
            <div className="row">
              <State {...patrimony} />
            </div>
          </Head>
          <Stats
            items={[
              { label: text.tokens.issued, value: locale.money(patrimony.totalIssued) },
              { label: text.tokens.trancheCount, value: locale.decimal(patrimony.trancheCount) },
              {
                label: text.tokens.assetCount,
                value: locale.decimal(patrimony.assetCount),
                note: (
                  <a href={addressOf(pathIn(locale, '/tokenizacao/ativos'), { estate: patrimony.id })}>
                    {text.tokens.assets}
                  </a>
                ),
              },
              { label: text.tokens.created, value: locale.date(patrimony.createdAt) },
            ]}
          />
          <Section id="series" title={text.tokens.series}>
            <TrancheTable rows={patrimony.tranches} locale={locale} />
          </Section>
        </>
      ),
    };
  },
});
