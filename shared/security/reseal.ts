import type { KeyRing } from './crypto.js';
import type { Manager } from '../database/manager.js';
import type { Sealed } from './sealed.js';

const pageSize = 500;
/** How many rows of a column that no key opens are listed; all of them are counted. */
const maxNamed = 20;
/** Passes over a table that other processes still write to. */
const maxRounds = 5;

interface Row {
  /** The values of the primary key, in the order of `Sealed.key`. */
  readonly key: readonly string[];
  readonly sealed: Buffer;
}

export interface SealedCount {
  readonly kind: Sealed;
  readonly column: string;
  readonly opened: ReadonlyMap<string, number>;
  /** Values that no key of this process opens, by key id where it is known. */
  readonly lost: ReadonlyMap<string, number>;
  /** Primary keys of the first 20 of those. */
  readonly lostRows: readonly string[];
}

export interface Resealed {
  readonly kind: Sealed;
  readonly column: string;
  /** Values that the rotation sealed again under the present key. */
  readonly resealed: number;
  readonly present: number;
  readonly lost: number;
}

/** Counts the values of every column by the key that opens them. Opens each value instead of trusting the key id it names. */
export async function countSealed(
  manager: Manager,
  keyRing: KeyRing,
  kinds: readonly Sealed[],
): Promise<SealedCount[]> {
  const counts: SealedCount[] = [];
  for (const [kind, column] of columnsOf(kinds)) {
    const [opened, lost] = [new Map<string, number>(), new Map<string, number>()];
    const lostRows: string[] = [];
    for await (const page of pages(manager, kind, column)) {
      for (const { key, sealed } of page) {
        const { keyId = 'unknown', plain } = keyRing.inspect(kind, sealed);
        const tally = plain === undefined ? lost : opened;
        tally.set(keyId, (tally.get(keyId) ?? 0) + 1);
        if (plain === undefined && lostRows.length < maxNamed) lostRows.push(key.join(' '));
      }
    }
    counts.push({ kind, column, opened, lost, lostRows });
  }
  return counts;
}

/** Seals values again under the present key, unless changed since they were read: others may keep writing, and an interrupted run is resumed. */
export async function resealAll(manager: Manager, keyRing: KeyRing, kinds: readonly Sealed[]): Promise<Resealed[]> {
  const done: Resealed[] = [];
  for (const [kind, column] of columnsOf(kinds)) {
    let resealed = 0;
    for (let round = 0, more = 1; more > 0 && round < maxRounds; round += 1) {
      more = 0;
      for await (const page of pages(manager, kind, column, keyRing.header))
        more += await resealPage(manager, keyRing, { kind, column, page });
      resealed += more;
    }
    done.push({ kind, column, resealed, present: 0, lost: 0 });
  }
  const after = await countSealed(manager, keyRing, kinds);
  return done.map((one, index) => {
    const { opened, lost } = after[index] ?? { opened: new Map<string, number>(), lost: new Map<string, number>() };
    const others = [...opened].filter(([id]) => id !== keyRing.id);
    if (others.length > 0)
      throw new Error(
        `${one.kind.table}.${one.column} still receives values encrypted with the master key ${others.map(([id]) => id).join(', ')}: ` +
          'a running process does not have the new key yet. Restart it with both keys, and run this command again',
      );
    return { ...one, present: opened.get(keyRing.id) ?? 0, lost: sum(lost) };
  });
}

interface Page {
  readonly kind: Sealed;
  readonly column: string;
  readonly page: readonly Row[];
}

/** @returns how many values were replaced */
async function resealPage(manager: Manager, keyRing: KeyRing, { kind, column, page }: Page): Promise<number> {
  const rows = page.flatMap(({ key, sealed }) => {
    const { plain } = keyRing.inspect(kind, sealed);
    return plain === undefined ? [] : [{ key, sealed, now: keyRing.seal(kind, plain) }];
  });
  if (rows.length === 0) return 0;
  const keys = Object.entries(kind.key);
  const arrays = keys.map(([, type], index) => `$${index + 3}::${type}[]`);
  const replaced = await manager.rows<object>(
    `WITH replaced AS (
       UPDATE ${kind.table} AS t SET ${column} = n.now
       FROM unnest($1::bytea[], $2::bytea[], ${arrays.join(', ')}) AS n(was, now, ${keys.map(([name]) => name).join(', ')})
       WHERE ${keys.map(([name]) => `t.${name} = n.${name}`).join(' AND ')} AND t.${column} = n.was RETURNING 1)
     SELECT FROM replaced`,
    [
      rows.map(({ sealed }) => sealed),
      rows.map(({ now }) => now),
      ...keys.map((_, index) => rows.map(({ key }) => key[index])),
    ],
  );
  return replaced.length;
}

/** Yields the rows whose column has a value that does not begin with `but`, page by page in the order of the primary key. */
async function* pages(
  manager: Manager,
  { table, key }: Sealed,
  column: string,
  but: Buffer = Buffer.alloc(0),
): AsyncGenerator<Row[]> {
  const names = Object.keys(key);
  const after = Object.values(key).map((type, index) => `$${index + 3}::${type}`);
  let last: readonly string[] | undefined;
  for (;;) {
    const rows = await manager.rows<Row>(
      `SELECT ARRAY[${names.map((name) => `${name}::text`).join(', ')}] AS key, ${column} AS sealed FROM ${table}
       WHERE octet_length(${column}) > 0 AND (octet_length($2::bytea) = 0 OR substring(${column} FROM 1 FOR octet_length($2::bytea)) <> $2::bytea)
       ${last === undefined ? '' : `AND (${names.join(', ')}) > (${after.join(', ')})`}
       ORDER BY ${names.join(', ')} LIMIT $1`,
      [pageSize, but, ...(last ?? [])],
    );
    if (rows.length > 0) yield rows;
    last = rows.at(-1)?.key;
    if (last === undefined || rows.length < pageSize) return;
  }
}

function columnsOf(kinds: readonly Sealed[]): (readonly [Sealed, string])[] {
  return kinds.flatMap((kind) => kind.columns.map((column) => [kind, column] as const));
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
