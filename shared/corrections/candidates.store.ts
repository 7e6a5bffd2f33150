import type { Context } from '../context.js';
import { keyText, type CorrectionReading, type KeyColumn } from './source.js';

/** Where something stands in the list of all candidates: the newest first, then by kind and key, from the last to the first. */
export interface Place {
  /** The moment with all its digits. */
  readonly at: string;
  readonly kind: string;
  readonly key: readonly string[];
}

/** Which candidates are looked at. */
export interface CandidateQuery {
  /** Ids of what is asked for, as the sources name them; null for all. */
  readonly scope: readonly (string | null)[];
  /** This kind alone; null for all. */
  readonly kind: string | null;
  /** Bounds of the moment of recording, both counted. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Reads so many candidates after a place, or from the newest on. */
export type ReadCandidates = (
  context: Context,
  query: CandidateQuery,
  after: Place | undefined,
  limit: number,
) => Promise<Place[]>;

/** What a moment with all its digits is as text. */
export const momentText = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The least value of each type that a key has. */
const least = {
  uuid: `'00000000-0000-0000-0000-000000000000'::uuid`,
  date: `'-infinity'::date`,
  integer: '(-2147483648)::integer',
  text: `''::text`,
} satisfies Record<KeyColumn['type'], string>;

/**
 * Makes the read of the places of candidates, whichever of them are corrections: nothing but indexes is read, and of each kind no more
 * rows than are asked for.
 */
export function candidateReader(readings: readonly CorrectionReading[]): ReadCandidates {
  return ({ manager }, { scope, kind, from, to }, after, limit) => {
    // One text for each choice of what is asked for: a condition on what is not would keep an index from being used.
    const sql = statementOf(readings, scope);
    return manager.query<Place[]>(sql, [
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
 * The candidates of a kind that come after the place `$1` to `$3`, as a comparison that an index answers. Of kinds that come later in the
 * list those of the same moment are after it: a microsecond, the least step of a moment, is added for them.
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
