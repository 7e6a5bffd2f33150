import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { csv, importTexts } from '../../subgraphs/issuances/import/tests/kit.js';
import { openSite, readable } from './kit.js';

const series = 'CRISERRAAZUL1';
let site: Awaited<ReturnType<typeof openSite>>;
let day: string;

/** Imports a price of the series, as a correction where the day has one already. */
async function importPrice(value: string): Promise<void> {
  const { context } = site.platform.infrastructure;
  const files = { 'p.csv': csv('unitPrices', [{ trancheTicker: series, date: day, value }]) };
  const report = await importTexts(context, files, { correct: 'Preço digitado com erro' });
  expect(report.errors).toEqual([]);
}

/** The field of the moment in the form of a page. */
const fieldOf = (html: string): string => /<input[^>]* name="asOf"[^>]*>/.exec(html)?.[0] ?? '';

beforeAll(async () => {
  site = await openSite();
  const prices = (await (await site.get(`/series/${series}/pu.json`)).json()) as readonly { date: string }[];
  day = prices.at(-1)?.date ?? '';
});
afterAll(() => site.platform.close());

describe('the price of a day of an emission series', () => {
  test('is what was imported last, with what it was before and why; as known before that, it is the old one', async () => {
    const path = `/series/${series}/pu/${day}`;
    const untouched = readable(await site.html(path));
    expect(untouched).toContain('Este preço nunca foi corrigido.');
    expect(untouched).toContain('Versão do preço 1');
    const old = /R\$\s[\d.,]+/.exec(untouched)?.[0] ?? '';
    const before = new Date();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await importPrice('1234,56');
    const page = readable(await site.html(path));
    expect(page).toMatch(/PU R\$\s1\.234,56000000/);
    expect(page).toContain('Versão do preço 2');
    expect(page).toContain('Preço digitado com erro');
    expect(page.slice(page.indexOf('Correções'))).toContain(old);
    const then = readable(await site.html(`${path}?asOf=${before.toISOString().slice(0, 19)}Z`));
    expect(then).toContain(old);
    expect(then).not.toContain('1.234,56');
    expect(then).toContain('Os preços são os que eram conhecidos em');
  });

  test('leads to itself from its short address, and is no page for a day without a price', async () => {
    const short = await site.get(`/en/p/${series}/${day}`);
    expect([short.status, short.headers.get('location')]).toEqual([302, `/en/series/${series}/pu/${day}`]);
    expect((await site.get(`/series/${series}/pu/1999-01-01`)).status).toBe(404);
    expect((await site.get(`/series/${series}/pu/ontem`)).status).toBe(404);
  });
});

describe.each([
  ['an emission series', () => `/series/${series}`],
  ['a price of an emission series', () => `/series/${series}/pu/${day}`],
  ['an operation', () => '/emissoes/cri-shopping-serra-azul'],
  ['a tokenized series', () => '/tokenizacao/series/AURORA-TK1'],
])('the page of %s', (_name, pathOf) => {
  test('says that no price was known at a moment before the first, and keeps the form', async () => {
    const response = await site.get(`${pathOf()}?asOf=2001-01-01T09:00`);
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(readable(html)).toContain('Nenhum preço era conhecido em 1 de jan. de 2001, 09:00');
    expect(fieldOf(html)).toMatch(/ type="datetime-local"/);
    expect(fieldOf(html)).toMatch(/ value="2001-01-01T09:00"/);
  });

  test.each([
    ['ontem', 'Informe uma data e hora'],
    ['2099-01-01T09:00', 'Informe um momento que já passou.'],
  ])('shows the form with the error of %s', async (typed, error) => {
    const response = await site.get(`${pathOf()}?asOf=${typed}`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([400, 'no-store']);
    const html = await response.text();
    expect(fieldOf(html)).toMatch(/ aria-invalid="true"/);
    expect(readable(html)).toContain(error);
  });
});

test('the price of a day of a tokenized series has its rules in the language of the page', async () => {
  const [price] = (await (await site.get('/tokenizacao/series/AURORA-TK1/pu.json')).json()) as { date: string }[];
  const path = `/tokenizacao/series/AURORA-TK1/pu/${price?.date ?? ''}`;
  const pages = await Promise.all([path, `/en${path}`].map(site.html));
  const [portuguese = '', english = ''] = pages.map(readable);
  expect(portuguese).toContain('arredondado na 9ª casa decimal');
  expect(portuguese).not.toContain('rounded at');
  expect(english).toContain('rounded at 9 decimals');
});

test('the newest prices of the home page are those of the last import, with the moment since which they are known', async () => {
  await importPrice('2345,67');
  const home = readable(await site.html('/'));
  expect(home).toContain(`${series} 2.345,67000000 ${day.split('-').reverse().join('/')}`);
  expect(home).toMatch(/O último preço foi recebido em \d+ de /);
});

test('a file of prices holds those that were known at the moment of the page', async () => {
  const then = await site.get(`/series/${series}/pu.csv?asOf=2001-01-01T09:00`);
  expect(await then.text()).toBe('ticker;date;unitPrice\r\n');
  expect((await site.get(`/series/${series}/pu.csv?asOf=ontem`)).status).toBe(400);
});
