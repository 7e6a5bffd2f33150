import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codingOf, varyBy } from '../../gateway/edge/compression.js';
import { htmlOf } from './layout.js';
import type { Locale } from './locale.js';
import type { Content, FileContent, Site } from './page.js';
import { framedPolicy, pagePolicy } from './policy.js';

/** A finished response, compressed once for all who get it. */
export interface Body {
  readonly bytes: Buffer;
  readonly brotli: Buffer | undefined;
  readonly gzip: Buffer | undefined;
  readonly tag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly framed: boolean;
}

/** A response that is shorter is not compressed. */
const fewestBytes = 1_024;
/** How long a cache in front may return a page without asking. */
const sharedSeconds = 30;

const ofOneRequest = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

const brotliOf = (bytes: Buffer) =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
const gzipOf = (bytes: Buffer) => promisify(gzip)(bytes);

/** Makes the response of a page or a file. */
export async function bodyOf(content: Content | FileContent, locale: Locale, site: Site): Promise<Body> {
  const isPage = 'body' in content;
  const bytes = Buffer.from(isPage ? htmlOf(content, locale, site) : content.bytes);
  const isText = isPage || /^(text|application\/(json|atom|xml)|image\/svg)/.test(content.type);
  const [brotli, gzipped] =
    isText && bytes.length >= fewestBytes
      ? await Promise.all([brotliOf(bytes), gzipOf(bytes)])
      : [undefined, undefined];
  const framed = isPage ? content.framed === true : content.shared === true;
  return {
    bytes,
    brotli,
    gzip: gzipped,
    framed,
    tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    headers: isPage
      ? { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': framed ? framedPolicy : pagePolicy }
      : {
          'content-type': content.type,
          ...(content.fileName === undefined
            ? {}
            : { 'content-disposition': `attachment; filename="${content.fileName}"` }),
          ...(framed ? { 'cross-origin-resource-policy': 'cross-origin' } : {}),
        },
  };
}

/** Sends a response that is the same for everyone. A reader who has it already gets 304. */
export function sendBody(request: FastifyRequest, reply: FastifyReply, body: Body): FastifyReply {
  const { headers } = request;
  reply
    .headers(body.headers)
    .header('etag', `W/"${body.tag}"`)
    .header('cache-control', `public, max-age=0, s-maxage=${sharedSeconds}, must-revalidate`);
  if (body.framed) reply.removeHeader('x-frame-options');
  for (const header of ofOneRequest) reply.removeHeader(header);
  varyBy(reply, 'accept-encoding');
  const tags = (headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (tags.includes('*') || tags.includes(`"${body.tag}"`)) return reply.code(304).send();
  const coding = codingOf(headers['accept-encoding']);
  if (coding === 'br' && body.brotli !== undefined) return reply.header('content-encoding', coding).send(body.brotli);
  if (coding === 'gzip' && body.gzip !== undefined) return reply.header('content-encoding', coding).send(body.gzip);
  return reply.send(body.bytes);
}
