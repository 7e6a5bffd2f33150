import { requirePeriod } from '../../shared/kernel/bounds.js';
import type { Context } from '../../shared/kernel/context.js';
import { arraysOf, groupBy, readAlike } from '../../shared/kernel/group-by.js';
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

/** Selection of the prices of a history: all, or the last one of each week or month. */
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

/** Returns the first day of the day, ISO week (from Monday) or month that contains a day, and that of the next one. Days are `YYYY-MM-DD`. */
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

const sqlPeriods: Readonly<Record<PriceInterval, string>> = {
  DAILY: 'date',
  WEEKLY: `date_trunc('week', date::timestamp)`,
  MONTHLY: `date_trunc('month', date::timestamp)`,
};

interface Period {
  readonly id: string;
  /** First and last day; null for no bound. */
  readonly from: string | null;
  readonly to: string | null;
  /** WEEKLY and MONTHLY keep the last price of each ISO week or month. */
  readonly interval: PriceInterval;
}

/** Selects prices of a series by its id: the last `limit` of a period, or the first ones. */
export interface PriceRange extends Period {
  readonly limit: number;
  readonly forward?: boolean;
}

/** Makes the batched reads of a table of prices: one query for all ranges that are alike but for series and days. The newest version of a day counts, where it has versions. */
export function priceReads<Row>(table: { name: string; owner: string; columns: string; isVersioned?: true }) {
  const wanted = `unnest($1::uuid[], $2::date[], $3::date[]) WITH ORDINALITY AS wanted (id, since, until, at)`;
  const stored = `FROM ${table.name} WHERE ${table.owner} = wanted.id
    AND date BETWEEN coalesce(wanted.since, '-infinity') AND coalesce(wanted.until, 'infinity')`;
  const grouped = <Range extends Period, Read extends { readonly at: number }>(
    { manager }: Context,
    ranges: readonly Range[],
    alikeIn: readonly (keyof Range)[],
    read: (range: Range) => readonly [sql: string, limit?: number],
  ): Promise<Read[][]> =>
    readAlike(ranges, alikeIn, async (one, alike) => {
      const [sql, ...limit] = read(one);
      const rows = groupBy(
        await manager.rows<Read>(sql, [...arraysOf(alike, 'id', 'from', 'to'), ...limit]),
        ({ at }) => at,
      );
      return (_range, index) => rows.get(index + 1) ?? [];
    });
  return {
    /** Returns prices, oldest first, in the order of the ranges. */
    pricesIn: (context: Context, ranges: readonly PriceRange[]) =>
      grouped<PriceRange, Row & { readonly at: number }>(
        context,
        ranges,
        ['interval', 'limit', 'forward'],
        ({ interval, limit, forward = false }) => [
          `SELECT wanted.at::int, ${table.columns} FROM ${wanted} CROSS JOIN LATERAL (
           SELECT DISTINCT ON (${sqlPeriods[interval]}) * ${stored}
           ORDER BY ${sqlPeriods[interval]} ${forward ? 'ASC' : 'DESC'}, date DESC${table.isVersioned ? ', version DESC' : ''}
           LIMIT $4) AS price ORDER BY price.date`,
          limit,
        ],
      ),
    /** Counts the prices of each period, in the order of the periods. */
    countPricesIn: async (context: Context, periods: readonly Period[]) =>
      (
        await grouped<Period, { readonly at: number; readonly count: number }>(
          context,
          periods,
          ['interval'],
          ({ interval }) => [
            `SELECT wanted.at::int, (SELECT count(DISTINCT ${sqlPeriods[interval]})::int ${stored}) AS count FROM ${wanted}`,
          ],
        )
      ).map(([one]) => one?.count ?? 0),
  };
}
