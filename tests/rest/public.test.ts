import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fixedClock } from '../kit/clock.js';
import { newId } from '../../shared/kernel/ids.js';
import { assetSearchText } from '../../subgraphs/tokenization/assets/tax-ids-in-text.js';
import { type Reply, callerOf } from '../accounts/http.js';
import { openTestPlatform } from '../kit/platform.js';
import { addCredit, addEstate, addInstalment, addSeries, follows } from '../tokenization/series/kit.js';
import { routes } from '../../rest/routes.js';
import { isPublished, queryParameters } from '../../rest/route.js';

const platform = await openTestPlatform(
  { RATE_LIMIT_PUBLIC: '100000' },
  { clock: fixedClock('2026-11-20T15:00:00Z'), background: false },
);
const caller = callerOf(platform);
const { manager } = platform.infrastructure.dataSource;
const estate = await addEstate(manager, 'Ipe');
const first = await addSeries(manager, estate, 'IPE-S1', {
  ...({
    priced_on: '2026-11-19',
    unit_price: '1044.06514123',
    nominal_value: '1000',
    interest: '44.06514123',
  } as const),
  token_quantity: 1234567,
  invested_amount: '500000',
  rate: '12.5',
});
const second = await addSeries(manager, estate, 'ipe-s2', {
  ...follows.di,
  status: 'FUNDRAISING',
  remuneration_start_date: '2090-01-01',
  day_count: 'CIVIL_360',
});
await addSeries(manager, await addEstate(manager, 'JEQ'), 'JEQ-S1', { status: 'DRAFT', rate: '0.12345678' });
await addInstalment(manager, first, 1, '2026-06-02', '33.33333333', {
  status: 'PAID',
  paid_on: '2026-06-02',
  interest_value: '35000.1',
  principal_value: '411522',
  total_value: '446522.1',
  principal_percentage: '33.33333333',
  interest_percentage: '100',
});
await addInstalment(manager, first, 2, '2026-12-02', '0');
await addInstalment(manager, second, 1, '2090-06-02', '100');
const credit = await addCredit(
  manager,
  estate,
  'CCB-001',
  ['2026-03-10', '2090-04-10'],
  assetOf('CCB-001', 'José Araújo'),
);
await addCredit(manager, estate, 'CCB-002', ['2026-03-10'], {
  ...assetOf('CCB-002', 'Ipê Comércio S.A.', '12ABC34501DE35'),
  status: 'DEFAULTED',
  type: 'CRI',
  batch_id: newId(),
  batch_name: 'Março',
});
afterAll(() => platform.close());

function assetOf(externalId: string, debtorName: string, debtorDocument = '52998224725') {
  const search_text = assetSearchText({ externalId, debtorName, debtorDocument });
  return { debtor_name: debtorName, debtor_document: debtorDocument, search_text };
}

const get = (path: string): Promise<Reply> => caller.send('GET', path);

async function bodyOf(path: string): Promise<unknown> {
  const { status, body } = await get(path);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

function errorsOf({ status, body }: Reply): unknown {
  const { statusCode, error, details } = body as { statusCode: number; error: string; details: { path: string }[] };
  expect([status, statusCode, error]).toEqual([400, 400, 'Bad Request']);
  return details.map(({ path }) => path);
}

describe('GET /public/tranches', () => {
  test('answers every documented field, prices with 8 decimals, and no token on the only page', async () => {
    expect(await bodyOf('/public/tranches')).toEqual({
      items: [
        {
          id: expect.any(String),
          ticker: 'IPE-S1',
          name: 'Série IPE-S1',
          status: 'ACTIVE',
          className: 'SENIOR',
          unitPrice: '1044.06514123',
          tokenQuantity: '1234567',
          patrimonyTicker: 'Ipe',
          remunerationStartDate: '2026-03-02',
          remunerationPercentagePerYear: '12.50',
          projected: false,
        },
        expect.objectContaining({ ticker: 'ipe-s2', unitPrice: '1000.00000000' }),
        expect.objectContaining({ ticker: 'JEQ-S1', unitPrice: null, remunerationPercentagePerYear: '0.12345678' }),
      ],
      count: 3,
    });
  });

  test('is narrowed by status and by the ticker of the estate, whatever its case', async () => {
    const tickers = async (query: string) =>
      ((await bodyOf(`/public/tranches?${query}`)) as { items: { ticker: string }[] }).items.map(
        ({ ticker }) => ticker,
      );
    expect(await tickers('status=FUNDRAISING')).toEqual(['ipe-s2']);
    expect(await tickers('patrimonyTicker=IPE')).toEqual(['IPE-S1', 'ipe-s2']);
    expect(await tickers('patrimonyTicker=IPE&status=DRAFT')).toEqual([]);
    expect(await tickers('patrimonyTicker=%C2%A0IPE+')).toEqual(['IPE-S1', 'ipe-s2']);
    expect(await tickers('patrimonyTicker=%25')).toEqual([]);
    expect(errorsOf(await get('/public/tranches?patrimonyTicker=IPE%E2%80%8B'))).toEqual(['patrimonyTicker']);
  });
});

describe('GET /public/tranches/{ticker}', () => {
  test('the schedule leaves out percentages and values that there are not, and nothing else', async () => {
    expect(await bodyOf('/public/tranches/IPE-S1/payment-schedule')).toEqual({
      items: [
        {
          installmentNumber: 1,
          dueDate: '2026-06-02',
          status: 'PAID',
          interestPercentage: '100.00',
          principalPercentage: '33.33',
          interestValue: '35000.10',
          principalValue: '411522.00',
          totalValue: '446522.10',
          openValue: '0.00',
          projected: false,
        },
        {
          installmentNumber: 2,
          dueDate: '2026-12-02',
          status: 'PENDING',
          interestValue: '49926031.03',
          principalValue: '0.00',
          totalValue: '49926031.03',
          openValue: '49926031.03',
          projected: true,
        },
      ],
      count: 2,
    });
    expect(await bodyOf('/public/tranches/IPE-S2/payment-schedule')).toEqual({
      items: [{ installmentNumber: 1, dueDate: '2090-06-02', status: 'PENDING', projected: false }],
      count: 1,
    });
  });

  test.each(['details', 'payment-schedule'])('an unknown series has no %s', async (part) => {
    const { status, body } = await get(`/public/tranches/none/${part}`);
    expect([status, body]).toEqual([
      404,
      { statusCode: 404, error: 'Not Found', message: 'There is no such series', requestId: expect.any(String) },
    ]);
  });
});

test('GET /public/patrimonies answers what each estate holds', async () => {
  expect(await bodyOf('/public/patrimonies')).toEqual({
    items: [
      {
        id: estate,
        ticker: 'Ipe',
        name: 'Patrimônio Ipe',
        slug: 'ipe',
        status: 'ACTIVE',
        trancheCount: 2,
        assetCount: 2,
        totalIssued: '1235567000.00',
        createdAt: '2026-01-01T00:00:00.000Z',
      },
      expect.objectContaining({ ticker: 'JEQ', trancheCount: 1, assetCount: 0, totalIssued: '0.00' }),
    ],
    count: 2,
  });
});

describe('GET /public/assets', () => {
  test('answers pages of ten when nothing is asked for, with documents masked', async () => {
    expect(await bodyOf('/public/assets')).toEqual({
      data: [
        {
          id: credit,
          externalId: 'CCB-001',
          type: 'CCB',
          status: 'ACTIVE',
          debtorName: 'J. A.',
          debtorDocument: '***.***.*47-25',
          originalValue: '1200.00',
          currentBalance: '1200.00',
          interestRate: '12.00',
          installments: 2,
          paidInstallments: 0,
          patrimonyId: estate,
        },
        expect.objectContaining({
          externalId: 'CCB-002',
          debtorName: 'Ipê Comércio S.A.',
          debtorDocument: '**.***.***/**DE-35',
        }),
      ],
      page: 1,
      limit: 10,
      total: 2,
      totalPages: 1,
    });
  });

  test.each([
    ['status=DEFAULTED', ['CCB-002']],
    ['type=CCB', ['CCB-001']],
    ['type=CCB&status=DEFAULTED', []],
    ['search=ipe%20COMERCIO', ['CCB-002']],
    ['search=ip%C3%AA', ['CCB-002']],
    ['search=araujo', []],
    ['search=ccb-00', ['CCB-001', 'CCB-002']],
    ['search=b-001', ['CCB-001']],
    ['search=001-ccb', []],
    ['search=001+ccb', ['CCB-001']],
    ['search=ccb-00&status=ACTIVE', ['CCB-001']],
    ['page=2&limit=1', ['CCB-002']],
    ['page=999999999&limit=100', []],
    ['patrimonyId=0190a000-0000-7000-8000-000000000000', []],
  ])('%s finds %j', async (query, found) => {
    const { data } = (await bodyOf(`/public/assets?${query}`)) as { data: { externalId: string }[] };
    expect(data.map(({ externalId }) => externalId)).toEqual(found);
  });

  test('an asset comes with its history and its estate', async () => {
    expect(await bodyOf(`/public/assets/${credit.toUpperCase()}`)).toMatchObject({
      id: credit,
      patrimonyName: 'Patrimônio Ipe',
      batchId: null,
      batchName: null,
      nextDueDate: '2026-03-10',
      finalDueDate: '2090-04-10',
      paymentHistory: [
        {
          installmentNumber: 1,
          dueDate: '2026-03-10',
          amount: '600.00',
          paidAmount: '0.00',
          paidOn: null,
          status: 'OVERDUE',
        },
        { installmentNumber: 2, status: 'PENDING' },
      ],
    });
  });

  test('an unknown asset is 404, and what is no id is 400', async () => {
    const unknown = await get('/public/assets/0190a000-0000-7000-8000-000000000000');
    expect([unknown.status, unknown.body]).toMatchObject([404, { message: 'There is no such asset' }]);
    expect(errorsOf(await get('/public/assets/1'))).toEqual(['id']);
  });
});

describe('GET /public/assets/summary', () => {
  const summary = {
    totalAssets: 2,
    activeAssets: 1,
    settledAssets: 0,
    defaultedAssets: 1,
    totalOriginalValue: 2400,
    totalCurrentBalance: 2400,
    totalReceivedPayments: 0,
    totalSurplus: 0,
    totalAbated: 0,
    defaultRate: 50,
    byType: {
      CCB: { count: 1, totalValue: 1200 },
      CRI: { count: 1, totalValue: 1200 },
      CRA: { count: 0, totalValue: 0 },
      DEBENTURE: { count: 0, totalValue: 0 },
      PRECATORIO: { count: 0, totalValue: 0 },
    },
  };

  test('adds up all estates, or one', async () => {
    expect(await bodyOf('/public/assets/summary')).toEqual(summary);
    expect(await bodyOf(`/public/assets/summary?patrimonyId=${estate}`)).toEqual(summary);
  });

  test('of an unknown estate is 404, and of what is no id 400', async () => {
    const unknown = await get('/public/assets/summary?patrimonyId=0190a000-0000-7000-8000-000000000000');
    expect([unknown.status, unknown.body]).toMatchObject([404, { message: 'There is no such estate' }]);
    expect(errorsOf(await get('/public/assets/summary?patrimonyId=x'))).toEqual(['patrimonyId']);
  });
});

describe('whoever has the tax id of a person', () => {
  let entrepreneur: string;
  beforeAll(async () => {
    const { manager } = platform.infrastructure.dataSource;
    const own = await addEstate(manager, 'SOLO');
    const add = (externalId: string, ...debtor: [name: string, document: string]) =>
      addCredit(manager, own, externalId, ['2090-04-10'], {
        ...assetOf(externalId, ...debtor),
        batch_id: newId(),
        batch_name: 'Lote 529.982.247-25',
      });
    entrepreneur = await add('MEI-1', 'LUANA DIAS OLIVEIRA 52998224725', '11222333000181');
    await add('MEI-2', '11.222.333 LUANA DIAS OLIVEIRA', '11222333000181');
    await add('CT-52998224725-001', 'Luana Dias Oliveira', '52998224725');
  });

  test.each(['52998224725', '529.982.247-25', '529 982 247', '4725', 'luana', '11222333', '11.222.333'])(
    'finds nothing by %s',
    async (search) => {
      expect(await bodyOf(`/public/assets?search=${encodeURIComponent(search)}`)).toMatchObject({ data: [], total: 0 });
    },
  );

  test('reads it nowhere, and no name', async () => {
    const { data } = (await bodyOf('/public/assets?limit=100')) as { data: Record<string, string>[] };
    expect(data.slice(-3).map(({ externalId, debtorName }) => [externalId, debtorName])).toEqual([
      ['MEI-1', 'L. D. O.'],
      ['MEI-2', 'L. D. O.'],
      ['CT-***.***.*47-25-001', 'L. D. O.'],
    ]);
    const detail = await bodyOf(`/public/assets/${entrepreneur}`);
    expect(detail).toMatchObject({ debtorName: 'L. D. O.', batchName: 'Lote ***.***.*47-25' });
    for (const [path, accept] of [
      ['/public/assets', 'text/csv'],
      ['/tokenizacao/ativos', 'text/html'],
    ] as const) {
      const response = await fetch(`${platform.url}${path}`, { headers: { accept } });
      const text = await response.text();
      expect(text).toContain('MEI-1');
      expect(text).not.toMatch(/52998224725|529\.982|luana/i);
    }
  });
});

describe('a published response', () => {
  const getFrom = (path: string, headers: Record<string, string> = {}) => fetch(`${platform.url}${path}`, { headers });

  test('a published list is revalidated without its bytes until its data changes', async () => {
    const path = '/public/tranches?limit=10';
    const first = await getFrom(path);
    expect([first.status, first.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=0, s-maxage=30, stale-while-revalidate=30',
    ]);
    const key = first.headers.get('surrogate-key') ?? '';
    expect(key).toMatch(/^tokenization-\d+-[0-9a-f]{32}-2026-11-20$/);
    const tag = first.headers.get('etag') ?? '';
    for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const again = await getFrom(path, { 'if-none-match': known });
      expect([known, again.status, await again.text(), again.headers.get('etag')]).toEqual([known, 304, '', tag]);
    }
    expect((await getFrom(path, { 'if-none-match': '"other"' })).status).toBe(200);

    await addSeries(manager, await addEstate(manager, 'Aroeira'), 'AROEIRA-1');
    const changed = await getFrom(path, { 'if-none-match': tag });
    expect(changed.status).toBe(200);
    expect(await changed.text()).toContain('AROEIRA-1');
    expect(changed.headers.get('surrogate-key')).not.toBe(key);
  });

  test('a 304 to HEAD is that to GET, and says no other length than the response has', async () => {
    const tag = (await getFrom('/public/patrimonies')).headers.get('etag') ?? '';
    const [byGet, byHead] = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        fetch(`${platform.url}/public/patrimonies`, { method, headers: { 'if-none-match': tag } }),
      ),
    );
    const seen = [byGet, byHead].map((response) => [
      response?.status,
      ...['etag', 'cache-control', 'surrogate-key', 'content-length'].map((name) => response?.headers.get(name)),
    ]);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]).toMatchObject([304, tag, expect.any(String), expect.any(String), null]);
  });

  test('an empty query parameter is 400 wherever the path reads it, but for an empty place in a list, which is none', async () => {
    const empty = routes
      .filter(isPublished)
      .flatMap((route) =>
        [...queryParameters(route)].map((name) => [
          route.path.replace(/:(ticker)/, 'IPE-S1').replace(/:id/, newId()),
          name,
        ]),
      );
    expect(empty.length).toBeGreaterThan(15);
    for (const [path = '', name = ''] of empty) {
      for (const query of [`${name}=`, name]) {
        const response = await getFrom(`${path}?${query}`);
        const body = (await response.json()) as { details?: { path: string }[] };
        const expected = name === 'nextToken' ? [200, undefined] : [400, [name]];
        expect([path, query, response.status, body.details?.map((one) => one.path)]).toEqual([
          path,
          query,
          ...expected,
        ]);
      }
    }
    expect((await getFrom('/public/tranches?unknown=')).status).toBe(200);
  });

  test('the response is JSON whatever a caller accepts, but for a list as CSV', async () => {
    for (const accept of [
      '',
      '*/*',
      'application/*',
      'text/html,application/xml',
      'text/csv',
      'application/json;q=0',
    ]) {
      const response = await getFrom('/public/patrimonies', { accept });
      expect([accept, response.status, response.headers.get('content-type')]).toEqual([
        accept,
        200,
        'application/json; charset=utf-8',
      ]);
    }
    expect((await getFrom('/public/tranches', { accept: 'text/csv' })).headers.get('content-type')).toContain(
      'text/csv',
    );
  });

  test('every response keeps the headers that the contract promises, also one without a body', async () => {
    const tag = (await getFrom('/public/patrimonies')).headers.get('etag') ?? '';
    for (const headers of [{}, { 'if-none-match': tag }]) {
      const response = await getFrom('/public/patrimonies', { ...headers, 'x-request-id': 'mine' });
      expect(response.headers.get('x-request-id')).toBe('mine');
      expect(response.headers.get('x-ratelimit-limit')).toBe('100000');
    }
  });

  test('the same bytes have the same tag in each coding, and say what they depend on', async () => {
    const [plain, small] = await Promise.all(
      ['identity', 'gzip'].map((coding) => getFrom('/public/tranches?limit=100', { 'accept-encoding': coding })),
    );
    expect(small?.headers.get('etag')).toBe(plain?.headers.get('etag'));
    expect(await small?.json()).toEqual(await plain?.json());
  });

  test('a search, an error and whatever needs a credential are not kept for others', async () => {
    const search = await getFrom('/public/assets?search=nada');
    expect([search.status, search.headers.has('etag'), search.headers.has('surrogate-key')]).toEqual([
      200,
      true,
      false,
    ]);
    const paths = ['/public/tranches/NADA/details', '/public/tranches?limit=0', '/v1/emissoes/auth/me'];
    for (const path of paths) {
      const response = await getFrom(path, { 'if-none-match': '*' });
      expect([path, response.headers.get('cache-control'), response.headers.has('etag')]).toEqual([
        path,
        'no-store',
        false,
      ]);
      expect([path, response.status >= 400]).toEqual([path, true]);
    }
  });

  test('the OpenAPI text says so of these paths and of no other', async () => {
    const { paths } = (await (await getFrom('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { responses: Record<string, unknown> } | undefined>>;
    };
    for (const route of routes) {
      const described = paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
      expect([route.path, described !== undefined && '304' in described.responses]).toEqual([
        route.path,
        isPublished(route),
      ]);
    }
  });
});

describe('an idempotency key', () => {
  async function register(key: string, body: string) {
    const response = await fetch(`${platform.url}/v1/emissoes/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-idempotency-key': key },
      body,
    });
    return {
      status: response.status,
      replayed: response.headers.get('x-idempotent-replayed'),
      text: await response.text(),
    };
  }

  const good = JSON.stringify({ name: 'Ana', email: 'ana@casa.example', password: 'segredo123', company: 'Casa' });

  test('a body refused with 400 is an answer that its key keeps, to the letter, and no other body may use the key', async () => {
    const first = await register('k1', '{"name":5}');
    expect(first).toMatchObject({ status: 400, replayed: null });
    expect(await register('k1', '{"name":5}')).toEqual({ ...first, replayed: 'true' });
    expect(await register('k1', good)).toMatchObject({ status: 409, replayed: null });
    expect(await register('k2', good)).toMatchObject({ status: 200, replayed: null });
  });

  test('a caller without a credential stores nothing by a mutation that is refused to it', async () => {
    const refused = await fetch(`${platform.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-idempotency-key': 'nobody' },
      body: JSON.stringify({ query: 'mutation { createApiKey(name: "x") { id } }' }),
    });
    expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHORIZED' } }] });
    const stored = 'SELECT key FROM shared.idempotent_answers WHERE key = $1';
    expect(await platform.infrastructure.dataSource.query(stored, ['nobody'])).toEqual([]);
    await register('somebody', '{"name":5}');
    expect(await platform.infrastructure.dataSource.query(stored, ['somebody'])).toEqual([{ key: 'somebody' }]);
  });
});
