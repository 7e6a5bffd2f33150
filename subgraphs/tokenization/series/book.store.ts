import type { Context } from '../../../shared/kernel/context.js';
import { canBeTicker } from '../../securities/tickers.js';
import { paidParts, redeemedOf, unitsSince, type ScheduleEntryRow } from '../schedule/schedule.store.js';
import { isRepaid } from '../price-runs/price-run.store.js';

/** The book of a tranche, as issuances gets it. */
export interface BookRow {
  readonly trancheId: string;
  readonly trancheTicker: string;
  /** The series of an operation that it names; null for none, or for a tranche that was deleted or is a draft. */
  readonly seriesTicker: string | null;
  /** Whether nothing is owed on it now: it is CLOSED, or all of it was paid. */
  readonly isRepaid: boolean;
  /** Whether it is CLOSED without anything that was invested or paid. */
  readonly isCancelled: boolean;
  readonly tokenQuantity: string;
  /** With the units that were redeemed before its end. */
  readonly issuedQuantity: string;
  readonly investedAmount: string;
  /** Instalments by number. */
  readonly instalments: readonly BookedInstalment[];
}

/** An instalment; amounts in BRL with 2 decimals, null while they are not known. */
export interface BookedInstalment extends Pick<
  ScheduleEntryRow,
  'dueDate' | 'calculationDate' | 'interestValue' | 'principalValue' | 'premiumValue' | 'totalValue' | 'paidOn'
> {
  /** Negative for an event. */
  readonly number: number;
  readonly interestEvent: string;
  readonly amortizes: boolean;
  /** Unpaid part of interest and principal, and of the premium, if a part was paid. */
  readonly openValue: string | null;
  readonly openPremium: string | null;
  /** The units that it pays. */
  readonly units: string;
  /** Recorded payments of it: day, interest and principal, premium. */
  readonly parts: readonly (readonly [day: string, own: string, premium: string])[];
  /** The kind of the event that it is of; null for an instalment. */
  readonly event: string | null;
}

/** Day, unit price with 8 decimals, version, and whether it was made with a projected index number. */
export type BookedPrice = readonly [date: string, value: string, version: number, projected: boolean];

/** Returns the books of the given tranches that name a series, or named one before the current act. */
export function readBooks({ manager }: Context, trancheIds: readonly string[]): Promise<BookRow[]> {
  return manager.rows(
    `SELECT t.id AS "trancheId", t.ticker AS "trancheTicker", CASE WHEN t.status <> 'DRAFT' THEN t.series_ticker END AS "seriesTicker",
       ${isRepaid} AS "isRepaid", t.status = 'CLOSED' AND t.invested_amount = 0 AND NOT EXISTS (SELECT FROM tokenization.schedule_entries e
         WHERE e.tranche_id = t.id AND e.status = 'PAID') AS "isCancelled", t.token_quantity::text AS "tokenQuantity", t.invested_amount::text AS "investedAmount",
       (t.token_quantity + coalesce((SELECT units FROM (${redeemedOf}) AS redeemed WHERE tranche_id = t.id), 0))::text AS "issuedQuantity",
       coalesce((SELECT jsonb_agg(jsonb_build_object('number', e.installment_number, 'dueDate', e.due_date,
         'calculationDate', e.calculation_date, 'interestEvent', e.interest_event,
         'amortizes', e.amortization_percentage > 0, 'interestValue', e.interest_value::text, 'principalValue', e.principal_value::text,
         'premiumValue', e.premium_value::text, 'totalValue', e.total_value::text,
         'openValue', CASE WHEN e.status <> 'PAID' AND paid.own + paid.premium > 0 THEN greatest(e.total_value - e.premium_value - paid.own, 0.00)::text END,
         'openPremium', CASE WHEN e.status <> 'PAID' AND paid.own + paid.premium > 0 THEN (e.premium_value - paid.premium)::text END,
         'units', (t.token_quantity + since.units)::text, 'paidOn', e.paid_on, 'parts', (SELECT coalesce(jsonb_agg(
           jsonb_build_array(p.paid_on, (p.interest + p.principal)::text, p.premium::text) ORDER BY p.paid_on, p.id), '[]')
           FROM tokenization.schedule_payments p WHERE (p.tranche_id, p.installment_number) = (e.tranche_id, e.installment_number)
             AND p.reversed_at IS NULL), 'event', (SELECT kind FROM tokenization.tranche_events
           WHERE tranche_id = e.tranche_id AND number = -e.installment_number)) ORDER BY e.installment_number)
         FROM tokenization.schedule_entries e CROSS JOIN LATERAL (${unitsSince}) AS since
         CROSS JOIN LATERAL (${paidParts('e')}) AS paid
         WHERE e.tranche_id = t.id), '[]') AS instalments
     FROM tokenization.tranches t
     WHERE t.id = ANY ($1::uuid[]) AND (t.series_ticker IS NOT NULL OR EXISTS (SELECT FROM tokenization.tranches_versions v
       WHERE v.id = t.id AND v.series_ticker IS NOT NULL)) ORDER BY t.id`,
    [trancheIds],
  );
}

/** Returns the newest version of every price of a tranche, oldest first. */
export async function readPrices({ manager }: Context, trancheId: string): Promise<BookedPrice[]> {
  const rows = await manager.rows<{ date: string; value: string; version: number; projected: boolean }>(
    `SELECT DISTINCT ON (date) date::text AS date, unit_price::text AS value, version, projected FROM tokenization.unit_prices
     WHERE tranche_id = $1 ORDER BY date, version DESC`,
    [trancheId],
  );
  return rows.map(({ date, value, version, projected }) => [date, value, version, projected]);
}

export interface ChangedTranche {
  readonly id: string;
  /** Whether the act added it, changed the series that it names, or made it known. */
  readonly isRelinked: boolean;
}

export function readChanged({ manager }: Context, trancheIds: readonly string[]): Promise<ChangedTranche[]> {
  return manager.rows(
    `SELECT t.id, t.recorded_by IS NOT DISTINCT FROM shared.version_act()
         AND (was.status IS NULL OR was.status = 'DRAFT' OR lower(was.series_ticker) IS DISTINCT FROM lower(t.series_ticker)) AS "isRelinked"
     FROM tokenization.tranches t
     LEFT JOIN LATERAL (SELECT v.series_ticker, v.status FROM tokenization.tranches_versions v
       WHERE v.id = t.id AND v.superseded_by = shared.version_act() ORDER BY v.record_version LIMIT 1) AS was ON true
     WHERE t.id = ANY ($1::uuid[]) AND (t.recorded_by = shared.version_act()
       OR EXISTS (SELECT FROM tokenization.schedule_entries e WHERE e.tranche_id = t.id AND e.recorded_by = shared.version_act())
       OR EXISTS (SELECT FROM tokenization.schedule_entries_versions v WHERE v.tranche_id = t.id AND v.superseded_by = shared.version_act()))
     ORDER BY t.id`,
    [trancheIds],
  );
}

/** Returns the tranches that the current act deleted and that named a series: as books without one. */
export function readLeft({ manager }: Context): Promise<BookRow[]> {
  return manager.rows(
    `SELECT DISTINCT ON (v.id) v.id AS "trancheId", v.ticker AS "trancheTicker", NULL AS "seriesTicker", true AS "isRepaid", false AS "isCancelled",
       v.token_quantity::text AS "tokenQuantity", v.token_quantity::text AS "issuedQuantity", v.invested_amount::text AS "investedAmount", '[]'::jsonb AS instalments
     FROM tokenization.tranches_versions v
     WHERE v.superseded_by = shared.version_act() AND v.series_ticker IS NOT NULL
       AND NOT EXISTS (SELECT FROM tokenization.tranches t WHERE t.id = v.id)
     ORDER BY v.id, v.record_version DESC`,
  );
}

export async function lockTranchesOf({ manager }: Context, seriesTickers: readonly string[]): Promise<string[]> {
  const rows = await manager.rows<{ id: string }>(
    `SELECT id FROM tokenization.tranches WHERE lower(series_ticker) = ANY ($1::text[]) AND status <> 'DRAFT'
     ORDER BY id FOR NO KEY UPDATE`,
    [seriesTickers.filter(canBeTicker).map((ticker) => ticker.toLowerCase())],
  );
  return rows.map(({ id }) => id);
}
