import type { Shape } from '../../../shared/graphql/shape.js';
import type { Settlement } from './settlement-batch.type.js';
import type { DayCount } from '../../securities/day-count.js';
import { unpaidText } from '../receivables/schedule.js';
import { arraysOf, groupBy, readAlike } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';
import { eachInTurns } from '../../../shared/kernel/turns.js';
import { maskDocumentsIn } from '../../../shared/kernel/tax-id.js';
import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { isReceipt, type NewSettlement, type SettlementKind, type SettlementTotals } from './check-settlements.js';
import { commonColumns, selection, type BatchRow, type BatchTable, lineLoader } from '../batches/batch.store.js';

/** SQL of whether the payments of a settlement batch are in the balances. */
export const isDecided = `(batch.status = 'PROCESSED' OR batch.status = 'PROCESSING' AND batch.lease IS NULL)`;

/** Rows per statement: their text is built without yielding to the event loop. */
const rowsPerStatement = 1_000;

export async function addSettlements(
  { manager }: Context,
  batchId: string,
  settlements: readonly NewSettlement[],
): Promise<void> {
  for (let start = 0; start < settlements.length; start += rowsPerStatement) {
    const piece = settlements.slice(start, start + rowsPerStatement);
    await manager.execute(
      `INSERT INTO credit_assignment.settlements
         (batch_id, position, receivable_id, settled_amount, settled_date, payment_reference, kind, surplus, substitute_id, reason)
       SELECT $1, $2::integer + ordinality - 1, receivable_id, settled_amount, settled_date, payment_reference,
         coalesce(kind, 'PAYMENT'), coalesce(surplus, 0), substitute_id, reason
       FROM unnest($3::uuid[], $4::numeric[], $5::date[], $6::text[], $7::text[], $8::numeric[], $9::uuid[], $10::text[])
         WITH ORDINALITY AS settlement (receivable_id, settled_amount, settled_date, payment_reference, kind, surplus, substitute_id, reason, ordinality)`,
      [
        batchId,
        start,
        ...arraysOf(piece, 'contractId', 'settledAmount', 'settledDate', 'paymentReference', 'kind', 'surplus'),
        ...arraysOf(piece, 'substituteId'),
        piece.map(({ reason }) => (reason == null ? null : maskDocumentsIn(identifyingText(reason)))),
      ],
    );
  }
}

export async function baseDatesBefore(
  { manager }: Context,
  creditBatchId: string,
  day: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await manager.rows<{ id: string; baseDate: string }>(
    `SELECT id, base_date::text AS "baseDate" FROM credit_assignment.receivables WHERE batch_id = $1 AND base_date < $2`,
    [creditBatchId, day],
  );
  return new Map(rows.map(({ id, baseDate }) => [id, baseDate]));
}

export interface RefusedSettlement {
  /** Its place in the batch, from 0. */
  readonly position: number;
  /**
   * UNKNOWN: not a receivable of the credit batch. REVERSED: the payment with this reference was reversed. CHANGED: the payment with this reference
   * has other figures. REPLACED: the receivable was written off, and its contract assigned again. UNFIT: the substitute cannot take the place. UNCLOSED: a
   * repurchase or substitution leaves a part open. DISCOUNT: the rate of the contract does not give as much.
   */
  readonly kind:
    'UNKNOWN' | 'REPLACED' | 'REVERSED' | 'CHANGED' | 'SETTLED' | 'OVERPAID' | 'UNFIT' | 'UNCLOSED' | 'DISCOUNT';
  readonly externalId: string | null;
  readonly openBalance: string | null;
  /** The sum of the payments of its receivable up to and including this one; UNCLOSED: of all, DISCOUNT: of the discounts of its day. */
  readonly paid: string;
  /** For a DISCOUNT: the most that the discounts may be. */
  readonly most?: string;
  /** The id of the receivable that took the place of a written-off one. */
  readonly successor: string | null;
  /** The recorded payment with the same reference, if there is one. */
  readonly known: {
    readonly paymentReference: string | null;
    readonly kind: SettlementKind | null;
    readonly surplus: string | null;
    readonly settledAmount: string | null;
    readonly settledDate: string | null;
  };
}

export interface Refusal {
  readonly refused: readonly RefusedSettlement[];
  readonly total: number;
  /** Whether any of them is for a receivable that was already settled. */
  readonly anySettled: boolean;
}

type RefusalRow = RefusedSettlement & Omit<Refusal, 'refused'>;

/** The receivables of credit batch $1, each with the one to which its contract is assigned now, if it was written off. */
const receivablesText = `
  SELECT id, external_id, open_balance, status, CASE WHEN written_off_at IS NOT NULL THEN (
    SELECT assigned.receivable_id FROM credit_assignment.assigned_contracts AS assigned
    WHERE assigned.originator_id = (SELECT originator_id FROM credit_assignment.credit_batches WHERE id = $1)
      AND assigned.external_id = own.external_id AND assigned.receivable_id <> own.id) END AS successor
  FROM credit_assignment.receivables AS own WHERE batch_id = $1 AND status <> 'REFUSED'`;

/**
 * Builds the SQL that selects payments that cannot be accepted: the payments of one receivable are added up in their order, without payments that
 * repeat by reference one recorded before or earlier in the same input.
 * @param entries SQL of the payments, with `position`, `receivable_id`, `kind`, `settled_amount`, `surplus`, `settled_date`, `payment_reference` and
 * `substitute_id`; $1 is the credit batch, $2 the limit
 */
const refusalText = (entries: string): string => `
  ${placedText(entries)}, entry AS (
    SELECT placed.*, again AND (settled_amount, settled_date, kind, surplus, substitute_id)
        IS DISTINCT FROM (known_amount, known_date, known_kind, known_surplus, known_substitute) AS changed,
      coalesce(sum(settled_amount) FILTER (WHERE NOT again) OVER (PARTITION BY receivable_id ORDER BY position), 0) AS paid,
      coalesce(sum(settled_amount) FILTER (WHERE NOT again) OVER (PARTITION BY receivable_id), 0) AS whole,
      NOT again AND kind IN ('REPURCHASE', 'SUBSTITUTION') AS closes,
      NOT again AND kind = 'SUBSTITUTION' AND (count(*) FILTER (WHERE NOT again) OVER (PARTITION BY substitute_id) > 1
        OR substitute_id IN (SELECT receivable_id FROM placed WHERE NOT again) OR substitute_id NOT IN (${substitutesText})) AS unfit
    FROM placed
  ), judged AS (
    SELECT entry.position::integer, receivable.external_id AS "externalId", receivable.open_balance AS "openBalance", successor,
      json_build_object('paymentReference', payment_reference, 'settledAmount', known_amount::text, 'settledDate', known_date,
        'kind', known_kind, 'surplus', known_surplus::text) AS known,
      CASE WHEN closes AND whole < open_balance THEN whole ELSE paid END AS paid,
      CASE WHEN receivable.id IS NULL THEN 'UNKNOWN' WHEN reversed THEN 'REVERSED' WHEN changed THEN 'CHANGED' WHEN again THEN NULL
        WHEN successor IS NOT NULL THEN 'REPLACED' WHEN settled_amount = 0 THEN NULL
        WHEN paid > open_balance THEN CASE receivable.status WHEN 'SETTLED' THEN 'SETTLED' ELSE 'OVERPAID' END WHEN unfit THEN 'UNFIT' WHEN closes AND whole < open_balance THEN 'UNCLOSED' END AS kind
    FROM entry LEFT JOIN (${receivablesText}) AS receivable ON receivable.id = entry.receivable_id
  )
  SELECT judged.*, (count(*) OVER ())::integer AS total, bool_or(kind = 'SETTLED') OVER () AS "anySettled" FROM judged
  WHERE kind IS NOT NULL ORDER BY position LIMIT $2`;

/** SQL of the receivables that may take the place of one that is substituted: open ones of the same client and estate that still owe as much, and take no other place. */
const substitutesText = `
  SELECT free.id FROM placed AS wish JOIN credit_assignment.receivables AS free ON free.id = wish.substitute_id
  JOIN credit_assignment.credit_batches AS own ON own.id = free.batch_id
  JOIN credit_assignment.credit_batches AS paid ON paid.id = $1 AND (paid.originator_id, paid.patrimony_id) = (own.originator_id, own.patrimony_id)
  WHERE free.status = 'OPEN' AND free.written_off_at IS NULL AND free.open_balance >= wish.settled_amount AND NOT EXISTS (
    SELECT FROM credit_assignment.settlements AS before JOIN credit_assignment.settlement_batches AS batch ON batch.id = before.batch_id
    WHERE before.substitute_id = free.id AND NOT before.repeated AND before.reversed_amount < before.settled_amount AND ${isDecided})`;

/** Builds the SQL of the payments of `refusalText` as `placed`: whether each repeats by its reference one that was recorded before, or earlier in the input. */
function placedText(entries: string): string {
  return `WITH given AS (${entries}), placed AS (
    SELECT given.*, coalesce(known.settled_amount, first_value(given.settled_amount) OVER same) AS known_amount,
      coalesce(known.settled_date, first_value(given.settled_date) OVER same) AS known_date,
      coalesce(known.kind, first_value(given.kind) OVER same) AS known_kind,
      coalesce(known.surplus, first_value(given.surplus) OVER same) AS known_surplus,
      coalesce(recorded.substitute_id, first_value(given.substitute_id) OVER same) AS known_substitute,
      given.payment_reference IS NOT NULL AND (known.receivable_id IS NOT NULL OR row_number() OVER same > 1) AS again,
      recorded.reversed_at IS NOT NULL AS reversed
    FROM given LEFT JOIN credit_assignment.payment_references AS known
      ON known.receivable_id = given.receivable_id AND known.payment_reference = given.payment_reference
    LEFT JOIN credit_assignment.settlements AS recorded ON recorded.batch_id = known.batch_id AND recorded.position = known.position
    WINDOW same AS (PARTITION BY given.receivable_id, given.payment_reference ORDER BY given.position)
  )`;
}

export interface Entries {
  /** Builds their SQL for `refusalText`, whose values begin at a place. */
  readonly text: (first: number) => string;
  readonly values: readonly unknown[];
  readonly anyDiscount: boolean;
}

export async function newEntries(settlements: readonly NewSettlement[]): Promise<Entries> {
  const anyReference = settlements.some(({ paymentReference }) => paymentReference != null);
  // Other data of a payment matter only if it may be a known payment, or is no plain one.
  const anyKind = anyReference || settlements.some(({ kind }) => kind != null && kind !== 'PAYMENT');
  return {
    text: (first) => `SELECT ordinality - 1 AS position, receivable_id, settled_amount, settled_date, payment_reference,
        coalesce(kind, 'PAYMENT') AS kind, coalesce(surplus, 0) AS surplus, substitute_id
      FROM unnest($${first}::uuid[], $${first + 1}::numeric(20, 2)[], $${first + 2}::date[], $${first + 3}::text[], $${first + 4}::text[],
        $${first + 5}::numeric(20, 2)[], $${first + 6}::uuid[])
        WITH ORDINALITY AS given (receivable_id, settled_amount, settled_date, payment_reference, kind, surplus, substitute_id, ordinality)`,
    values: [
      await plainArray(settlements, ({ contractId }) => contractId),
      await plainArray(settlements, ({ settledAmount }) => settledAmount),
      await plainArray(settlements, ({ settledDate }) => settledDate),
      anyReference ? await plainArray(settlements, quotedReference) : null,
      ...(anyKind
        ? [
            await plainArray(settlements, ({ kind }) => kind ?? 'PAYMENT'),
            await plainArray(settlements, ({ surplus }) => surplus ?? '0'),
            await plainArray(settlements, ({ substituteId }) => substituteId ?? 'NULL'),
          ]
        : [null, null, null]),
    ],
    anyDiscount: settlements.some(({ kind }) => kind === 'DISCOUNT'),
  };
}

/** Builds PostgreSQL's text of an array of values whose form was checked, yielding to the event loop: pg would search each of 50,000 for characters to escape. */
async function plainArray(
  settlements: readonly NewSettlement[],
  valueOf: (settlement: NewSettlement) => string,
): Promise<string> {
  const values: string[] = [];
  await eachInTurns(settlements, (settlement) => values.push(valueOf(settlement)));
  return `{${values.join(',')}}`;
}

/** Quoted, since a reference may be the word NULL; its form contains nothing else to escape. */
function quotedReference({ paymentReference }: NewSettlement): string {
  return paymentReference == null ? 'NULL' : `"${paymentReference}"`;
}

export async function storedEntries({ manager }: Context, batchId: string): Promise<Entries> {
  const anyDiscount = await manager.value<boolean>(
    `SELECT EXISTS (SELECT FROM credit_assignment.settlements WHERE batch_id = $1 AND kind = 'DISCOUNT')`,
    [batchId],
  );
  return {
    text: (
      first,
    ) => `SELECT position, receivable_id, kind, settled_amount, surplus, settled_date, payment_reference, substitute_id
       FROM credit_assignment.settlements WHERE batch_id = $${first}`,
    values: [batchId],
    anyDiscount: anyDiscount === true,
  };
}

/** Returns the payments that the present balances and receivables do not allow, at most `limit` of them. */
export async function refusedByBalances(
  { manager }: Context,
  creditBatchId: string,
  { text, values }: Entries,
  limit: number,
): Promise<Refusal> {
  const rows = await manager.rows<RefusalRow>(refusalText(text(3)), [creditBatchId, limit, ...values]);
  const [first] = rows;
  return { refused: rows, total: first?.total ?? 0, anySettled: first?.anySettled ?? false };
}

/** A receivable with discounts, and all its payments that do not repeat one, in their order. */
export interface DiscountedReceivable {
  readonly externalId: string;
  /** Interest rate of the contract, or of its last renegotiation, in percent a year. */
  readonly interestRate: string | null;
  readonly dayCount: DayCount | null;
  /** Open amount of each instalment in BRL, the earliest due first. */
  readonly unpaid: readonly { readonly due: string; readonly unpaid: string }[];
  readonly lines: readonly {
    readonly position: number;
    readonly kind: SettlementKind;
    readonly amount: string;
    readonly day: string;
  }[];
}

export function discountedReceivables(
  { manager }: Context,
  creditBatchId: string,
  { text, values }: Entries,
): Promise<DiscountedReceivable[]> {
  return manager.rows(
    `${placedText(text(2))}
     SELECT receivable.external_id AS "externalId", coalesce(newer.interest_rate, receivable.interest_rate) AS "interestRate",
       coalesce(newer.day_count, receivable.day_count) AS "dayCount", line.lines,
       (SELECT json_agg(json_build_object('due', due, 'unpaid', unpaid::text) ORDER BY due) FROM (${unpaidText('receivable.open_balance', `'infinity'`)}) AS one) AS unpaid
     FROM (SELECT receivable_id, json_agg(json_build_object('position', position, 'kind', kind, 'amount', settled_amount::text, 'day', settled_date)
             ORDER BY position) AS lines
           FROM placed WHERE NOT again GROUP BY receivable_id HAVING bool_or(kind = 'DISCOUNT')) AS line
     JOIN credit_assignment.receivables AS receivable ON receivable.id = line.receivable_id AND receivable.batch_id = $1
     LEFT JOIN LATERAL (SELECT interest_rate, day_count FROM credit_assignment.renegotiations WHERE receivable_id = receivable.id
       AND reverted_at IS NULL AND interest_rate IS NOT NULL ORDER BY recorded_at DESC, id DESC LIMIT 1) AS newer ON true`,
    [creditBatchId, ...values],
  );
}

/** A settlement batch as it is stored. Its lines are payments. */
export interface SettlementBatchRow extends BatchRow, SettlementTotals {
  readonly creditBatchId: string;
  /** Digest of the lines of its file; null without a file, or if every payment has a reference. */
  readonly fileDigest: string | null;
}

export const settlementBatchTable: BatchTable<SettlementBatchRow> = {
  table: 'credit_assignment.settlement_batches',
  columns: [
    ...commonColumns,
    ['creditBatchId', 'credit_batch_id'],
    ['fileDigest', 'file_digest'],
    ['lineCount', 'settlement_count'],
    ['total', 'total_settled_amount'],
    ['totalSurplus', 'total_surplus'],
    ['totalAbated', 'total_abated'],
  ],
  idFilters: [
    ['creditBatchId', 'credit_batch_id'],
    ['patrimonyId', 'patrimony_id'],
  ],
};

export interface NewestSettlementBatches {
  readonly creditBatchId: string;
  readonly first: number;
}

export function newestSettlementBatchesOf(
  { manager }: Context,
  keys: readonly NewestSettlementBatches[],
): Promise<(readonly SettlementBatchRow[])[]> {
  return readAlike(keys, ['first'], async ({ first }, alike) => {
    const rows = await manager.rows<SettlementBatchRow>(
      `SELECT batch.* FROM unnest($1::uuid[]) AS credit (id) CROSS JOIN LATERAL (
         SELECT ${selection(settlementBatchTable)} FROM credit_assignment.settlement_batches
         WHERE credit_batch_id = credit.id ORDER BY id DESC LIMIT $2) AS batch`,
      [[...new Set(alike.map(({ creditBatchId }) => creditBatchId))], first],
    );
    const byCreditBatch = groupBy(rows, ({ creditBatchId }) => creditBatchId);
    return ({ creditBatchId }) => byCreditBatch.get(creditBatchId) ?? [];
  });
}

/** Locks the receivables that the payments of a batch are for, and those that take their place, in the same order in every transaction. */
export async function lockPaidReceivables({ manager }: Context, batchId: string): Promise<void> {
  await manager.execute(
    `SELECT count(*) FROM (
       SELECT FROM credit_assignment.receivables
       WHERE id IN (SELECT unnest(ARRAY[receivable_id, substitute_id]) FROM credit_assignment.settlements WHERE batch_id = $1)
       ORDER BY id FOR NO KEY UPDATE) AS locked`,
    [batchId],
  );
}

/**
 * Checks that credit assignment knows the schedules of the receivables that a batch pays, and all that lowers the debt of their substitutes.
 * @throws {Error} while a renegotiation or its reversion is not consumed, since the asset would cut payments above its open amount; also while a payment or a
 * write-off of a substitute is not consumed. The batch is tried again
 */
export async function requireKnownSchedules({ manager }: Context, batchId: string): Promise<void> {
  const schedules = `'assets.renegotiated', 'assets.renegotiation_reverted'`;
  const ofBatch = (column: string) =>
    `(SELECT ${column}::text FROM credit_assignment.settlements WHERE batch_id = $1 AND ${column} IS NOT NULL)`;
  const waiting = await manager.value<string>(
    `SELECT id::text FROM shared.outbox WHERE published_at IS NULL AND (topic IN (${schedules}) AND key IN ${ofBatch('receivable_id')}
       OR topic IN (${schedules}, 'assets.paid', 'assets.written_off') AND key IN ${ofBatch('substitute_id')}) LIMIT 1`,
    [batchId],
  );
  if (waiting !== undefined)
    throw new Error(`The batch waits for a new schedule of a receivable, or an act on a substitute: ${waiting}`);
}

/** Receivables are locked and all payments accepted; marks those that repeat a recorded one. */
export async function keepReferences({ manager }: Context, batchId: string): Promise<void> {
  const row = await manager.row<{ any: boolean }>(
    `SELECT EXISTS (SELECT FROM credit_assignment.settlements WHERE batch_id = $1 AND payment_reference IS NOT NULL) AS any`,
    [batchId],
  );
  if (row?.any !== true) return;
  await manager.execute(
    `INSERT INTO credit_assignment.payment_references
       (receivable_id, payment_reference, kind, settled_amount, surplus, settled_date, batch_id, position)
     SELECT receivable_id, payment_reference, kind, settled_amount, surplus, settled_date, batch_id, position
     FROM credit_assignment.settlements WHERE batch_id = $1 AND payment_reference IS NOT NULL
     ORDER BY receivable_id, payment_reference, position ON CONFLICT DO NOTHING`,
    [batchId],
  );
  await manager.execute(
    `UPDATE credit_assignment.settlements AS settlement SET repeated = true
     FROM credit_assignment.payment_references AS known
     WHERE settlement.batch_id = $1 AND known.receivable_id = settlement.receivable_id
       AND known.payment_reference = settlement.payment_reference
       AND (known.batch_id, known.position) <> (settlement.batch_id, settlement.position)`,
    [batchId],
  );
}

/** Subtracts the payments of a batch from the open balances of their receivables, which are locked; repeated ones are skipped. */
export async function moveBalances({ manager, clock }: Context, batchId: string): Promise<void> {
  await manager.execute(
    `UPDATE credit_assignment.receivables AS receivable
     SET open_balance = open_balance - paid.amount, abated = receivable.abated + paid.abated, surplus = receivable.surplus + paid.surplus,
       discounted = receivable.discounted + paid.discounted, substituted = receivable.substituted + paid.substituted,
       repurchased = receivable.repurchased + paid.repurchased, changed_at = $2::timestamptz,
       status = CASE WHEN open_balance = paid.amount THEN 'SETTLED' ELSE 'OPEN' END,
       settled_at = CASE WHEN open_balance = paid.amount THEN coalesce(settled_at, $2::timestamptz) END
     FROM (SELECT receivable_id, sum(settled_amount) AS amount, sum(surplus) AS surplus,
             coalesce(sum(settled_amount) FILTER (WHERE NOT ${isReceipt}), 0) AS abated,
             coalesce(sum(settled_amount) FILTER (WHERE kind = 'DISCOUNT'), 0) AS discounted,
             coalesce(sum(settled_amount) FILTER (WHERE kind = 'SUBSTITUTION'), 0) AS substituted,
             coalesce(sum(settled_amount) FILTER (WHERE kind = 'REPURCHASE'), 0) AS repurchased FROM credit_assignment.settlements
           WHERE batch_id = $1 AND NOT repeated GROUP BY receivable_id) AS paid
     WHERE receivable.id = paid.receivable_id`,
    [batchId, clock.now()],
  );
}

/** A payment of a processed batch, as tokenization receives it: it knows only what was received, and what was not. */
export interface SettledEntry {
  readonly receivableId: string;
  readonly kind: 'PAYMENT' | 'ABATEMENT';
  readonly surplus: string;
  readonly settledAmount: string;
  /** `YYYY-MM-DD` */
  readonly settledDate: string;
}

/** Returns the payments of a batch at `count` positions from the given one on, in their order, without repeated ones. */
export function settledEntries(
  { manager }: Context,
  batchId: string,
  from: number,
  count: number,
): Promise<SettledEntry[]> {
  return manager.rows(
    `SELECT receivable_id AS "receivableId", CASE WHEN ${isReceipt} THEN 'PAYMENT' ELSE 'ABATEMENT' END AS kind, settled_amount AS "settledAmount", surplus, settled_date::text AS "settledDate"
     FROM credit_assignment.settlements WHERE batch_id = $1 AND position >= $2 AND position < $3::integer AND NOT repeated ORDER BY position`,
    [batchId, from, from + count],
  );
}

export interface PaymentRow extends Shape<Settlement> {
  readonly batchId: string;
  readonly position: number;
}

const columns = `settlement.batch_id AS "batchId", settlement.position, settlement.receivable_id AS "contractId",
  receivable.external_id AS "externalId", settlement.kind, settlement.settled_amount AS "settledAmount", settlement.surplus,
  settlement.settled_date::text AS "settledDate", settlement.payment_reference AS "paymentReference", settlement.reason,
  settlement.substitute_id AS "substituteId", settlement.repeated,
  settlement.reversed_at IS NOT NULL AS reversed, settlement.reversed_amount AS "reversedAmount"`;

const tables = `credit_assignment.settlements AS settlement
  JOIN credit_assignment.receivables AS receivable ON receivable.id = settlement.receivable_id`;

/** Loads payments of each given batch, in the order of the keys. */
export const paymentsAt = lineLoader<PaymentRow>(columns, tables, 'settlement');

export interface NewestPayments {
  readonly receivableId: string;
  readonly first: number;
}

/** Loads the newest payments that reduced the balance of each given receivable, in the order of the keys. */
export function paymentsOfReceivables(
  { manager }: Context,
  keys: readonly NewestPayments[],
): Promise<(readonly PaymentRow[])[]> {
  return readAlike(keys, ['first'], async ({ first }, alike) => {
    const rows = await manager.rows<PaymentRow>(
      `SELECT payment.* FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
         SELECT ${columns} FROM ${tables}
         JOIN credit_assignment.settlement_batches AS batch ON batch.id = settlement.batch_id
         WHERE settlement.receivable_id = wanted.id AND NOT settlement.repeated
           AND ${isDecided}
         ORDER BY settlement.batch_id DESC, settlement.position DESC LIMIT $2) AS payment`,
      [[...new Set(alike.map(({ receivableId }) => receivableId))], first],
    );
    const byReceivable = groupBy(rows, ({ contractId }) => contractId);
    return ({ receivableId }) => byReceivable.get(receivableId) ?? [];
  });
}
