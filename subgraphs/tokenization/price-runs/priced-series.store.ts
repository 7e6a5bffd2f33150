import { arraysOf } from '../../../shared/kernel/arrays-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { StoredUnitPriceRow } from '../unit-price/stored-row.js';
import type { DueRule, DueSeries } from './due-series.store.js';
import type { InstalmentValue } from './instalment-value.js';
import { priceColumns } from './unit-price.columns.js';

/** A new version of the price of a day. */
export interface NewPrice {
  readonly version: number;
  readonly row: StoredUnitPriceRow;
}

/** Result of the pricing of one series. */
export interface PricedSeries {
  readonly series: DueSeries;
  readonly prices: readonly NewPrice[];
  /** Its prices are valid up to this day; `infinity` when it is paid off; null when none is valid. */
  readonly through: string | null;
  /** For example `IPCA 2026-03`; null when nothing is missing. */
  readonly missing: string | null;
  /** The newest price, if it differs from the visible one. */
  readonly newest: StoredUnitPriceRow | undefined;
  /** Amounts of its instalments, by the day up to which they accrue. */
  readonly values: readonly (InstalmentValue & { readonly calculationDate: string })[];
}

/** Stores the results of a page of series, in four statements. */
export async function savePricedSeries(
  tx: Context,
  { calendarVersion, indexRevision }: DueRule,
  page: readonly PricedSeries[],
): Promise<void> {
  await addPrices(tx, page);
  await tx.manager.execute(
    `UPDATE tokenization.tranches t SET priced_through = s.through, missing_input = s.missing,
       priced_policy_version = t.policy_version, priced_calendar_version = $4, priced_index_revision = $5
     FROM unnest($1::uuid[], $2::date[], $3::text[]) AS s(id, through, missing) WHERE t.id = s.id`,
    [page.map(({ series }) => series.id), ...arraysOf(page, 'through', 'missing'), calendarVersion, indexRevision],
  );
  await showNewest(tx, page);
  await setInstalmentValues(tx, page);
}

async function addPrices({ manager, clock }: Context, page: readonly PricedSeries[]): Promise<void> {
  const added = page.flatMap(({ series, prices }) => prices.map((price) => ({ series, ...price })));
  if (added.length === 0) return;
  const names = priceColumns.map(({ column }) => column).join(', ');
  const arrays = priceColumns.map(({ type }, index) => `$${index + 5}::${type}[]`).join(', ');
  await manager.execute(
    `INSERT INTO tokenization.unit_prices (tranche_id, version, policy_version, calculated_at, ${names})
     SELECT tranche_id, version, policy_version, $4, ${names}
     FROM unnest($1::uuid[], $2::integer[], $3::integer[], ${arrays}) AS s(tranche_id, version, policy_version, ${names})`,
    [
      added.map(({ series }) => series.id),
      added.map(({ version }) => version),
      added.map(({ series }) => series.policyVersion),
      clock.now(),
      ...priceColumns.map(({ field }) => added.map(({ row }) => row[field])),
    ],
  );
}

async function showNewest({ manager, clock }: Context, page: readonly PricedSeries[]): Promise<void> {
  const shown = page.flatMap(({ series, newest }) => (newest === undefined ? [] : [{ id: series.id, ...newest }]));
  if (shown.length === 0) return;
  await manager.execute(
    `UPDATE tokenization.tranches t SET priced_on = s.day, unit_price = s.price, nominal_value = s.vna,
       interest = s.interest, updated_at = $6
     FROM unnest($1::uuid[], $2::date[], $3::numeric[], $4::numeric[], $5::numeric[]) AS s(id, day, price, vna, interest)
     WHERE t.id = s.id`,
    [...arraysOf(shown, 'id', 'date', 'unitPrice', 'vna', 'interestJ'), clock.now()],
  );
}

/** Amounts of paid instalments do not change. */
async function setInstalmentValues({ manager }: Context, page: readonly PricedSeries[]): Promise<void> {
  const known = page.flatMap(({ series, values }) => values.map((value) => ({ id: series.id, ...value })));
  if (known.length === 0) return;
  await manager.execute(
    `UPDATE tokenization.schedule_entries e
     SET interest_value = s.interest, principal_value = s.principal, total_value = s.interest + s.principal
     FROM unnest($1::uuid[], $2::date[], $3::numeric[], $4::numeric[]) AS s(id, day, interest, principal)
     WHERE e.tranche_id = s.id AND e.calculation_date = s.day AND e.status <> 'PAID'
       AND (e.interest_value, e.principal_value) IS DISTINCT FROM (s.interest, s.principal)`,
    [...arraysOf(known, 'id', 'calculationDate', 'interestValue', 'principalValue')],
  );
}

/** Marks a series to be priced from its start at the next run. */
export async function forgetProgress({ manager }: Context, id: string): Promise<void> {
  await manager.execute('UPDATE tokenization.tranches SET priced_through = NULL, missing_input = NULL WHERE id = $1', [
    id,
  ]);
}
