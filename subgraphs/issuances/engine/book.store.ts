import { newId } from '../../../shared/kernel/ids.js';
import type { Context } from '../../../shared/kernel/context.js';
import { arraysOf } from '../../../shared/kernel/group-by.js';
import { ownersOf, stagedForm } from '../../../shared/import/write/read-back.js';
import { stageRetracted } from '../../../shared/import/write/retract.js';
import { stagedColumns, stageOf } from '../../../shared/import/write/sql.js';
import { payments } from '../import/model/cash.js';
import { series } from '../import/model/operations.js';
import { unitPrices } from '../import/model/prices.js';
import { canBeTicker } from '../../securities/tickers.js';
import { cancelled, redeemed, seriesColumns, type SeriesRow } from '../series/series.store.js';
import { toPayments, type Book, type Expected } from './book.js';

export interface SeriesToBook {
  readonly id: string;
  readonly ticker: string;
  readonly operationTicker: string;
  readonly status: string;
  /** Its label before it was redeemed or cancelled; null for one that was not. */
  readonly standingStatus: string | null;
  readonly engineTrancheId: string | null;
  readonly engineSequence: number | null;
  readonly typedReason: string | null;
}

export interface BookedSeries extends SeriesToBook {
  readonly book: Book;
  /** Whether its state is not older than the one that was written last. */
  readonly isCurrent: boolean;
}

/** Locks the series that books name, and returns them by ticker in lower case. */
export async function lockBookedSeries(
  { manager }: Context,
  books: readonly Book[],
): Promise<Map<string, SeriesToBook>> {
  const rows = await manager.rows<SeriesToBook>(
    `SELECT s.id, s.ticker, (SELECT o.ticker FROM issuances.operations o WHERE o.id = s.operation_id) AS "operationTicker", s.status,
       (SELECT v.status FROM issuances.series_versions v WHERE v.id = s.id AND v.status NOT IN ('${redeemed}', '${cancelled}') ORDER BY v.superseded_at DESC LIMIT 1)
         AS "standingStatus", s.engine_tranche_id AS "engineTrancheId", s.engine_sequence::float8 AS "engineSequence", s.typed_reason AS "typedReason"
     FROM issuances.series s WHERE lower(s.ticker) = ANY ($1::text[]) ORDER BY s.id FOR NO KEY UPDATE OF s`,
    [books.flatMap(({ seriesTicker }) => seriesTicker?.toLowerCase() ?? [])],
  );
  return new Map(rows.map((row) => [row.ticker.toLowerCase(), row]));
}

/** Keeps the series that tranches name last, and returns it by tranche. The books are in the order of their numbers. */
export async function keepLinks({ manager }: Context, books: readonly Book[]): Promise<Map<string, string | null>> {
  const newest = [...new Map(books.map((book) => [book.trancheId, book])).values()];
  const ids = newest.map(({ trancheId }) => trancheId);
  await manager.execute(
    `INSERT INTO issuances.engine_links AS stored (tranche_id, series_ticker, event_sequence)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS announced (id) ORDER BY announced.id
     ON CONFLICT (tranche_id) DO UPDATE SET series_ticker = excluded.series_ticker, event_sequence = excluded.event_sequence
     WHERE stored.event_sequence < excluded.event_sequence`,
    [
      ids,
      newest.map(({ seriesTicker }) => seriesTicker?.toLowerCase() ?? null),
      newest.map(({ sequence }) => sequence),
    ],
  );
  const rows = await manager.rows<{ id: string; ticker: string | null }>(
    'SELECT tranche_id AS id, series_ticker AS ticker FROM issuances.engine_links WHERE tranche_id = ANY ($1::uuid[])',
    [ids],
  );
  return new Map(rows.map(({ id, ticker }) => [id, ticker]));
}

/** Returns the series that some tranches no longer name. */
export function detachedSeries(
  { manager }: Context,
  trancheIds: readonly string[],
): Promise<Pick<SeriesRow, 'id' | 'ticker'>[]> {
  return manager.rows(
    `SELECT s.id, s.ticker FROM issuances.series s JOIN issuances.engine_links l ON l.tranche_id = s.engine_tranche_id
     WHERE s.engine_tranche_id = ANY ($1::uuid[]) AND l.series_ticker IS DISTINCT FROM lower(s.ticker)
     ORDER BY s.id FOR NO KEY UPDATE OF s`,
    [trancheIds],
  );
}

export function unbookedTickers({ manager }: Context, operationIds: readonly string[]): Promise<string[]> {
  if (operationIds.length === 0) return Promise.resolve([]);
  return manager.values(
    'SELECT ticker FROM issuances.series WHERE operation_id = ANY ($1::uuid[]) AND engine_tranche_id IS NULL',
    [operationIds],
  );
}

/** Marks for removal what the engine wrote into series that it leaves. */
export async function stageDetached({ manager }: Context, ids: readonly string[]): Promise<void> {
  await stageRetracted(
    manager,
    unitPrices,
    'SELECT * FROM issuances.unit_prices WHERE series_id = ANY ($1::uuid[]) AND engine_version IS NOT NULL',
    ids,
  );
  const ofEngine = `SELECT p.* FROM issuances.payments p JOIN issuances.series s ON s.id = p.series_id
    WHERE s.id = ANY ($1::uuid[]) AND s.typed_reason IS NULL`;
  await stageRetracted(manager, payments, ofEngine, ids);
}

/** Stages the prices, payments and state of series, and what they had instead for removal. */
export async function stageBook(tx: Context, taken: readonly BookedSeries[]): Promise<void> {
  await stagePrices(tx, taken);
  // The last state of a series is its state.
  const current = [...new Map(taken.filter(({ isCurrent }) => isCurrent).map((one) => [one.id, one])).values()];
  await stagePayments(tx, current);
  await stageSeries(tx, current);
}

async function stagePrices({ manager }: Context, taken: readonly BookedSeries[]): Promise<void> {
  const rows = pricesOf(taken);
  await manager.execute(
    `INSERT INTO ${stageOf(unitPrices)} (path, position, owner_series, date, value)
     SELECT '', 0, s.ticker, n.date, n.value
     FROM unnest($1::uuid[], $2::date[], $3::numeric[], $4::integer[]) AS n (series_id, date, value, version)
     JOIN issuances.series s ON s.id = n.series_id
     LEFT JOIN issuances.unit_prices u ON u.series_id = n.series_id AND u.date = n.date
     WHERE u.engine_version IS NULL OR u.engine_version < n.version`,
    arraysOf(rows, 'id', 'date', 'value', 'version'),
  );
  const spans = taken.flatMap(({ id, book: { covers } }) => (covers === null ? [] : [{ id, ...covers }]));
  await stageRetracted(
    manager,
    unitPrices,
    `SELECT u.* FROM issuances.unit_prices u
     JOIN jsonb_to_recordset($1::jsonb) AS span (id uuid, "from" date, before date) ON span.id = u.series_id
     WHERE u.date >= span."from" AND (span.before IS NULL OR u.date < span.before)
       AND NOT EXISTS (SELECT FROM ${stageOf(unitPrices)} n JOIN issuances.series s ON lower(s.ticker) = lower(n.owner_series)
         WHERE s.id = u.series_id AND n.date = u.date)
       AND u.engine_version IS NULL`,
    JSON.stringify(spans),
  );
}

function pricesOf(taken: readonly BookedSeries[]) {
  const newest = new Map<string, { id: string; date: string; value: string; version: number; projected: boolean }>();
  for (const { id, book } of taken) {
    for (const [date, value, version, projected] of book.prices) {
      const key = `${id} ${date}`;
      if ((newest.get(key)?.version ?? 0) < version) newest.set(key, { id, date, value, version, projected });
    }
  }
  return [...newest.values()];
}

async function stagePayments({ manager, clock }: Context, current: readonly BookedSeries[]): Promise<void> {
  const rows = current.flatMap(({ ticker, operationTicker, book }) =>
    book.instalments.flatMap(toPayments).map(({ units, ...one }) => ({
      ...one,
      id: newId(clock.now().getTime()),
      series: ticker,
      operation: operationTicker,
      units: units === book.tokenQuantity || Number(units) === 0 ? null : units,
    })),
  );
  await manager.execute(
    `INSERT INTO ${stageOf(payments)} (path, position, id, owner_operation, series_ticker, installment_number, event, due_date, paid_date,
       interest_value, principal_value, total_value, open_value, units)
     SELECT '', 0, n.id, n.operation, n.series, n.number, n.event, n."dueDate", n."paidOn", n."interestValue", n."principalValue", n."totalValue",
       n."openValue", n.units
     FROM jsonb_to_recordset($1::jsonb) AS n (id uuid, operation text, series text, number integer, event text, "dueDate" date, "paidOn" date,
       "interestValue" numeric, "principalValue" numeric, "totalValue" numeric, "openValue" numeric, units numeric)`,
    [JSON.stringify(rows)],
  );
  await stageRetracted(
    manager,
    payments,
    `SELECT p.* FROM issuances.payments p JOIN issuances.series s ON s.id = p.series_id WHERE s.id = ANY ($1::uuid[])
       AND NOT EXISTS (SELECT FROM ${stageOf(payments)} n
         WHERE lower(n.series_ticker) = lower(s.ticker) AND n.installment_number = p.installment_number AND n.event = p.event)`,
    current.map(({ id }) => id),
  );
}

async function stageSeries({ manager }: Context, current: readonly BookedSeries[]): Promise<void> {
  const columns = stagedColumns(series).map(({ name }) => name);
  const changes = current.map(({ id, status, standingStatus, book }) => ({
    id,
    quantity: book.tokenQuantity,
    issued: book.issuedQuantity,
    raised: book.investedAmount,
    status: statusOf(book, status, standingStatus),
  }));
  await manager.execute(
    `INSERT INTO ${stageOf(series)} (${columns.join(', ')})
     SELECT ${stagedForm(series)} FROM (
       SELECT changed.* FROM jsonb_to_recordset($1::jsonb) AS n (id uuid, quantity numeric, issued numeric, raised numeric, status text) JOIN issuances.series t ON t.id = n.id
       CROSS JOIN LATERAL jsonb_populate_record(t, jsonb_build_object('quantity', n.quantity, 'status', n.status, 'raised_amount', n.raised,
         'issued_total', round(t.unit_value * n.issued, 2), 'subscribed_quotas',
         CASE WHEN coalesce(t.subscribed_quotas, t.quantity) >= t.quantity THEN n.quantity
           -- Units that are redeemed were subscribed; those that are issued anew are not yet.
           WHEN t.engine_tranche_id IS NOT NULL THEN
             least(greatest(t.subscribed_quotas + n.quantity - t.quantity - n.issued + round(t.issued_total / t.unit_value), 0), n.quantity)
           ELSE least(t.subscribed_quotas, n.quantity) END)) changed) o
     ${ownersOf(series, 'o').joins}`,
    [JSON.stringify(changes)],
  );
}

function statusOf({ isRepaid, isCancelled }: Book, status: string, standing: string | null): string {
  if (isCancelled) return cancelled;
  if (isRepaid) return redeemed;
  return status === redeemed || status === cancelled ? (standing ?? 'Ativa') : status;
}

/** Notes until which day prices are with the payments of series, and which parts of these were paid when. */
export async function markPayments({ manager }: Context, taken: readonly BookedSeries[]): Promise<void> {
  const rows = taken.flatMap(({ id, book }) => book.instalments.flatMap(toPayments).map((one) => ({ ...one, id })));
  await manager.execute(
    `UPDATE issuances.payments p SET priced_until = n.day, paid_parts = n.parts
     FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::date[], $5::jsonb[]) AS n (series_id, number, event, day, parts)
     WHERE p.series_id = n.series_id AND p.installment_number = n.number AND p.event = n.event
       AND (p.priced_until, p.paid_parts) IS DISTINCT FROM (n.day, n.parts)`,
    arraysOf(rows, 'id', 'number', 'event', 'pricedUntil', 'parts'),
  );
}

/** Keeps what payments are expected to be, and returns the operations of those that change. */
export function keepExpected({ manager }: Context, expected: readonly Expected[]): Promise<string[]> {
  return manager.values(
    `WITH told AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS n ("trancheId" uuid, sequence bigint, payments jsonb)),
       newer AS (SELECT s.id, told.sequence, told.payments FROM told JOIN issuances.series s ON s.engine_tranche_id = told."trancheId"
         WHERE s.typed_reason IS NULL AND coalesce(s.projection_sequence, 0) < told.sequence ORDER BY s.id FOR NO KEY UPDATE OF s),
       noted AS (UPDATE issuances.series s SET projection_sequence = newer.sequence FROM newer WHERE s.id = newer.id),
       wanted AS (SELECT p.id, n.interest, n.principal, n.total FROM newer JOIN issuances.payments p ON p.series_id = newer.id
         LEFT JOIN LATERAL jsonb_to_recordset(newer.payments) AS n (number integer, event integer, interest numeric, principal numeric, total numeric)
           ON n.number = p.installment_number AND (n.event IS NULL OR p.event LIKE '%(E' || n.event || ')') AND NOT starts_with(p.event, 'Prêmio: ')),
       changed AS (UPDATE issuances.payments p
         SET projected_interest = wanted.interest, projected_principal = wanted.principal, projected_total = wanted.total FROM wanted
         WHERE p.id = wanted.id AND (p.projected_interest, p.projected_principal, p.projected_total)
           IS DISTINCT FROM (wanted.interest, wanted.principal, wanted.total) RETURNING p.operation_id)
     SELECT DISTINCT operation_id FROM changed`,
    [JSON.stringify(expected)],
  );
}

export async function markEnginePrices({ manager }: Context, taken: readonly BookedSeries[]): Promise<void> {
  await manager.execute(
    `UPDATE issuances.unit_prices u SET engine_version = n.version, projected = n.projected
     FROM unnest($1::uuid[], $2::date[], $3::numeric[], $4::integer[], $5::boolean[])
       AS n (series_id, date, value, version, projected)
     WHERE u.series_id = n.series_id AND u.date = n.date AND u.value = n.value
       AND (u.engine_version IS NULL OR u.engine_version < n.version)`,
    arraysOf(pricesOf(taken), 'id', 'date', 'value', 'version', 'projected'),
  );
}

export async function keepEnginePrices({ manager }: Context, typed: readonly BookedSeries[]): Promise<void> {
  await manager.execute(
    `INSERT INTO issuances.engine_prices (series_id, date, value, version)
     SELECT * FROM unnest($1::uuid[], $2::date[], $3::numeric[], $4::integer[])
     ON CONFLICT (series_id, date) DO UPDATE SET value = excluded.value, version = excluded.version
       WHERE engine_prices.version < excluded.version`,
    arraysOf(pricesOf(typed), 'id', 'date', 'value', 'version'),
  );
}

/** Records the tranche whose book each series has, and the series that lost their book. */
export async function attach(
  { manager }: Context,
  taken: readonly BookedSeries[],
  left: readonly string[],
): Promise<void> {
  const newest = [...new Map(taken.map(({ id, book }) => [id, { id, ...book }])).values()];
  await manager.execute(
    `UPDATE issuances.series s SET engine_tranche_id = NULL, engine_tranche = NULL, engine_sequence = NULL WHERE s.id = ANY ($1::uuid[])`,
    [left],
  );
  await manager.execute(
    `UPDATE issuances.series s SET engine_tranche_id = n.tranche_id, engine_tranche = n.ticker,
       engine_sequence = n.sequence
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[]) AS n (id, tranche_id, ticker, sequence)
     WHERE s.id = n.id AND (s.engine_sequence IS NULL OR s.engine_sequence < n.sequence)`,
    arraysOf(newest, 'id', 'trancheId', 'trancheTicker', 'sequence'),
  );
}

export function lockSeries({ manager }: Context, ticker: string): Promise<SeriesRow | undefined> {
  return manager.row(
    `SELECT ${seriesColumns} FROM issuances.series WHERE lower(ticker) = lower($1) FOR NO KEY UPDATE`,
    [canBeTicker(ticker) ? ticker : null],
  );
}

/** Sets why the prices of a series are typed; null for a series whose book the engine keeps. Typed prices are then of no version of the engine, and without the payments of their days. */
export async function setTyped({ manager }: Context, id: string, reason: string | null): Promise<void> {
  await manager.execute('UPDATE issuances.series SET typed_reason = $2 WHERE id = $1', [id, reason]);
  await manager.execute(
    'UPDATE issuances.unit_prices SET engine_version = NULL, projected = false WHERE series_id = $1',
    [id],
  );
  await manager.execute(
    `UPDATE issuances.payments SET priced_until = NULL, paid_parts = NULL, projected_interest = NULL, projected_principal = NULL, projected_total = NULL
     WHERE series_id = $1`,
    [id],
  );
  await manager.execute('DELETE FROM issuances.engine_prices WHERE series_id = $1', [id]);
}

export const mostDifferences = 500;

export interface PriceDifferenceRow {
  readonly seriesTicker: string;
  readonly date: string;
  readonly value: string;
  readonly engineValue: string;
  readonly difference: string;
  readonly reason: string | null;
}

export function priceDifferences({ manager }: Context): Promise<PriceDifferenceRow[]> {
  return manager.rows(
    `SELECT s.ticker AS "seriesTicker", u.date::text AS date, u.value, n.value AS "engineValue", u.value - n.value AS difference, i.reason
     FROM issuances.engine_prices n JOIN issuances.unit_prices u ON u.series_id = n.series_id AND u.date = n.date
     JOIN issuances.series s ON s.id = n.series_id AND s.typed_reason IS NOT NULL
     LEFT JOIN shared.imports i ON i.id = u.recorded_by
     WHERE abs(u.value - n.value) > 0.00000001 ORDER BY u.date DESC, s.ticker LIMIT ${mostDifferences}`,
  );
}
