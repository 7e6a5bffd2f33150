import { join, dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { mkdir, open, readdir, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { allowLongStatements } from '../database/long-statements.js';
import { inTransaction } from '../database/transaction.js';
import type { Context } from '../kernel/context.js';
import { ApiError } from '../kernel/errors.js';
import { groupBy } from '../kernel/group-by.js';
import { codeOf } from '../kernel/thrown.js';
import { noteRefusal, recordAudit, requireRole, type ActInput } from '../security/audit/record.js';
import { childrenOf, rootsOf, type ImportDomain } from './domain.js';
import { columnsOf } from './model/csv-columns.js';
import type { Kind } from './model/kind.js';
import type { ValueType } from './model/value.js';
import { fieldsOf, ownersOf } from './write/read-back.js';
import { keptFields, keyFields } from './write/sql.js';

export interface ExportOptions {
  /** Tickers of operations and estates, ignoring case; everything when absent. */
  readonly only?: readonly string[] | undefined;
  /** The moment to export the state of; the present when absent. */
  readonly asOf?: Date | undefined;
  /** Whether superseded versions are written too, into a separate folder: for reading, not for importing. */
  readonly history?: boolean;
}

export interface ExportReport {
  readonly counts: ReadonlyMap<string, number>;
  readonly files: number;
}

const longestStatementMs = 15 * 60_000;
const fetchedAtOnce = 1_000;

/**
 * Writes an export of one moment that `importFiles` can read; imported into an empty database it yields the same responses. Audited before it returns;
 * on an error all is removed. @throws {ApiError} FORBIDDEN without the role publish; CONFLICT if the folder is not empty; NOT_FOUND for an unknown ticker
 */
export async function exportTo(
  context: Context,
  domains: readonly ImportDomain[],
  folder: string,
  options: ExportOptions = {},
): Promise<ExportReport> {
  requireRole(context, 'publish', 'export');
  const { only = 'everything', asOf = 'now', history = false } = options;
  const act = { action: 'export', after: { folder, only, asOf, history } } satisfies ActInput;
  let files: ExportFiles | undefined;
  try {
    files = await openExportFiles(folder);
    const report = await writeAll(context, domains, { folder, files, options });
    const after = { ...act.after, counts: Object.fromEntries(report.counts) };
    await inTransaction(context, (tx) => recordAudit(tx, { ...act, after }));
    return report;
  } catch (error) {
    const left = (await files?.removeAll()) ?? [];
    if (left.length > 0) context.log.error({ left }, 'An export failed, and not all of its files could be removed');
    noteRefusal(context, act, error);
    throw error;
  }
}

interface Target {
  readonly folder: string;
  readonly files: ExportFiles;
  readonly options: ExportOptions;
}

interface Write extends Target {
  readonly tx: Context;
  readonly counts: Map<string, number>;
  /** Tickers, in lower case, of the exported operations and estates. */
  readonly roots: Set<string>;
  /** Tickers of `roots` and of their series. */
  readonly named: Set<string>;
}

async function writeAll(context: Context, domains: readonly ImportDomain[], target: Target): Promise<ExportReport> {
  const counts = new Map<string, number>();
  const { only, history } = target.options;
  let files = 0;
  await inTransaction(context, async (tx) => {
    await tx.manager.execute('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    await allowLongStatements(tx.manager, longestStatementMs);
    const write: Write = { ...target, tx, counts, roots: new Set(), named: new Set() };
    for (const domain of domains) for (const root of rootsOf(domain)) files += await writeRoots(write, domain, root);
    const unknown = only?.filter((ticker) => !write.roots.has(ticker.toLowerCase())) ?? [];
    if (unknown.length > 0) throw unknownTickers(unknown);
    for (const domain of domains)
      for (const kind of domain.kinds.filter(({ csv }) => csv)) files += await writeCsv(write, kind);
    if (history === true) files += await writeHistory(write, domains);
  });
  return { counts, files };
}

function unknownTickers(tickers: readonly string[]): ApiError {
  const message = `--only names ${tickers.join(', ')}, and there is no such operation or estate: give tickers of operations or estates`;
  return new ApiError('NOT_FOUND', { message });
}

interface Exported {
  readonly id: string | null;
  readonly up: string | null;
  readonly owners: readonly (string | null)[];
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Returns SQL for the rows of a kind, present or as of a moment; of a versioned kind only the last version. */
function rowsOf(kind: Kind, { asOf }: ExportOptions): string {
  const source =
    asOf === undefined || !kind.recorded ? kind.table : `${kind.table}('${asOf.toISOString()}'::timestamptz)`;
  const key = keyFields(kind).map(({ column }) => column);
  if (kind.versioned)
    return `(SELECT DISTINCT ON (${key.join(', ')}) * FROM ${source} ORDER BY ${key.join(', ')}, version DESC)`;
  const own = kind.among ?? (kind.foreign === undefined ? undefined : `NOT (${kind.foreign})`);
  return own === undefined ? source : `(SELECT * FROM ${source} t WHERE ${own})`;
}

async function* recordsOf({ tx, options }: Write, kind: Kind, condition = 'true'): AsyncGenerator<Exported> {
  const { names, joins } = ownersOf(kind, 't');
  const [reference] = kind.source.owner.at(-1) ?? [];
  const key = keyFields(kind).map(({ column }) => `t.${column}`);
  const order = [...names, ...(kind.ordered ? ['t.position'] : []), ...key];
  yield* readByCursor(
    tx,
    `SELECT ${kind.hasId ? 't.id' : 'NULL'} AS id, ${reference === undefined ? 'NULL' : `t.${reference}`} AS up,
       jsonb_build_array(${names.join(', ')}) AS owners, ${fieldsOf(kind, 't')} AS fields
     FROM ${rowsOf(kind, options)} t ${joins} WHERE ${condition} ORDER BY ${order.join(', ')}`,
  );
}

/** Yields the rows of a query in chunks: never all of them in memory. One query at a time is read. */
async function* readByCursor({ manager }: Context, query: string): AsyncGenerator<Exported> {
  await manager.execute(`DECLARE exported NO SCROLL CURSOR FOR ${query}`);
  for (;;) {
    const rows = await manager.rows<Exported>(`FETCH ${fetchedAtOnce} FROM exported`);
    yield* rows;
    if (rows.length < fetchedAtOnce) break;
  }
  await manager.execute('CLOSE exported');
}

async function writeRoots(write: Write, domain: ImportDomain, root: Kind): Promise<number> {
  if (root.csv) return 0;
  const { folder, files, options } = write;
  const { only } = options;
  const roots: Exported[] = [];
  for await (const record of recordsOf(write, root)) {
    const ticker = tickerOf(root, record).toLowerCase();
    if (only !== undefined && !only.some((one) => one.toLowerCase() === ticker)) continue;
    roots.push(record);
    write.roots.add(ticker);
    write.named.add(ticker);
  }
  if (roots.length > 0) await files.folder(join(folder, root.name));
  const nested = await readNested(write, domain, root, roots);
  for (const record of roots) {
    const whole = { [root.list]: [objectOf(write, domain, root, record, nested)] };
    const file = await files.file(join(folder, root.name, `${tickerOf(root, record)}.json`));
    await pipeline([`${JSON.stringify(whole, null, 2)}\n`], file.createWriteStream());
  }
  return roots.length;
}

const tickerOf = ({ key }: Kind, { fields }: Exported) => String(fields[key[0] ?? '']);

type Nested = ReadonlyMap<Kind, ReadonlyMap<string, readonly Exported[]>>;

/** Reads the lists nested below some records in JSON, grouped by parent, with one query per kind. Long lists are CSV files of their own. */
async function readNested(write: Write, domain: ImportDomain, kind: Kind, above: readonly Exported[]): Promise<Nested> {
  const lists = new Map<Kind, ReadonlyMap<string, readonly Exported[]>>();
  const ids = above.flatMap(({ id }) => id ?? []);
  for (const child of childrenOf(domain, kind).filter(({ csv }) => !csv)) {
    const [reference = ''] = child.source.owner.at(-1) ?? [];
    const all: Exported[] = [];
    for await (const one of recordsOf(write, child, `t.${reference} = ANY ('{${ids.join(',')}}'::uuid[])`))
      all.push(one);
    lists.set(
      child,
      groupBy(all, ({ up }) => up ?? ''),
    );
    for (const { fields } of child.unique ? all : []) write.named.add(String(fields[child.key[0] ?? '']).toLowerCase());
    for (const [below, inner] of await readNested(write, domain, child, all)) lists.set(below, inner);
  }
  return lists;
}

function objectOf(write: Write, domain: ImportDomain, kind: Kind, record: Exported, nested: Nested): object {
  count(write, kind);
  const whole: Record<string, unknown> = {};
  for (const { name, type } of keptFields(kind)) {
    const value = record.fields[name];
    if (value === null || value === '') continue;
    const [own = '', deeper] = name.split('.');
    const shown = jsonOf(value, type);
    if (deeper === undefined) whole[own] = shown;
    else whole[own] = { ...(whole[own] as object | undefined), [deeper]: shown };
  }
  for (const child of childrenOf(domain, kind).filter(({ csv }) => !csv)) {
    const list = nested.get(child)?.get(record.id ?? '') ?? [];
    if (list.length > 0) whole[child.list] = list.map((one) => objectOf(write, domain, child, one, nested));
  }
  return whole;
}

/** Converts a value to JSON: booleans and integers to JSON's own types, decimals to text, so that no digit is lost. */
function jsonOf(value: unknown, { sql, schema }: ValueType): unknown {
  if (sql === 'boolean') return value === 'true';
  return schema['type'] === 'integer' ? Number(value) : value;
}

async function writeCsv(write: Write, kind: Kind): Promise<number> {
  if (write.options.only !== undefined && kind.parent === undefined) return 0;
  const { folder, files } = write;
  const path = join(folder, `${kind.name}.csv`);
  const before = write.counts.get(kind.name) ?? 0;
  await pipeline(Readable.from(csvLines(write, kind)), (await files.file(path)).createWriteStream());
  if ((write.counts.get(kind.name) ?? 0) > before) return 1;
  await files.remove(path);
  return 0;
}

async function* csvLines(write: Write, kind: Kind): AsyncGenerator<string> {
  const columns = columnsOf(kind);
  const owners = columns.length - kind.fields.length;
  yield `${columns.map(({ name }) => name).join(',')}\n`;
  const isWanted = ({ owners: [owner] }: Exported) =>
    write.options.only === undefined || write.named.has(String(owner).toLowerCase());
  for await (const record of recordsOf(write, kind)) {
    if (!isWanted(record)) continue;
    count(write, kind);
    const cells = [...record.owners.slice(0, owners), ...kind.fields.map(({ name }) => record.fields[name])];
    yield `${cells.map(cellOf).join(',')}\n`;
  }
}

/** Formats a CSV cell, quoted only where necessary: the file is meant for `importFiles`, not for a spreadsheet. */
function cellOf(value: unknown): string {
  const text = typeof value === 'string' ? value : '';
  return /[",;\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes the superseded versions of every kind, one JSON object per line, in the order in which they were superseded. */
async function writeHistory(write: Write, domains: readonly ImportDomain[]): Promise<number> {
  // An import ignores folders whose name begins with a dot.
  const folder = join(write.folder, '.history');
  await write.files.folder(folder);
  let files = 0;
  for (const kind of domains
    .flatMap(({ kinds }) => kinds)
    .filter(({ recorded, versioned }) => recorded && !versioned)) {
    const file = await write.files.file(join(folder, `${kind.name}.jsonl`));
    await pipeline(Readable.from(historyLines(write, kind)), file.createWriteStream());
    files += 1;
  }
  return files;
}

async function* historyLines({ tx, options, named }: Write, kind: Kind): AsyncGenerator<string> {
  const { names, joins } = ownersOf(kind, 't');
  const rows = readByCursor(
    tx,
    `SELECT t.recorded_at, t.recorded_by, t.superseded_at, t.superseded_by, t.source_file, t.source_line,
       jsonb_build_array(${names.join(', ')}) AS owners, ${fieldsOf(kind, 't')} AS fields
     FROM ${kind.table}_versions t ${joins} ORDER BY t.superseded_at`,
  );
  for await (const row of rows) {
    const name = row.owners[0] ?? String(row.fields[kind.key[0] ?? '']);
    if (options.only === undefined || named.has(name.toLowerCase())) yield `${JSON.stringify(row)}\n`;
  }
}

function count({ counts }: Write, { name }: Kind): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The folders and files that one export creates: all of them are new, so that exactly they can be removed again. */
interface ExportFiles {
  /** Creates a folder that only its owner can read. */
  folder(path: string): Promise<void>;
  /** Creates an empty file that only its owner can read; the caller closes it. */
  file(path: string): Promise<FileHandle>;
  remove(path: string): Promise<void>;
  /** Removes everything that was created; returns the paths that could not be removed. */
  removeAll(): Promise<readonly string[]>;
}

/** Creates an export's folder and its parents; an existing one must be empty. @throws {ApiError} CONFLICT if it is not, or is no folder */
async function openExportFiles(folder: string): Promise<ExportFiles> {
  const taken = () => new ApiError('CONFLICT', { message: `${folder} is not an empty folder: name a new one` });
  const fresh = async <T>(making: Promise<T>): Promise<T> => {
    try {
      return await making;
    } catch (error) {
      throw isThere(error) ? taken() : error;
    }
  };
  const first = await fresh(mkdir(folder, { recursive: true, mode: 0o700 }));
  const made = new Map<string, 'folder' | 'file'>();
  for (const path of foldersFrom(first, folder)) made.set(path, 'folder');
  if ((await readdir(folder)).length > 0) throw taken();
  return {
    folder: async (path) => {
      await fresh(mkdir(path, { mode: 0o700 }));
      made.set(path, 'folder');
    },
    file: async (path) => {
      // Fails if the file exists: files that another process creates meanwhile are neither overwritten nor removed.
      const handle = await fresh(open(path, 'wx', 0o600));
      made.set(path, 'file');
      return handle;
    },
    remove: async (path) => {
      await rm(path);
      made.delete(path);
    },
    removeAll: async () => {
      const left: string[] = [];
      for (const [path, what] of [...made].reverse()) {
        try {
          await (what === 'folder' ? rmdir(path) : rm(path, { force: true }));
        } catch {
          left.push(path);
        }
      }
      return left;
    },
  };
}

/** Returns the folders from the first created one down to the last; none if the last one existed before. */
function foldersFrom(first: string | undefined, last: string): string[] {
  if (first === undefined) return [];
  const top = resolve(first);
  const folders: string[] = [];
  for (let path = resolve(last); path.length >= top.length; path = dirname(path)) folders.unshift(path);
  return folders;
}

function isThere(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EEXIST' || code === 'ENOTDIR';
}
