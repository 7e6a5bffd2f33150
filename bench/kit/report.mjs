import { readFileSync, writeFileSync } from 'node:fs';

const begin = '<!-- measured: begin -->';
const end = '<!-- measured: end -->';

/** Formats rows as a Markdown table; the first column is text, the others are numbers or words. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** Formats a number with this many decimals and thousands separators; a dash if it was not measured. */
export function number(value, digits = 0) {
  if (value === undefined) return '–';
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Formats whether a figure meets its target. */
export function verdict(kept) {
  return kept ? 'kept' : '**missed**';
}

/** Writes the text between the markers of a page of the repository. */
export function writeReport(text, page = 'bench/README.md') {
  const file = new URL(`../../${page}`, import.meta.url);
  const old = readFileSync(file, 'utf8');
  const from = old.indexOf(begin);
  const to = old.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${page} lacks the lines "${begin}" and "${end}"`);
  writeFileSync(file, `${old.slice(0, from + begin.length)}\n${text}\n${old.slice(to)}`);
}
