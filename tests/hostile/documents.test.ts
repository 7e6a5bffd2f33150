import { afterAll, describe, expect, test } from '@jest/globals';
import { callQuietly, expectUnharmed, full, openTarget } from './kit.js';

const target = await openTarget({ env: { RATE_LIMIT_PUBLIC: '10000000', RATE_LIMIT_GRAPHQL: '1000000000' } });
afterAll(() => target.close());

interface Told {
  readonly status: number;
  readonly text: string;
  readonly remaining: number;
}

async function read(response: Response): Promise<Told> {
  const remaining = Number(response.headers.get('x-ratelimit-remaining'));
  return { status: response.status, text: await response.text(), remaining };
}

const graphql = async (body: object): Promise<Told> =>
  read(
    await fetch(`${target.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );

const get = async (path: string): Promise<Told> => read(await fetch(target.url + path));

interface Refused {
  readonly errors: readonly {
    readonly extensions: { readonly details?: readonly { path: string; message: string }[] };
  }[];
}

const detailsOf = ({ text }: Told) => (JSON.parse(text) as Refused).errors[0]?.extensions.details;
/** One character that normalization makes eighteen of. */
const growing = '\uFDFA';

describe('a text that is too long', () => {
  const aliases = Array.from(
    { length: 30 },
    (_, index) => `a${index}: assets(filter: {search: $s}) { totalCount }`,
  ).join(' ');

  test('is refused before anything is done with it, thirty times over, and nobody waits', async () => {
    const caller = callQuietly(target);
    const query = `query ($s: String) { ${aliases} }`;
    for (let round = 0; round < 20; round++) {
      const told = await graphql({ query, variables: { s: growing.repeat(30_000) } });
      expect(told.status).toBe(400);
      expect(detailsOf(told)).toMatchObject([{ path: 's', message: 'must have at most 100 characters' }]);
    }
    expect((await graphql({ query, variables: { s: growing.repeat(350_000) } })).status).toBe(413);
    const { statuses, requests } = await caller.stop();
    expect(statuses).toEqual({ 200: requests });
    await expectUnharmed(target);
  });

  test('is refused wherever it stands: in the document, in objects, in lists, and in defaults', async () => {
    const long = 'x'.repeat(1_001);
    const cases: readonly (readonly [object, string])[] = [
      [{ query: `{ assets(filter: {search: "${long}"}) { totalCount } }` }, 'assets.filter.search'],
      [{ query: `{ operations(filter: {text: "${long}"}) { totalCount } }` }, 'operations.filter.text'],
      [{ query: `query ($t: String) { operations(filter: {text: $t}) { totalCount } }`, variables: { t: long } }, 't'],
      [
        {
          query: `query ($f: OperationFilter) { operations(filter: $f) { totalCount } }`,
          variables: { f: { statusLabels: ['Ativa', long] } },
        },
        'f.statusLabels[1]',
      ],
      [{ query: `query ($s: String = "${long}") { assets(filter: {search: $s}) { totalCount } }` }, 's'],
      [{ query: `{ patrimony(ticker: """${long}""") { ticker } }` }, 'patrimony.ticker'],
      [
        {
          query: `query ($f: OperationFilter) { operations(filter: $f) { totalCount } }`,
          variables: { f: { types: Array.from({ length: 5_000 }, () => 'CRI') } },
        },
        'f.types',
      ],
    ];
    for (const [body, path] of cases) {
      const told = await graphql(body);
      expect([path, told.status, detailsOf(told)?.[0]?.path]).toEqual([path, 400, path]);
      expect(told.text).toMatch(/must have at most \d+ (characters|items)/);
    }
  });

  test('is refused by REST as well, which says so in its reference', async () => {
    const told = await get(`/public/assets?search=${'x'.repeat(101)}`);
    expect([told.status, told.text.includes('must have at most 100 characters')]).toEqual([400, true]);
    const { text } = await get('/openapi.json');
    expect(text).toMatch(/"name":\s*"search"[^}]*"maxLength":\s*100/s);
  });
});

describe('an error', () => {
  const long = 'q'.repeat(90_000);
  const middling = 'q'.repeat(5_000);
  const spaced = 'q q '.repeat(20_000);

  test('repeats no more than 100 characters of what a caller sent', async () => {
    const answers = [
      await graphql({ query: long }),
      await graphql({ query: `{ ${long} }` }),
      await graphql({ query: `query ${long} { __typename }` }),
      await graphql({ query: `{ a: ${middling} { id } }` }),
      await graphql({ query: `{ assets(${middling}: 1) { totalCount } }` }),
      await graphql({ query: `{ assets(filter: {status: ${middling}}) { totalCount } }` }),
      await graphql({ query: `{ assets(filter: {status: "${spaced}"}) { totalCount } }` }),
      await graphql({ query: `{ assets(page: "${spaced}") { totalCount } }` }),
      await graphql({ query: `{ assets(page: [${'"q q q", '.repeat(300)}]) { totalCount } }` }),
      await graphql({ query: `query ($f: ${middling}) { assets { totalCount } }` }),
      await graphql({ query: 'query ($p: Int) { assets(page: $p) { totalCount } }', variables: { p: long } }),
      await graphql({
        query: 'query ($p: Int) { assets(page: $p) { totalCount } }',
        variables: { p: { [middling]: spaced } },
      }),
      await graphql({
        query: 'query ($f: OperationFilter) { operations(filter: $f) { totalCount } }',
        variables: { f: { [long]: 1 } },
      }),
      await graphql({ query: '{ __typename }', operationName: long }),
      await graphql({ query: '{ __typename }', [long]: 1, variables: 'x' }),
      await graphql({ query: 5, extensions: { persistedQuery: { version: 1, sha256Hash: long } } }),
      await get(`/public/assets?status=${middling}&page=${middling}&${middling}=1`),
      await get(`/public/${middling}`),
      await get(`/public/patrimonies?nextToken=${middling}`),
      await get(`/graphql?query=${middling}`),
      await get(`/graphql?query={${middling}}`),
    ];
    for (const [index, { status, text }] of answers.entries()) {
      const echoed = text.replaceAll('\\"', '"').match(/[q ]{40,}|(?:q q ?)+|(?:"q q q",? ?)+/g) ?? [];
      const longest = Math.max(0, ...echoed.map(({ length }) => length));
      expect([index, status >= 400 || status === 200, longest <= 110]).toEqual([index, true, true]);
    }
    expect(target.errors()).toEqual([]);
  });
});

/** Entries that one actor and source writes one by one in a minute, for one action; the rest is counted. */
const oneByOne = 10;
const requests = full ? 20_000 : 2_000;

/** @returns how many of the requests were refused for what they are, and not for the load that they are to a slow machine */
async function flood(headers: Record<string, string>, query: string): Promise<number> {
  let refused = 0;
  for (let sent = 0; sent < requests; sent += 50) {
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const response = await fetch(`${target.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ query }),
        });
        await response.arrayBuffer();
        if (response.status !== 503) refused += 1;
      }),
    );
  }
  return refused;
}

const rows = async () => {
  const [row] = await target.database.dataSource.query<[{ rows: number; occurrences: number }]>(
    `SELECT count(*)::integer AS rows, sum(occurrences)::integer AS occurrences FROM shared.audit_log
     WHERE actor_kind = 'ANONYMOUS' AND outcome = 'REFUSED'`,
  );
  return row;
};

// The last test: it ends the program.
test('a flood of refused acts and keys writes a few entries a minute, and none of them is lost in the count', async () => {
  const begun = Date.now();
  const acts = await flood({}, 'mutation { writeOffAsset(assetId: "x") { id } }');
  const keys = await flood({ 'x-api-key': 'svc_op_nonsense' }, '{ originators { id } }');
  expect(Math.min(acts, keys)).toBeGreaterThan(requests / 2);
  const minutes = Math.ceil((Date.now() - begun) / 60_000) + 1;
  expect((await rows()).rows).toBeLessThanOrEqual(2 * minutes * (oneByOne + 1));
  // The counts of a minute are written when the program ends, at the latest.
  target.program.child.kill('SIGTERM');
  expect(await target.program.ended).toMatchObject({ code: 0 });
  expect((await rows()).occurrences).toBe(acts + keys);
  expect(target.errors()).toEqual([]);
});
