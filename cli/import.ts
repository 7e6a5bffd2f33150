import { parseArgs } from 'node:util';
import cliProgress from 'cli-progress';
import { importDomains } from '../bootstrap/imports.js';
import { requireRole } from '../shared/security/audit/record.js';
import { loadConfig } from '../shared/kernel/config.js';
import { csvKindsOf, type Changes, type ImportReport } from '../shared/import/domain.js';
import { importFiles, type ImportOptions, type ImportProgress } from '../shared/import/import.js';
import { requireReason } from '../shared/kernel/reason.js';
import { describeCsvColumns } from '../shared/import/model/csv-columns.js';
import { bundleSchemas, importSchema, printSchema } from '../shared/import/model/schema.js';
import { withOperator } from './acting.js';
import { misused, type Command } from './command.js';
import { printed } from './print.js';
import { shown } from '../shared/import/write/changes.js';

const schemaNames = importDomains.map(({ schema }) => schema.name);

export const importCommand: Command = {
  usage: `Usage: npm run lastro -- import [--dry-run] [--correct "<reason>"] <file or folder>…
       npm run lastro -- import --schema [<name>]
       npm run lastro -- import --csv-columns

Imports JSON and CSV files; the kind of a file is detected from its contents. A folder means all files in it. All files of a command are written in one
transaction if all of them are valid, and otherwise not at all. Repeating an import changes nothing. The server may be running.

  --dry-run       print the changes of each record and field, and write nothing
  --correct       reason for changing settled records, published with the correction. Without it an input is rejected that changes a payment that was made, a price older than
                  IMPORT_SETTLED_PRICE_DAYS or a position of a month whose report is final, that empties a field, whose price moves more than its series permits in a
                  day, or that completes a month without all of its prices, payments and positions; each place is listed
  --schema        print the JSON Schema of JSON files: the complete schema, or the part of ${schemaNames.join(' or ')}
  --csv-columns   print the columns of CSV files

Exit code 0: written, with a summary on standard output. 1: errors, each with file, line and field, on standard error.
2: wrong use. The formats: shared/import/README.md, with examples in the README of each subgraph's import.`,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        schema: { type: 'boolean' },
        'csv-columns': { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        correct: { type: 'string' },
      },
    });
    if (values.schema === true) return showSchema(positionals);
    if (values['csv-columns'] === true) process.stdout.write(`${describeCsvColumns(csvKindsOf(importDomains))}\n`);
    else if (positionals.length > 0)
      return runImport(positionals, { dryRun: values['dry-run'] ?? false, correct: values.correct });
    else return misused(importCommand, 'Name a file or folder.');
    return 0;
  },
};

function showSchema([name]: readonly string[]): number {
  const domain = importDomains.find(({ schema }) => schema.name === name);
  if (name !== undefined && domain === undefined) {
    process.stderr.write(
      `There is no schema "${name}": use ${schemaNames.join(' or ')}, or no name for the complete schema.\n`,
    );
    return 2;
  }
  process.stdout.write(printSchema(domain === undefined ? bundleSchemas(importDomains) : importSchema(domain)));
  return 0;
}

async function runImport(
  paths: readonly string[],
  options: Pick<ImportOptions, 'dryRun' | 'correct'>,
): Promise<number> {
  const config = loadConfig();
  const bar = progressBar();
  return withOperator(config, async (context) => {
    requireRole(context, 'publish', 'import');
    const report = await importFiles(context, importDomains, paths, {
      ...options,
      correct: options.correct === undefined ? undefined : requireReason(options.correct),
      settledPriceDays: config.importSettledPriceDays,
      onProgress: bar.show,
    }).finally(bar.stop);
    if (report.errorCount === 0) await printed(printReport(report));
    else process.stderr.write(printReport(report));
    return report.errorCount === 0 ? 0 : 1;
  });
}

/** Returns a progress bar, which draws nothing where standard error is not a terminal. */
function progressBar(): { show: (progress: ImportProgress) => void; stop: () => void } {
  if (!process.stderr.isTTY) return { show: () => undefined, stop: () => undefined };
  const bar = new cliProgress.SingleBar({
    format: '{bar} {percentage}% {phase}',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  let started = false;
  return {
    show: ({ phase, done, total }) => {
      if (!started) bar.start(total, 0, { phase });
      started = true;
      bar.update(done, { phase });
    },
    stop: () => bar.stop(),
  };
}

const whole = new Intl.NumberFormat('en-US');

const nothing =
  'Nothing has changed. What is empty or left out keeps its value: a payment is taken back by `lastro reverseAssetPayment` or `lastro reversePayment`.';

function printChanges({ changes, total }: Changes): string {
  const lines = changes.flatMap(({ kind, change, record, fields }) => [
    `${change.toLowerCase()} ${kind} ${record}`,
    ...(change === 'CHANGED'
      ? fields.map(({ field, before, after }) => `  ${field}: ${shown(before)} -> ${shown(after)}`)
      : []),
  ]);
  const more = total > changes.length ? [`and ${whole.format(total - changes.length)} more`] : [];
  return lines.length === 0 ? '' : `${[...lines, ...more].join('\n')}\n\n`;
}

/** Prints a report for the operator. Every line of an error begins with `file:line`, which editors recognize. */
function printReport(report: ImportReport): string {
  const { files, errorCount, errors, counts, changes: differences, importId, settled } = report;
  if (errorCount > 0) {
    const lines = errors.map(({ file, line, field, message }) => {
      const place = line === 0 ? file : `${file}:${line}`;
      return `${place} ${field === '' ? '' : `${field} `}${message}`;
    });
    const shown = errorCount > errors.length ? `, of which the first ${whole.format(errors.length)} are shown` : '';
    const way = settled === true ? ` What is settled or in doubt is written only with --correct "<reason>".` : '';
    return `${lines.join('\n')}\n\n${plural(errorCount, 'error')}${shown}. Nothing was written.${way}\n`;
  }
  const header = ['', 'created', 'changed', 'unchanged', 'removed'];
  const rows = counts.map(({ kind, created, changed, unchanged, removed }) => [
    kind,
    ...[created, changed, unchanged, removed].map((count) => whole.format(count)),
  ]);
  const widths = header.map((_, at) => Math.max(...[header, ...rows].map((row) => row[at]?.length ?? 0)));
  const table = [header, ...rows].map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  );
  const changes = counts.reduce((sum, { created, changed, removed }) => sum + created + changed + removed, 0);
  const read = `${plural(files, 'file')} read.`;
  if (differences !== undefined)
    return `${table.join('\n')}\n\n${printChanges(differences)}${read} Nothing was written: this was a dry run.\n`;
  const end = changes === 0 ? nothing : `${plural(changes, 'change')} written, as import ${importId ?? ''}.`;
  return `${table.join('\n')}\n\n${read} ${end}\n`;
}

/** Prints a count with its noun: `1 change`, `2 changes`. */
function plural(count: number, noun: string): string {
  return `${whole.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}
