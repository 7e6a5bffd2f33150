import { z } from 'zod';
import { Section, Stats } from '../design/basics.js';
import { Table } from '../design/table.js';
import type { Operations } from './graph/operations.js';
import { pathIn } from './layout.js';
import { remunerationOf, trancheRemunerationOf, type Locale } from './locale.js';
import { definePage, type Site } from './page.js';
import { priceDecimals } from './price-chart.js';

type HomeOperations = Operations['homeOperations']['data']['operations'];
type HomeTranches = Operations['homeTranches']['data']['tranches'];

export const home = definePage({
  path: '/',
  query: z.object({}),
  load: async ({ read, locale, site }) => {
    const [operations, { tranches }, { assetSummary }] = await Promise.all([
      site.operations ? read('homeOperations', { locale: locale.graph }) : undefined,
      read('homeTranches', { locale: locale.graph }),
      read('homeAssets', {}),
    ]);
    return { operations: operations?.operations, tranches, assetSummary };
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
        name: text.siteName,
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
              ...(operations === undefined
                ? []
                : [{ label: text.home.operations, value: locale.decimal(operations.totalCount) }]),
              { label: text.home.tranches, value: locale.decimal(tranches.totalCount) },
              { label: text.home.assets, value: locale.decimal(assetSummary.totalAssets) },
              { label: text.home.balance, value: locale.money(assetSummary.totalCurrentBalance) },
            ]}
          />
          <div className="columns section">
            {operations === undefined ? null : <LatestOperations operations={operations} locale={locale} />}
            <LatestTranches tranches={tranches} locale={locale} />
          </div>
          <Ways locale={locale} site={site} />
        </>
      ),
    };
  },
});

function LatestOperations({ operations, locale }: { readonly operations: HomeOperations; readonly locale: Locale }) {
  const { text } = locale;
  const rows = operations.nodes.flatMap((operation) =>
    operation.series.slice(0, 1).map((series) => ({ operation, series })),
  );
  return (
    <Section id="operations" title={text.home.latest} links={<a href={pathIn(locale, '/emissoes')}>{text.home.all}</a>}>
      <Table
        caption={text.home.latest}
        rows={rows}
        keyOf={({ series }) => series.ticker}
        empty={text.operation.noSeries}
        columns={[
          {
            label: text.table.name,
            kind: 'wide',
            cell: ({ operation, series }) => (
              <>
                <a href={pathIn(locale, `/emissoes/${operation.slug}`)}>{operation.name}</a>
                <span className="sub">{remunerationOf(locale, series)}</span>
              </>
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
      />
    </Section>
  );
}

function LatestTranches({ tranches, locale }: { readonly tranches: HomeTranches; readonly locale: Locale }) {
  const { text } = locale;
  return (
    <Section
      id="tranches"
      title={text.home.latestTokens}
      links={<a href={pathIn(locale, '/tokenizacao')}>{text.home.all}</a>}
    >
      <Table
        caption={text.home.latestTokens}
        rows={tranches.nodes}
        keyOf={({ ticker }) => ticker}
        empty={text.tokens.none}
        columns={[
          {
            label: text.table.name,
            kind: 'wide',
            cell: ({ ticker, name, ...tranche }) => (
              <>
                <a href={pathIn(locale, `/tokenizacao/series/${ticker}`)}>{name}</a>
                <span className="sub">{trancheRemunerationOf(locale, tranche)}</span>
              </>
            ),
          },
          {
            label: text.table.unitPrice,
            kind: 'number',
            cell: ({ unitPrice }) => locale.decimal(unitPrice, priceDecimals),
          },
          { label: text.table.date, kind: 'nowrap', cell: ({ pricedOn }) => locale.date(pricedOn) },
        ]}
      />
    </Section>
  );
}

/** The way in for each kind of reader. */
function Ways({ locale, site }: { readonly locale: Locale; readonly site: Site }) {
  const { home: text } = locale.text;
  const ways = [
    {
      title: text.investors,
      about: text.investorsText,
      href: pathIn(locale, site.operations ? '/emissoes' : '/tokenizacao'),
    },
    { title: text.developers, about: text.developersText, href: pathIn(locale, '/docs') },
    { title: text.originators, about: text.originatorsText, href: pathIn(locale, '/docs/rest/tags/credit-assignment') },
    { title: text.agents, about: text.agentsText, href: pathIn(locale, '/docs/rest/tags/agents') },
  ];
  return (
    <Section id="ways" title={text.ways}>
      <div className="columns short">
        {ways.map(({ title, about, href }) => (
          <div key={title}>
            <h3>
              <a href={href}>{title}</a>
            </h3>
            <p>{about}</p>
          </div>
        ))}
      </div>
    </Section>
  );
}
