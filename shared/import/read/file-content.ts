import { createReadStream } from 'node:fs';

/** The content of a file of the input, which is read several times: from disk, or from memory. */
export interface FileContent {
  readonly bytes: number;
  /** The content in pieces, or at most its first `end` bytes. */
  readonly chunks: (end?: number) => AsyncIterable<Buffer> | Iterable<Buffer>;
}

const chunkBytes = 256 * 1024;

export function contentAt(path: string, bytes: number): FileContent {
  return {
    bytes,
    chunks: (end) =>
      createReadStream(path, {
        highWaterMark: chunkBytes,
        ...(end === undefined ? {} : { end: end - 1 }),
      }) as AsyncIterable<Buffer>,
  };
}

export function contentOf(whole: Buffer): FileContent {
  return {
    bytes: whole.length,
    *chunks(end = whole.length) {
      for (let start = 0; start < Math.min(end, whole.length); start += chunkBytes)
        yield whole.subarray(start, Math.min(start + chunkBytes, end));
    },
  };
}

export async function wholeOf({ chunks }: FileContent, end?: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of chunks(end)) pieces.push(piece);
  return Buffer.concat(pieces);
}
