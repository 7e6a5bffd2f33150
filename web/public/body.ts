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
  /** Returns the bytes in a coding, which the first reader who asks for it waits for; undefined where they are sent plain. */
  readonly coded: (coding: Coding | undefined) => Promise<Buffer> | undefined;
  readonly tag: string;
  readonly status: 200 | 400;
  readonly headers: Readonly<Record<string, string>>;
  readonly framed: boolean;
}

/** A response that is shorter is not compressed. */
const fewestBytes = 1_024;
/** How long a cache in front may return a page without asking. */
const sharedSeconds = 30;

const ofOneRequest = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

type Coding = NonNullable<ReturnType<typeof codingOf>>;
const encode: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** Makes the response of a page or a file. */
export function bodyOf(content: Content | FileContent, locale: Locale, site: Site): Body {
  const isPage = 'body' in content;
  const bytes = Buffer.from(isPage ? htmlOf(content, locale, site) : content.bytes);
  const isText = isPage || /^(text|application\/(json|atom|xml)|image\/svg)/.test(content.type);
  const framed = isPage ? content.framed === true : content.shared === true;
  return {
    bytes,
    coded: isText && bytes.length >= fewestBytes ? onceCoded(bytes) : () => undefined,
    framed,
    status: isPage ? (content.status ?? 200) : 200,
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

/** Compresses in each coding once, unless that fails. */
function onceCoded(bytes: Buffer): Body['coded'] {
  const begun = new Map<Coding, Promise<Buffer>>();
  return (coding) => {
    if (coding === undefined) return undefined;
    const known = begun.get(coding);
    if (known !== undefined) return known;
    const compressed = encode[coding](bytes);
    begun.set(coding, compressed);
    // A failure is this reader's alone: the next one tries again.
    compressed.catch(() => begun.delete(coding));
    return compressed;
  };
}

/** Sends a response that is the same for everyone. A reader who has it already gets 304. */
export async function sendBody(request: FastifyRequest, reply: FastifyReply, body: Body): Promise<FastifyReply> {
  const { headers } = request;
  const isFound = body.status === 200;
  reply
    .code(body.status)
    .headers(body.headers)
    .header('etag', `W/"${body.tag}"`)
    .header('cache-control', isFound ? `public, max-age=0, s-maxage=${sharedSeconds}, must-revalidate` : 'no-store');
  if (body.framed) reply.removeHeader('x-frame-options');
  for (const header of ofOneRequest) reply.removeHeader(header);
  varyBy(reply, 'accept-encoding');
  const tags = (headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (isFound && (tags.includes('*') || tags.includes(`"${body.tag}"`))) return reply.code(304).send();
  const coding = codingOf(headers['accept-encoding']);
  const coded = await body.coded(coding);
  return coded === undefined ? reply.send(body.bytes) : reply.header('content-encoding', coding).send(coded);
}
