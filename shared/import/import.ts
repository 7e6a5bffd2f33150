import { noteAudit, recordAudit } from '../audit/record.js';
import { loadCalendar } from '../calendar/calendar.js';
import { civilDate } from '../clock.js';
import type { Context } from '../context.js';
import { allowLongStatements } from '../database/long-statements.js';
import { inTransaction } from '../database/transaction.js';
import { checkStaged } from './check/check.js';
import type { ImportDomain } from './domain.js';
import type { Kind } from './model/kind.js';
import { readCsvFile } from './read/csv-file.js';
import { findFiles, type InputFile } from './read/files.js';
import { readJsonFile } from './read/json-file.js';
import type { Intake } from './read/source.js';
import { Faults, type ImportReport, type KindCount } from './report.js';
import { merge, type Effect } from './write/merge.js';
import { stageOf } from './write/sql.js';
import { openStaging } from './write/staging.js';

export interface ImportProgress {
  readonly phase: 'reading' | 'checking' | 'writing';
  /** Bytes of the input that were read, out of `total`. */
  readonly done: number;
  readonly total: number;
}

export interface ImportOptions {
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** For a statement that checks or writes all records of an import, and for the wait while another import writes. */
const longestStatementMs = 15 * 60_000;
// Any number that no one else locks: imports write one after the other.
const importLock = 4_702_231_905;

/**
 * Imports files and folders that hold records of the domains, as one whole: either all of it is right and written in one transaction, or nothing is and the
 * report says what is wrong. The same input twice changes nothing. Safe to run while others read, and beside another import.
 *
 * @throws only what is no fault of the input, as a lost database.
 */
export async function importFiles(
  context: Context,
  domains: readonly ImportDomain[],
  paths: readonly string[],
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { files, faults: fileFaults } = await findFiles(paths);
  const names = [...files.map(({ name }) => name), ...fileFaults.map(({ name }) => name)];
  const faults = new Faults(names);
  for (const [at, { message }] of fileFaults.entries()) faults.add(files.length + at, 0, '', message);
  try {
    const counts = await inTransaction(context, async (tx) => {
      const done = await importWhole(tx, domains, files, { ...options, faults });
      await recordAudit(tx, { action: 'import', after: { files: names, counts: done } });
      return done;
    });
    return { files: files.length, faultCount: 0, faults: [], counts };
  } catch (error) {
    const isRefused = error instanceof Refused;
    const reason = isRefused ? `The input has ${faults.count} errors` : 'The import broke off';
    noteAudit(context, {
      action: 'import',
      outcome: isRefused ? 'REFUSED' : 'FAILED',
      after: { files: names },
      reason,
    });
    if (!isRefused) throw error;
    return { files: files.length, faultCount: faults.count, faults: faults.first(), counts: [] };
  }
}

/** Ends the transaction of an input with faults. */
class Refused extends Error {}

interface Whole extends ImportOptions {
  readonly faults: Faults;
}

async function importWhole(
  tx: Context,
  domains: readonly ImportDomain[],
  files: readonly InputFile[],
  { onProgress, faults }: Whole,
): Promise<KindCount[]> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const { manager } = tx;
  // The limits of short requests are not meant for this transaction; the memory is for its joins.
  await allowLongStatements(manager, longestStatementMs);
  await manager.query(
    `SET LOCAL idle_in_transaction_session_timeout = '${longestStatementMs}'; SET LOCAL work_mem = '64MB'`,
  );
  const staging = await openStaging(
    tx,
    domains.flatMap(({ kinds }) => kinds),
    files.map(({ name }) => name),
  );
  const day = { today: civilDate(tx.clock.now()), calendar: await loadCalendar(manager) };
  await readAll(files, { domains, faults, day, ...staging }, (done) => onProgress?.({ phase: 'reading', done, total }));
  await staging.finish();

  onProgress?.({ phase: 'checking', done: total, total });
  await manager.query('SELECT pg_advisory_xact_lock($1)', [importLock]);
  const touched = domains.filter(({ kinds }) => kinds.some((kind) => staging.touched.has(kind)));
  for (const domain of touched) {
    await manager.query(domain.createKnown(day));
    await checkStaged(manager, domain, faults);
  }
  if (faults.count > 0) throw new Refused();

  onProgress?.({ phase: 'writing', done: total, total });
  const counts: KindCount[] = [];
  for (const domain of touched) counts.push(...(await writeDomain(tx, domain)));
  return counts;
}

async function readAll(files: readonly InputFile[], intake: Intake, onDone: (bytes: number) => void): Promise<void> {
  let before = 0;
  for (const [at, { name, format, bytes }] of files.entries()) {
    let read = 0;
    if (format === 'json') await readJsonFile(name, at, intake);
    else
      await readCsvFile(name, at, intake, (count) => {
        onDone(before + (read += count));
      });
    onDone((before += bytes));
  }
}

async function writeDomain(tx: Context, { kinds, prepare, conclude }: ImportDomain): Promise<KindCount[]> {
  const effects = new Map<string, readonly Effect[]>();
  const counts: KindCount[] = [];
  if (prepare !== undefined) await tx.manager.query(prepare);
  for (const kind of kinds) {
    const staged = await countStaged(tx, kind);
    if (staged === 0 && !kind.replaces) continue;
    const done = await merge(tx.manager, kind, tx.clock.now());
    effects.set(kind.name, done);
    const add = (part: 'created' | 'changed' | 'removed') => done.reduce((sum, effect) => sum + effect[part], 0);
    const [created, changed, removed] = [add('created'), add('changed'), add('removed')];
    if (staged + removed > 0)
      counts.push({ kind: kind.name, created, changed, unchanged: staged - created - changed, removed });
  }
  await conclude(tx, effects);
  return counts;
}

async function countStaged({ manager }: Context, kind: Kind): Promise<number> {
  const [row] = await manager.query<{ count: number }[]>(`SELECT count(*)::integer AS count FROM ${stageOf(kind)}`);
  return row?.count ?? 0;
}
