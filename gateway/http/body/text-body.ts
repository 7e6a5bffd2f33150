import { MIMEType } from 'node:util';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { fromWindows1252 } from '../../../shared/kernel/format/windows-1252.js';
import { slicer } from '../../../shared/kernel/turns.js';
import { malformed } from '../reply/envelope.js';
import { tooLarge, type Unpacking } from './receive.js';

export const maxUnpackedBytes = 64 * 1_048_576;
/** Bytes that are decoded at once: a fraction of a millisecond. */
const pieceBytes = 256 * 1_024;
/** Decompressed bytes that are charged at once: the most that is decompressed for a caller who cannot pay. */
const paidBytes = 1_048_576;
/** Maximum length of a `Content-Type` whose parameters are read: for texts it has some fifty characters. */
const longestType = 256;

export function isText({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /^\s*text\//i.test(headers['content-type'] ?? '');
}

export function isGzip({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /^(x-)?gzip$/i.test(headers['content-encoding'] ?? '');
}

const typesOfProfiles: Readonly<Record<string, string>> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

export function textTypeOf(profile: string): string {
  return typesOfProfiles[profile] ?? `text/plain; profile=${profile}`;
}

export function textProfileOf(request: FastifyRequest): string | undefined {
  const [type = '', parameters] = (request.headers['content-type'] ?? '').split(';', 2);
  const name = type.trim().toLowerCase();
  const profile =
    name === 'text/plain' && parameters !== undefined ? mediaParameters(request)?.get('profile') : undefined;
  return request.routeOptions.config.textProfiles?.find(
    (accepted) => accepted === profile || typesOfProfiles[accepted] === name,
  );
}

export interface TextOptions {
  /** Charges decompressed bytes, by their total number so far. */
  readonly payUpTo: (bytes: number) => Promise<void>;
  readonly unpacking: Unpacking;
}

/** Decodes in turns and decompresses within limits; decompressed bytes cost as much as plain ones. @throws {ApiError} 400, 413, 429, 503 */
export async function readText(request: FastifyRequest, bytes: Buffer, options: TextOptions): Promise<string> {
  const charset = mediaParameters(request)?.get('charset') ?? null;
  const text = isGzip(request)
    ? await unpackedText(bytes, charset, options)
    : await textOf(() => slicesOf(bytes), charset);
  if (text !== undefined) return text;
  throw malformed(
    'charset must be UTF-8 or ISO-8859-1, and the body valid in it: correct the charset, or convert the file',
  );
}

/** Returns the parameters of a `Content-Type`, with their names in lower case; undefined where it cannot be read. */
export function mediaParameters({ headers }: FastifyRequest): MIMEType['params'] | undefined {
  const { 'content-type': type = '' } = headers;
  // Node's parsing time grows with the square of the number of blanks in the type.
  if (type.length > longestType) return undefined;
  try {
    return new MIMEType(type).params;
  } catch {
    return undefined;
  }
}

type Pieces = () => AsyncIterable<Buffer> | Iterable<Buffer>;

/** Decodes a text; undefined for bytes that are not of the charset. Without one it is UTF-8 if it can be, else Windows-1252. */
async function textOf(pieces: Pieces, charset: string | null): Promise<string | undefined> {
  const named = charset?.toLowerCase();
  if (named !== undefined && named !== 'utf-8' && named !== 'iso-8859-1') return undefined;
  const text = named === 'iso-8859-1' ? undefined : await utf8Of(pieces());
  if (text !== undefined || named === 'utf-8') return text;
  return await decoded(pieces(), (piece) => fromWindows1252(piece.toString('latin1')));
}

async function utf8Of(pieces: ReturnType<Pieces>): Promise<string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    const text = await decoded(pieces, (piece) => decoder.decode(piece, { stream: true }));
    // Throws where the last character is incomplete.
    decoder.decode();
    return text;
  } catch (error) {
    if (hasCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA')) return undefined;
    throw error;
  }
}

const beyondLatin1 = /[\u0100-\uffff]/;

/** V8 joins concatenated strings in one go when first read, so characters of one byte are collected in a buffer in turns. */
async function decoded(pieces: ReturnType<Pieces>, decode: (piece: Buffer) => string): Promise<string> {
  const parts: string[] = [];
  let [length, isWide] = [0, false];
  await inTurns(pieces, (piece) => {
    const part = decode(piece);
    parts.push(part);
    length += part.length;
    isWide ||= beyondLatin1.test(part);
  });
  // With characters of two bytes the buffer would take longer, not less time.
  if (isWide) return parts.join('');
  const characters = Buffer.allocUnsafeSlow(length);
  let written = 0;
  await inTurns(parts, (part) => {
    written += characters.write(part, written, 'latin1');
  });
  return characters.toString('latin1');
}

async function inTurns<T>(pieces: AsyncIterable<T> | Iterable<T>, act: (piece: T) => void): Promise<void> {
  const slice = slicer();
  for await (const piece of pieces) {
    if (slice.isOver()) await slice.next();
    act(piece);
  }
}

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
}

/** Decompresses anew for each charset that is tried, so that bytes are held only until decoded. All are charged as they come. */
async function unpackedText(
  packed: Buffer,
  charset: string | null,
  { payUpTo, unpacking }: TextOptions,
): Promise<string | undefined> {
  let [bytes, paid] = [0, 0];
  const pay = async () => {
    paid = bytes;
    await payUpTo(bytes);
  };
  const account = async (piece: Buffer, length: number) => {
    bytes += piece.length;
    if (length > maxUnpackedBytes) throw tooLarge(maxUnpackedBytes, 'once it is decompressed');
    unpacking.reach(length);
    if (bytes - paid >= paidBytes) await pay();
  };
  try {
    return await textOf(() => unpacked(packed, account), charset);
  } finally {
    if (bytes > paid) await pay();
  }
}

/** Decompresses gzip. @param account called with each piece and the total length so far */
async function* unpacked(
  packed: Buffer,
  account: (piece: Buffer, length: number) => Promise<void>,
): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: pieceBytes });
  gunzip.end(packed);
  let length = 0;
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      length += piece.length;
      await account(piece, length);
      yield piece;
    }
  } catch (error) {
    throw hasCode(error, 'Z_') ? malformed('The body is not valid gzip, or it is cut short') : error;
  }
}

function hasCode(error: unknown, beginning: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith(beginning);
}
