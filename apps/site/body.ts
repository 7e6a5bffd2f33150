import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codingOf, varyBy } from '../../gateway/http/reply/compression.js';
import { hasTag, sharedCaching, tagOf, withoutRequestHeaders } from '../../gateway/http/reply/public-response.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { revisionOf } from '../../shared/graphql/response-cache.js';
import { htmlOf } from './layout.js';
import type { Content, FileContent, Site, Locale } from './page.js';
import { framedPolicy, pagePolicy } from './policy.js';

export interface Body {
  readonly bytes: Buffer;
  /** Returns the bytes in a coding, which the first reader who asks for it waits for; undefined where they are sent plain. */
  readonly coded: (coding: Coding | undefined) => Promise<Buffer> | undefined;
  readonly tag: string;
  readonly status: 200 | 400;
  readonly headers: Readonly<Record<string, string>>;
  readonly framed: boolean;
}

const fewestBytes = 1_024;

type Coding = NonNullable<ReturnType<typeof codingOf>>;
const encode: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

export function bodyOf(content: Content | FileContent, locale: Locale, site: Site): Body {
  const isPage = 'body' in content;
  const bytes = Buffer.from(isPage ? htmlOf(content, locale, site) : content.bytes);
  const isText = isPage || /^(text|application\/(json|atom|xml)|image\/svg)/.test(content.type);
  const framed = isPage ? content.framed === true : content.shared === true;
  const policy = (isPage ? content.scripted?.policy : undefined) ?? (framed ? framedPolicy : pagePolicy);
  return {
    bytes,
    coded: isText && bytes.length >= fewestBytes ? onceCoded(bytes) : () => undefined,
    framed,
    status: isPage ? (content.status ?? 200) : 200,
    tag: tagOf(bytes),
    headers: isPage
      ? { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }
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
    // Only this reader gets the failure: the next one tries again.
    compressed.catch(() => begun.delete(coding));
    return compressed;
  };
}

/** Sends a response that is the same for everyone. A reader who has it already gets 304. @param results those that it was made of */
export async function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  results: readonly GraphResult[],
): Promise<FastifyReply> {
  const { headers } = request;
  const isFound = body.status === 200;
  const revisions = [...new Set(results.map(revisionOf))];
  reply
    .code(body.status)
    .headers(body.headers)
    .header('etag', `W/"${body.tag}"`)
    .header('cache-control', isFound ? sharedCaching : 'no-store');
  if (isFound && revisions.length > 0 && !revisions.includes(undefined))
    reply.header('surrogate-key', revisions.join(' '));
  if (body.framed) reply.removeHeader('x-frame-options');
  withoutRequestHeaders(reply);
  varyBy(reply, 'accept-encoding');
  if (isFound && hasTag(request, body.tag)) return reply.code(304).send();
  const coding = codingOf(headers['accept-encoding']);
  const coded = await body.coded(coding);
  return coded === undefined ? reply.send(body.bytes) : reply.header('content-encoding', coding).send(coded);
}
