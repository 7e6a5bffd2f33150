import { kinds } from '../model/kinds.js';
import type { Field, Kind, Parent } from '../model/kind.js';

/** Names and fragments of SQL that the staging tables, the checks and the merge share. */

/** The staging table of a kind, temporary to one transaction. */
export function stageOf({ table }: Kind): string {
  return `import_${table}`;
}

interface OwnerColumn {
  readonly name: string;
  readonly sql: string;
}

const ownerColumns: Readonly<Record<Parent, readonly OwnerColumn[]>> = {
  none: [],
  operation: [{ name: 'owner_operation', sql: 'text' }],
  series: [{ name: 'owner_series', sql: 'text' }],
  contract: [
    { name: 'owner_operation', sql: 'text' },
    { name: 'owner_contract', sql: 'text' },
  ],
  onchainContract: [
    { name: 'owner_chain', sql: 'integer' },
    { name: 'owner_address', sql: 'text' },
  ],
};

/** The column that holds a field while it is staged: a reference to a series is still its ticker. */
export function stagedColumn({ column, refersToSeries }: Field): string {
  return refersToSeries ? 'series_ticker' : column;
}

export interface StagedColumn {
  readonly name: string;
  readonly sql: string;
}

/** Every column of a staging table, in the order in which rows are copied. */
export function stagedColumns(kind: Kind): readonly StagedColumn[] {
  return [
    { name: 'file', sql: 'integer' },
    { name: 'line', sql: 'integer' },
    { name: 'path', sql: 'text' },
    { name: 'position', sql: 'integer' },
    ...(kind.hasId ? [{ name: 'id', sql: 'uuid' }] : []),
    ...ownerColumns[kind.parent],
    ...kind.fields.map((field) => ({ name: stagedColumn(field), sql: field.type.sql })),
  ];
}

/**
 * What makes two staged records the same one, as SQL expressions. Tickers and addresses are the same in any case; those of
 * operations, series and on-chain contracts are unique in the whole house.
 */
export function keyOf(kind: Kind): readonly string[] {
  const fields = kind.fields.filter(({ name }) => kind.key.includes(name));
  const own = fields.map((field) => {
    if (field.refersToSeries) return `coalesce(lower(s.series_ticker), '')`;
    return foldsCase(kind) && field.type.sql === 'text' ? `lower(s.${field.column})` : `s.${field.column}`;
  });
  return foldsCase(kind) ? own : [...ownerKey(kind), ...own];
}

/** Whether records of this kind are named by a ticker or address that is unique in the house. */
export function foldsCase({ name }: Kind): boolean {
  return name === 'operations' || name === 'series' || name === 'onchainContracts';
}

function ownerKey({ parent }: Kind): readonly string[] {
  return ownerColumns[parent].map(({ name }) =>
    name === 'owner_chain' || name === 'owner_contract' ? `s.${name}` : `lower(s.${name})`,
  );
}

/** Creates the staging tables. They vanish with the transaction. */
export const createStaging = [
  ...kinds.map((kind) => {
    const columns = stagedColumns(kind).map(({ name, sql }) => `${name} ${sql}`);
    return `CREATE TEMP TABLE ${stageOf(kind)} (${columns.join(', ')}) ON COMMIT DROP`;
  }),
  // Lists that the input states whole; records that it holds with faults, so that what refers to them is not blamed; what lines
  // with faults belong to; file names.
  'CREATE TEMP TABLE import_lists (table_name text, owner_operation text) ON COMMIT DROP',
  'CREATE TEMP TABLE import_faulty (table_name text, owner text, name text) ON COMMIT DROP',
  'CREATE TEMP TABLE import_mentions (table_name text, file integer, line integer, owner text) ON COMMIT DROP',
  'CREATE TEMP TABLE import_files (file integer, name text) ON COMMIT DROP',
].join(';\n');

/**
 * What can be referred to once this import is done: what there is, and what the input brings. Made after staging, so that
 * references are looked up in one place by the checks and by the merge.
 */
export const createKnown = `
  CREATE TEMP TABLE known_operations ON COMMIT DROP AS
  SELECT coalesce(o.id, s.id) AS id, coalesce(lower(o.ticker), lower(s.ticker)) AS ticker,
    CASE WHEN s.id IS NULL THEN o.maturity_date ELSE s.maturity_date END AS maturity_date
  FROM (SELECT DISTINCT ON (lower(ticker)) * FROM import_operations ORDER BY lower(ticker), file, line) s
  FULL JOIN issuances.operations o ON lower(o.ticker) = lower(s.ticker);
  ANALYZE known_operations;

  CREATE TEMP TABLE known_series ON COMMIT DROP AS
  SELECT coalesce(e.id, s.id) AS id, coalesce(lower(e.ticker), lower(s.ticker)) AS ticker,
    coalesce(e.operation_id, s.operation_id) AS operation_id,
    coalesce(s.issue_date, e.issue_date) AS issue_date, coalesce(s.maturity_date, e.maturity_date) AS maturity_date
  FROM (
    SELECT DISTINCT ON (lower(s.ticker)) s.*, k.id AS operation_id FROM import_series s
    LEFT JOIN known_operations k ON k.ticker = lower(s.owner_operation) ORDER BY lower(s.ticker), file, line
  ) s
  FULL JOIN issuances.series e ON lower(e.ticker) = lower(s.ticker);
  ANALYZE known_series;

  CREATE TEMP TABLE known_onchain_contracts ON COMMIT DROP AS
  SELECT coalesce(e.id, s.id) AS id, coalesce(e.chain_id, s.chain_id) AS chain_id, coalesce(lower(e.address), lower(s.address)) AS address,
    coalesce(e.operation_id, s.operation_id) AS operation_id
  FROM (
    SELECT DISTINCT ON (s.chain_id, lower(s.address)) s.*, k.id AS operation_id FROM import_onchain_contracts s
    LEFT JOIN known_operations k ON k.ticker = lower(s.owner_operation) ORDER BY s.chain_id, lower(s.address), file, line
  ) s
  FULL JOIN issuances.onchain_contracts e ON e.chain_id = s.chain_id AND lower(e.address) = lower(s.address);
  ANALYZE known_onchain_contracts`;
