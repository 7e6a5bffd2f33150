import { fileURLToPath } from 'node:url';
import { interleave } from '../kit/load.mjs';
import { answers, freePort, startProcess } from '../kit/processes.mjs';
import { median } from '../kit/statistics.mjs';
import { hasWrk } from '../kit/wrk.mjs';
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
  const plain = await sameBytes(`${platform.url}/emissoes/${operation}`, folder);
  const get = (path, headers = {}, url = platform.url) => ({
    url: `${url}${path}`,
    method: 'GET',
    headers,
    compared: false,
  });
  const key = { 'x-api-key': entry.apiKey };
  const compressed = { 'accept-encoding': 'br' };
  const own = [
    slugs.map((slug) => get(`/emissoes/${slug}`)),
    slugs.map((slug) => get(`/v1/emissoes/operacoes/${slug}`, key)),
  ].map((requests) => ({ requests, pids: platform.pids }));
  // Such a page costs the server less than autocannon, which would be what is measured.
  const sent = [
    { requests: [get(`/emissoes/${operation}`, compressed)], pids: platform.pids, byWrk: hasWrk },
    { requests: [get('/', compressed, plain.url)], pids: () => [plain.pid], byWrk: hasWrk },
  ];
  const [pages, responses] = await interleave(own, timing);
  const [kept, bytes] = await interleave(sent, timing);
  await plain.stop();
  const loaded = hasWrk ? 'by wrk' : 'by autocannon, whose work is more than the server’s: install wrk';
  return {
    compared: [
      compare('(q) pages of operations ÷ their REST responses, none of them kept', pages, responses, 0.5),
      compare(
        `(q) the page of an operation, kept ÷ its bytes from a server with no other duty, ${loaded}`,
        kept,
        bytes,
      ),
    ],
    measured: [
      {
        name: `(q) the page of an operation, kept, compressed as browsers ask for it, ${loaded}`,
        value: median(kept.map(({ perSecond }) => perSecond)),
        unit: '/s',
        digits: 0,
        above: 5_000,
      },
      ...(await measureBudgets(platform, entry)),
    ],
  };
}

/** Starts the server that sends the bytes of a page. */
async function sameBytes(source, folder) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = await startProcess({
    name: 'same-bytes',
    args: [fileURLToPath(new URL('../sides/same-bytes.mjs', import.meta.url))],
    env: { NODE_ENV: 'production', PORT: String(port), SOURCE: source },
    folder,
    ready: () => answers(url),
  });
  return { ...started, url };
}
