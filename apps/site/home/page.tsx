import { z } from 'zod';
import { noted, Section, Stats, TableSection } from '../../design/basics.js';
import type { Operations } from '../graph/operations.js';
import { pathIn } from '../layout.js';
import { definePage, remunerationOf, trancheRemunerationOf, type Locale } from '../page.js';
import { priceDecimals } from '../price-chart.js';

type HomeOperations = Operations['homeOperations']['data']['operations'];
type HomeTranches = Operations['homeTranches']['data']['tranches'];

const mostPrices = 8;

export const home = definePage({
  path: '/',
  query: z.object({}),
  load: async ({ read, locale }) => {
    const [{ operations }, { tranches }, { assetSummary }] = await Promise.all([
      read('homeOperations', { locale: locale.graph }),
      read('homeTranches', { locale: locale.graph }),
      read('homeAssets', {}),
    ]);
    return { operations, tranches, assetSummary };
  },
  view: ({ operations, tranches, assetSummary }, { locale, site }) => {
    const { text } = locale;
    return {
      title: text.home.title,
      description: text.home.description,
      path: '/',
      data: {
        '@context': 'https://schema.org',
        '@type': 'WebSite',
        name: site.house.name,
        url: site.url,
        inLanguage: locale.code,
        description: text.home.description,
      },
      body: (
        <>
          <div className="head">
            <h1>{text.home.title}</h1>
            <p className="lead">{text.home.lead}</p>
          </div>
          <Stats
            items={[
              { label: text.home.operations, value: locale.decimal(operations.totalCount) },
              { label: text.home.tranches, value: locale.decimal(tranches.totalCount) },
              { label: text.home.assets, value: locale.decimal(assetSummary.totalAssets) },
              { label: text.home.balance, value: locale.money(assetSummary.totalCurrentBalance) },
            ]}
          />
          <div className="columns section">
            <LatestOperations operations={operations} locale={locale} />
            <LatestTranches tranches={tranches} locale={locale} />
          </div>
          <Ways locale={locale} />
        </>
      ),
    };
  },
});

/** The first series of each operation with a price, the newest prices first; operations of the same day in their order. */
function newestPrices({ nodes }: HomeOperations) {
  const dayOf = (row: { readonly series: HomeOperations['nodes'][number]['series'][number] }) =>
    row.series.currentUnitPrice?.date ?? '';
  return nodes
    .flatMap((operation) => operation.series.slice(0, 1).map((series) => ({ operation, series })))
    .filter((row) => dayOf(row) !== '')
    .sort((one, other) => dayOf(other).localeCompare(dayOf(one)))
    .slice(0, mostPrices);
}

/** When the newest of some prices became known; nothing where none is. */
function Since({
  moments,
  say,
  locale,
}: {
  readonly moments: readonly (string | null | undefined)[];
  readonly say: (moment: string) => string;
  readonly locale: Locale;
}) {
  const newest = moments
    .flatMap((one) => one ?? [])
    .sort()
    .at(-1);
  return newest === undefined ? null : <p className="small muted">{say(locale.moment(newest))}</p>;
}

function LatestOperations({ operations, locale }: { readonly operations: HomeOperations; readonly locale: Locale }) {
  const { text } = locale;
  const rows = newestPrices(operations);
  return (
    <TableSection
      id="operations"
      title={text.home.latest}
      links={<a href={pathIn(locale, '/emissoes')}>{text.home.all}</a>}
      rows={rows}
      keyOf={({ series }) => series.ticker}
      empty={text.operation.noSeries}
      columns={[
        {
          label: text.table.name,
          kind: 'wide',
          cell: ({ operation, series }) =>
            noted(
              <a href={pathIn(locale, `/emissoes/${operation.slug}`)}>{operation.name}</a>,
              remunerationOf(locale, series),
            ),
        },
        {
          label: text.table.series,
          kind: 'nowrap',
          cell: ({ series }) => <a href={pathIn(locale, `/series/${series.ticker}`)}>{series.ticker}</a>,
        },
        {
          label: text.table.unitPrice,
          kind: 'number',
          cell: ({ series }) => locale.decimal(series.currentUnitPrice?.value ?? null, priceDecimals),
        },
        {
          label: text.table.date,
          kind: 'nowrap',
          cell: ({ series }) => locale.date(series.currentUnitPrice?.date ?? null),
        },
      ]}
    >
      <Since
        moments={rows.map(({ series }) => series.currentUnitPrice?.provenance.recordedAt)}
        say={text.home.received}
        locale={locale}
      />
    </TableSection>
  );
}

function LatestTranches({ tranches, locale }: { readonly tranches: HomeTranches; readonly locale: Locale }) {
  const { text } = locale;
  return (
    <TableSection
      id="tranches"
      title={text.home.latestTokens}
      links={<a href={pathIn(locale, '/tokenizacao')}>{text.home.all}</a>}
      rows={tranches.nodes}
      keyOf={({ ticker }) => ticker}
      empty={text.tokens.none}
      columns={[
        {
          label: text.table.name,
          kind: 'wide',
          cell: ({ ticker, name, ...tranche }) =>
            noted(
              <a href={pathIn(locale, `/tokenizacao/series/${ticker}`)}>{name}</a>,
              trancheRemunerationOf(locale, tranche),
            ),
        },
        {
          label: text.table.unitPrice,
          kind: 'number',
          cell: ({ unitPrice }) => locale.decimal(unitPrice, priceDecimals),
        },
        {
          label: text.table.date,
          kind: 'nowrap',
          cell: ({ pricedOn, projected }) => noted(locale.date(pricedOn), projected ? text.tranche.estimated : null),
        },
      ]}
    >
      <Since
        moments={tranches.nodes.map(({ unitPrices }) => unitPrices.nodes[0]?.calculatedAt)}
        say={text.home.calculated}
        locale={locale}
      />
    </TableSection>
  );
}

/** Where each kind of reader begins, and what it may need next. */
const ways = [
  { kind: 'investors', links: ['/emissoes', '/tokenizacao'] },
  { kind: 'developers', links: ['/painel/cadastro', '/docs'] },
  { kind: 'originators', links: ['/painel/originador', '/docs/guides/assign-credits'] },
  { kind: 'traders', links: ['/painel/negociacao', '/docs/guides/trade'] },
  { kind: 'agents', links: ['/docs/guides/agents'] },
  { kind: 'operators', links: ['/painel/operacao'] },
] as const;

function Ways({ locale }: { readonly locale: Locale }) {
  const { home: text } = locale.text;
  return (
    <Section id="ways" title={text.ways}>
      <div className="columns">
        {ways.map(({ kind, links }) => (
          <div key={kind} className="way">
            <h3>{text.readers[kind].title}</h3>
            <p>{text.readers[kind].about}</p>
            <ul className="links">
              {links.map((path) => (
                <li key={path}>
                  <a href={pathIn(locale, path)}>{text.places[path]}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Section>
  );
}
