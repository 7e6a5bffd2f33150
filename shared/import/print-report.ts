import type { Changes, ImportReport } from './report.js';
import { shown } from './write/changes.js';

const whole = new Intl.NumberFormat('en-US');

const nothing =
  'Nothing has changed. What is empty or left out keeps its value: a payment is taken back by `lastro reverseAssetPayment` or `lastro reversePayment`.';

/** Prints changes of records, field by field. */
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
export function printReport(report: ImportReport): string {
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
