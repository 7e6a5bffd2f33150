import { z } from 'zod';
import type { AtMoment } from '../moment.js';
import { fields, required, type PageRequest } from '../page.js';
import { mostPoints, rangeFields, rangeOf } from '../price-range.js';

/** What files and pictures of a tokenized series are asked for with. */
export const trancheQuery = z.object({ ...rangeFields, asOf: fields.moment });
export type TrancheRequest = PageRequest<z.output<typeof trancheQuery>>;
type Range = Pick<z.output<typeof trancheQuery>, 'from' | 'to'>;

/** Reads the unit prices of a tokenized series in the range of the query, with their factors; undefined where it was not known at the moment. */
export async function tranchePricesAt(request: PageRequest<Range>, at: AtMoment) {
  const { read, params, query, today, locale } = request;
  const range = rangeOf(query, today, locale);
  const { tranche } = await read('tranchePrices', {
    ticker: required(params['ticker']),
    ...range,
    first: mostPoints,
    ...at,
  });
  if (tranche === null) return undefined;
  const { ticker, unitPrices, priceReturn: earned } = tranche;
  return {
    range,
    ticker,
    earned,
    prices: unitPrices.nodes,
    points: unitPrices.nodes.map(({ date, unitPrice }) => ({ date, value: unitPrice })),
  };
}

/** Does the same for a file. @throws {ApiError} NOT_FOUND for a series that was not known */
export async function tranchePricesOf(request: TrancheRequest) {
  const { asOf } = request.query;
  return required(await tranchePricesAt(request, asOf === undefined ? {} : { asOf }));
}
