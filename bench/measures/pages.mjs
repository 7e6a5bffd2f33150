import { interleave } from '../kit/load.mjs';
import { median } from '../kit/statistics.mjs';
import { compare } from './compare.mjs';
import { importOperations } from './data.mjs';
import { measureBudgets } from './page-budgets.mjs';

const operation = 'cri-shopping-serra-azul';
/** Operations that are read one after the other: more than the caches of results and of pages hold, so that none of them is kept. */
const operations = 2_000;

/**
 * (q) Compares pages of operations with the REST responses of the same operations, of which neither is kept, and measures a page that is. Then it opens pages in a
 * slow browser.
 */
export async function measurePages({ platform, entry, folder, timing }) {
  const slugs = await importOperations({ platform, folder }, operations);
  const get = (path, headers = {}) => ({ url: `${platform.url}${path}`, method: 'GET', headers, compared: false });
  const key = { 'x-api-key': entry.apiKey };
  const sides = [
    slugs.map((slug) => get(`/emissoes/${slug}`)),
    slugs.map((slug) => get(`/v1/emissoes/operacoes/${slug}`, key)),
    // As browsers ask for it.
    [get(`/emissoes/${operation}`, { 'accept-encoding': 'br' })],
  ].map((requests) => ({ requests, pids: platform.pids }));
  const [pages, answers, kept] = await interleave(sides, timing);
  return {
    compared: [compare('(q) pages of operations ÷ their REST responses, none of them kept', pages, answers, 0.5)],
    measured: [
      {
        name: '(q) the page of an operation, kept, compressed',
        value: median(kept.map(({ perSecond }) => perSecond)),
        unit: '/s',
        digits: 0,
        above: 5_000,
      },
      ...(await measureBudgets(platform, entry)),
    ],
  };
}
