import { deepStrictEqual } from 'node:assert';
import { fileURLToPath } from 'node:url';
import { answerOf, interleave } from '../kit/load.mjs';
import { freePort, startProcess } from '../kit/processes.mjs';
import { compare } from './compare.mjs';

const handwritten = fileURLToPath(new URL('../sides/handwritten.mjs', import.meta.url));

/** (a) One row by REST through SOFA and the graph, against the same row by a hand-written handler. */
export async function measureRest({ house, entry, folder, timing }) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/accounts/${entry.user.id}`;
  const other = await startProcess({
    name: 'handwritten',
    args: [handwritten],
    env: { NODE_ENV: 'production', PORT: String(port), DATABASE_URL: entry.databaseUrl },
    folder,
    ready: async () => (await fetch(url)).ok,
  });
  const sides = [
    {
      request: {
        url: `${house.url}/v1/emissoes/auth/me`,
        method: 'GET',
        headers: { authorization: `Bearer ${entry.token}` },
      },
      pids: house.pids,
    },
    { request: { url, method: 'GET' }, pids: () => [other.pid] },
  ];
  const [ours, theirs] = await Promise.all(sides.map(async ({ request }) => JSON.parse(await answerOf(request))));
  deepStrictEqual(ours, theirs, 'both sides have to answer the same row');
  const samples = await interleave(sides, timing);
  await other.stop();
  return [compare('(a) `GET /v1/emissoes/auth/me` ÷ Fastify + pg by hand', samples[0], samples[1], 0.4)];
}
