import type { Context } from '../context.js';
import { keyset } from '../list-page.js';
import { keyText, type CorrectionReading, type KeyColumn } from './source.js';

/** A position in the list of all candidates: newest first, then by kind and key, all descending. */
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

/** Candidates to read: up to `limit` of those beyond a position, or from an end of the list on. */
export interface CandidateRange {
  readonly beyond: Place | undefined;
  /** Whether they are read against the order of the list, oldest first. */
  readonly backward: boolean;
  readonly limit: number;
}

/** Reads candidates in the direction of the range. */
export type ReadCandidates = (context: Context, query: CandidateQuery, range: CandidateRange) => Promise<Place[]>;

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
  return ({ manager }, { scope, kind, from, to }, { beyond, backward, limit }) => {
    // A separate statement for each combination of filters: a condition on an absent one would keep an index from being used.
    const sql = statementOf(readings, scope, backward);
    return manager.rows<Place>(sql, [
      beyond?.at ?? (backward ? from : to),
      beyond?.kind ?? null,
      beyond?.key ?? [],
      from,
      to,
      kind,
      limit,
      ...scope.filter((id) => id !== null),
    ]);
  };
}

function statementOf(
  readings: readonly CorrectionReading[],
  scope: CandidateQuery['scope'],
  backward: boolean,
): string {
  const first = 8;
  const { beyond, direction } = keyset('DESC', { backward });
  const given = scope.flatMap((id, thing) => (id === null ? [] : [thing]));
  const parts = readings.map(({ kind, candidates: { table, at, key, condition, scope: own } }) => {
    const narrowed = given.flatMap((thing, index) => own[thing]?.(`$${String(first + index)}::uuid`) ?? []);
    const order = [at, ...key.map(({ column }) => column)].map((column) => `r.${column} ${direction}`).join(', ');
    const conditions = [condition('r'), ...narrowed, ...boundsOf(kind, at, key, beyond)].join(' AND ');
    return `(SELECT '${kind}' AS kind, r.${at} AS moment, ${keyText(key, 'r')} AS key, row_number() OVER (ORDER BY ${order}) AS nth
      FROM ${table} r WHERE ${conditions} ORDER BY ${order} LIMIT $7::integer)`;
  });
  return `SELECT ${momentText('moment')} AS at, kind, key FROM (${parts.join(' UNION ALL ')}) AS place
    ORDER BY moment ${direction}, kind COLLATE "C" ${direction}, nth LIMIT $7::integer`;
}

/**
 * Restricts a kind to the candidates beyond the position `$1` to `$3`, as a comparison that an index supports. Of the candidates of the same moment,
 * those of the kinds that come before it in the alphabet are later in the list, and the others are earlier. One microsecond, the resolution of a
 * timestamp, is added to the moment for the former: all of their candidates of that moment are below the bound then. No key has the least value.
 */
function boundsOf(kind: string, at: string, key: readonly KeyColumn[], beyond: '<' | '>'): string[] {
  const columns = [at, ...key.map(({ column }) => column)].map((column) => `r.${column}`);
  const [end, unplaced] = beyond === '<' ? ['infinity', 'true'] : ['-infinity', 'false'];
  const isLater = `coalesce('${kind}' COLLATE "C" < $2::text COLLATE "C", ${unplaced})`;
  const moment = `coalesce($1::timestamptz, '${end}') + CASE WHEN ${isLater} THEN interval '1 microsecond' ELSE interval '0' END`;
  const values = key.map(
    ({ type }, index) =>
      `CASE WHEN '${kind}' = $2::text THEN ($3::text[])[${String(index + 1)}]::${type} ELSE ${least[type]} END`,
  );
  return [
    `(${columns.join(', ')}) ${beyond} (${[moment, ...values].join(', ')})`,
    `r.${at} BETWEEN coalesce($4::timestamptz, '-infinity') AND coalesce($5::timestamptz, 'infinity')`,
    `'${kind}' = coalesce($6::text, '${kind}')`,
  ];
}
