import { parseArgs } from 'node:util';
import { importDomains } from '../bootstrap/imports.js';
import { requireRole } from '../shared/audit/record.js';
import { loadConfig } from '../shared/config.js';
import type { Context } from '../shared/context.js';
import { ApiError } from '../shared/errors.js';
import { isUuid } from '../shared/ids.js';
import { findImport, listImports, type StoredImport } from '../shared/import/imports.store.js';
import { readImportChanges } from '../shared/import/page-changes.js';
import { plural, printChanges, printReport } from '../shared/import/print-report.js';
import { requireReason } from '../shared/reason.js';
import type { KindCount } from '../shared/import/report.js';
import { revertImport } from '../shared/import/revert.js';
import { refused, withOperator } from './acting.js';
import type { Command } from './command.js';
import { misused } from './misuse.js';

const options = {
  limit: { type: 'string' },
  reason: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const;

const usualLimit = 20;
const mostListed = 500;
const mostChanges = 1_000;

export const importsCommand: Command = {
  usage: `Usage: npm run lastro -- imports list [--limit <n>]
       npm run lastro -- imports show <id>
       npm run lastro -- imports revert <id> --reason "<why>" [--dry-run]

list    the newest imports, one per line (default ${usualLimit}, at most ${mostListed})
show    the operator, the files and the reason of an import, and the changes of each record and field
revert  restores the records that an import changed or removed, and removes those that it created; the reason is published. The reversal
        is itself an import, and can be reverted too. It is refused, with all records listed, if some of them have changed since
--dry-run  print the changes, and write nothing

It requires the role publish. The server may be running. Exit code 0: done. 1: refused, with the reasons on standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [act, id, ...rest] = positionals;
    const { limit, reason, 'dry-run': dryRun = false } = values;
    const asks = (given: boolean) => given && rest.length === 0;
    if (asks(act === 'list' && id === undefined && reason === undefined && !dryRun))
      return run((tx) => list(tx, limit));
    if (asks(act === 'show' && id !== undefined && reason === undefined && !dryRun && limit === undefined))
      return run((tx) => show(tx, id ?? ''));
    if (asks(act === 'revert' && id !== undefined && reason !== undefined && limit === undefined))
      return run((tx) => revert(tx, id ?? '', reason ?? '', dryRun));
    return Promise.resolve(misused(importsCommand.usage, args));
  },
};

function run(work: (context: Context) => Promise<number>): Promise<number> {
  return withOperator(loadConfig(), (context) => {
    requireRole(context, 'publish', 'imports');
    return work(context);
  }).catch(refused);
}

async function list(context: Context, limit = String(usualLimit)): Promise<number> {
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > mostListed)
    throw new ApiError('BAD_REQUEST', { message: `--limit must be from 1 to ${mostListed}` });
  const found = await listImports(context, { limit: count, after: undefined, backward: false });
  // One more is read than a page holds, if there are more.
  const imports = found.slice(0, count);
  process.stdout.write(
    imports.length === 0 ? 'There are no imports.\n' : imports.map((one) => `${lineOf(one)}\n`).join(''),
  );
  return 0;
}

function lineOf(one: StoredImport): string {
  const { id, recordedAt, actorName, actorId, counts, reason, revertedBy } = one;
  const changes = counts.reduce((sum, count) => sum + changesOf(count), 0);
  return [
    id,
    recordedAt.toISOString(),
    actorName ?? actorId,
    plural(changes, 'change'),
    actOf(one),
    ...(reason === null ? [] : [`reason: ${reason}`]),
    ...(revertedBy === null ? [] : [`reverted by ${revertedBy}`]),
  ].join('  ');
}

const changesOf = ({ created, changed, removed }: KindCount) => created + changed + removed;

/** Number of an import's files that the list names; `show` names all of them. */
const namedFiles = 3;

/** Display names of the acts without files, by their names in the audit log. */
const acts: Readonly<Record<string, string>> = {
  voidRecord: 'voided',
  reversePayment: 'payment reversed',
  reverseAssetPayment: 'payment of an asset reversed',
};

/** Returns the files of an import, or a description of any other act. */
function actOf({ action, files, counts, reverts }: StoredImport): string {
  if (reverts !== null) return `reverts ${reverts}`;
  if (files.length > 0) {
    const names = files.slice(0, namedFiles).map(({ name }) => name);
    return names.join(', ') + (files.length > namedFiles ? ` and ${files.length - namedFiles} more` : '');
  }
  const kinds = counts.filter((count) => changesOf(count) > 0).map(({ kind }) => kind);
  return `${acts[action ?? ''] ?? action ?? 'act'}: ${kinds.join(', ')}`;
}

async function show(context: Context, id: string): Promise<number> {
  const found = isUuid(id) ? await findImport(context, id) : undefined;
  if (found === undefined) throw new ApiError('NOT_FOUND', { message: `There is no import ${id}` });
  const files = found.files.map(({ name, bytes, sha256 }) => `  ${name}, ${bytes} bytes, SHA-256 ${sha256}\n`);
  const changes = await readImportChanges(context, importDomains, found, mostChanges);
  process.stdout.write(`${lineOf(found)}\n${files.join('')}\n${printChanges(changes)}`);
  return 0;
}

async function revert(context: Context, id: string, reason: string, dryRun: boolean): Promise<number> {
  if (!isUuid(id)) throw new ApiError('NOT_FOUND', { message: `There is no import ${id}` });
  const report = await revertImport(context, importDomains, id, { reason: requireReason(reason), dryRun });
  const right = report.errorCount === 0;
  (right ? process.stdout : process.stderr).write(printReport(report, `Import ${id} reverted.`));
  return right ? 0 : 1;
}
