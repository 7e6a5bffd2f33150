import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { codingOf } from '../../gateway/http/reply/compression.js';

/** A file that browsers keep for ever: its address has a hash of its bytes. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly plain: Buffer;
  readonly brotli: Buffer;
  readonly gzip: Buffer;
}

/**
 * Reads a file of `apps/`, with the compressed forms that the build has written beside it. Where the program runs from its sources, as tests do, they
 * are made here.
 */
export function readAsset(file: URL, name: string, type: string): Asset {
  return readBuilt(file, addressOf(readFileSync(file), name), type);
}

/** Makes an asset of a short text, compressed here. */
export function makeAsset(text: string, name: string, type: string): Asset {
  const plain = Buffer.from(text);
  return { path: addressOf(plain, name), type, plain, brotli: brotliCompressSync(plain), gzip: gzipSync(plain) };
}

function addressOf(bytes: Buffer, name: string): string {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  const dot = name.lastIndexOf('.');
  return `/assets/${name.slice(0, dot)}-${hash}${name.slice(dot)}`;
}

/** Reads a file whose name already has a hash, with its compressed forms. */
export function readBuilt(file: URL, path: string, type: string): Asset {
  const place = fileURLToPath(file);
  const plain = readFileSync(place);
  const built = (suffix: string, compress: (bytes: Buffer) => Buffer) =>
    existsSync(`${place}${suffix}`) ? readFileSync(`${place}${suffix}`) : compress(plain);
  return { path, type, plain, brotli: built('.br', brotliCompressSync), gzip: built('.gz', gzipSync) };
}

/** The one style sheet of all pages. */
export const styleSheet = readAsset(new URL('./design.css', import.meta.url), 'design.css', 'text/css; charset=utf-8');

/** Styles of what the panel has and the public pages have not. */
export const panelStyles = readAsset(new URL('./panel.css', import.meta.url), 'panel.css', 'text/css; charset=utf-8');

/** The picture of the site that browsers show beside its name. */
export const icon = readAsset(new URL('./icon.svg', import.meta.url), 'icon.svg', 'image/svg+xml');

/** Serves files for ever: a changed file has another address. */
export function serveAssets(app: FastifyInstance, assets: readonly Asset[]): void {
  for (const { path, type, plain, brotli, gzip } of assets) {
    app.get(path, { config: { edge: { credential: 'none', bucket: 'unmetered' } } }, (request, reply) => {
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('vary', 'Accept-Encoding')
        .type(type);
      const coding = codingOf(request.headers['accept-encoding']);
      if (coding !== undefined) return reply.header('content-encoding', coding).send(coding === 'br' ? brotli : gzip);
      return reply.send(plain);
    });
  }
}
