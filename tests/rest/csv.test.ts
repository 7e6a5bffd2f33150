import { afterEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { restPlugin } from '../../rest/plugin.js';
import type { CsvForm, Route } from '../../rest/route.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { until } from '../kit/until.js';
import { createTestEdge, goodKey, open, testCallers } from './edge-kit.js';
import { fakeGraph, plainRoute } from './fake-graph.js';
import { operationTexts } from './operation-texts.js';

const sdl = `
  type Query { numbers(first: Int, after: String, until: Int): Numbers! }
  type Numbers { values: [String!]! next: String }
`;
const pageForm = z.object({ values: z.array(z.string()), next: z.string().nullable() });

const csv: CsvForm = {
  description: '',
  fileName: 'numbers.csv',
  columns: ['number'],
  page: { first: '100' },
  cursor: 'after',
  read: (response) => {
    const { values, next } = pageForm.parse(response);
    return { rows: values.map((value) => [value]), next };
  },
  example: '',
};

const route: Route = {
  ...plainRoute,
  path: '/numbers',
  operation: 'numbers',
  parameters: {
    first: { description: 'size', schema: { type: 'string', pattern: '^[0-9]+$' } },
    after: { description: 'cursor' },
    until: { description: 'last page', schema: { type: 'string', pattern: '^[0-9]+$' } },
  },
  csv,
};

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** A list of so many pages, of numbers of 1,000 characters: of nine the sixth cannot be read, and of none the first. */
async function start(parts: Parameters<typeof createTestEdge>[1] = {}) {
  const edge = createTestEdge({}, parts);
  app = edge.app;
  const asked: unknown[] = [];
  const graph = fakeGraph(sdl, {
    numbers: ({ first, after, until }) => {
      asked.push([first, after]);
      const page = Number(after ?? 0);
      if ((page === 5 && until === 9) || until === 0)
        throw new ApiError('UNAVAILABLE', { message: 'The database is away' });
      const values = Array.from({ length: Number(first ?? 1) }, (_, index) =>
        String(page * 100 + index).padStart(1_000, '0'),
      );
      return { values, next: page + 1 === until ? null : String(page + 1) };
    },
  });
  let places = 0;
  const { admission } = app.edgeMaker;
  app.edgeMaker = {
    ...app.edgeMaker,
    admission: {
      ...admission,
      place: (network) => {
        places += 1;
        return admission.place(network);
      },
    },
  };
  restPlugin(app, { graph, routes: [route], texts: operationTexts(graph.apiSchema) });
  const address = await open(app);
  const get = (query: string, headers: Record<string, string> = {}, options: RequestInit = {}) =>
    fetch(`${address}/numbers?${query}`, {
      ...options,
      headers: { 'x-api-key': goodKey, accept: 'text/csv', ...headers },
    });
  return { asked, get, logged: edge.logged, places: () => places };
}

test('a file that cannot be finished ends with the connection, and the log says why', async () => {
  const { get, logged } = await start();
  const response = await get('until=9');
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
  expect(logged()).toContain('The database is away');
});

test.each([
  ['until=300', 200, 1],
  ['until=0', 503, 1],
  ['first=x', 400, 0],
] as const)(
  'HEAD of %s has the status and the headers of GET, and reads no further page',
  async (query, status, pages) => {
    const { asked, get } = await start();
    const seen = async (method: string) => {
      const response = await get(query, {}, { method });
      const names = ['content-type', 'content-disposition', 'vary', 'cache-control', 'etag'];
      const headers = names.map((name) => response.headers.get(name));
      await response.body?.cancel();
      return [response.status, ...headers];
    };
    const byHead = await seen('HEAD');
    expect([byHead[0], asked.length]).toEqual([status, pages]);
    expect(await seen('GET')).toEqual(byHead);
  },
);

test('two files are sent to one caller at once, and a reader that leaves makes room', async () => {
  const { asked, get } = await start();
  expect((await get('until=1000000', {}, { method: 'HEAD' })).status).toBe(200);
  expect(asked).toHaveLength(1);
  const leaving = new AbortController();
  const endless = () => get('until=1000000', {}, { signal: leaving.signal });
  const files = [await endless(), await endless()];
  const refused = await get('until=1');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await refused.json()).toMatchObject({ message: 'Too Many Requests: at most 2 files at once, wait 5 seconds' });
  // Named here, since fetch closes what nobody can read any more.
  expect(files.map((file) => file.status)).toEqual([200, 200]);
  leaving.abort();
  await until('room for a file', async () => {
    const again = await get('until=1');
    await again.text();
    expect(again.status).toBe(200);
    return true;
  });
});

test('each page of a file costs a point, and is read in a place among the requests', async () => {
  const { get, places } = await start();
  const remaining = async () => {
    const response = await get('until=1', { accept: 'application/json' });
    await response.text();
    return Number(response.headers.get('x-ratelimit-remaining'));
  };
  const before = await remaining();
  await (await get('until=4')).text();
  expect(before - (await remaining())).toBe(4 + 1);
  expect(places()).toBe(3);
});

test('a file ends with the credential that it was asked for with', async () => {
  let good = true;
  const callers = testCallers();
  const { get, logged } = await start({
    callers: {
      ...callers,
      authenticate: (credential) => (good ? callers.authenticate(credential) : Promise.resolve(undefined)),
    },
  });
  const file = await get('until=1000000');
  good = false;
  await expect(file.text()).rejects.toThrow();
  expect(logged()).toContain('it is missing, unknown, revoked or expired');
});
