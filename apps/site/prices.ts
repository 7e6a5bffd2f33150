import { z } from 'zod';
import { daysBetween, addDays } from '../../shared/kernel/calendar/days.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { Decimal, round } from '../../shared/kernel/decimal.js';
import type { Operations } from './graph/operations.js';
import type { AtMoment } from './moment.js';
import { fields, required, type PageRequest, type Locale } from './page.js';

/** The days of a chart and of its files, and how dense its prices are. */
interface PriceRange {
  readonly from: string;
  readonly to: string;
  readonly interval: 'DAILY' | 'WEEKLY' | 'MONTHLY';
  /** Input that was rejected as a range, and the error. */
  readonly refused?: { readonly from: string; readonly to: string; readonly error: string };
}

const rangeFields = { from: fields.day, to: fields.day };

/** Days of a range whose prices are shown day by day, and week by week: no range has more than a thousand points. */
const [mostDaily, mostWeekly] = [1_110, 6_000];
const mostPoints = 1_000;

/** Returns the range that a reader asks for; the last twelve months without one, and in place of one that ends before it begins. */
export function rangeOf(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
  locale: Locale,
): PriceRange {
  const to = query.to ?? today;
  const from = query.from ?? addDays(to, -365);
  if (from > to) return { ...rangeOf({}, today, locale), refused: { from, to, error: locale.text.errors.order } };
  const days = daysBetween(from, to);
  return { from, to, interval: days <= mostDaily ? 'DAILY' : days <= mostWeekly ? 'WEEKLY' : 'MONTHLY' };
}

export function usualRanges(
  to: string,
  start: string,
  { text }: Locale,
): readonly { readonly text: string; readonly from: string }[] {
  const { ranges } = text.price;
  return [
    { text: ranges.m1, from: addDays(to, -30) },
    { text: ranges.m6, from: addDays(to, -182) },
    { text: ranges.y1, from: addDays(to, -365) },
    { text: ranges.y3, from: addDays(to, -1096) },
    { text: ranges.all, from: start < to ? start : to },
  ];
}

export const chartFields = { ...rangeFields, view: fields.oneOf(['price', 'return']), asOf: fields.typedMoment };
export const priceQuery = z.object({ ...chartFields, asOf: fields.moment });
type Query = z.output<typeof priceQuery>;
type PriceRequest = PageRequest<Pick<Query, 'from' | 'to'>>;

type Found = Operations['seriesPrices']['data']['series']['nodes'][number];

export interface Prices {
  readonly range: PriceRange;
  readonly points: readonly { readonly date: string; readonly value: string; readonly projected: boolean }[];
  /** The prices at which the range begins and ends; null without a price in it. */
  readonly earned: Found['priceReturn'];
  /** Null where an amount is not known. */
  readonly payments: Found['unitPayments'];
  /** The return of the CDI up to each day, in percent. */
  readonly cdi?: ReadonlyMap<string, string>;
}

export const noPrices = (range: PriceRange): Prices => ({ range, points: [], earned: null, payments: [] });

/** Returns a return as percent of the CDI's return; null if one of them is not known. */
export function percentOfCdi(
  earned: Pick<NonNullable<Prices['earned']>, 'factor'> | null,
  cdi: string | null | undefined,
): string | null {
  if (earned?.factor == null || cdi == null || Number(cdi) === 0) return null;
  return round(new Decimal(earned.factor).minus(1).times(10_000).div(cdi), 4).toFixed(4);
}

async function seriesPrices({ read, params, query, today, locale }: PriceRequest, at: AtMoment) {
  const range = rangeOf(query, today, locale);
  const asked = { ticker: required(params['ticker']), ...range, ...at, first: mostPoints };
  const {
    ticker,
    unitPrices,
    priceReturn: earned,
    unitPayments: payments,
  } = required((await read('seriesPrices', asked)).series.nodes[0]);
  return { range, ticker, points: unitPrices.nodes, earned, payments };
}

/** Does the same for a tokenized series, with the factors of its prices; undefined where it was not known at the moment. */
async function tranchePrices({ read, params, query, today, locale }: PriceRequest, at: AtMoment) {
  const range = rangeOf(query, today, locale);
  const asked = { ticker: required(params['ticker']), ...range, ...at, first: mostPoints };
  const { tranche } = await read('tranchePrices', asked);
  if (tranche === null) return undefined;
  const { ticker, unitPrices, priceReturn: earned, unitPayments: payments } = tranche;
  const points = unitPrices.nodes.map(({ date, unitPrice, projected }) => ({ date, value: unitPrice, projected }));
  return { range, ticker, points, prices: unitPrices.nodes, earned, payments };
}

/** Reads the return of the CDI up to each day of a period. It is read apart, since what one domain returns is cached. */
export const cdiIn = async (
  { read }: Pick<PageRequest<never>, 'read'>,
  period: Pick<NonNullable<Prices['earned']>, 'from' | 'to'>,
  at: AtMoment = {},
) => {
  const { from, to } = period;
  return (await read('cdiReturns', { from, first: daysBetween(from, to) + 1, ...at })).cdiReturns;
};

const withCdi =
  <T extends Prices>(readAt: (request: PriceRequest, at: AtMoment) => Promise<T | undefined>) =>
  async (request: PriceRequest, at: AtMoment): Promise<T | undefined> => {
    const prices = await readAt(request, at);
    if (prices?.earned == null) return prices;
    const days = await cdiIn(request, prices.earned, at);
    return { ...prices, cdi: new Map(days.map(({ date, percent }) => [date, percent])) };
  };
export const seriesChart = withCdi(seriesPrices);
export const trancheChart = withCdi(tranchePrices);

/** Makes the reader of a file, at the moment of its query. @throws {ApiError} BAD_REQUEST for a range that is none; NOT_FOUND for what was not known then */
const ofFile =
  <T>(readAt: (request: PriceRequest, at: AtMoment) => Promise<T | undefined>) =>
  async (request: PageRequest<Query>): Promise<T> => {
    const { query, today, locale } = request;
    const { refused } = rangeOf(query, today, locale);
    if (refused !== undefined)
      throw new ApiError('BAD_REQUEST', { details: [{ path: 'from', message: refused.error }] });
    return required(await readAt(request, query.asOf === undefined ? {} : { asOf: query.asOf }));
  };

export const seriesFile = { prices: ofFile(seriesPrices), chart: ofFile(seriesChart) };
export const trancheFile = { prices: ofFile(tranchePrices), chart: ofFile(trancheChart) };
