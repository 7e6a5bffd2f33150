import { eventOf } from '../interest-events.js';
import { pathIn } from '../layout.js';
import { definePage, required, type Page } from '../page.js';
import { EmbeddedChart } from '../price-chart.js';
import { tranchePricesOf, trancheQuery, type TrancheRequest } from '../tokens/tranche-prices.js';
import { calendarFile } from './calendar-file.js';
import { chartPicture, pictureFormats } from './chart-picture.js';
import { tableOf, tablePages } from './table-file.js';

const base = '/tokenizacao/series/:ticker';

const priceFiles = tablePages({
  path: `${base}/pu`,
  query: trancheQuery,
  load: tranchePricesOf,
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

const pictures = pictureFormats.map((format) =>
  definePage({
    path: `${base}/pu.${format}`,
    query: trancheQuery,
    load: tranchePricesOf,
    view: ({ ticker, points }, { locale }) => chartPicture(format, ticker, points, locale),
  }),
);

const embedded = definePage({
  path: `/embed${base}`,
  query: trancheQuery,
  load: tranchePricesOf,
  view: ({ ticker, points }, { locale, site }) => ({
    title: ticker,
    description: '',
    path: `/embed/tokenizacao/series/${ticker}`,
    framed: true,
    body: (
      <EmbeddedChart
        locale={locale}
        ticker={ticker}
        points={points}
        site={site}
        source={`${site.url}${pathIn(locale, `/tokenizacao/series/${ticker}`)}`}
      />
    ),
  }),
});

const scheduleOf = async ({ read, locale, params, query }: TrancheRequest) => {
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
  query: trancheQuery,
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

/** The payments of a tokenized series, for calendars. */
const calendar = definePage({
  path: `${base}/agenda.ics`,
  query: trancheQuery,
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

export const trancheFiles: readonly Page[] = [...priceFiles, ...pictures, embedded, ...scheduleFiles, calendar];
