import { afterAll, describe, expect, test } from '@jest/globals';
import type { Route } from '../../rest/route.js';
import { routes } from '../../rest/routes.js';
import { civilDate } from '../../shared/kernel/clock.js';
import type { Manager } from '../../shared/database/manager.js';
import { newId } from '../../shared/kernel/ids.js';
import { createRecordReader } from '../../shared/import/read/csv-records.js';
import { assetSearchText } from '../../subgraphs/tokenization/assets/tax-ids-in-text.js';
import { repriceAll } from '../../subgraphs/tokenization/price-runs/reprice-all.js';
import { callerOf } from '../accounts/http.js';
import { add, addContract, addOperation, raiseRevision } from '../issuances/fixtures.js';
import { openTestPlatform } from '../kit/platform.js';
import { addCredit, addEstate, addInstalment, addSeries, calendarOf } from '../tokenization/series/kit.js';

const maxContracts = 110;
let asset: string;

const platform = await openTestPlatform(
  {
    RATE_LIMIT_PUBLIC: '100000',
    RATE_LIMIT_API_KEY: '100000',
    RATE_LIMIT_ACCOUNTS: '1000',
    INVENTORY_MAX_CONTRACTS: String(maxContracts),
  },
  { background: false },
);
const caller = callerOf(platform);
const session = await caller.member('csv@example.com');
const { body } = await caller.post('/v1/emissoes/keys', { name: 'planilha' }, session);
const key = { 'x-api-key': (body as { key: string }).key };
const { manager } = platform.infrastructure.dataSource;
await publishCredits(manager);
const estate = await addEstate(manager, 'CSV');
for (let index = 0; index < 130; index += 1) asset = await addNamed(manager, index);
for (const number of [1, 2, 3]) {
  const series = await addSeries(manager, estate, `CSV-${String(number)}`, { token_quantity: 1234567 });
  await addInstalment(manager, series, 1, '2090-06-02', '50', { principal_percentage: '50' });
  await addInstalment(manager, series, 2, '2090-12-01', '100');
}
// 130 days of prices, so that the file has two pages.
const today = civilDate(platform.infrastructure.context.clock.now());
await manager.query('UPDATE tokenization.tranches SET remuneration_start_date = $1::date - 190', [today]);
await repriceAll(platform.infrastructure.context, { calendar: await calendarOf(manager) });
afterAll(() => platform.close());

/** Two operations: one whose credits are listed, and one that has too many. */
async function publishCredits(manager: Manager): Promise<void> {
  for (const [ticker, contracts] of [
    ['LISTED', maxContracts - 5],
    ['MANY', maxContracts + 1],
  ] as const) {
    const id = await addOperation(manager, ticker);
    const pays = { operation_id: id, event: '=Juros', interest_value: '1234.5', total_value: '1234.50' };
    await add(manager, 'payments', { ...pays, id: newId(), installment_number: 1, due_date: '2026-06-15' });
    await add(manager, 'payments', { ...pays, id: newId(), installment_number: 2, due_date: '2026-12-15' });
    for (let index = 0; index < contracts; index += 1) {
      await addContract(manager, id, {
        debtor_document: String(52_998_224_000 + index),
        external_id: `${ticker}-${String(index)}`,
        original_value: '1234567.89',
        outstanding_balance: '0',
        status: 'SETTLED',
        uf: 'SP',
      });
    }
  }
  await raiseRevision(manager);
}

/** Adds a credit and returns its id; the first of a debtor whose name is a formula and has every character that CSV quotes. */
async function addNamed(manager: Manager, index: number): Promise<string> {
  const externalId = `CSV-${String(index)}`;
  const debtorName = index === 0 ? '=HYPERLINK("a";"b"), Ltda.' : `Ipê ${String(index)} S.A.`;
  const debtorDocument = '11222333000181';
  const search = assetSearchText({ externalId, debtorName, debtorDocument });
  const due = ['2090-10-01', '2090-11-01'];
  return addCredit(manager, estate, externalId, due, {
    debtor_name: debtorName,
    debtor_document: debtorDocument,
    search_text: search,
  });
}

function routeOf(path: string): Route {
  const route = routes.find((one) => one.method === 'GET' && one.path === path);
  if (route === undefined) throw new Error(`No route ${path}`);
  return route;
}

type Item = Readonly<Record<string, unknown>>;

async function itemsOf(path: string, field: string, queries: readonly string[]): Promise<Item[]> {
  const items: Item[] = [];
  for (const query of queries) {
    const { status, body } = await caller.send('GET', `${path}?${query}`, undefined, key);
    expect([path, query, status]).toEqual([path, query, 200]);
    items.push(...((body as Record<string, Item[]>)[field] ?? []));
  }
  return items;
}

const file = (target: string) => fetch(`${platform.url}${target}`, { headers: { ...key, accept: 'text/csv' } });

async function cellsOf(response: Response, separator: ';' | ','): Promise<string[][]> {
  return createRecordReader(separator)
    .end(await response.text())
    .map((record) => ('cells' in record ? [...record.cells] : [record.error.message]));
}

const lists = [
  ['/v1/emissoes/operacoes/:ticker/estoque', 'items', ['limit=60', 'limit=60&page=2']],
  ['/public/assets', 'data', ['limit=100', 'limit=100&page=2']],
  ['/public/assets/:id', 'paymentHistory', ['']],
  ['/public/tranches', 'items', ['limit=100']],
  ['/public/tranches/:ticker/payment-schedule', 'items', ['']],
  ['/v1/emissoes/operacoes/:ticker', 'pagamentos', ['']],
] as const;

describe.each(lists)('%s as CSV', (template, field, queries) => {
  test.each([
    [';', 'limit=1&page=3'],
    [',', 'separator=,'],
    [',', 'separador=%2C&separator=,'],
  ] as const)(
    'is what its pages say together, with %s and plain numbers, whatever page is asked for (%s)',
    async (separator, query) => {
      const ticker = template.startsWith('/v1') ? 'LISTED' : 'csv-2';
      const path = template.replace(':ticker', ticker).replace(':id', asset);
      const response = await file(`${path}?${query}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
      expect(response.headers.get('content-disposition')).toBe(
        `attachment; filename="${String(routeOf(template).csv?.fileName)}"`,
      );
      expect(response.headers.get('vary')).toContain('accept');
      const [names = [], ...lines] = await cellsOf(response, separator);
      const items = await itemsOf(path, field, queries);
      expect(names).toEqual(routeOf(template).csv?.columns);
      expect(lines.length).toBeGreaterThan(1);
      expect(lines).toEqual(items.map((item) => names.map((name) => plain(item[name]))));
      // Every field of an item has its column.
      expect(new Set(names)).toEqual(new Set(items.flatMap((item) => [...names, ...Object.keys(item)])));
    },
  );
});

function plain(value: unknown): string {
  const text = ['string', 'number', 'boolean'].includes(typeof value) && value !== '—' ? String(value) : '';
  // Ranges stay as they are.
  if (/^R\$ [\d.,]+$/.test(text)) return text.slice(3).replaceAll('.', '').replace(',', '.');
  // Ids of the inventory may begin with a hyphen.
  return /^[=+\-@]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
}

test('the unit prices of a series are listed by day, oldest first, within a period, page by page and as one file', async () => {
  const path = '/public/tranches/csv-2/unit-prices';
  const { body: first } = await caller.send('GET', `${path}?limit=100`);
  const { items, count, nextToken } = first as { items: Item[]; count: number; nextToken: string };
  const { body: second } = await caller.send('GET', `${path}?limit=100&nextToken=${nextToken}`);
  const all = [...items, ...(second as { items: Item[] }).items];
  const days = all.map(({ date }) => String(date));
  expect([all.length, days, Object.keys(second as object)]).toEqual([
    count,
    [...new Set(days)].sort(),
    ['items', 'count'],
  ]);
  expect(count).toBeGreaterThan(100);
  const [names = [], ...lines] = await cellsOf(await file(path), ';');
  expect(lines).toEqual(all.map((item) => names.map((name) => plain(item[name]))));
  expect(new Set(names)).toEqual(new Set(Object.keys(all[0] ?? {})));
  const [, ...cut] = await cellsOf(await file(`${path}?from=${days[3] ?? ''}&to=${days[5] ?? ''}`), ';');
  expect(cut).toEqual(lines.slice(3, 6));
  for (const [query, wrong] of [
    [`from=${days[5] ?? ''}&to=${days[3] ?? ''}`, 'to'],
    [`from=${days[3] ?? ''}&nextToken=${nextToken}`, 'nextToken'],
    ['from=2026-02-30', 'from'],
  ] as const)
    expect([query, (await caller.send('GET', `${path}?${query}`)).body]).toMatchObject([
      query,
      { statusCode: 400, details: [{ path: wrong }] },
    ]);
  expect((await caller.send('GET', '/public/tranches/none/unit-prices')).status).toBe(404);
});

test('filters hold for the file too, and what is wrong with them is in the envelope', async () => {
  const [, ...found] = await cellsOf(await file('/public/assets?search=csv-12'), ';');
  expect(found.map(([, externalId]) => externalId).sort()).toEqual(
    ['CSV-12', ...Array.from({ length: 10 }, (_, index) => `CSV-12${String(index)}`)].sort(),
  );
  for (const [query, path] of [
    ['status=LATE', 'status'],
    ['separator=|', 'separator'],
    ['separador=tab', 'separador'],
    ['separator=,&separador=;', 'separador'],
    ['separator=,&separator=;', 'separator'],
  ] as const) {
    const refused = await file(`/public/assets?${query}`);
    expect([query, refused.status, await refused.json()]).toMatchObject([query, 400, { details: [{ path }] }]);
  }
});

test('an inventory that is published added up has no file, and says so', async () => {
  const path = '/v1/emissoes/operacoes/MANY/estoque';
  const refused = await file(path);
  expect([refused.status, await refused.json()]).toMatchObject([
    406,
    {
      statusCode: 406,
      message: 'There is no CSV of this inventory: it is not published credit by credit. Accept application/json',
    },
  ]);
  const { status, body } = await caller.send('GET', path, undefined, key);
  expect([status, body]).toMatchObject([200, { available: false }]);
});
