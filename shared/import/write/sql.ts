import type { Field, Kind } from '../model/kind.js';

/** Names and fragments of SQL shared by the staging tables, the checks and the merge. */

/** Returns the staging table of a kind, temporary to one transaction. */
export function stageOf({ table }: Kind): string {
  return `import_${table.split('.').at(-1) ?? ''}`;
}

/** Returns the column of a field in the staging table, where a reference is still a text. */
export function stagedColumn({ column, refersTo }: Field): string {
  return refersTo?.staged ?? column;
}

export function keptFields({ fields }: Kind): readonly Field[] {
  return fields.filter(({ kept }) => kept);
}

export function keyFields({ fields, key }: Kind): readonly Field[] {
  return fields.filter(({ name }) => key.includes(name));
}

export function ownerColumns({ source }: Kind): readonly string[] {
  return source.owner.map(([column]) => column);
}

export interface StagedColumn {
  readonly name: string;
  readonly sql: string;
}

/** Returns every column of a staging table, in the order in which rows are copied. */
export function stagedColumns(kind: Kind): readonly StagedColumn[] {
  return [
    { name: 'file', sql: 'integer' },
    { name: 'line', sql: 'integer' },
    { name: 'path', sql: 'text' },
    { name: 'position', sql: 'integer' },
    ...(kind.hasId ? [{ name: 'id', sql: 'uuid' }] : []),
    ...(kind.parent?.columns ?? []),
    ...keptFields(kind).map((field) => ({ name: stagedColumn(field), sql: field.type.sql })),
    ...kind.derived.map(({ column, sql }) => ({ name: column, sql })),
  ];
}

export function keyOf(kind: Kind): readonly string[] {
  const own = keyFields(kind).map((field) => {
    if (field.refersTo !== undefined) return `coalesce(lower(s.${field.refersTo.staged}), '')`;
    return kind.unique && field.type.sql === 'text' ? `lower(s.${field.column})` : `s.${field.column}`;
  });
  const owner = (kind.parent?.columns ?? []).map(({ name, folds }) => (folds ? `lower(s.${name})` : `s.${name}`));
  return kind.unique ? own : [...owner, ...own];
}

/** Returns SQL that creates the staging tables. They are dropped with the transaction. */
export function createStaging(kinds: readonly Kind[]): string {
  return [
    ...kinds.map((kind) => {
      const columns = stagedColumns(kind).map(({ name, sql }) => `${name} ${sql}`);
      return `CREATE TEMP TABLE ${stageOf(kind)} (${columns.join(', ')}) ON COMMIT DROP`;
    }),
    // Complete lists of the input; faulty records, so that references to them are not reported; owners of faulty lines; file names.
    'CREATE TEMP TABLE import_lists (kind text, owner text) ON COMMIT DROP',
    'CREATE TEMP TABLE import_faulty (kind text, owner text, name text) ON COMMIT DROP',
    'CREATE TEMP TABLE import_mentions (kind text, file integer, line integer, owner text) ON COMMIT DROP',
    'CREATE TEMP TABLE import_files (file integer, name text) ON COMMIT DROP',
  ].join(';\n');
}
