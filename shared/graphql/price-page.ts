import { requirePeriod } from '../kernel/bounds.js';
import { addDays } from '../kernel/calendar/days.js';
import { periodOf } from '../kernel/calendar/periods.js';
import type { CursorCodec } from './cursor.js';
import { connectionPage, openPage, type ConnectionArguments, type ListPage, type PagedList } from './list-page.js';
import type { PriceInterval } from '../securities/price-interval.js';

/** The prices that a caller asks for, oldest first; of a week or month the last one. */
export interface PriceListRequest extends ConnectionArguments {
  readonly from: string | null;
  readonly to: string | null;
  readonly interval: PriceInterval;
}

/** Numbers of prices on a page; without arguments a page has the newest ones. */
export type PriceList = Pick<PagedList, 'scope' | 'usual' | 'most'>;

/** Prices to read: those of whole periods between two days, and one more than the page holds if there are more. */
export interface PricePage {
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number;
  /** Whether the first ones of the range are read, and not the last ones. */
  readonly forward: boolean;
  /** Makes the page of the prices that were read, oldest first. */
  readonly take: <Row extends { readonly date: string }>(found: readonly Row[]) => ListPage<Row>;
}

/**
 * Validates the arguments of a page of prices. A cursor stands for the period of its price, of which no other price is on another page.
 * @throws {ApiError} BAD_REQUEST for arguments out of bounds, an invalid cursor, and a period that ends before it begins
 */
export function openPricePage(
  codec: CursorCodec,
  { from, to, interval, ...wanted }: PriceListRequest,
  { scope, ...size }: PriceList,
): PricePage {
  requirePeriod(from, to);
  const list = { ...size, scope: JSON.stringify([scope, from, to, interval]), fromEnd: true };
  const page = openPage(codec, connectionPage(wanted), list);
  const forward = !page.backward;
  const bounds = page.after === undefined ? undefined : periodOf(interval, page.after);
  return {
    from: bounds !== undefined && forward ? later(from, bounds.next) : from,
    to: bounds !== undefined && !forward ? earlier(to, addDays(bounds.start, -1)) : to,
    limit: page.limit + 1,
    forward,
    take: (found) => page.take(forward ? found : found.toReversed(), ({ date }) => [date]),
  };
}

function later(left: string | null, right: string): string {
  return left !== null && left > right ? left : right;
}

function earlier(left: string | null, right: string): string {
  return left !== null && left < right ? left : right;
}
