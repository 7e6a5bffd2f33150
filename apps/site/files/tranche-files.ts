import { z } from 'zod';
import { eventOf } from '../interest-events.js';
import { pathIn } from '../layout.js';
import { definePage, required, type Page, type PageRequest } from '../page.js';
import { priceQuery, trancheFile } from '../prices.js';
import { calendarFile } from './calendar-file.js';
import { chartPages } from './chart-pages.js';
import { tableOf, tablePages } from './table-file.js';
import { everyPage } from '../every-page.js';
import { assetFields, assetVariables } from '../tokens/assets.js';

const base = '/tokenizacao/series/:ticker';

const priceFiles = tablePages({
  path: `${base}/pu`,
  query: priceQuery,
  load: trancheFile.prices,
  table: ({ ticker, range, prices }) =>
    tableOf(
      `${ticker}-${range.from}-${range.to}`,
      [
        'ticker',
        'date',
        'unitPrice',
        'nominalValue',
        'interestJ',
        'indexFactor',
        'diFactor',
        'spreadFactor',
        'interestFactor',
        'businessDays',
        'amortization',
        'payment',
        'version',
        'calculatedAt',
        'projected',
      ],
      prices.map((one) => ({ ...one, ticker })),
    ),
});

const charts = chartPages({ path: base, load: trancheFile.chart });

const scheduleOf = async ({ read, locale, params, query }: PageRequest<z.output<typeof priceQuery>>) => {
  const asOf = query.asOf === undefined ? {} : { asOf: query.asOf };
  const { tranche } = await read('trancheSchedule', {
    ticker: required(params['ticker']),
    locale: locale.graph,
    ...asOf,
  });
  return required(tranche);
};

const scheduleFiles = tablePages({
  path: `${base}/agenda`,
  query: priceQuery,
  load: scheduleOf,
  table: ({ ticker, schedule }) =>
    tableOf(
      `${ticker}-schedule`,
      [
        'ticker',
        'installmentNumber',
        'dueDate',
        'status',
        'amortizationPercentage',
        'interestValue',
        'principalValue',
        'totalValue',
        'projected',
        'paidOn',
        'openValue',
        'event',
        'premiumValue',
      ],
      schedule.nodes.map((one) => ({ ...one, ticker })),
    ),
});

const calendar = definePage({
  path: `${base}/agenda.ics`,
  query: priceQuery,
  load: scheduleOf,
  view: ({ ticker, name, schedule, events }, { locale, site, today }) => {
    const { text } = locale;
    return calendarFile(
      ticker,
      // Projected amounts may be others each day.
      `${today}T00:00:00`,
      schedule.nodes.map((one) => ({
        id: `${ticker}-${one.event ?? String(one.installmentNumber)}@lastro`,
        day: one.dueDate,
        title: `${name}: ${eventOf(locale, one, events)}`,
        description: `${one.statusLabel}. ${locale.money(one.totalValue)} (${one.projected ? text.tranche.estimated : text.tranche.confirmed})`,
        url: `${site.url}${pathIn(locale, `/tokenizacao/series/${ticker}`)}#schedule`,
        status: one.status !== 'PAID' && (one.projected || one.totalValue === null) ? 'TENTATIVE' : 'CONFIRMED',
      })),
    );
  },
});

export const trancheFiles: readonly Page[] = [...priceFiles, ...charts, ...scheduleFiles, calendar];

/** Pages of a hundred rows that a file is made of. Somebody who needs more assets reads `/public/assets`. */
const mostPages = 100;

const estateFiles = tablePages({
  path: '/tokenizacao/patrimonios',
  query: z.object({}),
  load: ({ read, locale }) =>
    everyPage(mostPages, async (after) => {
      const { patrimonies } = await read('patrimonyList', { locale: locale.graph, first: 100, after });
      return patrimonies;
    }),
  table: (rows) =>
    tableOf(
      'estates',
      ['ticker', 'name', 'slug', 'status', 'trancheCount', 'assetCount', 'totalIssued', 'createdAt'],
      rows,
    ),
});

const assetFiles = tablePages({
  path: '/tokenizacao/ativos',
  query: z.object(assetFields),
  load: ({ read, locale, query }) =>
    everyPage(mostPages, async (after) => {
      const { assets } = await read('assetList', { locale: locale.graph, first: 100, after, ...assetVariables(query) });
      return assets;
    }),
  table: (rows) =>
    tableOf(
      'assets',
      [
        'id',
        'externalId',
        'type',
        'status',
        'debtorName',
        'originalValue',
        'currentBalance',
        'interestRate',
        'installments',
        'paidInstallments',
        'finalDueDate',
        'patrimonyName',
      ],
      rows,
    ),
});

export const tokenFiles: readonly Page[] = [...estateFiles, ...assetFiles];
