import { finished } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Context } from '../../kernel/context.js';
import { newId } from '../../kernel/ids.js';
import type { Kind } from '../model/kind.js';
import type { InputRecord, Place } from '../read/source.js';
import { createStaging, keptFields, stagedColumns, stageOf } from './sql.js';

export interface Staging {
  /** Adds a record; returns a promise when a batch has to be written first. */
  add(kind: Kind, record: InputRecord): Promise<void> | undefined;
  stateList(kind: Kind, owner: string): void;
  /** Notes a record that could not be staged; its owner is empty if its name by itself is unique. */
  noteFaulty(kind: Kind, owner: string, name: string): void;
  mention(kind: Kind, place: Place, owner: string): void;
  readonly touched: Set<Kind>;
  /** Copies the remaining rows and updates the planner's statistics. */
  finish(): Promise<void>;
}

/** Bytes of rows that are buffered for one COPY. */
const batchSize = 512 * 1024;

export async function openStaging(
  context: Context,
  kinds: readonly Kind[],
  files: readonly string[],
): Promise<Staging> {
  const client = await clientOf(context);
  await client.query(createStaging(kinds));
  const now = context.clock.now().getTime();
  const touched = new Set<Kind>();
  const batches = new Map<Kind, { rows: string[]; size: number }>();
  const lists: (readonly [string, string])[] = [];
  const mentions: (readonly [string, number, number, string])[] = [];
  const faulty: (readonly [string, string, string])[] = [];

  const flush = async (kind: Kind, rows: readonly string[]): Promise<void> => {
    const columns = stagedColumns(kind).map(({ name }) => name);
    const copy = client.query(copyFrom(`COPY ${stageOf(kind)} (${columns.join(', ')}) FROM STDIN`));
    copy.end(rows.join(''));
    await finished(copy);
  };

  return {
    add: (kind, record) => {
      const batch = batches.get(kind) ?? { rows: [], size: 0 };
      batches.set(kind, batch);
      touched.add(kind);
      const row = rowOf(kind, record, now);
      batch.rows.push(row);
      batch.size += row.length;
      if (batch.size < batchSize) return undefined;
      batches.set(kind, { rows: [], size: 0 });
      return flush(kind, batch.rows);
    },
    stateList: (kind, owner) => {
      touched.add(kind);
      lists.push([kind.name, owner]);
    },
    noteFaulty: (kind, owner, name) => {
      touched.add(kind);
      faulty.push([kind.name, owner, name]);
    },
    mention: (kind, { file, line }, owner) => {
      touched.add(kind);
      mentions.push([kind.name, file, line, owner]);
    },
    touched,
    finish: async () => {
      // Rough statistics are enough for tables that are read a few times.
      await client.query('SET LOCAL default_statistics_target = 10');
      for (const [kind, { rows }] of batches) {
        if (rows.length > 0) await flush(kind, rows);
        await client.query(`ANALYZE ${stageOf(kind)}`);
      }
      await client.query('SET LOCAL default_statistics_target TO DEFAULT');
      await insertRows(client, 'import_lists', ['text', 'text'], lists);
      await insertRows(client, 'import_mentions', ['text', 'integer', 'integer', 'text'], mentions);
      await insertRows(client, 'import_faulty', ['text', 'text', 'text'], faulty);
      await insertRows(
        client,
        'import_files',
        ['integer', 'text'],
        files.map((name, at) => [at, name]),
      );
    },
  };
}

async function insertRows(
  client: ClientBase,
  table: string,
  types: readonly string[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const columns = types.map((type, at) => `$${at + 1}::${type}[]`);
  await client.query(
    `INSERT INTO ${table} SELECT * FROM unnest(${columns.join(', ')})`,
    types.map((_, at) => rows.map((row) => row[at])),
  );
}

async function clientOf({ manager }: Context): Promise<ClientBase> {
  const client: unknown = await manager.queryRunner?.connect();
  if (!isClient(client)) throw new Error('An import must run inside a transaction on PostgreSQL');
  return client;
}

function isClient(value: unknown): value is ClientBase {
  return typeof value === 'object' && value !== null && 'query' in value && 'escapeLiteral' in value;
}

/** Formats one line of COPY's text format, in the order of `stagedColumns`. */
function rowOf(kind: Kind, { place, owner, values, position }: InputRecord, now: number): string {
  const cells: (string | null)[] = [String(place.file), String(place.line), place.path, String(position)];
  if (kind.hasId) cells.push(newId(now));
  cells.push(...owner);
  for (const { name } of keptFields(kind)) cells.push(values[name] ?? null);
  for (const { of } of kind.derived) cells.push(of(values, owner));
  return `${cells.map((cell) => (cell === null ? '\\N' : escape(cell))).join('\t')}\n`;
}

const special = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escape(cell: string): string {
  return special.test(cell) ? cell.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? '') : cell;
}
