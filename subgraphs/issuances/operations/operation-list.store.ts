import type { Context } from '../../../shared/kernel/context.js';
import { conditionsOf, oneOf, type Conditions } from '../../../shared/database/conditions.js';
import type { OpenPage } from '../../../shared/graphql/list-page.js';
import { byLetters, sortedSql, type SortedRow, type SortKey } from '../../../shared/graphql/sorted-list.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { OperationQuery, SortField } from './operation-list.js';
import type { OperationAddress } from './operation.type.js';
import { maturityDate, operationColumns, type OperationRow, byOperation } from './operation.store.js';
import { whereIssues, issueStatusOf, type IssueStatus } from './issue-filter.js';
import { arraysOf } from '../../../shared/kernel/group-by.js';
import { columnsOf } from '../../../shared/database/columns.js';
import type {
  Assembly,
  Communication,
  Guarantee,
  Obligation,
  OperationAccount,
  OperationDocument,
  Participant,
  PermittedInvestment,
} from '../parts/part.type.js';
import type { Payment } from '../payments/operation-payment.type.js';

export type ListedOperation = OperationRow & SortedRow;

const volume = `(SELECT coalesce(sum(series.issued_total), 0) FROM issuances.series WHERE series.operation_id = operation.id)`;

const sortKeys: Readonly<Record<SortField, SortKey>> = {
  TICKER: { expression: `lower(operation.ticker) COLLATE "C"`, type: 'text' },
  NAME: byLetters('operation.name'),
  TYPE: byLetters('operation.type'),
  STATUS: byLetters('operation.status'),
  ISSUER: byLetters('operation.issuer', true),
  RATING: byLetters('operation.rating', true),
  EMISSION_DATE: { expression: 'operation.emission_date', type: 'date', optional: true },
  MATURITY_DATE: { expression: maturityDate, type: 'date', optional: true },
  VOLUME: { expression: volume, type: 'numeric' },
};

function conditionsFor(query: OperationQuery): Conditions {
  const conditions = conditionsOf('operation.is_public');
  const { where } = conditions;
  whereIssues(conditions, query, {
    ticker: 'operation.ticker',
    status: 'operation.status',
    issueDate: 'operation.emission_date',
    maturityDate,
    volume,
  });
  where(query.types, oneOf('operation.type'));
  where(
    query.indexers,
    (values) =>
      `EXISTS (SELECT FROM issuances.series WHERE series.operation_id = operation.id AND series.indexer = ANY (${values}))`,
  );
  where(query.among && `{${query.among.join()}}`, (ids) => `operation.id = ANY (${ids}::uuid[])`);
  // Normalised text contains only letters, digits and spaces, so nothing has a special meaning to LIKE.
  where(
    query.words.map((word) => `%${word}%`),
    (patterns) => `operation.search_text LIKE ALL (${patterns}::text[])`,
  );
  return conditions;
}

/** Returns the operations of a page, one more than it holds if there are more. */
export function listOperations(
  { manager }: Context,
  query: OperationQuery,
  page: Pick<OpenPage, 'limit' | 'position' | 'backward'>,
): Promise<ListedOperation[]> {
  const { place, text, values } = conditionsFor(query);
  const tie = { expression: 'operation.id', type: 'uuid' };
  const sorted = sortedSql({ value: sortKeys[query.sort], tie, direction: query.direction }, page, place);
  return manager.rows(
    `SELECT ${operationColumns}, ${sorted.columns} FROM issuances.operations AS operation
     WHERE ${text()} AND ${sorted.condition} ORDER BY ${sorted.order} LIMIT ${place(page.limit + 1)}`,
    values,
  );
}

export function countOperations({ manager }: Context, query: OperationQuery): Promise<number> {
  const { text, values } = conditionsFor(query);
  return manager.countRows(
    `SELECT count(*)::int AS count FROM issuances.operations AS operation WHERE ${text()}`,
    values,
  );
}

export function listAddresses({ manager }: Context): Promise<Shape<OperationAddress>[]> {
  return manager.rows(
    `SELECT operation.slug, array_remove(array_agg(series.ticker ORDER BY series.number), NULL) AS "seriesTickers"
     FROM issuances.operations AS operation LEFT JOIN issuances.series AS series ON series.operation_id = operation.id
     WHERE operation.is_public GROUP BY operation.id ORDER BY lower(operation.ticker) COLLATE "C"`,
  );
}

/** Names the filter of a query: what its order is makes no difference. */
export const filterKey = (query: OperationQuery): string =>
  JSON.stringify({ ...query, sort: undefined, direction: undefined });

export interface OperationFigures {
  readonly operations: number;
  readonly series: number;
  /** Issued volume in reais, 2 decimals. */
  readonly volume: string;
}

export function addUpOperations({ manager }: Context, query: OperationQuery): Promise<OperationFigures> {
  const { text, values } = conditionsFor(query);
  return manager.one(
    `SELECT count(DISTINCT operation.id)::int AS operations, count(series.id)::int AS series,
       coalesce(sum(series.issued_total), 0) AS volume
     FROM issuances.operations AS operation LEFT JOIN issuances.series AS series ON series.operation_id = operation.id
     WHERE ${text()}`,
    values,
  );
}

/** Returns an empty label, which none has, if none means them; no labels for an empty list, which does not restrict. They are compared here, so that a filter and `status` follow the same table. */
export async function labelsMeaning(
  { manager }: Context,
  table: 'operations' | 'series',
  statuses: readonly IssueStatus[],
): Promise<readonly string[]> {
  if (statuses.length === 0) return [];
  const rows = await manager.rows<{ status: string }>(`SELECT DISTINCT status FROM issuances.${table}`);
  const labels = rows.map(({ status }) => status).filter((label) => statuses.includes(issueStatusOf(label)));
  return labels.length === 0 ? [''] : labels;
}

/** The slug of an estate, null if it has none now, and the operation that it belongs to. */
export interface EstateSlug {
  readonly id: string;
  readonly slug: string | null;
  readonly operationTicker: string | null;
  /** Number of the event. */
  readonly sequence: number;
}

/** Stores what was announced last, each once and in the same order in every transaction. Returns whether anything changed. */
export async function saveEstateSlugs({ manager }: Context, estates: readonly EstateSlug[]): Promise<boolean> {
  const changed = await manager.rows(
    `INSERT INTO issuances.estate_slugs AS stored (patrimony_id, slug, operation_ticker, event_sequence)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) AS announced (id) ORDER BY announced.id
     ON CONFLICT (patrimony_id) DO UPDATE SET slug = excluded.slug, operation_ticker = excluded.operation_ticker,
       event_sequence = excluded.event_sequence
     WHERE stored.event_sequence < excluded.event_sequence RETURNING patrimony_id`,
    arraysOf(estates, 'id', 'slug', 'operationTicker', 'sequence'),
  );
  return changed.length > 0;
}

/** The row of a part of an operation: the fields of its GraphQL type but those that are computed, and the operation. */
type PartRow<T, Computed extends keyof T = never> = Omit<Shape<T>, Computed> & { readonly operationId: string };

export type AssemblyRow = PartRow<Assembly>;
export type OperationAccountRow = PartRow<OperationAccount>;
export type PermittedInvestmentRow = PartRow<PermittedInvestment>;
export type ObligationRow = PartRow<Obligation, 'status'>;
/** A payment; its open value is stored where a part is paid, its units where the series had another quantity, the last day whose price is with it where the engine says it. */
export type PaymentRow = PartRow<Payment, 'seriesTicker' | 'status' | 'projected'> & {
  readonly seriesId: string | null;
  readonly units: string | null;
  readonly pricedUntil: string | null;
  /** Amounts that the engine expects; null if it expects none. */
  readonly projectedInterest: string | null;
  readonly projectedPrincipal: string | null;
  readonly projectedTotal: string | null;
};

const guarantee = columnsOf<PartRow<Guarantee>>()('id operationId type description status');

export const guaranteesOf = byOperation<PartRow<Guarantee>>(
  `SELECT ${guarantee} FROM issuances.guarantees WHERE operation_id = ANY ($1) ORDER BY position, id`,
);

const participant = columnsOf<PartRow<Participant>>()('id operationId name logoUrl functions');

export const participantsOf = byOperation<PartRow<Participant>>(
  `SELECT ${participant} FROM issuances.participants WHERE operation_id = ANY ($1) ORDER BY position, id`,
);

const account = columnsOf<OperationAccountRow>()(
  'id operationId purpose bank branch accountNumber balance minimumBalance balanceDate::text',
);

export const accountsOf = byOperation<OperationAccountRow>(
  `SELECT ${account} FROM issuances.operation_accounts WHERE operation_id = ANY ($1) ORDER BY purpose, id`,
);

const investment = columnsOf<PermittedInvestmentRow>()(
  'id operationId description institution limitPercent investedAmount positionDate::text',
);

export const permittedInvestmentsOf = byOperation<PermittedInvestmentRow>(
  `SELECT ${investment} FROM issuances.permitted_investments WHERE operation_id = ANY ($1) ORDER BY description, id`,
);

const assembly = columnsOf<AssemblyRow>()(
  'id operationId date::text type title call status agenda resolution quorumPercent url',
);

/** Newest first. */
export const assembliesOf = byOperation<AssemblyRow>(
  `SELECT ${assembly} FROM issuances.assemblies WHERE operation_id = ANY ($1) ORDER BY assemblies.date DESC, id`,
);

const communication = columnsOf<PartRow<Communication, 'correctedAt'>>()(
  'id operationId kind date::text title description',
);

/** Newest first. */
export const communicationsOf = byOperation<PartRow<Communication>>(
  `SELECT ${communication}, CASE WHEN record_version > 1 THEN recorded_at END AS "correctedAt"
   FROM issuances.communications WHERE operation_id = ANY ($1) ORDER BY communications.date DESC, id`,
);

const document = columnsOf<PartRow<OperationDocument>>()('id operationId name type url referenceDate::text createdAt');

/** A public document with its time in microseconds, by which the list is sorted. */
export type DocumentRow = PartRow<OperationDocument> & { readonly exactCreatedAt: string };

/** Returns the public documents, newest first. Nothing loads the others. */
export const publicDocumentsOf = byOperation<DocumentRow>(
  `SELECT ${document}, created_at::text AS "exactCreatedAt" FROM issuances.documents WHERE operation_id = ANY ($1) AND is_public ORDER BY created_at DESC, id`,
);

const obligation = columnsOf<ObligationRow>()(
  'id operationId title description responsible periodicity dueDate::text graceDays deliveredDate::text waivedDate::text',
);

export const obligationsOf = byOperation<ObligationRow>(
  `SELECT ${obligation} FROM issuances.obligations WHERE operation_id = ANY ($1) ORDER BY due_date, id`,
);

const payment = columnsOf<PaymentRow>()(
  'id operationId seriesId installmentNumber event dueDate::text paidDate::text interestValue principalValue',
  'totalValue openValue units pricedUntil::text projectedInterest projectedPrincipal projectedTotal',
);

const knownPaymentsOf = byOperation<PaymentRow>(
  `SELECT ${payment} FROM issuances.payments WHERE operation_id = ANY ($1) ORDER BY due_date, installment_number, id`,
);

/** Expected amounts have no versions: for the past they are unknown. */
export const paymentsOf: typeof knownPaymentsOf = async (context, operationIds) => {
  const found = await knownPaymentsOf(context, operationIds);
  if (context.asOf === undefined) return found;
  const unknown = { projectedInterest: null, projectedPrincipal: null, projectedTotal: null };
  return found.map((rows) => rows.map((row) => ({ ...row, ...unknown })));
};
