import type { Context } from '../../../shared/kernel/context.js';
import { groupBy, arraysOf } from '../../../shared/kernel/group-by.js';
import { fromStoredRow, type StoredUnitPriceRow } from '../unit-price/stored-row.js';
import type { UnitPriceRow } from '../unit-price/unit-price.js';
import type { EventColumns, PolicyColumns } from './policy-of.js';
import { selectPrice, priceColumns } from './unit-price.columns.js';
import type { ShownPrice } from './unit-price-update.js';
import { sqlNow, statementTime } from '../../../shared/database/statement-time.js';
import { watched } from '../../../shared/work/queue/watched-queue.js';
import {
  endClaim,
  storedError,
  type ClaimedItem,
  type WorkTable,
} from '../../../shared/work/queue/work-items.store.js';
import type { EntryValue } from '../events/entry-values.js';
import { isPartlyPaid } from '../schedule/schedule.store.js';

export interface RepriceRequestRow {
  readonly id: string;
  /** The requested series; null for all that are due. */
  readonly trancheId: string | null;
  readonly series: number;
  readonly requestedAt: Date;
  readonly finishedAt: Date | null;
  readonly prices: number | null;
  readonly missing: readonly MissingCount[];
  readonly fault: string | null;
}

/** A missing number, such as `IPCA 2026-03`, and how many series wait for it. */
export interface MissingCount {
  readonly input: string;
  readonly series: number;
}

export type RepriceOutcomeRow = Pick<RepriceRequestRow, 'prices' | 'missing' | 'fault'>;

const columns = `request.id, request.tranche_id AS "trancheId", request.series, request.requested_at AS "requestedAt",
  request.finished_at AS "finishedAt", request.prices, request.missing, request.fault`;

/** The requests that are to be processed, the oldest first. */
export const openRequests: WorkTable = {
  table: 'tokenization.reprice_requests',
  as: 'request',
  key: 'id',
  dueAt: 'due_at',
  leasedUntil: 'due_at',
  isOpen: 'finished_at IS NULL AND quarantined_at IS NULL',
  columns,
};

export const watchedRequests = watched(openRequests, {
  name: 'price-requests',
  isFailing: 'request.last_error IS NOT NULL',
  attempts: 'request.failures',
  lastError: 'request.last_error',
  canRetry: true,
  canQuarantine: true,
});

/** Stores a request, and deletes those that were completed a month ago. */
export async function addRequest(
  context: Context,
  { id, trancheId, series }: Pick<RepriceRequestRow, 'id' | 'trancheId' | 'series'>,
): Promise<RepriceRequestRow> {
  const { manager, clock } = context;
  await manager.execute(
    `DELETE FROM tokenization.reprice_requests WHERE finished_at < $1::timestamptz - interval '30 days'`,
    [clock.now()],
  );
  // Due by the time of the database, as claims are: the wake-up after the commit must find it.
  return manager.one(
    `INSERT INTO tokenization.reprice_requests AS request (id, tranche_id, series, requested_at, due_at)
     VALUES ($2, $3, $4, $5, ${sqlNow}) RETURNING ${columns}`,
    [statementTime(context), id, trancheId, series, clock.now()],
  );
}

/** Stores the result of a request. Returns false, and writes nothing, if another run has claimed the request by now. */
export function finishRequest(
  context: Context,
  item: ClaimedItem,
  { prices, missing, fault }: RepriceOutcomeRow,
): Promise<boolean> {
  return endClaim(context, openRequests, item, {
    set: `finished_at = ${sqlNow}, prices = $5, missing = $6, fault = $7`,
    parameters: [prices, JSON.stringify(missing), fault],
  });
}

/** Ends the claim on a request whose run failed: it is tried again later. */
export async function putRequestOff(
  context: Context,
  item: ClaimedItem,
  { afterMs, error }: { readonly afterMs: number; readonly error: string },
): Promise<void> {
  const set = 'failures = failures + 1, last_error = $5';
  await endClaim(context, openRequests, item, { afterMs, set, parameters: [storedError(error)] });
}

/** A series with days to price, in the state in which it was locked. */
export interface DueSeries extends PolicyColumns {
  readonly id: string;
  readonly ticker: string;
  readonly patrimonyTicker: string;
  readonly tokenQuantity: string;
  readonly policyVersion: number;
  /** Its prices are valid up to this day; null when it is priced from its start. */
  readonly pricedThrough: string | null;
  /** Date of the newest visible price; null when there is none. */
  readonly pricedOn: string | null;
  readonly unitPrice: string | null;
  readonly nominalValue: string | null;
  readonly interest: string | null;
  readonly projected: boolean;
  /** Whether the visible price is the zero price of a series that was repaid. */
  readonly showsRepaid: boolean;
}

export interface DueRule {
  /** The day up to which they are priced, `YYYY-MM-DD`; a business day. */
  readonly through: string;
  readonly calendarVersion: number;
  readonly indexRevision: string;
  readonly only?: string | undefined;
}

// Prices computed with another policy or calendar cannot be continued.
const stale = `(t.priced_policy_version IS DISTINCT FROM t.policy_version OR t.priced_calendar_version IS DISTINCT FROM $2)`;

// Condition on a series `t`, from the day, calendar and index values of the rule.
const due = `t.status IN ('FUNDRAISING', 'ACTIVE') AND t.remuneration_start_date <= $1
  AND (${stale} OR t.priced_through IS NULL OR t.priced_through < $1)
  AND (${stale} OR t.missing_input IS NULL OR t.priced_index_revision <> $3)`;

export function countDueSeries(
  { manager }: Context,
  { through, calendarVersion, indexRevision }: DueRule,
): Promise<number> {
  return manager.countRows(`SELECT count(*)::integer AS count FROM tokenization.tranches t WHERE ${due}`, [
    through,
    calendarVersion,
    indexRevision,
  ]);
}

export function countWaitingSeries({ manager }: Context): Promise<number> {
  return manager.countRows(
    `SELECT count(*)::integer AS count FROM tokenization.tranches
     WHERE status IN ('FUNDRAISING', 'ACTIVE') AND missing_input IS NOT NULL`,
    [],
  );
}

/** Locks series to price: skips those locked by others, but waits for one that is asked for. A series that lacked a number is due again once a number was published or its dependencies changed. */
export function lockDueSeries(
  { manager }: Context,
  { through, calendarVersion, indexRevision, only }: DueRule,
  after: string,
  limit: number,
): Promise<DueSeries[]> {
  return manager.rows(
    `SELECT t.id, t.ticker, p.ticker AS "patrimonyTicker", t.token_quantity AS "tokenQuantity",
       t.policy_version AS "policyVersion",
       to_char(t.remuneration_start_date, 'YYYY-MM-DD') AS "remunerationStartDate", t.issue_value AS "issueValue",
       t.day_count AS "dayCount", t.rate, t.indexer, t.di_percentage AS "diPercentage",
       t.di_lag_business_days AS "diLagBusinessDays", t.index_lag_months AS "indexLagMonths",
       t.index_anniversary_day AS "indexAnniversaryDay", t.index_pro_rata AS "indexProRata",
       t.index_base AS "indexBase", t.amortization_of AS "amortizationOf", t.projection,
       CASE WHEN NOT ${stale} THEN to_char(t.priced_through, 'YYYY-MM-DD') END AS "pricedThrough",
       to_char(t.priced_on, 'YYYY-MM-DD') AS "pricedOn", t.unit_price AS "unitPrice",
       t.nominal_value AS "nominalValue", t.interest, t.projected,
       CASE WHEN t.unit_price = 0 THEN ${isRepaid} ELSE false END AS "showsRepaid"
     FROM tokenization.tranches t JOIN tokenization.patrimonies p ON p.id = t.patrimony_id
     WHERE ${due} AND t.id > $4 AND ($5::uuid IS NULL OR t.id = $5)
     ORDER BY t.id LIMIT $6 FOR NO KEY UPDATE OF t ${only === undefined ? 'SKIP LOCKED' : ''}`,
    [through, calendarVersion, indexRevision, after, only ?? null, limit],
  );
}

/** Returns the last valid row of each series, by its id; none for those that are priced from their start. */
export async function readOpenings(context: Context, page: readonly DueSeries[]): Promise<Map<string, UnitPriceRow>> {
  const going = page.filter(({ pricedThrough }) => pricedThrough !== null);
  const rows = await context.manager.rows<StoredUnitPriceRow & { readonly id: string }>(
    `SELECT s.id, ${selectPrice('u')} FROM unnest($1::uuid[], $2::date[]) AS s(id, through)
     CROSS JOIN LATERAL (SELECT * FROM tokenization.unit_prices
       WHERE tranche_id = s.id AND date <= s.through ORDER BY date DESC, version DESC LIMIT 1) AS u`,
    [going.map(({ id }) => id), going.map(({ pricedThrough }) => pricedThrough)],
  );
  return new Map(rows.map(({ id, ...row }) => [id, fromStoredRow(row)]));
}

/** The day from which a series is read. */
export interface Beginning {
  readonly id: string;
  readonly from: string;
}

/** Returns the instalments of each series from a day on, oldest first, by its id. */
export async function readEvents(
  { manager }: Context,
  beginnings: readonly Beginning[],
  through: string,
): Promise<Map<string, EventColumns[]>> {
  const rows = await manager.rows<EventColumns & { readonly id: string }>(
    `SELECT s.id, e.installment_number AS "installmentNumber", to_char(e.calculation_date, 'YYYY-MM-DD') AS "calculationDate",
       e.interest_event AS "interestEvent", e.amortization_percentage AS "amortizationPercentage"
     FROM unnest($1::uuid[], $2::date[]) AS s(id, day) JOIN tokenization.schedule_entries e
       ON e.tranche_id = s.id AND e.calculation_date BETWEEN s.day AND $3
     ORDER BY e.calculation_date, e.installment_number DESC`,
    [beginnings.map(({ id }) => id), beginnings.map(({ from }) => from), through],
  );
  return groupBy(rows, ({ id }) => id);
}

export type VersionedPrice = StoredUnitPriceRow & { readonly version: number };

/** Returns the newest version of every row of each series from a day on, by its id. */
export async function readStoredRows(
  { manager }: Context,
  beginnings: readonly Beginning[],
  through: string,
): Promise<Map<string, VersionedPrice[]>> {
  const rows = await manager.rows<VersionedPrice & { readonly id: string }>(
    `SELECT DISTINCT ON (s.id, u.date) s.id, u.version, ${selectPrice('u')}
     FROM unnest($1::uuid[], $2::date[]) AS s(id, day) JOIN tokenization.unit_prices u
       ON u.tranche_id = s.id AND u.date BETWEEN s.day AND $3
     ORDER BY s.id, u.date, u.version DESC`,
    [beginnings.map(({ id }) => id), beginnings.map(({ from }) => from), through],
  );
  return groupBy(rows, ({ id }) => id);
}

/** SQL: the series `t` is CLOSED, or all its instalments are paid and amortize the whole of it. */
export const isRepaid = `(t.status = 'CLOSED' OR coalesce((
  SELECT bool_and(e.status = 'PAID')
    AND CASE t.amortization_of WHEN 'BALANCE' THEN max(day.share) ELSE sum(e.amortization_percentage) END = 100
  FROM tokenization.schedule_entries e, LATERAL (SELECT sum(s.amortization_percentage) AS share FROM tokenization.schedule_entries s
    WHERE s.tranche_id = e.tranche_id AND s.calculation_date = e.calculation_date) AS day
  WHERE e.tranche_id = t.id), false))`;

export type ChangedPrice = ShownPrice & {
  readonly id: string;
  /** Whether it showed another price of the same day. */
  readonly isCorrection: boolean;
};

/** SQL: what a change of the price of the series `t`, which was `old`, returns. */
const changedPrice = `t.id, t.ticker AS "trancheTicker", p.ticker AS "patrimonyTicker", to_char(t.priced_on, 'YYYY-MM-DD') AS date, t.unit_price AS "unitPrice",
  t.nominal_value AS "nominalValue", t.interest AS "interestJ", t.projected, t.priced_on IS NOT DISTINCT FROM old.priced_on AS "isCorrection"`;

/** Shows repaid series as of the last payment; returns those that showed another price before. @param today civil date in São Paulo: the day of one that ends without a payment */
export function showRepaid(
  { manager, clock }: Context,
  trancheIds: readonly string[],
  today: string,
): Promise<ChangedPrice[]> {
  return manager.rows(
    `UPDATE tokenization.tranches t SET unit_price = 0, nominal_value = 0, interest = 0, projected = false, updated_at = $3,
       priced_on = greatest(t.priced_on, coalesce((SELECT max(e.paid_on) FROM tokenization.schedule_entries e
         WHERE e.tranche_id = t.id HAVING bool_and(e.status = 'PAID')), $2::date))
     FROM tokenization.patrimonies p, tokenization.tranches old
     WHERE p.id = t.patrimony_id AND old.id = t.id AND t.id = ANY ($1) AND ${isRepaid}
       AND (t.unit_price, t.nominal_value, t.interest) IS DISTINCT FROM (0, 0, 0)
     RETURNING ${changedPrice}`,
    [trancheIds, today, clock.now()],
  );
}

/** Shows the series that owe something again at their newest price, and returns them: the payment that ended them was reversed. */
export function showAgain({ manager, clock }: Context, trancheIds: readonly string[]): Promise<ChangedPrice[]> {
  return manager.rows(
    `UPDATE tokenization.tranches t SET priced_on = price.date, unit_price = price.unit_price, nominal_value = price.vna, interest = price.interest_j,
       projected = price.projected, updated_at = $2
     FROM unnest($1::uuid[]) AS wanted (id) JOIN tokenization.tranches old ON old.id = wanted.id
     JOIN tokenization.patrimonies p ON p.id = old.patrimony_id CROSS JOIN LATERAL (
       SELECT date, unit_price, vna, interest_j, projected FROM tokenization.unit_prices
       WHERE tranche_id = wanted.id ORDER BY date DESC, version DESC LIMIT 1) AS price
     WHERE t.id = wanted.id AND (t.unit_price, t.nominal_value, t.interest) = (0, 0, 0) AND NOT ${isRepaid}
     RETURNING ${changedPrice}`,
    [trancheIds, clock.now()],
  );
}

export interface NewPrice {
  readonly version: number;
  readonly row: StoredUnitPriceRow;
}

export interface PricedSeries {
  readonly series: DueSeries;
  readonly prices: readonly NewPrice[];
  /** Its prices are valid up to this day; `infinity` when it is paid off; null when none is valid. */
  readonly through: string | null;
  /** For example `IPCA 2026-03`; null when nothing is missing. */
  readonly missing: string | null;
  /** The newest price, if it differs from the visible one. */
  readonly newest: StoredUnitPriceRow | undefined;
  /** Amounts of its instalments and events. */
  readonly values: readonly EntryValue[];
}

/** Stores the results of a page of series, in four statements; returns the series with instalments whose amounts changed. */
export async function savePricedSeries(
  tx: Context,
  { calendarVersion, indexRevision }: DueRule,
  page: readonly PricedSeries[],
): Promise<ReadonlySet<string>> {
  await addPrices(tx, page);
  await tx.manager.execute(
    `UPDATE tokenization.tranches t SET priced_through = s.through, missing_input = s.missing,
       priced_policy_version = t.policy_version, priced_calendar_version = $4, priced_index_revision = $5
     FROM unnest($1::uuid[], $2::date[], $3::text[]) AS s(id, through, missing) WHERE t.id = s.id`,
    [page.map(({ series }) => series.id), ...arraysOf(page, 'through', 'missing'), calendarVersion, indexRevision],
  );
  await showNewest(tx, page);
  return new Set(await setInstalmentValues(tx, page));
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
       interest = s.interest, projected = s.projected, updated_at = $7
     FROM unnest($1::uuid[], $2::date[], $3::numeric[], $4::numeric[], $5::numeric[], $6::boolean[])
       AS s(id, day, price, vna, interest, projected)
     WHERE t.id = s.id`,
    [...arraysOf(shown, 'id', 'date', 'unitPrice', 'vna', 'interestJ', 'projected'), clock.now()],
  );
}

/** Amounts of instalments that are paid, or paid in part, do not change. */
async function setInstalmentValues({ manager }: Context, page: readonly PricedSeries[]): Promise<string[]> {
  const known = page.flatMap(({ series, values }) => values.map((value) => ({ id: series.id, ...value })));
  if (known.length === 0) return [];
  return manager.values(
    `UPDATE tokenization.schedule_entries e
     SET interest_value = s.interest, principal_value = s.principal, premium_value = s.premium, total_value = s.interest + s.principal + s.premium
     FROM unnest($1::uuid[], $2::integer[], $3::numeric[], $4::numeric[], $5::numeric[]) AS s(id, number, interest, principal, premium)
     WHERE e.tranche_id = s.id AND e.installment_number = s.number AND e.status <> 'PAID'
       AND (e.total_value IS NULL OR NOT ${isPartlyPaid})
       AND (e.interest_value, e.principal_value, e.premium_value) IS DISTINCT FROM (s.interest, s.principal, s.premium)
     RETURNING e.tranche_id`,
    [...arraysOf(known, 'id', 'installmentNumber', 'interestValue', 'principalValue', 'premiumValue')],
  );
}

/** Marks a series to be priced from its start at the next run. */
export async function forgetProgress({ manager }: Context, id: string): Promise<void> {
  await manager.execute('UPDATE tokenization.tranches SET priced_through = NULL, missing_input = NULL WHERE id = $1', [
    id,
  ]);
}
