import { z } from 'zod';
import { fields, required, type PageRequest } from '../page.js';
import { mostPoints, rangeFields, rangeOf } from '../price-range.js';

export const trancheQuery = z.object({ ...rangeFields, asOf: fields.moment });
export type TrancheRequest = PageRequest<z.output<typeof trancheQuery>>;

/** Reads the unit prices of a tokenized series in the range of the query, with their factors. */
export async function tranchePricesOf({ read, params, query, today, locale }: TrancheRequest) {
  const range = rangeOf(query, today, locale);
  const { tranche } = await read('tranchePrices', {
    ticker: required(params['ticker']),
    ...range,
    first: mostPoints,
    ...(query.asOf === undefined ? {} : { asOf: query.asOf }),
  });
  const { ticker, unitPrices } = required(tranche);
  return {
    range,
    ticker,
    prices: unitPrices.nodes,
    points: unitPrices.nodes.map(({ date, unitPrice }) => ({ date, value: unitPrice })),
  };
}
