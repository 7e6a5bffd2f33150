import { z } from 'zod';
import { Badge, Facts, Section, Stats } from '../design/basics.js';
import { Table } from '../design/table.js';
import { chartPicture, pictureFormats } from './files/chart-picture.js';
import { tableOf, tablePages } from './files/table-file.js';
import type { Operations } from './graph/operations.js';
import { pathIn } from './layout.js';
import { remunerationOf, type Locale } from './locale.js';
import { definePage, required, type Page, type PageRequest } from './page.js';
import { ChartOf, PriceChart, priceDecimals } from './price-chart.js';
import { mostPoints, rangeOf, rangeQuery } from './price-range.js';
import { toneOf } from './tones.js';

type Series = Operations['seriesPage']['data']['series']['nodes'][number];

/** Reads the unit prices of a series in the range of the query. */
async function pricesOf({ read, params, query, today, locale }: PageRequest<z.output<typeof rangeQuery>>) {
  const range = rangeOf(query, today, locale);
  const { series } = await read('seriesPrices', { ticker: required(params['ticker']), ...range, first: mostPoints });
  const { ticker, operation, unitPrices } = required(series.nodes[0]);
  return { range, ticker, slug: operation.slug, points: unitPrices.nodes };
}

const seriesPage = definePage({
  path: '/series/:ticker',
  area: 'operations',
  query: rangeQuery,
  load: async (request) => {
    const { read, params, locale } = request;
    const [{ series }, prices] = await Promise.all([
      read('seriesPage', { ticker: required(params['ticker']), locale: locale.graph }),
      pricesOf(request),
    ]);
    return { series: required(series.nodes[0]), ...prices };
  },
  view: ({ series, range, points }, { locale, today }) => {
    const { text } = locale;
    const path = `/series/${series.ticker}`;
    const action = pathIn(locale, path);
    return {
      title: text.series.title(series.ticker),
      description: text.series.description(series.ticker, series.operation.name),
      path,
      area: 'operations',
      image: `${action}/pu.png`,
      body: (
        <>
          <Heading series={series} locale={locale} />
          <Section id="prices" title={text.operation.prices}>
            <PriceChart
              locale={locale}
              ticker={series.ticker}
              range={range}
              points={points}
              start={series.issueDate}
              today={today}
              action={action}
              files={`${action}/pu`}
              embed={pathIn(locale, `/embed${path}`)}
            />
          </Section>
          <Characteristics series={series} locale={locale} />
          <Trustee series={series} locale={locale} />
          <Section id="table" title={text.price.table}>
            <details>
              <summary>
                {text.price.table}: {locale.decimal(points.length)}
              </summary>
              <Table
                caption={text.price.table}
                rows={[...points].reverse()}
                keyOf={({ date }) => date}
                empty={text.operation.noPrice}
                columns={[
                  { label: text.table.date, kind: 'nowrap', cell: ({ date }) => locale.date(date) },
                  {
                    label: text.table.unitPrice,
                    kind: 'number',
                    cell: ({ value }) => locale.money(value, priceDecimals),
                  },
                ]}
              />
            </details>
          </Section>
        </>
      ),
    };
  },
});

interface PartProps {
  readonly series: Series;
  readonly locale: Locale;
}

function Heading({ series, locale }: PartProps) {
  const { text } = locale;
  const { operation, currentUnitPrice: price } = series;
  return (
    <>
      <div className="head">
        <nav className="crumbs" aria-label={text.crumbs}>
          <ol>
            <li>
              <a href={pathIn(locale, '/emissoes')}>{text.nav.operations}</a>
            </li>
            <li>
              <a href={pathIn(locale, `/emissoes/${operation.slug}`)}>{operation.name}</a>
            </li>
            <li aria-current="page">{series.ticker}</li>
          </ol>
        </nav>
        <h1>{text.series.title(series.ticker)}</h1>
        <div className="row">
          <Badge tone={toneOf(series.status)}>{series.statusLabel}</Badge>
          <span>{series.riskClassLabel}</span>
        </div>
      </div>
      <Stats
        items={[
          {
            label: text.table.unitPrice,
            value: locale.money(price?.value ?? null, priceDecimals),
            note: locale.date(price?.date ?? null),
          },
          { label: text.table.remuneration, value: remunerationOf(locale, series) },
          { label: text.table.maturity, value: locale.date(series.maturityDate) },
          { label: text.series.issuedTotal, value: locale.money(series.issuedTotal) },
        ]}
      />
    </>
  );
}

function Characteristics({ series, locale }: PartProps) {
  const { text } = locale;
  return (
    <Section id="facts" title={text.operation.facts}>
      <Facts
        items={[
          [text.table.number, series.number],
          [text.table.issue, locale.date(series.issueDate)],
          ['ISIN', series.isin],
          [text.series.ifCode, series.ifCode],
          [text.series.indexer, series.indexerLabel],
          [text.series.unitValue, locale.money(series.unitValue)],
          [text.table.quantity, locale.decimal(series.quantity)],
          [text.series.raised, locale.money(series.raisedAmount)],
          [text.series.quotas, locale.decimal(series.subscribedQuotas)],
          [text.operation.issuer, series.operation.issuer],
        ]}
      />
    </Section>
  );
}

/** The prices that the trustee computed on its own, beside those of the issuer. */
function Trustee({ series, locale }: PartProps) {
  const { price: text, table } = locale.text;
  return (
    <Section id="trustee" title={text.trustee}>
      <Table
        caption={text.trustee}
        rows={[...series.trusteeUnitPrices].reverse()}
        keyOf={({ date }) => date}
        empty={text.noTrustee}
        columns={[
          { label: table.date, kind: 'nowrap', cell: ({ date }) => locale.date(date) },
          { label: locale.text.operation.trustee, cell: ({ trustee }) => trustee },
          {
            label: text.trusteeValue,
            kind: 'number',
            cell: ({ trusteeValue }) => locale.money(trusteeValue, priceDecimals),
          },
          {
            label: text.issuerValue,
            kind: 'number',
            cell: ({ issuerValue }) => locale.money(issuerValue, priceDecimals),
          },
          {
            label: text.difference,
            kind: 'number',
            cell: ({ differencePercent }) => locale.percent(differencePercent, 4),
          },
        ]}
      />
    </Section>
  );
}

/** The chart alone, for other sites to frame. */
const embeddedChart = definePage({
  path: '/embed/series/:ticker',
  area: 'operations',
  query: rangeQuery,
  load: pricesOf,
  view: ({ ticker, points }, { locale, site }) => ({
    title: locale.text.series.title(ticker),
    description: '',
    path: `/embed/series/${ticker}`,
    framed: true,
    body: (
      <>
        <h1 className="lead">{ticker}</h1>
        <ChartOf locale={locale} ticker={ticker} points={points} />
        <p className="small">
          <a href={`${site.url}${pathIn(locale, `/series/${ticker}`)}`} target="_blank" rel="noopener">
            {locale.text.price.attribution(locale.text.siteName)}
          </a>
        </p>
      </>
    ),
  }),
});

const priceFiles = tablePages({
  path: '/series/:ticker/pu',
  area: 'operations',
  query: rangeQuery,
  load: pricesOf,
  table: ({ ticker, range, points }) =>
    tableOf(
      `${ticker}-${range.from}-${range.to}`,
      ['ticker', 'date', 'unitPrice'],
      points.map(({ date, value }) => ({ ticker, date, unitPrice: value })),
    ),
});

const pictures = pictureFormats.map((format) =>
  definePage({
    path: `/series/:ticker/pu.${format}`,
    area: 'operations',
    query: rangeQuery,
    load: pricesOf,
    view: ({ ticker, points }, { locale }) => chartPicture(format, ticker, points, locale),
  }),
);

/** The page of a series, its chart for other sites, and its prices as files. */
export const seriesPages: readonly Page[] = [seriesPage, embeddedChart, ...priceFiles, ...pictures];
