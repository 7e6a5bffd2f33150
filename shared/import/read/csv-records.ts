import { broken, type BrokenImportRule } from '../import-rules.js';
import type { FileContent } from './file-content.js';

export type Delimiter = ';' | ',';

/** One record of a CSV file, or an error. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly error: BrokenImportRule };

interface CsvOptions {
  readonly content: FileContent;
  readonly encoding: 'utf-8' | 'latin1';
  readonly delimiter: Delimiter;
  readonly onChunk?: (chunk: Buffer) => void;
}

/** An opening quote that is not closed within this many characters is an error. */
const maxQuoted = 10_000;
const maxLine = 1_000_000;

/**
 * Reads a CSV file (RFC 4180; lines end with CRLF, LF or CR) in batches of records, each with the number of its first line. Skips blank lines and trims
 * cells. Lines with errors are reported, and reading continues.
 */
export async function* csvRecords({ content, encoding, delimiter, onChunk }: CsvOptions): AsyncGenerator<CsvRecord[]> {
  const decoder = createDecoder(encoding);
  const reader = createRecordReader(delimiter);
  for await (const chunk of content.chunks()) {
    onChunk?.(chunk);
    yield reader.read(decoder.decode(chunk));
  }
  yield reader.end(decoder.end());
}

interface Decoder {
  decode(chunk: Buffer): string;
  end(): string;
}

function createDecoder(encoding: 'utf-8' | 'latin1'): Decoder {
  if (encoding === 'latin1') {
    let start = true;
    const decode = (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      const isMarked = start && text.startsWith('\u00ef\u00bb\u00bf');
      start = false;
      return isMarked ? text.slice(3) : text;
    };
    return { decode, end: () => '' };
  }
  const decoder = new TextDecoder('utf-8');
  return { decode: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() };
}

/** Splits text that arrives in chunks into records. */
export function createRecordReader(delimiter: Delimiter): {
  read(text: string): CsvRecord[];
  end(text: string): CsvRecord[];
} {
  let rest = '';
  let line = 1;
  // The lines so far of a record that a quoted cell spreads over several lines.
  let open = '';
  let openedAt = 0;

  const take = (text: string, isEnd: boolean): CsvRecord[] => {
    const records: CsvRecord[] = [];
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = isEnd ? '' : (lines.pop() ?? '');
    for (const part of lines) {
      const record = takeLine(part.endsWith('\r') ? part.slice(0, -1) : part);
      if (record !== undefined) records.push(record);
      line += 1;
    }
    if (rest.length > maxLine) {
      records.push({ line, error: broken('CSV_LINE_LENGTH') });
      rest = '';
    }
    return records;
  };

  const takeLine = (part: string): CsvRecord | undefined => {
    if (open === '') {
      if (part === '') return undefined;
      if (!part.includes('"')) return { line, cells: part.split(delimiter).map((cell) => cell.trim()) };
      openedAt = line;
    }
    const whole = open === '' ? part : `${open}\n${part}`;
    const cells = splitQuoted(whole, delimiter);
    open = cells === 'open' && whole.length <= maxQuoted ? whole : '';
    if (open !== '') return undefined;
    if (cells === 'open') return { line: openedAt, error: unclosed };
    return 'rule' in cells ? { line: openedAt, error: cells } : { line: openedAt, cells };
  };

  return {
    read: (text) => take(text, false),
    end: (text) => {
      const records = take(text, true);
      return open === '' ? records : [...records, { line: openedAt, error: unclosed }];
    },
  };
}

/** Whether a record before the header only names the separator, as Excel writes and reads it: `sep=;`. */
export function namesSeparator(cells: readonly string[]): boolean {
  return cells.length === 2 && cells[0]?.toLowerCase() === 'sep=' && cells[1] === '';
}

/** Returns the cells of a line, without blanks around them; undefined if its quotes are misplaced or not closed. */
export function splitCells(line: string, delimiter: Delimiter): readonly string[] | undefined {
  if (!line.includes('"')) return line.split(delimiter).map((cell) => cell.trim());
  const cells = splitQuoted(line, delimiter);
  return cells === 'open' || 'rule' in cells ? undefined : cells;
}

const unclosed = broken('CSV_QUOTE_OPEN');

/** Returns the cells of a record with quotes; `open` if its last quote is not closed yet; an error if its quotes are misplaced. */
function splitQuoted(text: string, delimiter: Delimiter): readonly string[] | 'open' | BrokenImportRule {
  const cells: string[] = [];
  for (let at = 0; ;) {
    const start = at + (/^[ \t]*/.exec(text.slice(at))?.[0].length ?? 0);
    if (text[start] === '"') {
      const close = closingQuote(text, start);
      if (close === -1) return 'open';
      const next = text.indexOf(delimiter, close);
      const end = next === -1 ? text.length : next;
      if (text.slice(close + 1, end).trim() !== '') return broken('CSV_QUOTE_AFTER');
      cells.push(
        text
          .slice(start + 1, close)
          .replaceAll('""', '"')
          .trim(),
      );
      if (next === -1) return cells;
      at = next + 1;
    } else {
      const next = text.indexOf(delimiter, at);
      const cell = text.slice(at, next === -1 ? text.length : next);
      if (cell.includes('"')) return broken('CSV_QUOTE_INSIDE');
      cells.push(cell.trim());
      if (next === -1) return cells;
      at = next + 1;
    }
  }
}

function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}
