import { renderToStaticMarkup } from 'react-dom/server';
import { LineChart } from '../../design/line-chart.js';
import { pathIn } from '../layout.js';
import { definePage, type Page, type PageParts, type PageRequest } from '../page.js';
import { chartOf, EmbeddedChart, viewOf } from '../price-chart.js';
import { priceQuery, type Prices } from '../prices.js';
import type { z } from 'zod';

/** Returns the chart of a series alone: as pictures that other sites may show, and as a page for them to frame. */
export function chartPages({
  path,
  load,
  area = 'all',
}: {
  /** Of the page of the series. */
  readonly path: string;
  readonly area?: NonNullable<PageParts<never, never>['area']>;
  readonly load: (request: PageRequest<z.output<typeof priceQuery>>) => Promise<Prices & { readonly ticker: string }>;
}): readonly Page[] {
  const pictures = (['svg', 'png'] as const).map((format) =>
    definePage({
      path: `${path}/pu.${format}`,
      area,
      query: priceQuery,
      load,
      view: async (prices, { locale, query }) => {
        const { ticker } = prices;
        const chart = chartOf({ locale, ticker, prices, view: viewOf(prices, query.view) });
        const svg = renderToStaticMarkup(<LineChart {...chart} standalone />);
        if (format === 'svg') return { type: 'image/svg+xml', bytes: svg, shared: true };
        // Loaded with the first picture: the program starts without it.
        const { renderAsync } = await import('@resvg/resvg-js');
        const image = await renderAsync(svg, { fitTo: { mode: 'width', value: 1200 } });
        return { type: 'image/png', bytes: image.asPng(), shared: true };
      },
    }),
  );
  const embedded = definePage({
    path: `/embed${path}`,
    area,
    query: priceQuery,
    load,
    view: (prices, { locale, site, query }) => {
      const own = path.replace(':ticker', prices.ticker);
      return {
        title: prices.ticker,
        description: '',
        path: `/embed${own}`,
        framed: true,
        hasChart: true,
        body: (
          <EmbeddedChart
            {...{ locale, site, prices }}
            view={viewOf(prices, query.view)}
            source={`${site.url}${pathIn(locale, own)}`}
          />
        ),
      };
    },
  });
  return [embedded, ...pictures];
}
