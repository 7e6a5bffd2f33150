import { z } from 'zod';
import { ApiError } from '../../shared/errors.js';
import { pathIn } from './layout.js';
import { dayOf, definePage, required, type Page } from './page.js';

/**
 * Short addresses that stay as they are, whatever becomes of the others: `/p/<ticker>` of an operation, a series or a tokenized series. The first of
 * these that has the ticker is meant.
 */
const permalink = definePage({
  path: '/p/:ticker',
  query: z.object({}),
  load: async ({ read, site, locale, params }) => {
    const ticker = required(params['ticker']);
    const [operation, series, tranche] = await Promise.all([
      site.operations ? read('operationEvents', { ticker, locale: locale.graph }) : undefined,
      site.operations ? read('seriesPage', { ticker, locale: locale.graph }) : undefined,
      read('trancheSchedule', { ticker, locale: locale.graph }),
    ]);
    if (operation?.operation != null) return `/emissoes/${operation.operation.slug}`;
    const [found] = series?.series.nodes ?? [];
    if (found !== undefined) return `/series/${found.ticker}`;
    if (tranche.tranche !== null) return `/tokenizacao/series/${tranche.tranche.ticker}`;
    throw new ApiError('NOT_FOUND');
  },
  view: (path, { locale }) => ({ location: pathIn(locale, path) }),
});

/** The same for the price of a day. */
const priceOfDay = definePage({
  path: '/p/:ticker/:date',
  query: z.object({}),
  load: async ({ read, site, params }) => {
    const ticker = required(params['ticker']);
    const date = dayOf(params['date']);
    const [series, price] = await Promise.all([
      site.operations ? read('seriesPrice', { ticker, date }) : undefined,
      read('tranchePrice', { ticker, date, locale: 'PT_BR' }),
    ]);
    const [found] = series?.series.nodes ?? [];
    if (found !== undefined) return `/series/${found.ticker}/pu/${date}`;
    return `/tokenizacao/series/${required(price.tranche).ticker}/pu/${date}`;
  },
  view: (path, { locale }) => ({ location: pathIn(locale, path) }),
});

export const permalinks: readonly Page[] = [permalink, priceOfDay];
