import { broken, type BrokenImportRule } from '../import-rules.js';
import type { FileContent } from './file-content.js';

export type Delimiter = ';' | ',';

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

/** Reads CSV (RFC 4180; CRLF, LF or CR) in batches with line numbers. Skips lines without text, trims cells, reports wrong lines and goes on. */
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

export function createRecordReader(delimiter: Delimiter): {
  read(text: string): CsvRecord[];
  end(text: string): CsvRecord[];
} {
  let rest = '';
  let line = 1;
  // A record that a quoted cell spreads over several lines, with its first line and its length so far.
  let open: OpenRecord | undefined;
  let openedAt = 0;
  let length = 0;

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
    if (open === undefined) {
      // Also a row of a spreadsheet whose cells were cleared.
      if (part.replaceAll(delimiter, '') === '') return undefined;
      if (!part.includes('"')) return { line, cells: part.split(delimiter).map((cell) => cell.trim()) };
      openedAt = line;
      length = part.length;
    } else length += 1 + part.length;
    const split = splitQuoted(part, delimiter, open);
    open = 'quoted' in split && length <= maxQuoted ? split : undefined;
    if (open !== undefined) return undefined;
    if ('quoted' in split) return { line: openedAt, error: unclosed };
    return 'rule' in split ? { line: openedAt, error: split } : { line: openedAt, cells: split };
  };

  return {
    read: (text) => take(text, false),
    end: (text) => {
      const records = take(text, true);
      return open === undefined ? records : [...records, { line: openedAt, error: unclosed }];
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
  return 'quoted' in cells || 'rule' in cells ? undefined : cells;
}

const unclosed = broken('CSV_QUOTE_OPEN');

/** A record whose last cell is not closed yet: the cells before it, and its text so far, without the opening quote. */
interface OpenRecord {
  readonly cells: string[];
  readonly quoted: string;
}

/** Returns the cells of a line with quotes, or the open record, or an error. @param open the record it continues; it is used up */
function splitQuoted(
  line: string,
  delimiter: Delimiter,
  open?: OpenRecord,
): readonly string[] | OpenRecord | BrokenImportRule {
  const cells = open?.cells ?? [];
  let quoted = open?.quoted;
  for (let at = 0; ;) {
    if (quoted === undefined) {
      const start = at + (/^[ \t]*/.exec(line.slice(at))?.[0].length ?? 0);
      if (line[start] === '"') [quoted, at] = ['', start + 1];
    }
    const close = quoted === undefined ? at : closingQuote(line, at);
    if (close === -1) return { cells, quoted: `${quoted ?? ''}${line.slice(at)}\n` };
    const next = line.indexOf(delimiter, close);
    const end = next === -1 ? line.length : next;
    if (quoted === undefined) {
      const cell = line.slice(at, end);
      if (cell.includes('"')) return broken('CSV_QUOTE_INSIDE');
      cells.push(cell.trim());
    } else {
      if (line.slice(close + 1, end).trim() !== '') return broken('CSV_QUOTE_AFTER');
      cells.push(`${quoted}${line.slice(at, close)}`.replaceAll('""', '"').trim());
      quoted = undefined;
    }
    if (next === -1) return cells;
    at = next + 1;
  }
}

/** Returns where the closing quote of a cell is; -1 if the line does not have it. */
function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 2)) {
    if (line[at + 1] !== '"') return at;
  }
  return -1;
}
