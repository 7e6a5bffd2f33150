import type { Context } from '../../shared/kernel/context.js';
import { arraysOf, groupBy, readAlike } from '../../shared/kernel/group-by.js';
import type { PriceInterval } from './price-page.js';

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
