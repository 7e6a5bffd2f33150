import { requirePeriod } from '../../shared/kernel/bounds.js';
import { addDays, addMonths } from '../../shared/kernel/calendar/days.js';
import type { CursorCodec } from '../../shared/graphql/cursor.js';
import { describeEnum } from '../../shared/graphql/describe-enum.js';
import {
  connectionPage,
  openPage,
  type ConnectionArguments,
  type ListPage,
  type PagedList,
} from '../../shared/graphql/list-page.js';

export type PriceInterval = 'DAILY' | 'WEEKLY' | 'MONTHLY';

export const PriceIntervalEnum = describeEnum<PriceInterval>('PriceInterval', 'Selection of the prices in a history.', {
  DAILY: 'Every price',
  WEEKLY: 'The last price of each week (Monday to Sunday)',
  MONTHLY: 'The last price of each month',
});

export interface PriceListRequest extends ConnectionArguments {
  readonly from: string | null;
  readonly to: string | null;
  readonly interval: PriceInterval;
}

/** Numbers of prices on a page; without arguments a page has the newest ones. */
export type PriceList = Pick<PagedList, 'scope' | 'usual' | 'most'>;

/** Prices to read: the prices of whole periods between two days, and one more than the page holds if there are more. */
export interface PricePage {
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number;
  /** Whether the first ones of the range are read, and not the last ones. */
  readonly forward: boolean;
  /** Makes the page of the prices that were read, oldest first. */
  readonly take: <Row extends { readonly date: string }>(found: readonly Row[]) => ListPage<Row>;
}

/** A cursor stands for the period of its price, of which no other price is on another page. @throws {ApiError} BAD_REQUEST for arguments out of bounds, a wrong cursor or period */
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

/** Returns the first day of the day, ISO week (from Monday) or month that contains a day, and the first day of the next one. Days are `YYYY-MM-DD`. */
function periodOf(interval: PriceInterval, day: string): { readonly start: string; readonly next: string } {
  if (interval === 'DAILY') return { start: day, next: addDays(day, 1) };
  if (interval === 'MONTHLY') {
    const month = day.slice(0, 7);
    return { start: `${month}-01`, next: `${addMonths(month, 1)}-01` };
  }
  const daysSinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const start = addDays(day, -daysSinceMonday);
  return { start, next: addDays(start, 7) };
}
