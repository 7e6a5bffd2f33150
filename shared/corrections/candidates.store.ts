import type { Context } from '../context.js';
import { keyText, type CorrectionReading, type KeyColumn } from './source.js';

/** A position in the list of all candidates: newest first, then by kind and key, both descending. */
export interface Place {
  /** The moment in microseconds. */
  readonly at: string;
  readonly kind: string;
  readonly key: readonly string[];
}

/** Selects candidates. */
export interface CandidateQuery {
  /** Ids of the requested things, in the order of the sources' `scope`; null for all. */
  readonly scope: readonly (string | null)[];
  /** Only this kind; null for all. */
  readonly kind: string | null;
  /** Bounds of the moment of recording, both inclusive. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Reads up to `limit` candidates after a position, or from the newest on. */
export type ReadCandidates = (
  context: Context,
  query: CandidateQuery,
  after: Place | undefined,
  limit: number,
) => Promise<Place[]>;

/** Returns SQL for a timestamp as text in microseconds. */
export const momentText = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The least value of each type of key column. */
const least = {
  uuid: `'00000000-0000-0000-0000-000000000000'::uuid`,
  date: `'-infinity'::date`,
  integer: '(-2147483648)::integer',
  text: `''::text`,
} satisfies Record<KeyColumn['type'], string>;

/**
 * Creates the read of candidates' positions, whether or not they turn out to be corrections. It reads only indexes, and of each kind no more rows than
 * requested.
 */
export function candidateReader(readings: readonly CorrectionReading[]): ReadCandidates {
  return ({ manager }, { scope, kind, from, to }, after, limit) => {
    // A separate statement for each combination of filters: a condition on an absent one would keep an index from being used.
    const sql = statementOf(readings, scope);
    return manager.rows<Place>(sql, [
      after?.at ?? to,
      after?.kind ?? null,
      after?.key ?? [],
      from,
      to,
      kind,
      limit,
      ...scope.filter((id) => id !== null),
    ]);
  };
}

function statementOf(readings: readonly CorrectionReading[], scope: CandidateQuery['scope']): string {
  const first = 8;
  const given = scope.flatMap((id, thing) => (id === null ? [] : [thing]));
  const parts = readings.map(({ kind, candidates: { table, at, key, condition, scope: own } }) => {
    const narrowed = given.flatMap((thing, index) => own[thing]?.(`$${String(first + index)}::uuid`) ?? []);
    const order = [at, ...key.map(({ column }) => column)].map((column) => `r.${column} DESC`).join(', ');
    const conditions = [condition('r'), ...narrowed, ...boundsOf(kind, at, key)].join(' AND ');
    return `(SELECT '${kind}' AS kind, r.${at} AS moment, ${keyText(key, 'r')} AS key, row_number() OVER (ORDER BY ${order}) AS nth
      FROM ${table} r WHERE ${conditions} ORDER BY ${order} LIMIT $7::integer)`;
  });
  return `SELECT ${momentText('moment')} AS at, kind, key FROM (${parts.join(' UNION ALL ')}) AS place
    ORDER BY moment DESC, kind COLLATE "C" DESC, nth LIMIT $7::integer`;
}

/**
 * Restricts a kind to the candidates after the position `$1` to `$3`, as a comparison that an index supports. For kinds that sort later in the list,
 * candidates of the same moment come after the position too: one microsecond, the resolution of a timestamp, is added for them.
 */
function boundsOf(kind: string, at: string, key: readonly KeyColumn[]): string[] {
  const columns = [at, ...key.map(({ column }) => column)].map((column) => `r.${column}`);
  const isLater = `$2::text IS NULL OR '${kind}' COLLATE "C" < $2::text COLLATE "C"`;
  const moment = `coalesce($1::timestamptz, 'infinity') + CASE WHEN ${isLater} THEN interval '1 microsecond' ELSE interval '0' END`;
  const values = key.map(
    ({ type }, index) =>
      `CASE WHEN '${kind}' = $2::text THEN ($3::text[])[${String(index + 1)}]::${type} ELSE ${least[type]} END`,
  );
  return [
    `(${columns.join(', ')}) < (${[moment, ...values].join(', ')})`,
    `r.${at} BETWEEN coalesce($4::timestamptz, '-infinity') AND coalesce($5::timestamptz, 'infinity')`,
    `'${kind}' = coalesce($6::text, '${kind}')`,
  ];
}
