import type { Readable, Transform } from 'node:stream';
import { MIMEType } from 'node:util';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { fromWindows1252 } from '../../../shared/format/windows-1252.js';
import { keptAnswerBytes } from '../deliveries/delivery.js';

/** Maximum number of bytes read of a response before the connection is closed; the status still counts. */
const maxAnswerBytes = 64 * 1024;
const mostCodings = 3;

const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

interface AnswerHeaders {
  readonly 'content-type'?: string | undefined;
  readonly 'content-encoding'?: string | undefined;
}

/**
 * Reads a response, 64 kB of it at most, and returns its first 2 kB as text that PostgreSQL can store: decompressed, and decoded by its charset. A coding or a
 * charset that is not known is named in front.
 */
export async function readAnswer(body: Readable, headers: AnswerHeaders): Promise<string> {
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const most = coding === 'identity' ? keptAnswerBytes : maxAnswerBytes;
  const kept: Buffer[] = [];
  let read = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (read < most) kept.push(chunk.subarray(0, most - read));
    read += chunk.length;
    // Leaving the loop closes the connection.
    if (read > maxAnswerBytes) break;
  }
  const bytes = Buffer.concat(kept);
  if (coding === 'identity' || bytes.length === 0) return textOf(bytes, headers);
  let text: Buffer | undefined = bytes;
  const codings = coding.split(/ *, */);
  // The last one was applied last. Nobody needs more than a few, and each costs.
  for (const name of codings.reverse()) {
    const isKnown = codings.length <= mostCodings && Object.hasOwn(decompressors, name);
    const decompressor = isKnown ? decompressors[name]?.() : undefined;
    if (decompressor === undefined) return shortened(`[Content-Encoding ${coding} is not known]`);
    text = await decompressed(text, decompressor);
    if (text === undefined) return `[The body is not ${coding}]`;
  }
  return textOf(text, headers);
}

/** Decompresses no more than what is kept, however large the whole would be; undefined where nothing can be read. */
async function decompressed(packed: Buffer, decompressor: Transform): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  decompressor.end(packed);
  try {
    for await (const piece of decompressor as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length >= keptAnswerBytes) break;
    }
  } catch {
    if (length === 0) return undefined;
  }
  return Buffer.concat(pieces).subarray(0, keptAnswerBytes);
}

function textOf(bytes: Buffer, { 'content-type': type }: AnswerHeaders): string {
  const charset = charsetOf(type);
  try {
    const decoder = new TextDecoder(charset);
    // Node reads the bytes from 0x80 to 0x9F of this charset as control characters.
    return shortened(
      decoder.encoding === 'windows-1252' ? fromWindows1252(bytes.toString('latin1')) : decoder.decode(bytes),
    );
  } catch {
    return shortened(`[charset ${charset} is not known] ${bytes.toString('utf8')}`);
  }
}

function charsetOf(type = ''): string {
  try {
    return new MIMEType(type).params.get('charset') ?? 'utf-8';
  } catch {
    return 'utf-8';
  }
}

/** Returns the text without characters that PostgreSQL cannot store, cut where another charset makes it longer. */
function shortened(text: string): string {
  const stored = text.replaceAll('\0', '\u{fffd}');
  return Buffer.byteLength(stored) <= 2 * keptAnswerBytes ? stored : stored.slice(0, keptAnswerBytes / 2);
}
