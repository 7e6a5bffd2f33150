import { z } from 'zod';
import { Facts, Section, Stats, TableSection } from '../../design/basics.js';
import { AsOfNotice } from '../as-of.js';
import type { Operations } from '../graph/operations.js';
import { pathIn, Head, operationsStep, operationStep } from '../layout.js';
import { productData } from '../linked-data.js';
import { asOfOf, readAsOf } from '../moment.js';
import { definePage, required, remunerationOf, type Locale } from '../page.js';
import { PriceChart, priceDecimals } from '../price-chart.js';
import { State } from '../tones.js';
import { chartFields, noPrices, seriesChart, rangeOf } from '../prices.js';

type Series = Operations['seriesPage']['data']['series']['nodes'][number];
type Tranches = Operations['seriesTranches']['data']['tranches']['nodes'];

/** A series of an operation: its prices, as they are known now or were at a moment, and its characteristics. */
export const seriesPage = definePage({
  path: '/series/:ticker',
  query: z.object(chartFields),
  load: async (request) => {
    const { read, params, locale, query, today } = request;
    const ticker = required(params['ticker']);
    const seriesAt = (at: { readonly asOf?: string }) => read('seriesPage', { ticker, locale: locale.graph, ...at });
    const [{ asOf, found }, { tranches }] = await Promise.all([
      readAsOf(asOfOf(query.asOf), (at) => Promise.all([seriesAt(at), seriesChart(request, at)])),
      read('seriesTranches', { ticker, date: today }),
    ]);
    const [{ series }, prices = noPrices(rangeOf(query, today, locale))] = found ?? [await seriesAt({})];
    return {
      series: required(series.nodes[0]),
      tranches: tranches.nodes,
      asOf,
      isShown: found !== undefined,
      prices,
    };
  },
  view: ({ series, tranches, prices, asOf, isShown }, { locale, today, site, query }) => {
    const { text } = locale;
    const path = `/series/${series.ticker}`;
    const action = pathIn(locale, path);
    const { operation } = series;
    const price = isShown ? series.currentUnitPrice : null;
    return {
      title: text.series.title(series.ticker),
      description: text.series.description(series.ticker, operation.name),
      path,
      area: 'operations',
      status: asOf.error === undefined && prices.range.refused === undefined ? 200 : 400,
      image: `${action}/pu.png`,
      hasChart: true,
      data: productData({
        name: text.series.title(series.ticker),
        identifier: series.ticker,
        category: series.riskClassLabel,
        url: `${site.url}${action}`,
        amount: series.issuedTotal,
        provider: operation.issuer,
        codes: { ISIN: series.isin },
        partOf: { name: operation.name, url: `${site.url}${pathIn(locale, `/emissoes/${operation.slug}`)}` },
      }),
      body: (
        <>
          <Heading series={series} price={price} locale={locale} />
          <AsOfNotice asOf={asOf} locale={locale} isKnown={price !== null} />
          <Section id="prices" title={text.operation.prices}>
            <PriceChart
              locale={locale}
              ticker={series.ticker}
              prices={prices}
              view={query.view}
              start={series.issueDate}
              today={today}
              action={action}
              asOf={asOf}
              files={`${action}/pu`}
              embed={pathIn(locale, `/embed${path}`)}
              site={site}
            />
            <Origin series={series} tranches={tranches} locale={locale} />
          </Section>
          <Characteristics
            series={series}
            earns={series.yieldToMaturity ?? (asOf.typed === undefined ? (tranches[0]?.yieldToMaturity ?? null) : null)}
            locale={locale}
          />
          <Trustee series={series} locale={locale} />
        </>
      ),
    };
  },
});

interface PartProps {
  readonly series: Series;
  readonly locale: Locale;
}

function Heading({ series, price, locale }: PartProps & { readonly price: Series['currentUnitPrice'] }) {
  const { text } = locale;
  return (
    <>
      <Head
        locale={locale}
        way={[operationsStep(locale), operationStep(series.operation)]}
        here={series.ticker}
        title={text.series.title(series.ticker)}
      >
        <div className="row">
          <State {...series} />
          <span>{series.riskClassLabel}</span>
        </div>
      </Head>
      <Stats
        items={[
          {
            label: text.table.unitPrice,
            value: locale.money(price?.value ?? null, priceDecimals),
            note: locale.date(price?.date ?? null),
          },
          ...(/[1-9]/.test(series.overdueValue ?? '')
            ? [{ label: text.tranche.overdue, value: locale.money(series.overdueValue, priceDecimals) }]
            : []),
          { label: text.table.remuneration, value: remunerationOf(locale, series) },
          { label: text.table.maturity, value: locale.date(series.maturityDate) },
          { label: text.series.issuedTotal, value: locale.money(series.issuedTotal) },
        ]}
      />
    </>
  );
}

function Origin(props: { readonly series: Series; readonly tranches: Tranches; readonly locale: Locale }) {
  const { series, tranches, locale } = props;
  const { seriesDay: text } = locale.text;
  return (
    <p className="small muted">
      {series.pricing === 'ENGINE' ? text.engineList : text.importedList}
      {tranches.length === 0 ? null : ` ${text.computedList} `}
      {tranches.map(({ ticker, name }, at) => (
        <span key={ticker}>
          {at === 0 ? '' : ', '}
          <a href={pathIn(locale, `/tokenizacao/series/${ticker}`)}>{name}</a>
        </span>
      ))}
    </p>
  );
}

function Characteristics({ series, earns, locale }: PartProps & { readonly earns: Series['yieldToMaturity'] }) {
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
          [text.series.yield, earns === null ? null : locale.percent(earns.percent, 4)],
          [text.series.duration, earns === null ? null : text.series.years(locale.decimal(earns.duration))],
          [text.operation.issuer, series.operation.issuer],
        ]}
      />
    </Section>
  );
}

function Trustee({ series, locale }: PartProps) {
  const { price: text, table } = locale.text;
  return (
    <TableSection
      id="trustee"
      title={text.trustee}
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
  );
}
