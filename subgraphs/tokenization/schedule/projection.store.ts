import type { Context } from '../../../shared/context.js';
import { selectPrice } from '../pricing/unit-price.columns.js';
import { fromStoredRow, type StoredUnitPriceRow } from '../unit-price/stored-row.js';
import type { UnitPriceRow } from '../unit-price/unit-price.js';

/**
 * The newest price of each of some series, by their ids; none for those whose prices are to be made anew, and none at a past moment:
 * how far prices were right then is not kept, and from the start the same digits come.
 */
export async function newestPrices(
  { manager, asOf }: Context,
  trancheIds: readonly string[],
  calendarVersion: number,
): Promise<ReadonlyMap<string, UnitPriceRow>> {
  if (asOf !== undefined) return new Map();
  const rows: (StoredUnitPriceRow & { readonly id: string })[] = await manager.query(
    `SELECT t.id, ${selectPrice('u')} FROM tokenization.tranches t
     CROSS JOIN LATERAL (SELECT * FROM tokenization.unit_prices
       WHERE tranche_id = t.id AND date <= t.priced_through ORDER BY date DESC, version DESC LIMIT 1) AS u
     WHERE t.id = ANY ($1) AND t.priced_policy_version = t.policy_version AND t.priced_calendar_version = $2`,
    [trancheIds, calendarVersion],
  );
  // A row that another calendar did not change a digit of has kept its version.
  return new Map(rows.map(({ id, ...row }) => [id, fromStoredRow({ ...row, calendarVersion })]));
}
