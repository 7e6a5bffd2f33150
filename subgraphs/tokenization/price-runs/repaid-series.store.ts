import type { Context } from '../../../shared/context.js';
import type { ShownPrice } from './unit-price-update.js';

/**
 * SQL: whether the series `t` owes nothing any more: it is CLOSED, or all its instalments are paid and amortize the whole
 * of it.
 */
export const isRepaid = `(t.status = 'CLOSED' OR coalesce((
  SELECT bool_and(e.status = 'PAID')
    AND CASE t.amortization_of WHEN 'BALANCE' THEN max(e.amortization_percentage) ELSE sum(e.amortization_percentage) END = 100
  FROM tokenization.schedule_entries e WHERE e.tranche_id = t.id), false))`;

/** The visible price of a repaid series, with its id. */
export type RepaidSeries = ShownPrice & { readonly id: string };

/**
 * Shows those of the given series that owe nothing any more at a price of zero, as of the last payment, and returns those
 * that showed another price before.
 * @param today civil date in São Paulo: the day of one that ends without a payment
 */
export function showRepaid(
  { manager, clock }: Context,
  trancheIds: readonly string[],
  today: string,
): Promise<RepaidSeries[]> {
  return manager.rows(
    `UPDATE tokenization.tranches t SET unit_price = 0, nominal_value = 0, interest = 0, updated_at = $3,
       priced_on = greatest(t.priced_on, coalesce((SELECT max(e.paid_on) FROM tokenization.schedule_entries e
         WHERE e.tranche_id = t.id HAVING bool_and(e.status = 'PAID')), $2::date))
     FROM tokenization.patrimonies p
     WHERE p.id = t.patrimony_id AND t.id = ANY ($1) AND ${isRepaid}
       AND (t.unit_price, t.nominal_value, t.interest) IS DISTINCT FROM (0, 0, 0)
     RETURNING t.id, t.ticker AS "trancheTicker", p.ticker AS "patrimonyTicker", to_char(t.priced_on, 'YYYY-MM-DD') AS date,
       t.unit_price AS "unitPrice", t.nominal_value AS "nominalValue", t.interest AS "interestJ"`,
    [trancheIds, today, clock.now()],
  );
}

/** Shows those of the given series that owe something again at their newest price: the payment that ended them was reversed. */
export async function showAgain({ manager, clock }: Context, trancheIds: readonly string[]): Promise<void> {
  await manager.execute(
    `UPDATE tokenization.tranches t SET priced_on = p.date, unit_price = p.unit_price, nominal_value = p.vna, interest = p.interest_j, updated_at = $2
     FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
       SELECT date, unit_price, vna, interest_j FROM tokenization.unit_prices
       WHERE tranche_id = wanted.id ORDER BY date DESC, version DESC LIMIT 1) AS p
     WHERE t.id = wanted.id AND (t.unit_price, t.nominal_value, t.interest) = (0, 0, 0) AND NOT ${isRepaid}`,
    [trancheIds, clock.now()],
  );
}
