import { z } from 'zod';
import type { AtMoment } from '../moment.js';
import { fields, required, type PageRequest } from '../page.js';
import { mostPoints, rangeFields, rangeOf } from '../price-range.js';

/** What files and pictures of prices are asked for with. */
export const seriesQuery = z.object({ ...rangeFields, asOf: fields.moment });
type Range = Pick<z.output<typeof seriesQuery>, 'from' | 'to'>;

/** Reads the unit prices of a series in the range of the query, as they were known at a moment. */
export async function pricesAt({ read, params, query, today, locale }: PageRequest<Range>, at: AtMoment) {
  const range = rangeOf(query, today, locale);
  const { series } = await read('seriesPrices', {
    ticker: required(params['ticker']),
    ...range,
    ...at,
    first: mostPoints,
  });
  const { ticker, operation, unitPrices } = required(series.nodes[0]);
  return { range, ticker, slug: operation.slug, points: unitPrices.nodes };
}

/** Does the same for a file. */
export function pricesOf(request: PageRequest<z.output<typeof seriesQuery>>) {
  const { asOf } = request.query;
  return pricesAt(request, asOf === undefined ? {} : { asOf });
}

/** Reads the return of that range, with the CDI beside it; apart from the prices, which are cached as data of one domain. */
export async function returnAt({ read, params, query, today, locale }: PageRequest<Range>, at: AtMoment) {
  const { from, to } = rangeOf(query, today, locale);
  const { series } = await read('seriesReturn', { ticker: required(params['ticker']), from, to, ...at });
  return required(series.nodes[0]).priceReturn;
}
