import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { restPlugin } from '../../rest/plugin.js';
import { money, type Route } from '../../rest/route.js';
import type { Context } from '../../shared/kernel/context.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { createTestEdge, goodKey, open } from './edge-kit.js';
import { fakeGraph, plainRoute } from './fake-graph.js';
import { operationTexts } from './operation-texts.js';
import { rateLimitsOf } from '../kit/rate-limits.js';

const sdl = `
  scalar Decimal
  scalar Date
  type Query { nothing: Batch }
  type Mutation {
    makeBatch(estate: ID!, contracts: [ContractInput!]!, note: String, copies: Int): Batch!
    makeBatchFromFile(estate: ID!, file: String!): Batch!
    makeBatchFromLines(estate: ID!, lines: String!): Batch!
    rename(name: String!, price: Decimal): Batch!
  }
  input ContractInput { externalId: String! debtorDocument: String! faceValue: Decimal! dueDate: Date! label: String }
  type Batch { count: Int! }
`;

const estate = { description: 'Id of the estate.' };
const price = { description: 'A price.', rule: 'must be a decimal number as text' };
const common = { ...plainRoute, method: 'POST', tag: 'Developer', status: 201 } as const;

const batches: Route = {
  ...common,
  path: '/batches',
  operation: 'makeBatch',
  bodyLimit: 2 * 1_048_576,
  parameters: {
    estate,
    note: { description: 'A note.' },
    copies: { description: 'How many.' },
    contracts: {
      description: 'The contracts.',
      schema: { minItems: 1, maxItems: 50_000 },
      members: {
        externalId: { description: 'Its id.', schema: { minLength: 1, maxLength: 100 } },
        debtorDocument: {
          description: 'CPF or CNPJ.',
          schema: { pattern: '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$' },
          rule: 'must be 11 digits (CPF) or 14 characters (CNPJ)',
        },
        faceValue: { description: 'Money.', schema: money },
        dueDate: { description: 'A day.' },
        label: { description: 'A label.' },
      },
    },
  },
  textBodies: [
    {
      profile: 'cnab444',
      operation: 'makeBatchFromFile',
      variable: 'file',
      description: 'A file.',
      parameters: { estate },
      example: '0REMESSA',
    },
    {
      profile: 'lines',
      operation: 'makeBatchFromLines',
      variable: 'lines',
      description: 'Lines.',
      parameters: { estate },
      example: 'CCB-1',
    },
  ],
};

const routes: readonly Route[] = [
  batches,
  { ...common, method: 'GET', path: '/nothing', operation: 'nothing', status: 200, parameters: {} },
  { ...common, path: '/names', operation: 'rename', parameters: { name: { description: 'Its name.' }, price } },
];

const good = { externalId: 'CCB-1', debtorDocument: '52998224725', faceValue: 1234.56, dueDate: '2030-02-28' };

const opened: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

async function start() {
  const seen: Readonly<Record<string, unknown>>[] = [];
  const digests: (string | undefined)[] = [];
  const take = (values: Readonly<Record<string, unknown>>, { idempotency }: Context) => {
    seen.push(values);
    digests.push(idempotency?.digest.toString('hex'));
    return { count: 1 };
  };
  const graph = fakeGraph(sdl, { makeBatch: take, makeBatchFromFile: take, makeBatchFromLines: take, rename: take });
  const { app } = createTestEdge({ rateLimits: rateLimitsOf(1e6) });
  restPlugin(app, { graph, routes, texts: operationTexts(graph.apiSchema) });
  opened.push(app);
  const base = await open(app);
  const post = async (
    body: string | Uint8Array<ArrayBuffer>,
    type = 'application/json',
    path = '/batches',
    more = {},
  ) => {
    const headers = { 'x-api-key': goodKey, 'content-type': type, ...more };
    return read(await fetch(base + path, { method: 'POST', headers, body }));
  };
  return { base, seen, digests, post, send: (body: unknown) => post(JSON.stringify(body)), graph };
}

interface Told {
  readonly status: number;
  readonly message: string;
  readonly details: readonly { readonly path: string; readonly message: string }[];
}

async function read(answer: Response): Promise<Told> {
  return { ...((await answer.json()) as Told), status: answer.status };
}

describe('errors of a nested body', () => {
  test('name a text that has half of a character', async () => {
    const { send, seen } = await start();
    const { status, details } = await send({ estate: 'e\ud83d', contracts: [{ ...good, label: 'x\udc00' }] });
    expect([status, details.map(({ path }) => path)]).toEqual([400, ['estate', 'contracts[0].label']]);
    expect(seen).toEqual([]);
  });

  test('are reported all at once with their paths: types, forms, and days that do not exist', async () => {
    const { send, seen } = await start();
    const wrong = { externalId: '', debtorDocument: '529.982', faceValue: '1234.56', dueDate: '2030-02-30' };
    const { status, details } = await send({
      estate: 5,
      note: 7,
      contracts: [good, wrong, 4, { ...good, label: null }],
    });
    expect(status).toBe(400);
    expect(details).toEqual([
      { path: 'estate', message: 'must be of type string' },
      { path: 'contracts[1].externalId', message: 'must have at least 1 characters' },
      { path: 'contracts[1].debtorDocument', message: 'must be 11 digits (CPF) or 14 characters (CNPJ)' },
      { path: 'contracts[1].faceValue', message: 'must be of type number' },
      { path: 'contracts[1].dueDate', message: 'must be an existing day, as YYYY-MM-DD' },
      { path: 'contracts[2]', message: 'must be of type object' },
      { path: 'note', message: 'must be of type string' },
    ]);
    expect(seen).toEqual([]);
  });

  test('are not made of fields that nobody reads, which do not reach the graph', async () => {
    const { send, seen } = await start();
    const body = { estate: 'x', contracts: [{ ...good, observação: 'à vista' }], situação: 1 };
    expect((await send(body)).status).toBe(201);
    expect(seen).toMatchObject([{ contracts: [{ externalId: good.externalId }] }]);
    expect(JSON.stringify(seen)).not.toContain('ção');
  });

  test('are 100 at most, and the message says how many in all', async () => {
    const { send } = await start();
    const { status, details, message } = await send({
      estate: 'x',
      contracts: Array.from({ length: 30_000 }, () => ({})),
    });
    expect([status, details.length]).toEqual([400, 100]);
    expect(details[99]).toEqual({ path: 'contracts[24].dueDate', message: 'is required' });
    expect(message).toBe('The request is not valid: it has 120000 errors, of which the first 100 are listed');
  });

  test('report a list that is too long or too short, and nothing in it', async () => {
    const { send } = await start();
    for (const [length, message] of [
      [0, 'must have at least 1 items'],
      [50_001, 'must have at most 50000 items'],
    ] as const) {
      const { details } = await send({ estate: 'x', contracts: Array.from({ length }, () => 1) });
      expect(details).toEqual([{ path: 'contracts', message }]);
    }
  });

  test('report a whole number that the graph cannot hold', async () => {
    const { send } = await start();
    const { details } = await send({ estate: 'x', contracts: [good], copies: 2 ** 31 });
    expect(details).toMatchObject([{ path: 'copies' }]);
  });

  test('count characters, not UTF-16 units', async () => {
    const { send } = await start();
    const named = (externalId: string) => send({ estate: 'x', contracts: [{ ...good, externalId }] });
    expect((await named('😀'.repeat(100))).status).toBe(201);
    expect((await named('😀'.repeat(101))).status).toBe(400);
  });
});

describe('money as a JSON number', () => {
  test.each([
    ['"10,50"', 'must be a JSON number with a decimal point: 10.50'],
    ['"1.234,56"', 'must be a JSON number with a decimal point: 1234.56'],
    ['"10,50 reais"', 'must be of type number'],
  ])('%s hears the right form', async (number, message) => {
    const { post } = await start();
    const body = JSON.stringify({ estate: 'x', contracts: [good] }).replace('1234.56', number);
    expect((await post(body)).details).toEqual([{ path: 'contracts[0].faceValue', message }]);
  });

  test('as text gets the right form of a decimal comma', async () => {
    const { post } = await start();
    const hears = async (text: string) => {
      const { details } = await post(JSON.stringify({ name: 'x', price: text }), 'application/json', '/names');
      return details;
    };
    expect(await hears('10,50')).toEqual([
      { path: 'price', message: 'must have a decimal point, not a comma: "10.50"' },
    ]);
    expect(await hears('ten')).toEqual([{ path: 'price', message: price.rule }]);
  });
});

describe('the digits of a JSON number as they were written', () => {
  const digits = (most: number) =>
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map((list) => list.join(''));
  const whole = digits(15).map((text) => text.replace(/^0+(?=.)/, ''));
  const fraction = fc.oneof(
    digits(30),
    // Just beside an amount of centavos, and on it.
    fc
      .tuple(digits(2), fc.nat({ max: 25 }), fc.nat({ max: 1 }))
      .map(([two, zeros, last]) => `${two}${'0'.repeat(zeros)}${last}`),
    digits(1).map((one) => `${one}${'9'.repeat(25)}`),
  );
  const written = fc
    .tuple(fc.boolean(), whole, fc.option(fraction), fc.option(fc.integer({ min: -330, max: 20 })))
    .map(([negative, left, right, power]) =>
      [negative ? '-' : '', left, right === null ? '' : `.${right}`, power === null ? '' : `e${power}`].join(''),
    );
  const exactly = (text: string) => {
    const value = new Decimal(text);
    return value.decimalPlaces() <= 2 && value.abs().lte('999999999999.99') ? value : undefined;
  };

  test.each([
    ['in a short body', ''],
    ['in a body over 64 KiB', 'x'.repeat(70_000)],
  ])('decide whether it is an amount, and nothing is rounded, %s', async (_, note) => {
    const { post, seen } = await start();
    await fc.assert(
      fc.asyncProperty(fc.array(written, { minLength: 1, maxLength: 4 }), async (amounts) => {
        const contracts = amounts.map((text) => JSON.stringify(good).replace('1234.56', text)).join();
        const { status, details } = await post(`{"note":"${note}","estate":"x","contracts":[${contracts}]}`);
        const wrong = amounts.flatMap((text, at) =>
          exactly(text) === undefined ? [`contracts[${at}].faceValue`] : [],
        );
        const paths = status === 201 ? [] : details.map(({ path }) => path);
        expect([status, paths]).toEqual([wrong.length === 0 ? 201 : 400, wrong]);
        const taken = (seen.splice(0)[0]?.['contracts'] ?? []) as { faceValue: string }[];
        const values = taken.map(({ faceValue }) => new Decimal(faceValue).toFixed());
        expect(values).toEqual(wrong.length === 0 ? amounts.map((text) => exactly(text)?.toFixed()) : []);
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    '12345678901.3400001',
    '0.009999999999999999999',
    '1500.50000000000000000001',
    '1e-400',
    '1e999',
    '1000000000000',
    '-1000000000000',
    '"1.00"',
    'null',
  ])('%s is 400 in a body of any size', async (number) => {
    const { post, seen } = await start();
    for (const note of ['', 'x'.repeat(70_000)]) {
      const body = JSON.stringify({ note, estate: 'x', contracts: [good] }).replace('1234.56', number);
      expect(await post(body)).toMatchObject({ status: 400, details: [{ path: 'contracts[0].faceValue' }] });
    }
    expect(seen).toEqual([]);
  });

  test('do not matter in fields that nobody reads, in names and in texts', async () => {
    const { post, seen } = await start();
    const long = '1500.50000000000000000001';
    const own = { ...good, externalId: long, faceValue: 1500.5 };
    const body = JSON.stringify({ [long]: long, estate: 'x', contracts: [own] }).replace(
      '{',
      `{"other":${long},"\\"":-${long},`,
    );
    expect((await post(`\uFEFF${body}`)).status).toBe(201);
    expect(seen).toEqual([{ estate: 'x', contracts: [{ ...own, faceValue: '1500.5' }] }]);
  });

  test('decide whether it is a whole number, and are no object and no list', async () => {
    const { post } = await start();
    const long = '1.00000000000000000001';
    const { details } = await post(`{"estate":"x","copies":${long},"contracts":[${long}]}`);
    expect(details).toMatchObject([
      { path: 'contracts[0]', message: 'must be of type object' },
      { path: 'copies', message: 'must be of type integer' },
    ]);
    expect((await post(long)).details).toEqual([{ path: '', message: 'must be a JSON object' }]);
  });
});

test('a decimal as text reaches the graph with every digit', async () => {
  const { post, seen } = await start();
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^(-?[1-9]\d{0,14}|0)(\.\d{1,24})?$/), async (text) => {
      const { status } = await post(JSON.stringify({ name: 'x', price: text }), 'application/json', '/names');
      expect([status, seen.splice(0)]).toEqual([201, [{ name: 'x', price: text }]]);
    }),
  );
});

describe('any JSON', () => {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(1e21, 0.001, -0, '', '2030-02-30', null));
  const member = (name: keyof typeof good) => fc.oneof(fc.constant(good[name]), odd);
  const contract = fc.record(
    {
      externalId: member('externalId'),
      debtorDocument: member('debtorDocument'),
      faceValue: member('faceValue'),
      dueDate: member('dueDate'),
      label: odd,
      other: odd,
    },
    { requiredKeys: [] },
  );
  const body = fc.record(
    {
      estate: fc.oneof(fc.constant('x'), odd),
      contracts: fc.oneof(fc.array(fc.oneof(contract, odd)), odd),
      copies: odd,
    },
    { requiredKeys: [] },
  );

  test('is taken or refused with the path of what is wrong, and never fails', async () => {
    const { send, seen } = await start();
    await fc.assert(
      fc.asyncProperty(fc.oneof(body, fc.jsonValue()), async (sent) => {
        const { status, details } = await send(sent);
        expect([201, 400]).toContain(status);
        expect(seen.splice(0)).toHaveLength(status === 201 ? 1 : 0);
        if (status === 400) expect(details.length).toBeGreaterThan(0);
        const known = /^(|estate|copies|note|contracts(\[\d+\](\..*)?)?)$/s;
        for (const { path } of status === 400 ? details : []) expect(path).toMatch(known);
      }),
      { numRuns: 500 },
    );
  });
});

async function chunked(base: string, path: string, size: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': goodKey, 'content-type': 'application/json' };
    const request = httpRequest(base + path, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode);
      request.destroy();
    });
    request.on('error', reject);
    request.write('{"name":"');
    for (let sent = 0; sent < size; sent += 65_536) request.write('x'.repeat(65_536));
    request.end('"}');
  });
}

test('the size of a body is bounded by the path and the media type, whether or not its length is announced', async () => {
  const { base, post } = await start();
  const padded = (size: number) => JSON.stringify({ estate: 'x', contracts: [good], other: 'x'.repeat(size) });
  const mebibyte = 1_048_576;
  expect((await post(padded(1.9 * mebibyte))).status).toBe(201);
  const text = 'x'.repeat(9 * mebibyte);
  expect((await post(text, 'text/plain; profile=lines', '/batches?estate=e1')).status).toBe(201);
  expect((await post(text.repeat(2), 'text/plain; profile=lines', '/batches?estate=e1')).status).toBe(413);
  expect(await post(padded(2 * mebibyte))).toMatchObject({ status: 413, error: 'Payload Too Large' });
  expect((await post(padded(mebibyte), 'application/json', '/names')).status).toBe(413);
  expect(await chunked(base, '/names', mebibyte)).toBe(413);
  expect(await chunked(base, '/batches', 1.9 * mebibyte)).toBe(400);
  expect(await chunked(base, '/batches', 2 * mebibyte)).toBe(413);
});

describe('a text as body', () => {
  const profile = 'text/plain; profile=cnab444';

  test('goes whole to its operation, with the other arguments from the query', async () => {
    const { post, seen } = await start();
    for (const type of [profile, 'Text/Plain;charset=utf-8;Profile="cnab444"']) {
      expect(await post('0 ação\r\n9\r\n', type, '/batches?estate=e1&file=no')).toMatchObject({ status: 201 });
      expect(seen.splice(0)).toEqual([{ estate: 'e1', file: '0 ação\r\n9\r\n' }]);
    }
  });

  test('goes to the operation of its profile', async () => {
    const { post, seen } = await start();
    expect(await post('CCB-1', 'text/plain; profile=lines', '/batches?estate=e1')).toMatchObject({ status: 201 });
    expect(seen).toEqual([{ estate: 'e1', lines: 'CCB-1' }]);
  });

  test('is bound to an idempotency key with its query, which holds arguments; JSON is without', async () => {
    const { post, digests } = await start();
    const keyed = { 'x-idempotency-key': 'k1' };
    for (const estateId of ['e1', 'e1', 'e2']) await post('0', profile, `/batches?estate=${estateId}`, keyed);
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[0]);
    const json = JSON.stringify({ estate: 'x', contracts: [good] });
    for (const query of ['a', 'b']) await post(json, 'application/json', `/batches?${query}`, keyed);
    expect([digests.length, digests[4]]).toEqual([5, digests[3]]);
    expect(digests).not.toContain(undefined);
  });

  test('that is not UTF-8 is ISO-8859-1, unless it says that it is UTF-8', async () => {
    const { post, seen } = await start();
    const bytes = Buffer.from('ação', 'latin1');
    expect((await post(bytes, profile, '/batches?estate=e1')).status).toBe(201);
    expect((await post(bytes, `${profile}; charset=ISO-8859-1`, '/batches?estate=e1')).status).toBe(201);
    expect(seen.map(({ file }) => file)).toEqual(['ação', 'ação']);
    expect((await post(bytes, `${profile}; charset=utf-8`, '/batches?estate=e1')).status).toBe(400);
    expect((await post(bytes, `${profile}; charset=utf-16`, '/batches?estate=e1')).status).toBe(400);
  });

  test('lacks what is not in the query; without a character it is a text too', async () => {
    const { post, seen } = await start();
    const { status, details } = await post('', profile);
    expect([status, details]).toEqual([400, [{ path: 'estate', message: 'is required' }]]);
    expect((await post('', profile, '/batches?estate=e1')).status).toBe(201);
    expect(seen.map(({ file }) => file)).toEqual(['']);
  });

  test('of another profile, or on another path, is 415', async () => {
    const { post, seen } = await start();
    for (const type of ['text/plain', 'text/plain; profile=cnab240', 'text/csv; profile=cnab444', 'text/plain; =']) {
      const { status, message } = await post('0', type, '/batches?estate=e1');
      expect([status, message]).toEqual([
        415,
        expect.stringContaining('application/json or text/plain; profile=cnab444'),
      ]);
    }
    expect((await post('0', profile, '/names')).status).toBe(415);
    expect(seen).toEqual([]);
  });

  test('does not make a text of a JSON string', async () => {
    const { post } = await start();
    expect((await post('"0"', 'application/json', '/batches?estate=e1')).status).toBe(400);
  });
});
