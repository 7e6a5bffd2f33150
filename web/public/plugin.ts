import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { contextOf } from '../../gateway/edge/context.js';
import { varyBy } from '../../gateway/edge/compression.js';
import type { Graph } from '../../gateway/graph.js';
import { civilDate } from '../../shared/clock.js';
import { ApiError } from '../../shared/errors.js';
import type { GraphResult } from '../../shared/subgraph/executor.js';
import { isCachedResponse } from '../../shared/subgraph/response-cache.js';
import { htmlOf, pathIn } from './layout.js';
import { locales, type Locale } from './locale.js';
import type { Content, FileContent, Page, Site } from './page.js';
import { pages } from './pages.js';
import { framedPolicy, pagePolicy } from './policy.js';
import { createReaders } from './reader.js';

export interface PublicPagesOptions {
  readonly graph: Graph;
  readonly site: Site;
  /** Pages that are made of other parts of the program. */
  readonly more: readonly Page[];
}

/** A finished response, compressed once for all who get it. */
interface Body {
  readonly bytes: Buffer;
  readonly brotli: Buffer | undefined;
  readonly gzip: Buffer | undefined;
  readonly tag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly framed: boolean;
}

/** A response, and the results of the graph that it was made of: as long as the graph returns the very same ones, it is current. */
interface Kept {
  readonly results: readonly GraphResult[];
  readonly body: Body;
}

/** Bytes of all kept responses, with their compressed forms. */
const keptBytes = 33_554_432;
/** A response that is shorter is not compressed. */
const fewestBytes = 1_024;
/** How long a cache in front may return a page without asking. */
const sharedSeconds = 30;

const ofOneRequest = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Registers the pages for readers without an account, in every language, with their documents prepared. */
export function publicPages(app: FastifyInstance, { graph, site, more }: PublicPagesOptions): void {
  const readerOf = createReaders(graph);
  const kept = new LRUCache<string, Kept>({
    maxSize: keptBytes,
    sizeCalculation: ({ body }) => body.bytes.length + (body.brotli?.length ?? 0) + (body.gzip?.length ?? 0) + 500,
  });

  const respond = async (page: Page, locale: Locale, request: FastifyRequest, reply: FastifyReply) => {
    const context = contextOf(request);
    const { read, results } = readerOf(context);
    const params = textsOf(request.params);
    const today = civilDate(context.clock.now());
    const view = await page.load({ site, locale, params, query: request.query, read, today });
    const key = `${today} ${request.url}`;
    const known = kept.get(key);
    const current = known?.results.length === results.length && known.results.every((one, at) => one === results[at]);
    const outcome = current ? undefined : await view();
    if (outcome !== undefined && 'location' in outcome) return reply.redirect(outcome.location, 302);
    const body = outcome === undefined ? known?.body : await bodyOf(outcome, locale, site);
    if (body === undefined) throw new Error('A page was neither kept nor made');
    if (!current && results.every(isCachedResponse)) kept.set(key, { results, body });
    return sendBody(request, reply, body);
  };

  for (const page of [...pages, ...more].filter(({ area }) => isShown(area, site))) {
    for (const locale of locales) {
      app.get(pathIn(locale, page.path), { config: { edge: edgeOf(page) } }, (request, reply) => {
        if (page.path === '/' && !admitsHtml(request, reply))
          throw new ApiError('NOT_FOUND', { message: 'This path does not exist' });
        return respond(page, locale, request, reply);
      });
    }
  }
}

function isShown(area: Page['area'], site: Site): boolean {
  if (area === 'operations') return site.operations;
  return area === 'all' || site.development;
}

const edgeOf = ({ parameters }: Page) => ({
  credential: 'none' as const,
  bucket: 'public' as const,
  parametersOf: () => parameters,
});

/** Whether a client reads HTML. A program that accepts JSON alone gets the error that it got before there was a home page. */
function admitsHtml({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  varyBy(reply, 'accept');
  return headers.accept === undefined || /text\/html|text\/\*|\*\/\*/.test(headers.accept);
}

function textsOf(params: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, String(value)]));
}

const brotliOf = (bytes: Buffer) =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
const gzipOf = (bytes: Buffer) => promisify(gzip)(bytes);

async function bodyOf(content: Content | FileContent, locale: Locale, site: Site): Promise<Body> {
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
function sendBody(request: FastifyRequest, reply: FastifyReply, body: Body): FastifyReply {
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
  const accepted = headers['accept-encoding'] ?? '';
  if (body.brotli !== undefined && /\bbr\b/.test(accepted))
    return reply.header('content-encoding', 'br').send(body.brotli);
  if (body.gzip !== undefined && /\bgzip\b/.test(accepted))
    return reply.header('content-encoding', 'gzip').send(body.gzip);
  return reply.send(body.bytes);
}
