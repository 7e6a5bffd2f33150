import { z } from 'zod';
import { ApiError } from '../../shared/errors.js';
import { xmlText } from './files/xml-text.js';
import { pathIn } from './layout.js';
import { locales } from './locale.js';
import { definePage, type Page, type PageRequest, type Site } from './page.js';

/** The most addresses that a sitemap may have (sitemaps.org); beyond, it is an index of several. */
const mostAddresses = 50_000;
const recordsInOne = mostAddresses / locales.length;

/** Reads the path of every page that stands for a record. */
async function recordPaths({ read, site }: PageRequest<unknown>): Promise<readonly string[]> {
  const { operationAddresses } = site.operations ? await read('operationAddresses', {}) : { operationAddresses: [] };
  const { trancheAddresses } = await read('trancheAddresses', {});
  const own = ['/', ...(site.operations ? ['/emissoes'] : []), '/tokenizacao', '/tokenizacao/ativos', '/docs'];
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

/** A path in each language. */
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

export const siteFiles: readonly Page[] = [sitemap, robots];
