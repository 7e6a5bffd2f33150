import { isUtf8 } from 'node:buffer';
import { fromWindows1252 } from '../../../shared/kernel/format/windows-1252.js';
import { slicer } from '../../../shared/kernel/turns.js';
import { brokenRule } from '../batches/broken-rule.js';

export const linesAtOnce = 32;

/** Runs a reader in slices, and yields to the event loop between them: 10 MiB in one piece would block the process for some hundred milliseconds. */
export async function inSlices<T>(reading: Generator<undefined, T>): Promise<T> {
  const slice = slicer();
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
    if (slice.isOver()) await slice.next();
  }
}

/** Returns the text of a file without a byte order mark. Bytes are UTF-8 where they are valid as such, else Windows-1252. */
export function decode(input: Uint8Array | string): string {
  if (typeof input !== 'string') {
    const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
    return decode(isUtf8(bytes) ? bytes.toString('utf8') : fromWindows1252(bytes.toString('latin1')));
  }
  return input.startsWith('\ufeff') ? input.slice(1) : input;
}

/** The rule of a file whose lines end with only a CR, as programs of the old Mac OS wrote them. */
export const lineEnds = brokenRule(
  'LINE_ENDS',
  'has a CR without an LF: lines must end with CR LF or LF',
  'tem um CR sem LF: as linhas devem terminar com CR LF ou LF',
);

/** Whether a line has a CR within. */
export function hasReturns(line: string): boolean {
  return /\r[^\r]/.test(line);
}

/** Returns the lines of a file, without what ends them. */
export function* linesOf(text: string): Generator<{ line: string; last: boolean }> {
  let end = text.length;
  while (end > 0 && '\r\n\x1a'.includes(text.charAt(end - 1))) end -= 1;
  for (let start = 0; start < end;) {
    const feed = text.indexOf('\n', start);
    const last = feed === -1 || feed >= end;
    const stop = last ? end : feed;
    yield { line: text.slice(start, text.charAt(stop - 1) === '\r' && stop > start ? stop - 1 : stop), last };
    start = stop + 1;
  }
}
