import { z } from 'zod';
import { Empty, Table, type Column } from '../design/basics.js';
import type { Operations } from './graph/operations.js';
import { pathIn, Head, operationsStep } from './layout.js';
import { definePage, remunerationsOf, type Locale } from './page.js';
import { priceDecimals } from './price-chart.js';
import { rangeOf } from './prices.js';
import { State } from './tones.js';

export const comparisonPath = '/comparar';
const mostCompared = 4;

type Operation = Operations['operationComparison']['data']['operationComparison']['operations'][number];

const code = z.string().max(100, 'long');

/** Up to four operations side by side, as they were chosen in the list. */
export const comparisonPage = definePage({
  path: comparisonPath,
  query: z.object({
    codigo: z.union([code.transform((one) => [one]), z.array(code)]).default([]),
  }),
  load: async ({ read, locale, query, today }) => {
    if (query.codigo.length === 0) return [];
    const { operationComparison: found } = await read('operationComparison', {
      tickers: query.codigo.slice(0, mostCompared),
      locale: locale.graph,
      yearAgo: rangeOf({}, today, locale).from,
    });
    return found.operations;
  },
  view: (operations, { locale, query }) => {
    const { list } = locale.text;
    const isTooMany = query.codigo.length > mostCompared;
    const chosen = new URLSearchParams(operations.map(({ ticker }) => ['codigo', ticker]));
    return {
      title: list.comparison,
      description: list.comparison,
      path: chosen.size === 0 ? comparisonPath : `${comparisonPath}?${chosen.toString()}`,
      area: 'operations',
      status: isTooMany ? 400 : 200,
      body: (
        <>
          <Head locale={locale} way={[operationsStep(locale)]} here={list.comparison} title={list.comparison} />
          {isTooMany ? <p className="notice bad">{locale.text.errors.compared}</p> : null}
          {operations.length === 0 ? (
            <Empty>{list.choose}</Empty>
          ) : (
            <Table
              caption={list.comparison}
              rows={rowsOf(locale)}
              keyOf={([label]) => label}
              columns={[
                { label: locale.text.operation.facts, cell: ([label]) => label },
                ...operations.map((operation): Column<Row> => ({
                  label: operation.ticker,
                  // With its label where a phone shows a row as a card.
                  kind: operations.length > 2 ? 'nowrap' : 'text',
                  cell: ([, write]) => write(operation),
                })),
              ]}
            />
          )}
        </>
      ),
    };
  },
});

type Row = readonly [label: string, write: (operation: Operation) => React.ReactNode];

function rowsOf(locale: Locale): readonly Row[] {
  const { table, operation: text, price, series: ofSeries } = locale.text;
  const percent = (value: string | null | undefined) => locale.percent(value ?? null);
  return [
    [table.name, ({ slug, name }) => <a href={pathIn(locale, `/emissoes/${slug}`)}>{name}</a>],
    [table.type, ({ type }) => type],
    [table.status, State],
    [locale.text.list.alert, ({ alertKinds }) => alertKinds.map((kind) => text.alerts[kind]).join(', ') || '—'],
    [text.issuer, ({ issuer }) => issuer],
    [table.remuneration, ({ series }) => remunerationsOf(locale, series)],
    [table.series, ({ series }) => series[0]?.ticker],
    [table.unitPrice, ({ series }) => locale.money(series[0]?.currentUnitPrice?.value ?? null, priceDecimals)],
    [text.earned, ({ series }) => percent(series[0]?.priceReturn?.percent)],
    [price.ofCdi, ({ series }) => percent(series[0]?.priceReturn?.cdi?.percentOfCdi)],
    [ofSeries.yield, ({ series }) => percent(series[0]?.yieldToMaturity?.percent)],
    [ofSeries.duration, ({ series }) => locale.decimal(series[0]?.yieldToMaturity?.duration ?? null, 2)],
    [table.maturity, ({ maturityDate }) => locale.date(maturityDate)],
    [table.volume, ({ volume }) => locale.money(volume, 0)],
    [table.rating, ({ rating }) => rating],
    [text.subordination, ({ report }) => percent(report?.subordination.index)],
    [text.coverage, ({ report }) => percent(report?.subordination.coverage)],
    [text.ltv, ({ report }) => percent(report?.ltv.ltv)],
    [text.delinquency, ({ report }) => percent(report?.portfolio.overdueShare)],
    [table.debtors, ({ report }) => locale.decimal(report?.portfolio.debtors ?? null)],
    [text.largest('1', true), ({ report }) => percent(report?.concentration.largest[0]?.share)],
  ];
}
