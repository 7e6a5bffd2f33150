import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { hasTag, tagOf } from './public-response.js';

export interface ServedFile {
  readonly type: string;
  /** Reads the file; called once, at the first request. */
  readonly read: () => Buffer;
}

export function serveFile(app: FastifyInstance, path: string, { type, read }: ServedFile): void {
  let made: { readonly plain: Buffer; readonly small: Buffer; readonly tag: string } | undefined;
  const make = () => {
    const plain = read();
    return { plain, small: gzipSync(plain), tag: tagOf(plain) };
  };
  app.get(path, (request, reply) => {
    made ??= make();
    const gzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    const tag = `${made.tag}${gzip ? '-gzip' : ''}`;
    reply
      .header('etag', `"${tag}"`)
      .header('cache-control', 'public, max-age=0, must-revalidate')
      .header('vary', 'Accept-Encoding');
    if (hasTag(request, tag)) return reply.code(304).send();
    if (gzip) reply.header('content-encoding', 'gzip');
    return reply.type(type).send(gzip ? made.small : made.plain);
  });
}
