import { type Conditions, oneOf } from '../../../shared/database/conditions.js';
import { type InputsOf, nullable } from '../../../shared/graphql/fields.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import {
  dayRangeErrors,
  decimalRangeErrors,
  distinctValues,
  filterLabels,
} from '../../../shared/graphql/filter-values.js';
import type { SortDirection } from '../../../shared/graphql/sorted-list.js';
import { refuse, type ErrorDetail } from '../../../shared/kernel/errors.js';
import { type Indexer, IndexerEnum } from '../../securities/indexer.js';
import { filterTickers } from '../../securities/tickers.js';
import { normalizeText } from '../../../shared/kernel/format/normalize-text.js';

export const IssueStatusEnum = describeEnum<IssueStatus>(
  'IssueStatus',
  'Status of an operation or of one of its series, according to the label that its operator published.',
  {
    STRUCTURING: 'Being set up',
    OFFERED: 'Offered to investors',
    ACTIVE: 'In force',
    DEFAULTED: 'In force, with payments that are not made',
    ACCELERATED: 'Due before its maturity date, because of a default or another event of the deed',
    ENDED: 'Ended: repaid, redeemed or matured',
    CANCELLED: 'Cancelled',
    OTHER: 'The published label is none of the known ones',
  },
  {
    STRUCTURING: ['Em estruturação', 'Being set up'],
    OFFERED: ['Em distribuição', 'Offered'],
    ACTIVE: ['Ativa', 'Active'],
    DEFAULTED: ['Inadimplente', 'Defaulted'],
    ACCELERATED: ['Vencida antecipadamente', 'Accelerated'],
    ENDED: ['Encerrada', 'Ended'],
    CANCELLED: ['Cancelada', 'Cancelled'],
    OTHER: ['Outro', 'Other'],
  },
);

export function issueFilter(
  things: string,
  words: { readonly of: string; readonly indexed: string; readonly volume: string; readonly operation: string },
) {
  return {
    statuses: nullable.list(() => IssueStatusEnum, `Only ${things} with one of these statuses`),
    statusLabels: nullable.texts(
      `Only ${things} with one of these published labels, exactly as in \`statusLabel(locale: PT_BR)\``,
      { maxItems: 20 },
    ),
    tickers: nullable.texts(
      `Only ${things} with one of these tickers, in any case; those that do not exist are ignored`,
    ),
    issuers: nullable.texts(
      `Only ${things} ${words.of}of one of these issuers, exactly as in \`issuer\`${words.operation}`,
    ),
    ratings: nullable.texts(
      `Only ${things} ${words.of}with one of these ratings, exactly as in \`rating\`${words.operation}`,
    ),
    indexers: nullable.list(() => IndexerEnum, `Only ${things} with ${words.indexed}`),
    issueFrom: nullable.day(`Only ${things} issued on this day or later`),
    issueTo: nullable.day(`Only ${things} issued on this day or earlier`),
    maturityFrom: nullable.day(`Only ${things} that mature on this day or later`),
    maturityTo: nullable.day(`Only ${things} that mature on this day or earlier`),
    volumeFrom: nullable.decimal(`Only ${things} with at least this ${words.volume}, in BRL`),
    volumeTo: nullable.decimal(`Only ${things} with at most this ${words.volume}, in BRL`),
  };
}

type IssueFilter = InputsOf<ReturnType<typeof issueFilter>>;

/** Common part of the filters of operations and of series, as a query has it; cursors are bound to it. */
export interface IssueQuery {
  readonly statuses: readonly IssueStatus[];
  /** The published labels that mean one of `statuses`. */
  readonly labelsOfStatuses: readonly string[];
  readonly statusLabels: readonly string[];
  /** In lower case. */
  readonly tickers: readonly string[];
  readonly issuers: readonly string[];
  readonly ratings: readonly string[];
  readonly indexers: readonly Indexer[];
  readonly issueFrom: string | null;
  readonly issueTo: string | null;
  readonly maturityFrom: string | null;
  readonly maturityTo: string | null;
  /** Issued amount in reais. */
  readonly volumeFrom: string | null;
  readonly volumeTo: string | null;
  readonly direction: SortDirection;
}

/** @throws {ApiError} BAD_REQUEST for a range that ends before it begins, and with the further errors of the filter */
export function issueQueryOf(
  given: IssueFilter,
  errors: readonly ErrorDetail[] = [],
): Omit<IssueQuery, 'labelsOfStatuses' | 'direction'> {
  const { issueFrom = null, issueTo = null, maturityFrom = null, maturityTo = null } = given;
  const { volumeFrom = null, volumeTo = null } = given;
  refuse('BAD_REQUEST', [
    ...dayRangeErrors('filter.', { issueFrom, issueTo }, { maturityFrom, maturityTo }),
    ...decimalRangeErrors('filter.', { volumeFrom, volumeTo }),
    ...errors,
  ]);
  return {
    statuses: distinctValues(given.statuses),
    statusLabels: filterLabels(given.statusLabels),
    tickers: filterTickers(given.tickers),
    issuers: filterLabels(given.issuers),
    ratings: filterLabels(given.ratings),
    indexers: distinctValues(given.indexers),
    ...{ issueFrom, issueTo, maturityFrom, maturityTo, volumeFrom, volumeTo },
  };
}

/** Adds what both lists ask of the rows; the rest of a filter is of one of them. */
export function whereIssues(
  { where }: Conditions,
  query: IssueQuery,
  sql: Readonly<Record<'ticker' | 'status' | 'issueDate' | 'maturityDate' | 'volume', string>>,
): void {
  where(query.tickers, oneOf(`lower(${sql.ticker})`));
  where(query.issuers, oneOf('operation.issuer'));
  where(query.ratings, oneOf('operation.rating'));
  where(query.labelsOfStatuses, oneOf(sql.status));
  where(query.statusLabels, oneOf(sql.status));
  where(query.issueFrom, (day) => `${sql.issueDate} >= ${day}::date`);
  where(query.issueTo, (day) => `${sql.issueDate} <= ${day}::date`);
  where(query.maturityFrom, (day) => `${sql.maturityDate} >= ${day}::date`);
  where(query.maturityTo, (day) => `${sql.maturityDate} <= ${day}::date`);
  where(query.volumeFrom, (amount) => `${sql.volume} >= ${amount}::numeric`);
  where(query.volumeTo, (amount) => `${sql.volume} <= ${amount}::numeric`);
}

/** The labels that operators publish for each status of an operation or a series, in any gender, number and case. */
const published = {
  STRUCTURING: ['Em estruturação', 'Em registro'],
  OFFERED: ['Em distribuição', 'Em oferta', 'Em oferta pública', 'Em captação', 'Em colocação'],
  ACTIVE: ['Ativa', 'Em andamento', 'Em curso', 'Em vigor', 'Vigente', 'Adimplente', 'Em dia'],
  DEFAULTED: ['Inadimplente', 'Em inadimplência', 'Em atraso'],
  ACCELERATED: ['Vencida antecipadamente', 'Em vencimento antecipado', 'Vencimento antecipado'],
  ENDED: ['Encerrada', 'Resgatada', 'Liquidada', 'Quitada', 'Vencida'],
  CANCELLED: ['Cancelada'],
} as const;

export type IssueStatus = keyof typeof published | 'OTHER';

const statusByLabel = new Map<string, IssueStatus>(
  Object.entries(published).flatMap(([status, labels]) =>
    labels.map((label) => [withoutGender(label), status as keyof typeof published] as const),
  ),
);

/** Returns the status that a published label means, without regard to case, accents, gender and number; OTHER for an unknown one. */
export function issueStatusOf(label: string): IssueStatus {
  return statusByLabel.get(withoutGender(label)) ?? 'OTHER';
}

/** Makes `Resgatados` and `Resgatada` the same text. */
function withoutGender(label: string): string {
  return normalizeText(label).replace(/[aeo]s?\b/g, 'a');
}
