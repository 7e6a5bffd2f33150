import { beginAct, noteAudit, noteRefusal, recordAudit } from '../security/audit/record.js';
import { loadCalendar } from '../kernel/calendar/calendar.js';
import { civilDate } from '../kernel/clock.js';
import type { Context } from '../kernel/context.js';
import { allowLongStatements } from '../database/long-statements.js';
import { inTransaction } from '../database/transaction.js';
import { checkStaged } from './check.js';
import { type ImportDomain, ErrorList, noChanges, type Changes, type ImportReport, type KindCount } from './domain.js';
import type { Kind } from './model/kind.js';
import { readCsvFile } from './read/csv-file.js';
import { ApiError, byRule } from '../kernel/errors.js';
import { newId } from '../kernel/ids.js';
import type { ImportDay } from './model/rules.js';
import { describeFile, findFiles, formatOf, type DescribedFile, type FileError, type InputFile } from './read/files.js';
import { contentOf } from './read/file-content.js';
import { readJsonFile } from './read/json-file.js';
import type { Intake } from './read/source.js';
import { lockImports, requireNoImport } from './lock.js';
import { addImport, restoresVoided } from './imports.store.js';
import { readImportChanges } from './page-changes.js';
import { refuseSettled } from './write/changes.js';
import { createRetracted, retract } from './write/retract.js';
import { openStaging, type Staging } from './write/staging.js';
import { merge, type Effect } from './write/merge.js';
import { stageOf, keptFields, keyFields } from './write/sql.js';
import type { Manager } from '../database/manager.js';
import { broken } from './import-rules.js';

export interface ImportProgress {
  readonly phase: 'reading' | 'checking' | 'writing';
  /** Bytes of the input that were read, out of `total`. */
  readonly done: number;
  readonly total: number;
}

export interface ImportOptions {
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Performs the whole import, reports what would change, and rolls it back. */
  readonly dryRun?: boolean;
  /** Why settled records are changed, or what is in doubt is written; without it, such an input is rejected. */
  readonly correct?: string | undefined;
  /** A price older than this many days is settled. */
  readonly settledPriceDays?: number;
}

/** For a statement that checks or writes all records of an import, and for waiting while another import writes. */
const longestStatementMs = 15 * 60_000;
const defaultSettledPriceDays = 5;

/** Imports files as a whole in one transaction, or reports what is wrong; again it changes nothing. @throws only errors that are not of the input */
export async function importFiles(
  context: Context,
  domains: readonly ImportDomain[],
  paths: readonly string[],
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { files, errors } = await findFiles(paths);
  return importContents(context, domains, { files, errors }, options);
}

export async function importContents(
  context: Context,
  domains: readonly ImportDomain[],
  { files, errors: fileErrors }: { readonly files: readonly InputFile[]; readonly errors: readonly FileError[] },
  options: ImportOptions = {},
): Promise<ImportReport> {
  const names = [...files.map(({ name }) => name), ...fileErrors.map(({ name }) => name)];
  const errors = new ErrorList(names);
  for (const [at, { error }] of fileErrors.entries()) errors.add(files.length + at, 0, '', error);
  const input: Input = {
    action: 'import',
    names,
    stage: ({ staging, day }) => stageFiles(files, { domains, errors, day, staging, onProgress: options.onProgress }),
    described: () => Promise.all(files.map(describeFile)),
  };
  return importInput(context, domains, input, { ...options, errors });
}

export interface TextFile {
  readonly name: string;
  readonly content: string;
}

/** Imports files that the program has made itself. @throws {Error} with the first of their errors */
export async function importTexts(
  context: Context,
  domain: ImportDomain,
  texts: readonly TextFile[],
  options: ImportOptions = {},
): Promise<void> {
  const files = texts.map(({ name, content }) => ({
    ...{ name, format: formatOf(name) ?? 'json' },
    content: contentOf(Buffer.from(content)),
  }));
  const { errorCount, errors } = await importContents(context, [domain], { files, errors: [] }, options);
  if (errorCount > 0) throw new Error(`The files have ${errorCount} errors, first: ${JSON.stringify(errors[0])}`);
}

export interface Input {
  /** The act's name in the audit log. For `import` the records come from files; for all others they are restored rows and rows to be removed. */
  readonly action: 'import' | 'revertImport' | 'voidRecord' | 'reversePayment' | 'reverseAssetPayment' | 'takeBook';
  readonly names: readonly string[];
  stage(whole: { readonly tx: Context; readonly staging: Staging; readonly day: ImportDay }): Promise<void>;
  described(): Promise<readonly DescribedFile[]>;
  readonly reverts?: string;
  readonly undoes?: string;
}

interface Whole extends ImportOptions {
  readonly errors: ErrorList;
}

export async function importInput(
  context: Context,
  domains: readonly ImportDomain[],
  input: Input,
  options: Whole,
): Promise<ImportReport> {
  const { errors, dryRun = false } = options;
  const files = input.names.length;
  const { action } = input;
  try {
    const described = await input.described();
    const done = await inTransaction(context, async (tx) => {
      const actId = newId(tx.clock.now().getTime());
      const { counts, changes } = await importWhole(tx, domains, input, { ...options, actId });
      if (dryRun) throw new Rehearsed(counts, changes);
      await recordAudit(tx, { id: actId, action, after: { files: described, counts, reason: options.correct } });
      // The engine's announcements are not listed as an import: no operator may revert them.
      if (action !== 'takeBook')
        await addImport(tx, { id: actId, files: described, counts, reason: options.correct, reverts: input.reverts });
      return { counts, importId: actId };
    });
    return { files, errorCount: 0, errors: [], ...done };
  } catch (error) {
    if (error instanceof Rehearsed)
      return { files, errorCount: 0, errors: [], counts: error.counts, changes: error.changes };
    if (isReferredTo(error)) throw refusedFor(context, action, input.names, referredTo(error));
    if (error instanceof ApiError && error.status < 500) throw refusedFor(context, action, input.names, error);
    const isRefused = error instanceof Refused;
    const reason = isRefused ? `The input has ${errors.count} errors` : 'The import failed';
    // A dry run was no attempt to import.
    if (!isRefused || !dryRun)
      noteAudit(context, { action, outcome: isRefused ? 'REFUSED' : 'FAILED', after: { files: input.names }, reason });
    if (!isRefused) throw error;
    return { files, errorCount: errors.count, errors: errors.first(), counts: [], settled: error.settled };
  }
}

/** Whether PostgreSQL refused to remove a row because another one refers to it (foreign_key_violation). */
function isReferredTo(error: unknown): error is Error & { readonly table: string } {
  return error instanceof Error && 'code' in error && error.code === '23503' && 'table' in error;
}

function referredTo(error: Error & { readonly table: string }): ApiError {
  return new ApiError('CONFLICT', { ...byRule('RECORD_REFERRED', { table: error.table }), cause: error });
}

function refusedFor(context: Context, action: Input['action'], names: readonly string[], error: ApiError): ApiError {
  noteRefusal(context, { action, after: { files: names } }, error);
  return error;
}

class Refused extends Error {
  constructor(readonly settled = false) {
    super();
  }
}

class Rehearsed extends Error {
  constructor(
    readonly counts: readonly KindCount[],
    readonly changes: Changes,
  ) {
    super();
  }
}

/** The most errors of one kind that a rejection lists, and the most changes that a dry run lists. */
const namedAtMost = 1000;

async function importWhole(
  tx: Context,
  domains: readonly ImportDomain[],
  input: Input,
  options: Whole & { readonly actId: string },
): Promise<{ counts: readonly KindCount[]; changes: Changes }> {
  const { onProgress, errors, actId, dryRun } = options;
  const { manager } = tx;
  // The limits of short requests do not suit this transaction; the memory is for its joins.
  await allowLongStatements(manager, longestStatementMs);
  await manager.execute(
    `SET LOCAL idle_in_transaction_session_timeout = '${longestStatementMs}'; SET LOCAL work_mem = '64MB'`,
  );
  const exact = input.action !== 'import';
  const kinds = domains.flatMap((domain) => domain.kinds);
  const staging = await openStaging(tx, kinds, input.names);
  if (exact) await manager.execute(createRetracted(kinds.filter(({ recorded }) => recorded)));
  const day = { today: civilDate(tx.clock.now()), calendar: await loadCalendar(manager) };
  // Records to be reverted or voided are examined under the lock: no import commits between the check and the write.
  if (exact) await requireNoImport(tx);
  await input.stage({ tx, staging, day });
  await staging.finish();

  onProgress?.({ phase: 'checking', done: 1, total: 1 });
  await lockImports(tx);
  const touched = domains.filter((domain) => domain.kinds.some((kind) => staging.touched.has(kind)));
  for (const domain of touched) {
    await manager.execute(domain.createKnown(day));
    // Restored rows need not satisfy the checks of files: the reversal of a payment, for example.
    if (!exact) await checkStaged(manager, domain, errors);
  }
  if (errors.count > 0) throw new Refused();
  onProgress?.({ phase: 'writing', done: 1, total: 1 });
  await beginAct(tx, actId);
  await manager.execute(`SET LOCAL lastro.importing = 'on'`);
  await manager.execute(`SET LOCAL lastro.voiding = '${(await voids(tx, input)) ? 'on' : ''}'`);
  const written: Written[] = [];
  for (const domain of touched) written.push(await writeDomain(tx, domain, { exact, undoes: input.undoes, errors }));
  const counts = written.flatMap((one) => one.counts);
  const wrong = errors.count;
  if (options.correct === undefined) {
    const limits = { today: day.today, priceDays: options.settledPriceDays ?? defaultSettledPriceDays };
    for (const kind of changedKinds(kinds, counts))
      await refuseSettled(manager, kind, { actId, limits, errors, limit: namedAtMost });
    for (const { domain } of written) await domain.doubts?.(tx, { actId, errors });
  }
  if (errors.count > 0) throw new Refused(errors.count > wrong);
  for (const { domain, effects } of written) await domain.conclude(tx, effects, options.correct);
  return {
    counts,
    changes: dryRun === true ? await readImportChanges(tx, domains, { id: actId, counts }, namedAtMost) : noChanges,
  };
}

/** Whether the removed records should never have been published: the act voids, or reverts an act that restored voided records. */
async function voids(tx: Context, { action, reverts }: Input): Promise<boolean> {
  return action === 'voidRecord' || (reverts !== undefined && (await restoresVoided(tx, reverts)));
}

function changedKinds(kinds: readonly Kind[], counts: readonly KindCount[]): Kind[] {
  const changed = new Set(counts.filter((count) => count.changed + count.removed > 0).map(({ kind }) => kind));
  return kinds.filter(({ name, recorded }) => recorded && changed.has(name));
}

interface FilesIntake extends Pick<Intake, 'domains' | 'errors' | 'day'> {
  readonly staging: Staging;
  readonly onProgress: ImportOptions['onProgress'];
}

async function stageFiles(files: readonly InputFile[], parts: FilesIntake): Promise<void> {
  const { staging, onProgress, ...own } = parts;
  const total = files.reduce((sum, { content }) => sum + content.bytes, 0);
  const onDone = (done: number) => onProgress?.({ phase: 'reading', done, total });
  const intake = { ...own, ...staging };
  let before = 0;
  for (const [at, { format, content }] of files.entries()) {
    let read = 0;
    if (format === 'json') await readJsonFile(content, at, intake);
    else await readCsvFile(content, at, intake, (count) => onDone(before + (read += count)));
    onDone((before += content.bytes));
  }
}

interface Written {
  readonly domain: ImportDomain;
  readonly counts: readonly KindCount[];
  readonly effects: ReadonlyMap<string, readonly Effect[]>;
}

interface WriteOptions {
  /** Whether records are restored rows; rows marked for removal are then removed too. */
  readonly exact: boolean;
  /** The act to be undone: see `merge`. */
  readonly undoes: string | undefined;
  readonly errors: ErrorList;
}

/** Writes the staged records of a domain into its tables, parents first; marked records are removed last. */
async function writeDomain(
  tx: Context,
  domain: ImportDomain,
  { exact, undoes, errors }: WriteOptions,
): Promise<Written> {
  const { kinds, prepare, release } = domain;
  const effects = new Map<string, readonly Effect[]>();
  const counts: KindCount[] = [];
  if (prepare !== undefined && !exact) await tx.manager.execute(prepare);
  for (const kind of kinds) {
    const staged = await tx.manager.countRows(`SELECT count(*)::integer FROM ${stageOf(kind)}`);
    if (staged === 0 && !kind.replaces) continue;
    if (exact) await refuseOrphans(tx.manager, kind, errors);
    const done = await merge(tx.manager, kind, tx.clock.now(), undoes);
    effects.set(kind.name, done);
    const { created, changed, removed } = totalOf(done);
    if (staged + removed > 0)
      counts.push({ kind: kind.name, created, changed, unchanged: staged - created - changed, removed });
  }
  if (exact) await release?.(tx);
  if (exact) for (const kind of kinds.toReversed()) await retractKind(tx, kind, effects, counts);
  return { domain, counts, effects };
}

function totalOf(effects: readonly Effect[]): Pick<KindCount, 'created' | 'changed' | 'removed'> {
  const add = (part: 'created' | 'changed' | 'removed') => effects.reduce((sum, effect) => sum + effect[part], 0);
  return { created: add('created'), changed: add('changed'), removed: add('removed') };
}

async function retractKind(
  { manager }: Context,
  kind: Kind,
  effects: Map<string, readonly Effect[]>,
  counts: KindCount[],
): Promise<void> {
  if (!kind.recorded) return;
  const done = await retract(manager, kind);
  const { removed } = totalOf(done);
  if (removed === 0) return;
  effects.set(kind.name, [...(effects.get(kind.name) ?? []), ...done]);
  const count = counts.find((one) => one.kind === kind.name);
  if (count === undefined) counts.push({ kind: kind.name, created: 0, changed: 0, unchanged: 0, removed });
  else count.removed += removed;
}

/** Reports staged records whose owner or reference no longer exists: a merge would omit or empty them. Restored records were not checked earlier. */
async function refuseOrphans(manager: Manager, kind: Kind, errors: ErrorList): Promise<void> {
  const owners = (kind.parent?.columns ?? []).map(({ name }) => `r.${name}`);
  const keys = keyFields(kind).map(({ column, refersTo }) => `r.${refersTo?.staged ?? column}`);
  const lacking = [
    `r.ctid NOT IN (SELECT s.ctid FROM ${stageOf(kind)} s ${kind.source.join})`,
    ...keptFields(kind)
      .flatMap(({ refersTo }) => refersTo ?? [])
      .map(
        ({ staged, known }) =>
          `(r.${staged} IS NOT NULL AND NOT EXISTS (SELECT FROM ${known} k WHERE k.ticker = lower(r.${staged})))`,
      ),
  ];
  const rows = await manager.rows<{ record: string; total: string }>(
    `SELECT concat_ws(' ', ${[...owners, ...keys].join(', ')}) AS record, count(*) OVER () AS total FROM ${stageOf(kind)} r
     WHERE ${lacking.join(' OR ')} ORDER BY 1 LIMIT ${namedAtMost}`,
  );
  for (const { record } of rows) errors.add(0, 0, '', broken('RECORD_ORPHANED', { label: kind.label, record }));
  errors.addUnshown(Number(rows[0]?.total ?? 0) - rows.length);
}
