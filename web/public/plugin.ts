import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { spendMore } from '../../gateway/edge/charge.js';
import { contextOf } from '../../gateway/edge/context.js';
import { varyBy } from '../../gateway/edge/compression.js';
import type { Graph } from '../../gateway/graph/graph.js';
import { civilDate } from '../../shared/clock.js';
import { ApiError } from '../../shared/errors.js';
import { recentRuns } from '../../shared/recent-run.js';
import type { GraphResult } from '../../shared/subgraph/executor.js';
import { bodyOf, sendBody } from './body.js';
import { createKeptPages } from './kept-pages.js';
import { pathIn } from './layout.js';
import { locales, type Locale } from './locale.js';
import type { Outcome, Page, Site } from './page.js';
import { payForReads, payForSize } from './pay-more.js';
import { pages } from './pages.js';
import { createReaders } from './reader.js';

export interface PublicPagesOptions {
  readonly graph: Graph;
  readonly site: Site;
  /** Pages that are made of other parts of the program. */
  readonly more: readonly Page[];
}

/** The data of a page. */
interface Loaded {
  /** Makes the page. */
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
  const load = recentRuns<Loaded>(readEveryMs);

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
      const { read, results } = readerOf(context, isReady ? undefined : payForReads(request, reply));
      return { view: await page.load({ site, locale, params, query, read, today }), results };
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

  for (const page of [...pages, ...more].filter(({ area }) => isShown(area, site))) {
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

/** Leads from the address of a page with a slash at its end to the page. */
function redirectSlash(app: FastifyInstance, path: string, page: Page): void {
  app.get(`${path}/`, { config: { edge: edgeOf(page) } }, ({ url }, reply) =>
    reply.redirect(url.replace(/\/(?=\?|$)/, ''), 308),
  );
}

function isShown(area: Page['area'], site: Site): boolean {
  if (area === 'operations') return site.operations;
  return area === 'all' || site.development;
}

const edgeOf = ({ parameters }: Page) => ({
  credential: 'none' as const,
  bucket: 'pages' as const,
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

/** Returns the parameters that a page reads, in one order: others do not make it another page. */
function knownIn(query: unknown, names: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const given = Object.entries(query ?? {}).filter(([name, value]) => names.has(name) && value !== '');
  return Object.fromEntries(given.sort(([one], [other]) => (one < other ? -1 : 1)));
}
