import type { Context } from '../../../shared/kernel/context.js';
import { sum } from '../../../shared/kernel/decimal.js';
import { groupBy, arraysOf } from '../../../shared/kernel/group-by.js';
import { selectPrice } from '../price-runs/unit-price.columns.js';
import type { StoredUnitPriceRow } from '../unit-price/stored-row.js';
import { priceReads } from '../../securities/price.store.js';
import type { ScheduleEntryRow } from '../schedule/schedule.store.js';
import { trancheColumns, type TrancheRow } from '../tranches/tranche.store.js';
import type { PriceIndex } from '../unit-price/policy.js';
import type { UsedProjection, UsedValue } from './provenance.js';

export type PriceVersion = StoredUnitPriceRow & {
  readonly trancheId: string;
  readonly version: number;
  readonly policyVersion: number;
  readonly calculatedAt: Date;
};

export const { pricesIn, countPricesIn } = priceReads<PriceVersion>({
  name: 'tokenization.unit_prices',
  owner: 'tranche_id',
  columns: `wanted.id AS "trancheId", price.version, price.policy_version AS "policyVersion", price.calculated_at AS "calculatedAt", ${selectPrice('price')}`,
  isVersioned: true,
});

/** Finds policies by id and version. Values that an import wrote before it raised the version were never in force. */
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

export interface PriceKey {
  readonly trancheId: string;
  readonly date: string;
  readonly calculatedAt: Date;
}

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
         AND superseded_at > wanted.made_at) AS entry
     ORDER BY entry.installment_number DESC`,
    [...arraysOf(prices, 'trancheId', 'date', 'calculatedAt')],
  );
  const byPlace = groupBy(rows, ({ place }) => place);
  return prices.map((_price, index) => {
    const [first, ...more] = byPlace.get(index + 1) ?? [];
    if (first === undefined) return undefined;
    // An event on the day of an instalment amortizes with it.
    const all = [first, ...more];
    const { interestEvent } = all.find((row) => row.interestEvent !== 'ACCRUED') ?? first;
    const amortizationPercentage = sum(all.map((row) => row.amortizationPercentage)).toFixed(8);
    return { installmentNumber: first.installmentNumber, interestEvent, amortizationPercentage };
  });
}

/** Returns every version of the values of some indices for the days of a period, oldest version first. */
export function listIndexVersions(
  { manager }: Context,
  indices: readonly string[],
  from: string,
  to: string,
): Promise<(UsedValue & { readonly index: 'DI' | PriceIndex })[]> {
  return manager.rows(
    `SELECT index_name AS index, date::text AS date, value, version, recorded_at AS "recordedAt", published_on::text AS "publishedOn"
     FROM tokenization.index_values
     WHERE index_name = ANY ($1) AND date BETWEEN $2 AND $3 ORDER BY index_name, date, version`,
    [indices, from, to],
  );
}

/** A version of a projection; without a percentage, the projection was withdrawn. */
export type ProjectionVersion = Omit<UsedProjection, 'percent'> & {
  readonly index: PriceIndex;
  readonly percent: string | null;
};

/** Returns every version of the projections of some indices for the months of a period, by their days of publication, oldest version first. */
export function listProjectionVersions(
  { manager }: Context,
  indices: readonly string[],
  from: string,
  to: string,
): Promise<ProjectionVersion[]> {
  return manager.rows(
    `SELECT index_name AS index, month::text AS date, percent, source, version, recorded_at AS "recordedAt", published_on::text AS "publishedOn"
     FROM tokenization.projected_index_values
     WHERE index_name = ANY ($1) AND month BETWEEN $2 AND $3 ORDER BY index_name, month, published_on, version`,
    [indices, from, to],
  );
}
