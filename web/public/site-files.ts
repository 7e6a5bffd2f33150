import { z } from 'zod';
import { xmlText } from './files/xml-text.js';
import { pathIn } from './layout.js';
import { locales } from './locale.js';
import { definePage, type Page, type PageRequest } from './page.js';

/** Pages of a list that the sitemap is made of. */
const mostPages = 100;

/** Reads the paths of every page that stands for a record. */
async function recordPaths({ read, site, locale }: PageRequest<unknown>): Promise<readonly string[]> {
  const paths: string[] = [];
  const graph = locale.graph;
  let after: string | null = null;
  for (let page = 0; site.operations && page < mostPages; page += 1) {
    const list = await readOperations(read, graph, after);
    for (const { slug, series } of list.nodes) {
      paths.push(`/emissoes/${slug}`, ...series.map(({ ticker }) => `/series/${ticker}`));
    }
    after = list.pageInfo.endCursor;
    if (!list.pageInfo.hasNextPage) break;
  }
  after = null;
  for (let page = 0; page < mostPages; page += 1) {
    const list = await readTranches(read, graph, after);
    const estates = new Set(list.nodes.map(({ patrimonyTicker }) => `/tokenizacao/patrimonios/${patrimonyTicker}`));
    paths.push(...estates, ...list.nodes.map(({ ticker }) => `/tokenizacao/series/${ticker}`));
    after = list.pageInfo.endCursor;
    if (!list.pageInfo.hasNextPage) break;
  }
  return [...new Set(paths)];
}

type Read = PageRequest<unknown>['read'];

async function readOperations(read: Read, locale: 'PT_BR' | 'EN', after: string | null) {
  const { operations } = await read('operationList', { locale, first: 100, after });
  return operations;
}

async function readTranches(read: Read, locale: 'PT_BR' | 'EN', after: string | null) {
  const { tranches } = await read('trancheList', { locale, first: 100, after });
  return tranches;
}

/** Every page of a record, in each language (sitemaps.org). */
const sitemap = definePage({
  path: '/sitemap.xml',
  query: z.object({}),
  load: recordPaths,
  view: (records, { site }) => {
    const own = ['/', ...(site.operations ? ['/emissoes'] : []), '/tokenizacao', '/tokenizacao/ativos', '/docs'];
    const entries = [...own, ...records].map((path) => {
      const links = locales.map(
        (locale) =>
          `<xhtml:link rel="alternate" hreflang="${locale.code}" href="${xmlText(`${site.url}${pathIn(locale, path)}`)}"/>`,
      );
      return locales
        .map((locale) => `<url><loc>${xmlText(`${site.url}${pathIn(locale, path)}`)}</loc>${links.join('')}</url>\n`)
        .join('');
    });
    return {
      type: 'application/xml; charset=utf-8',
      bytes: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${entries.join('')}</urlset>\n`,
    };
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

export const siteFiles: readonly Page[] = [sitemap, robots];
