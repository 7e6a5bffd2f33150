import { chartPicture, pictureFormats } from '../files/chart-picture.js';
import { tableOf, tablePages } from '../files/table-file.js';
import { pathIn } from '../layout.js';
import { definePage, type Page } from '../page.js';
import { EmbeddedChart } from '../price-chart.js';
import { pricesOf, seriesQuery } from './prices.js';

/** Only the chart, for other sites to frame. */
const embeddedChart = definePage({
  path: '/embed/series/:ticker',
  area: 'operations',
  query: seriesQuery,
  load: pricesOf,
  view: ({ ticker, points }, { locale, site }) => ({
    title: locale.text.series.title(ticker),
    description: '',
    path: `/embed/series/${ticker}`,
    framed: true,
    body: (
      <EmbeddedChart
        locale={locale}
        ticker={ticker}
        points={points}
        site={site}
        source={`${site.url}${pathIn(locale, `/series/${ticker}`)}`}
      />
    ),
  }),
});

const priceFiles = tablePages({
  path: '/series/:ticker/pu',
  area: 'operations',
  query: seriesQuery,
  load: pricesOf,
  table: ({ ticker, range, points }) =>
    tableOf(
      `${ticker}-${range.from}-${range.to}`,
      ['ticker', 'date', 'unitPrice', 'projected'],
      points.map(({ date, value, projected }) => ({ ticker, date, unitPrice: value, projected })),
    ),
});

const pictures = pictureFormats.map((format) =>
  definePage({
    path: `/series/:ticker/pu.${format}`,
    area: 'operations',
    query: seriesQuery,
    load: pricesOf,
    view: ({ ticker, points }, { locale }) => chartPicture(format, ticker, points, locale),
  }),
);

/** The prices of a series as files and pictures, and its chart for other sites. */
export const seriesFiles: readonly Page[] = [embeddedChart, ...priceFiles, ...pictures];
