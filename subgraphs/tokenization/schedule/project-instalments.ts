import { setImmediate as othersFirst } from 'node:timers/promises';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { entryValues, type EntryValue } from '../events/entry-values.js';
import type { TrancheEventRow } from '../events/event.store.js';
import { policyOf, type PolicyColumns } from '../price-runs/policy-of.js';
import type { TrancheRow } from '../tranches/tranche.store.js';
import { isMissing } from '../unit-price/missing.js';
import { advance, unitPrice, type UnitPriceInputs, type UnitPriceRow } from '../unit-price/unit-price.js';
import type { ScheduleEntryRow } from './schedule.store.js';

/** A series whose instalments are projected. */
export interface Projectable {
  readonly series: PolicyColumns & Pick<TrancheRow, 'status' | 'tokenQuantity'>;
  /** Every instalment and event, by day. */
  readonly instalments: readonly ScheduleEntryRow[];
  readonly events: readonly TrancheEventRow[];
  /** The last valid price; undefined to begin at the start of the series. */
  readonly opening: UnitPriceRow | undefined;
}

/** Expected amounts of instalments, by instalment number. */
export type Projection = ReadonlyMap<number, EntryValue>;

/**
 * Projects the amounts of instalments without a value: prices the days up to which they accrue, from the newest price on,
 * with the pricing engine. With inputs that repeat the newest index values, the projection of a series without an indexer
 * is exact. Leaves out instalments that cannot be projected: after a missing number, beyond the calendar, or of a CLOSED
 * series. Requests are served between two instalments.
 */
export async function projectInstalments(
  { series, instalments, events, opening }: Projectable,
  inputs: UnitPriceInputs,
): Promise<Projection> {
  const values = new Map<number, EntryValue>();
  if (series.status === 'CLOSED') return values;
  let previous = opening;
  try {
    const policy = policyOf(series, instalments);
    for (const [calculationDate, rows] of groupBy(instalments, (row) => row.calculationDate)) {
      if (rows.every(({ interestValue }) => interestValue !== null)) continue;
      if (opening !== undefined && calculationDate <= opening.date) continue;
      const row =
        previous === undefined
          ? unitPrice(policy, calculationDate, inputs)
          : advance(policy, previous, calculationDate, inputs);
      if (isMissing(row)) break;
      for (const value of entryValues(row, { rows, series, events }, inputs.calendar))
        values.set(value.installmentNumber, value);
      previous = row;
      await othersFirst();
    }
  } catch (error) {
    // The stored data is invalid, or the calendar ends: later instalments have no value either.
    if (!(error instanceof RangeError)) throw error;
  }
  return values;
}
