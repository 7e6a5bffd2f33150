import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { LRUCache } from 'lru-cache';
import type { Graph } from '../../gateway/graph/graph.js';
import { contextOf } from '../../gateway/http/identify/context.js';
import { spendMore, correctCharge } from '../../gateway/http/limits/charge.js';
import { varyBy } from '../../gateway/http/reply/compression.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { isCachedResponse } from '../../shared/graphql/response-cache.js';
import { civilDate } from '../../shared/kernel/clock.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { shared } from '../../shared/memo.js';
import { bodyOf, sendBody, type Body } from './body.js';
import { operationFiles } from './files/operation-files.js';
import { trancheFiles, tokenFiles } from './files/tranche-files.js';
import { xmlText } from './files/xml-text.js';
import { comparisonPage } from './comparison.js';
import { home } from './home/page.js';
import { inventoryPage } from './inventory.js';
import { pathIn } from './layout.js';
import { operationList } from './operation-list.js';
import { operationPage } from './operation/page.js';
import {
  type Outcome,
  type Page,
  type Site,
  dayOf,
  definePage,
  required,
  type PageRequest,
  type Redirect,
  locales,
  type Locale,
} from './page.js';
import { createReaders } from './reader.js';
import { seriesPage } from './series/page.js';
import { seriesPriceDay } from './series/price-day.js';
import { sitePictures } from './site-pictures.js';
import { assetList, assetPage } from './tokens/assets.js';
import { tokensOverview, estatePage } from './tokens/overview.js';
import { priceDayPage } from './tokens/price-day.js';
import { tranchePage } from './tokens/tranche.js';

export interface PublicPagesOptions {
  readonly graph: Graph;
  readonly site: Site;
  readonly more: readonly Page[];
}

interface Loaded {
  readonly view: () => Outcome | Promise<Outcome>;
  readonly results: readonly GraphResult[];
}

/** A page shows what was published this long before it was asked for, or earlier: far less than the time for which other caches keep it. */
const readEveryMs = 50;

/** Points of a page that is not kept: reading and making it takes some ten times as long as sending one that is. */
const pointsToMake = 10;

/** Registers the pages for readers without an account, in every language, with their documents prepared. */
export function publicPages(app: FastifyInstance, { graph, site, more }: PublicPagesOptions): void {
  const readerOf = createReaders(graph);
  const kept = createKeptPages();
  const load = shared<Loaded>({ keptMs: readEveryMs });

  const respond = async (page: Page, locale: Locale, request: FastifyRequest, reply: FastifyReply) => {
    const context = contextOf(request);
    const params = textsOf(request.params);
    const query = knownIn(request.query, page.parameters);
    const today = civilDate(context.clock.now());
    const key = JSON.stringify([page.path, locale.code, today, params, query]);
    // Without parameters, such as a search, its reads are the same for everyone.
    const isReady = kept.has(key, { cached: Object.keys(query).length > 0 });
    if (!isReady) await spendMore(request, reply, pointsToMake - 1);
    const { view, results } = await load(key, async () => {
      const { read, note, results } = readerOf(context, isReady ? undefined : payForReads(request, reply));
      return { view: await page.load({ site, locale, params, query, read, note, today }), results };
    });
    const known = kept.find(key, results);
    if (known !== undefined) return sendBody(request, reply, known, results);
    if (isReady) await spendMore(request, reply, pointsToMake - 1);
    const made = await kept.make(key, results, async () => {
      const outcome = await view();
      if ('location' in outcome) return outcome;
      const body = bodyOf(outcome, locale, site);
      await payForSize(request, reply, body.bytes.length, pointsToMake);
      return body;
    });
    return 'location' in made ? reply.redirect(made.location, 302) : sendBody(request, reply, made, results);
  };

  for (const page of [...pages, ...more]) {
    for (const locale of locales) {
      const path = pathIn(locale, page.path);
      if (path !== '/') redirectSlash(app, path, page);
      app.get(path, { config: { edge: edgeOf(page) } }, (request, reply) => {
        if (page.path === '/' && !admitsHtml(request, reply))
          throw new ApiError('NOT_FOUND', { message: 'This path does not exist' });
        return respond(page, locale, request, reply);
      });
    }
  }
}

function redirectSlash(app: FastifyInstance, path: string, page: Page): void {
  app.get(`${path}/`, { config: { edge: edgeOf(page) } }, ({ url }, reply) =>
    reply.redirect(url.replace(/\/(?=\?|$)/, ''), 308),
  );
}

const edgeOf = ({ parameters }: Page) => ({
  credential: 'none' as const,
  bucket: 'pages' as const,
  parametersOf: () => parameters,
});

/** Whether a client reads HTML. A program that accepts only JSON gets an error in JSON. */
function admitsHtml({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  varyBy(reply, 'accept');
  return headers.accept === undefined || /text\/html|text\/\*|\*\/\*/.test(headers.accept);
}

function textsOf(params: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, String(value)]));
}

/** Returns the parameters that a page reads, in one order: others do not make it another page. */
function knownIn(query: unknown, names: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const given = Object.entries(query ?? {}).filter(([name, value]) => names.has(name) && value !== '');
  return Object.fromEntries(given.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The most addresses that a sitemap may have (sitemaps.org); beyond, it is an index of several. */
const mostAddresses = 50_000;
const recordsInOne = mostAddresses / locales.length;

async function recordPaths({ read }: PageRequest<unknown>): Promise<readonly string[]> {
  const { operationAddresses } = await read('operationAddresses', {});
  const { trancheAddresses } = await read('trancheAddresses', {});
  const own = ['/', '/emissoes', '/tokenizacao', '/tokenizacao/ativos', '/docs', '/status'];
  const operations = operationAddresses.flatMap(({ slug, seriesTickers }) => [
    `/emissoes/${slug}`,
    ...seriesTickers.map((ticker) => `/series/${ticker}`),
  ]);
  const estates = trancheAddresses.map(({ patrimonyTicker }) => `/tokenizacao/patrimonios/${patrimonyTicker}`);
  const tranches = trancheAddresses.map(({ ticker }) => `/tokenizacao/series/${ticker}`);
  return [...new Set([...own, ...operations, ...estates, ...tranches])];
}

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const xmlFile = (bytes: string) => ({
  type: 'application/xml; charset=utf-8',
  bytes: `<?xml version="1.0" encoding="UTF-8"?>\n${bytes}\n`,
});

function entryOf(site: Site, path: string): string {
  const addresses = locales.map((locale) => ({
    code: locale.code,
    url: xmlText(`${site.url}${pathIn(locale, path)}`),
  }));
  const links = addresses.map(({ code, url }) => `<xhtml:link rel="alternate" hreflang="${code}" href="${url}"/>`);
  return addresses.map(({ url }) => `<url><loc>${url}</loc>${links.join('')}</url>\n`).join('');
}

/** Every page, in each language (sitemaps.org). */
const sitemap = definePage({
  path: '/sitemap.xml',
  query: z.object({ part: z.coerce.number().int().min(1).optional() }),
  load: recordPaths,
  view: (paths, { site, query: { part } }) => {
    const parts = Math.ceil(paths.length / recordsInOne);
    if (part !== undefined && part > parts) throw new ApiError('NOT_FOUND');
    if (part === undefined && parts > 1) {
      const files = Array.from({ length: parts }, (_, index) => xmlText(`${site.url}/sitemap.xml?part=${index + 1}`));
      const entries = files.map((url) => `<sitemap><loc>${url}</loc></sitemap>\n`);
      return xmlFile(`<sitemapindex xmlns="${namespace}">\n${entries.join('')}</sitemapindex>`);
    }
    const from = ((part ?? 1) - 1) * recordsInOne;
    const entries = paths.slice(from, from + recordsInOne).map((path) => entryOf(site, path));
    return xmlFile(
      `<urlset xmlns="${namespace}" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${entries.join('')}</urlset>`,
    );
  },
});

/** Robots may read the pages, and not the interfaces of programs. */
const robots = definePage({
  path: '/robots.txt',
  query: z.object({}),
  load: () => Promise.resolve(undefined),
  view: (_none, { site }) => ({
    type: 'text/plain; charset=utf-8',
    bytes: `User-agent: *\nDisallow: /v1/\nDisallow: /graphql\nDisallow: /embed/\nSitemap: ${site.url}/sitemap.xml\n`,
  }),
});

const siteFiles: readonly Page[] = [sitemap, robots];

/** Short permanent addresses, `/p/<ticker>`: of an operation, a series or a tokenized series, whichever of these has the ticker first. */
const permalink = definePage({
  path: '/p/:ticker',
  query: z.object({}),
  load: async ({ read, locale, params }) => {
    const ticker = required(params['ticker']);
    const [operation, series, tranche] = await Promise.all([
      read('operationEvents', { ticker, locale: locale.graph }),
      read('seriesPage', { ticker, locale: locale.graph }),
      read('trancheSchedule', { ticker, locale: locale.graph }),
    ]);
    if (operation.operation !== null) return `/emissoes/${operation.operation.slug}`;
    const [found] = series.series.nodes;
    if (found !== undefined) return `/series/${found.ticker}`;
    if (tranche.tranche !== null) return `/tokenizacao/series/${tranche.tranche.ticker}`;
    throw new ApiError('NOT_FOUND');
  },
  view: (path, { locale }) => ({ location: pathIn(locale, path) }),
});

const priceOfDay = definePage({
  path: '/p/:ticker/:date',
  query: z.object({}),
  load: async ({ read, params }) => {
    const ticker = required(params['ticker']);
    const date = dayOf(params['date']);
    const [series, price] = await Promise.all([
      read('seriesPrice', { ticker, date }),
      read('tranchePrice', { ticker, date, locale: 'PT_BR' }),
    ]);
    const [found] = series.series.nodes;
    if (found !== undefined) return `/series/${found.ticker}/pu/${date}`;
    return `/tokenizacao/series/${required(price.tranche).ticker}/pu/${date}`;
  },
  view: (path, { locale }) => ({ location: pathIn(locale, path) }),
});

const permalinks: readonly Page[] = [permalink, priceOfDay];

const pages: readonly Page[] = [
  home,
  operationList,
  comparisonPage,
  operationPage,
  inventoryPage,
  ...operationFiles,
  seriesPage,
  seriesPriceDay,
  tokensOverview,
  estatePage,
  tranchePage,
  priceDayPage,
  assetList,
  assetPage,
  ...tokenFiles,
  ...trancheFiles,
  ...siteFiles,
  ...sitePictures,
  ...permalinks,
];

/** Reads of the graph that the points of a page pay for; a page has fewer. */
const includedReads = 4;
/** Points of each further read: a file of a long list takes a hundred of them. */
const pointsOfRead = 4;

/** Charges a read of the graph; all reads cost at most half of the bucket. The returned function throws TOO_MANY_REQUESTS, which ends the work. */
function payForReads(request: FastifyRequest, reply: FastifyReply): () => Promise<void> {
  let [reads, paid] = [0, 0];
  return async () => {
    reads += 1;
    const most = Math.floor((request.edge.standing?.limit ?? 0) / 2);
    const points = Math.min(pointsOfRead, most - paid);
    if (reads <= includedReads || points <= 0) return;
    paid += points;
    await spendMore(request, reply, points);
  };
}

/** Bytes of what is made, before it is compressed, for each point: a page of an operation is made for the points that every page costs. */
const bytesOfPoint = 8_192;

/** Charges the request that had a response made for its size, beyond the points that it has paid: at most half of the bucket. It is made already, so it is not refused. */
async function payForSize(request: FastifyRequest, reply: FastifyReply, bytes: number, paid: number): Promise<void> {
  const most = Math.floor((request.edge.standing?.limit ?? 0) / 2);
  const points = Math.min(Math.floor(bytes / bytesOfPoint) - paid, most);
  if (points > 0) await correctCharge(request, reply, points);
}

/** Bytes of all kept responses, with their compressed forms, and the share that these add at most to a text. */
const keptBytes = 33_554_432;
const withCodedForms = 1.5;

interface Kept {
  readonly source: string;
  readonly body: Body;
  readonly cached: boolean;
}

export interface KeptPages {
  /** Whether a response is kept; with `cached`, only one whose results are cached, too, so that reading them again costs next to nothing. */
  has(key: string, { cached }: { readonly cached: boolean }): boolean;
  /** Returns the kept response that was made of the same results; undefined when there is none. */
  find(key: string, results: readonly GraphResult[]): Body | undefined;
  /** Returns the kept response, or makes and keeps it; of many concurrent callers one makes it. */
  make(key: string, results: readonly GraphResult[], build: () => Promise<Body | Redirect>): Promise<Body | Redirect>;
}

/** Creates the store of a process. It holds no results, only their hashes: a small file may be made of a large result. */
function createKeptPages(): KeptPages {
  const kept = new LRUCache<string, Kept>({
    maxSize: keptBytes,
    sizeCalculation: ({ body }, key) => Math.ceil(body.bytes.length * withCodedForms) + key.length + 500,
  });
  const underWay = new Map<string, Promise<Body | Redirect>>();

  return {
    has: (key, { cached }) => {
      const known = kept.peek(key);
      return known !== undefined && (known.cached || !cached);
    },
    find: (key, results) => {
      const known = kept.get(key);
      return known?.source === sourceOf(results) ? known.body : undefined;
    },
    make: (key, results, build) => {
      const source = sourceOf(results);
      const known = kept.get(key);
      if (known?.source === source) return Promise.resolve(known.body);
      const place = `${source} ${key}`;
      const begun = underWay.get(place);
      if (begun !== undefined) return begun;
      const own = build()
        .then((made) => {
          if ('bytes' in made && made.status === 200)
            kept.set(key, { source, body: made, cached: results.every(isCachedResponse) });
          return made;
        })
        .finally(() => underWay.delete(place));
      underWay.set(place, own);
      return own;
    },
  };
}

const hashes = new WeakMap<GraphResult, string>();

function sourceOf(results: readonly GraphResult[]): string {
  return results.map(hashOf).join(' ');
}

function hashOf(result: GraphResult): string {
  const hash = hashes.get(result) ?? createHash('sha256').update(JSON.stringify(result.data)).digest('base64url');
  hashes.set(result, hash);
  return hash;
}
