import { arraysOf } from '../../../shared/kernel/arrays-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { ScheduleEntryRow } from '../schedule/schedule.store.js';
import { trancheColumns, type TrancheRow } from '../tranches/tranche.store.js';
import type { PriceIndex } from '../unit-price/policy.js';
import type { UsedValue } from './provenance.js';

/**
 * Returns all kept versions of the policies of some series, by id and version. Values that an import wrote before it raised the
 * version were never in force.
 */
export async function loadPolicies(
  { manager }: Context,
  trancheIds: readonly string[],
): Promise<ReadonlyMap<string, TrancheRow>> {
  const rows = await manager.rows<TrancheRow>(
    `SELECT * FROM (SELECT DISTINCT ON (id, policy_version) ${trancheColumns} FROM tokenization.tranches_versions
       WHERE id = ANY ($1) AND recorded_at < superseded_at ORDER BY id, policy_version, superseded_at DESC) AS older
     UNION ALL SELECT ${trancheColumns} FROM tokenization.tranches WHERE id = ANY ($1)`,
    [[...new Set(trancheIds)]],
  );
  return new Map(rows.map((row) => [policyKey(row.id, row.policyVersion), row]));
}

export function policyKey(trancheId: string, policyVersion: number): string {
  return `${trancheId} ${String(policyVersion)}`;
}

/** Key of a price whose instalment is requested. */
export interface PriceKey {
  readonly trancheId: string;
  readonly date: string;
  readonly calculatedAt: Date;
}

/** The instalment on the day of a price. */
export type PricedInstalment = Pick<ScheduleEntryRow, 'installmentNumber' | 'interestEvent' | 'amortizationPercentage'>;

/** Returns the instalment that accrues up to the day of each price, as it was when the price was computed, in the order of the prices. */
export async function loadInstalments(
  { manager }: Context,
  prices: readonly PriceKey[],
): Promise<(PricedInstalment | undefined)[]> {
  const rows = await manager.rows<PricedInstalment & { readonly place: number }>(
    `SELECT wanted.place::int AS place, entry.installment_number AS "installmentNumber", entry.interest_event AS "interestEvent",
       entry.amortization_percentage AS "amortizationPercentage"
     FROM unnest($1::uuid[], $2::date[], $3::timestamptz[]) WITH ORDINALITY AS wanted (tranche_id, day, made_at, place)
     CROSS JOIN LATERAL (
       SELECT installment_number, interest_event, amortization_percentage FROM tokenization.schedule_entries
       WHERE tranche_id = wanted.tranche_id AND calculation_date = wanted.day AND recorded_at <= wanted.made_at
       UNION ALL SELECT installment_number, interest_event, amortization_percentage FROM tokenization.schedule_entries_versions
       WHERE tranche_id = wanted.tranche_id AND calculation_date = wanted.day AND recorded_at <= wanted.made_at
         AND superseded_at > wanted.made_at) AS entry`,
    [...arraysOf(prices, 'trancheId', 'date', 'calculatedAt')],
  );
  const byPlace = new Map(rows.map(({ place, ...row }) => [place, row]));
  return prices.map((_price, index) => byPlace.get(index + 1));
}

/** Returns every version of the values of some indices for the days of a period, oldest version first. */
export function listIndexVersions(
  { manager }: Context,
  indices: readonly string[],
  from: string,
  to: string,
): Promise<(UsedValue & { readonly index: 'DI' | PriceIndex })[]> {
  return manager.rows(
    `SELECT index_name AS index, date::text AS date, value, version, recorded_at AS "recordedAt" FROM tokenization.index_values
     WHERE index_name = ANY ($1) AND date BETWEEN $2 AND $3 ORDER BY index_name, date, version`,
    [indices, from, to],
  );
}
