import { renderToStaticMarkup } from 'react-dom/server';
import { Empty } from '../../design/basics.js';
import { LineChart } from '../../design/line-chart.js';
import { pathIn } from '../layout.js';
import { definePage, type Page, type PageRequest, type Locale } from '../page.js';
import { chartOf, Figure, rowsOf, viewOf } from '../price-chart.js';
import { priceQuery, type Prices } from '../prices.js';
import type { z } from 'zod';

type Query = z.output<typeof priceQuery>;
type Shown = Prices & { readonly ticker: string };

/** Returns pages with only the chart of a series: as pictures that other sites may show, and as a page for other sites to embed. */
export function chartPages({
  path,
  load,
}: {
  readonly path: string;
  readonly load: (request: PageRequest<Query>) => Promise<Shown>;
}): readonly Page[] {
  const pictures = (['svg', 'png'] as const).map((format) =>
    definePage({
      path: `${path}/pu.${format}`,
      query: priceQuery,
      load,
      view: async (prices, { locale, query }) => {
        const svg = renderToStaticMarkup(<LineChart {...chartOf(shownOf(prices, locale, query))} standalone />);
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
        // Its picture takes what the frame leaves it.
        body: (
          <>
            <h1>{prices.ticker}</h1>
            {prices.points.length === 0 ? (
              <Empty>{locale.text.operation.noPrice}</Empty>
            ) : (
              <Figure {...shownOf(prices, locale, query)} />
            )}
            <p className="small">
              <a href={`${site.url}${pathIn(locale, own)}`} target="_blank" rel="noopener">
                {locale.text.price.attribution(site.house.name)}
              </a>
            </p>
          </>
        ),
      };
    },
  });
  return [embedded, ...pictures];
}

const shownOf = (prices: Shown, locale: Locale, query: Query) => ({
  locale,
  ticker: prices.ticker,
  rows: rowsOf(locale, prices),
  view: viewOf(prices, query.view),
});
