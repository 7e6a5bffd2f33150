import type { Context } from '../../../shared/context.js';
import { selectPrice } from '../price-runs/unit-price.columns.js';
import { fromStoredRow, type StoredUnitPriceRow } from '../unit-price/stored-row.js';
import type { UnitPriceRow } from '../unit-price/unit-price.js';

/**
 * Returns the newest price of each series, by its id; none for series whose prices are to be computed again, and none at a past
 * moment: how far prices were valid then is not stored, and computing from the start gives the same digits.
 */
export async function newestPrices(
  { manager, asOf }: Context,
  trancheIds: readonly string[],
  calendarVersion: number,
): Promise<ReadonlyMap<string, UnitPriceRow>> {
  if (asOf !== undefined) return new Map();
  const rows = await manager.rows<StoredUnitPriceRow & { readonly id: string }>(
    `SELECT t.id, ${selectPrice('u')} FROM tokenization.tranches t
     CROSS JOIN LATERAL (SELECT * FROM tokenization.unit_prices
       WHERE tranche_id = t.id AND date <= t.priced_through ORDER BY date DESC, version DESC LIMIT 1) AS u
     WHERE t.id = ANY ($1) AND t.priced_policy_version = t.policy_version AND t.priced_calendar_version = $2`,
    [trancheIds, calendarVersion],
  );
  // A row keeps its old calendar version when another calendar changes none of its digits; it is valid for both.
  return new Map(rows.map(({ id, ...row }) => [id, fromStoredRow({ ...row, calendarVersion })]));
}
