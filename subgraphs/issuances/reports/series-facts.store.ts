import type { Context } from '../../../shared/context.js';
import { Decimal } from '../../../shared/decimal.js';
import { groupBy } from '../../../shared/group-by.js';
import type { SeriesFacts } from './series-standing.js';
import type { Stored } from './stored.js';

type SeriesRow = Stored<Omit<SeriesFacts, 'price' | 'lastPriceDate' | 'redemptionPaidOn'>> & {
  readonly priceDate: string | null;
  readonly price: string | null;
  readonly lastPriceDate: string | null;
  readonly redemptionPaidOn: string | null;
};

/**
 * Loads the facts on a day of all series issued by then, by operation, in one query. A payment without a series is one of the whole
 * operation. A redemption is recognised by its label; a label with `parcial` is not a redemption of the whole series.
 */
export async function loadSeriesFacts(
  context: Context,
  operationIds: readonly string[],
  day: string,
): Promise<Map<string, SeriesFacts[]>> {
  const rows = await context.manager.rows<SeriesRow>(seriesSql, [operationIds, day]);
  const groups = groupBy(rows, ({ operationId }) => operationId);
  return new Map([...groups].map(([id, own]) => [id, own.map(toSeriesFacts)]));
}

function toSeriesFacts(row: SeriesRow): SeriesFacts {
  const { priceDate, price } = row;
  return {
    ...row,
    quantity: new Decimal(row.quantity),
    unitValue: new Decimal(row.unitValue),
    price: priceDate === null || price === null ? undefined : { date: priceDate, value: new Decimal(price) },
    lastPriceDate: row.lastPriceDate ?? undefined,
    redemptionPaidOn: row.redemptionPaidOn ?? undefined,
  };
}

const seriesSql = `
  SELECT series.operation_id AS "operationId", number, ticker, class, status, issue_date::text AS "issueDate",
    maturity_date::text AS "maturityDate", coalesce(subscribed_quotas, quantity) AS quantity, unit_value AS "unitValue",
    price.date::text AS "priceDate", price.value AS price,
    (SELECT max(date)::text FROM issuances.unit_prices WHERE series_id = series.id) AS "lastPriceDate",
    paid.redemption::text AS "redemptionPaidOn", coalesce(paid.unpaid, false) AS "hasUnpaid",
    coalesce(paid.at_maturity, false) AS "isPaidAtMaturity"
  FROM issuances.series
  LEFT JOIN LATERAL (
    SELECT date, value FROM issuances.unit_prices WHERE series_id = series.id AND date <= $2::date ORDER BY date DESC LIMIT 1
  ) AS price ON true
  LEFT JOIN LATERAL (
    SELECT max(paid_date) FILTER (WHERE paid_date <= $2::date AND event ~* 'resgate' AND event !~* 'parcia') AS redemption,
      bool_or((paid_date IS NULL OR paid_date > $2::date) AND (series_id = series.id OR due_date <= $2::date)) AS unpaid,
      bool_or(paid_date <= $2::date AND due_date >= series.maturity_date AND series_id = series.id) AS at_maturity
    FROM issuances.payments
    WHERE payments.operation_id = series.operation_id AND (series_id = series.id OR series_id IS NULL)
  ) AS paid ON true
  WHERE series.operation_id = ANY ($1) AND issue_date <= $2::date ORDER BY number`;
