import { setImmediate as othersFirst } from 'node:timers/promises';
import { instalmentValue, type InstalmentValue } from '../pricing/instalment-value.js';
import { policyOf, type PolicyColumns } from '../pricing/policy-of.js';
import type { TrancheRow } from '../tranches/tranche.entity.js';
import { isMissing } from '../unit-price/missing.js';
import { advance, unitPrice, type UnitPriceInputs, type UnitPriceRow } from '../unit-price/unit-price.js';
import type { ScheduleEntryRow } from './schedule-entry.entity.js';

/** A series whose instalments are to be projected. */
export interface Projectable {
  readonly series: PolicyColumns & Pick<TrancheRow, 'status' | 'tokenQuantity'>;
  /** Every instalment, by number. */
  readonly instalments: readonly Readonly<ScheduleEntryRow>[];
  /** The last price that is right; undefined where the series has none, to begin at its start. */
  readonly opening: UnitPriceRow | undefined;
}

/** What instalments are expected to pay for all units, by their numbers. */
export type Projection = ReadonlyMap<number, InstalmentValue>;

/**
 * What the instalments that have no value yet will pay: as the engine prices the days up to which they accrue, from the
 * newest price on. With inputs that hold the newest index values flat, a series that follows none is told to the digit.
 * Those that cannot be projected are left out: after a number that lacks, beyond the calendar, of a series that is CLOSED.
 * Requests are served between two instalments.
 */
export async function projectInstalments(
  { series, instalments, opening }: Projectable,
  inputs: UnitPriceInputs,
): Promise<Projection> {
  const values = new Map<number, InstalmentValue>();
  if (series.status === 'CLOSED') return values;
  let previous = opening;
  try {
    const policy = policyOf(series, instalments);
    for (const { installmentNumber, calculationDate, interestValue } of instalments) {
      if (interestValue !== null || (opening !== undefined && calculationDate <= opening.date)) continue;
      const row =
        previous === undefined
          ? unitPrice(policy, calculationDate, inputs)
          : advance(policy, previous, calculationDate, inputs);
      if (isMissing(row)) break;
      values.set(installmentNumber, instalmentValue(row, series.tokenQuantity));
      previous = row;
      await othersFirst();
    }
  } catch (error) {
    // What is stored has no meaning, or the calendar ends: whatever comes after it has no value either.
    if (!(error instanceof RangeError)) throw error;
  }
  return values;
}
