import type { EntityManager } from 'typeorm';
import type { Kind, Parent } from '../model/kind.js';
import { foldsCase, stagedColumn, stageOf } from './sql.js';

/** What a merge did to one operation's records of a kind. */
export interface Effect {
  readonly operationId: string;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  /** The newest day, `YYYY-MM-DD`, of what is new or changed and can be seen from outside; null for kinds without events. */
  readonly newest: string | null;
}

/**
 * Brings the staged records of a kind into its table: removes what a stated list no longer names, then adds what is new and
 * changes what is different. A record that is the same is not touched at all.
 */
export async function merge(manager: EntityManager, kind: Kind, now: Date): Promise<Effect[]> {
  const removed = kind.replaces ? await manager.query<Effect[]>(removal(kind)) : [];
  const written = await manager.query<Effect[]>(upsert(kind), kind.name === 'operations' ? [now] : []);
  const rows = written.reduce((sum, { created, changed }) => sum + created + changed, 0);
  // What follows joins with this table: the planner has to know how large it has become.
  if (rows > 1000) await manager.query(`ANALYZE issuances.${kind.table}`);
  return [...removed, ...written];
}

interface Source {
  /** Columns of the owner in the table, with where they come from. */
  readonly owner: readonly (readonly [column: string, from: string])[];
  readonly join: string;
  readonly operationId: string;
}

const sources: Readonly<Record<Parent, Source>> = {
  none: { owner: [], join: 'JOIN known_operations k ON k.ticker = lower(s.ticker)', operationId: 'k.id' },
  operation: {
    owner: [['operation_id', 'k.id']],
    join: 'JOIN known_operations k ON k.ticker = lower(s.owner_operation)',
    operationId: 'k.id',
  },
  series: {
    owner: [['series_id', 'k.id']],
    join: 'JOIN known_series k ON k.ticker = lower(s.owner_series)',
    operationId: 'k.operation_id',
  },
  contract: {
    owner: [
      ['operation_id', 'k.id'],
      ['contract_id', 'c.id'],
    ],
    join: `JOIN known_operations k ON k.ticker = lower(s.owner_operation)
      JOIN issuances.credit_contracts c ON c.operation_id = k.id AND c.external_id = s.owner_contract`,
    operationId: 'k.id',
  },
  onchainContract: {
    owner: [['contract_id', 'k.id']],
    join: 'JOIN known_onchain_contracts k ON k.chain_id = s.owner_chain AND k.address = lower(s.owner_address)',
    operationId: 'k.operation_id',
  },
};

/** The staged records as rows of the table. */
function sourceOf(kind: Kind): string {
  const { owner, join, operationId } = sources[kind.parent];
  const refers = kind.fields.some((field) => field.refersToSeries);
  const columns = [
    ...(kind.hasId ? ['s.id'] : []),
    ...owner.map(([column, from]) => `${from} AS ${column}`),
    ...(kind.ordered ? ['s.position'] : []),
    ...kind.fields.map((field) => (field.refersToSeries ? `e.id AS ${field.column}` : `s.${stagedColumn(field)}`)),
    `${operationId} AS affected`,
  ];
  return `SELECT ${columns.join(', ')} FROM ${stageOf(kind)} s ${join}
    ${refers ? 'LEFT JOIN known_series e ON e.ticker = lower(s.series_ticker)' : ''}`;
}

/** Columns by which the table knows a record. */
function keyColumns(kind: Kind): readonly string[] {
  const own = kind.fields.filter(({ name }) => kind.key.includes(name)).map(({ column }) => column);
  return foldsCase(kind) ? own : [...sources[kind.parent].owner.map(([column]) => column), ...own];
}

/** Whether the row `t` is the record `x`. */
function isSame(kind: Kind): string {
  const fields = new Map(kind.fields.map((field) => [field.column, field]));
  return keyColumns(kind)
    .map((column) => {
      const field = fields.get(column);
      if (field?.refersToSeries === true) return `t.${column} IS NOT DISTINCT FROM x.${column}`;
      return foldsCase(kind) && field?.type.sql === 'text'
        ? `lower(t.${column}) = lower(x.${column})`
        : `t.${column} = x.${column}`;
    })
    .join(' AND ');
}

function conflictTarget(kind: Kind): string {
  const texts = new Set(kind.fields.filter((field) => field.type.sql === 'text').map(({ column }) => column));
  return keyColumns(kind)
    .map((column) => (foldsCase(kind) && texts.has(column) ? `lower(${column})` : column))
    .join(', ');
}

function removal(kind: Kind): string {
  return `
    WITH x AS MATERIALIZED (${sourceOf(kind)}),
    removed AS (
      DELETE FROM issuances.${kind.table} t USING (
        SELECT DISTINCT k.id FROM import_lists l JOIN known_operations k ON k.ticker = lower(l.owner_operation)
        WHERE l.table_name = '${kind.table}'
      ) l
      WHERE t.operation_id = l.id AND NOT EXISTS (SELECT FROM x WHERE ${isSame(kind)})
      RETURNING t.operation_id
    )
    SELECT operation_id AS "operationId", 0 AS created, 0 AS changed, count(*)::integer AS removed, NULL AS newest
    FROM removed GROUP BY operation_id`;
}

function upsert(kind: Kind): string {
  const key = keyColumns(kind);
  const owner = sources[kind.parent].owner.map(([column]) => column);
  const own = [...(kind.ordered ? ['position'] : []), ...kind.fields.map(({ column }) => column)];
  const compared = own.filter((column) => !key.includes(column) || foldsCase(kind));
  const inserted = [...(kind.hasId ? ['id'] : []), ...owner, ...own];
  const stamps =
    kind.name === 'operations'
      ? { columns: ', search_text, created_at, updated_at', values: `, '', $1, $1` }
      : { columns: '', values: '' };
  return `
    WITH x AS (${sourceOf(kind)}),
    changes AS MATERIALIZED (
      SELECT x.*, t.${key[0] ?? ''} IS NULL AS is_new FROM x LEFT JOIN issuances.${kind.table} t ON ${isSame(kind)}
      WHERE t.${key[0] ?? ''} IS NULL OR ROW(${compared.map((column) => `t.${column}`).join(', ')})
        IS DISTINCT FROM ROW(${compared.map((column) => `x.${column}`).join(', ')})
    ), written AS (
      INSERT INTO issuances.${kind.table} (${inserted.join(', ')}${stamps.columns})
      SELECT ${inserted.join(', ')}${stamps.values} FROM changes
      ON CONFLICT (${conflictTarget(kind)}) DO UPDATE SET ${compared.map((column) => `${column} = excluded.${column}`).join(', ')}
    )
    SELECT affected AS "operationId", (count(*) FILTER (WHERE is_new))::integer AS created,
      (count(*) FILTER (WHERE NOT is_new))::integer AS changed, 0 AS removed, ${newestOf(kind)} AS newest
    FROM changes GROUP BY affected`;
}

/** For kinds whose changes are announced, the newest day among them. */
function newestOf({ name }: Kind): string {
  if (name === 'unitPrices' || name === 'communications') return 'max(date)::text';
  if (name === 'payments') return 'max(due_date)::text';
  if (name !== 'documents') return 'NULL';
  return `(max(coalesce(reference_date, (created_at AT TIME ZONE 'America/Sao_Paulo')::date)) FILTER (WHERE is_public))::text`;
}
