import { afterAll, describe, expect, test } from '@jest/globals';
import { importTexts, record, wholeOperation, csv } from '../../subgraphs/issuances/import/tests/kit.js';
import { openSite, readable } from './kit.js';

type Row = Readonly<Record<string, string | number | null>>;
const operation = '/emissoes/cri-shopping-serra-azul';
const site = await openSite();
const key: Readonly<Record<string, string>> = { 'x-api-key': site.platform.demo().publicApiKey };
afterAll(() => site.platform.close());

const jsonOf = async <T>(path: string): Promise<T> =>
  (await (await fetch(`${site.url}${path}`, { headers: key })).json()) as T;

/** Every row of a documented list, page by page. */
async function documented<T>(path: string): Promise<T[]> {
  const rows: T[] = [];
  for (let page = 1; ; page += 1) {
    const {
      data,
      items = data ?? [],
      total,
    } = await jsonOf<{ data?: T[]; items?: T[]; total: number }>(`${path}?limit=100&page=${page}`);
    rows.push(...items);
    if (items.length === 0 || rows.length >= total) return rows;
  }
}

describe('a table as a file', () => {
  test('of the inventory has every credit of the documented path', async () => {
    const rows = await jsonOf<Row[]>(`${operation}/estoque.json`);
    expect(rows.length).toBeGreaterThan(50);
    expect(rows).toEqual(
      (await documented<Row>(`/v1${operation.replace('emissoes', 'emissoes/operacoes')}/estoque`)).map((item) =>
        expect.objectContaining({
          id: item['id'],
          saldoDevedor: item['saldoDevedor'],
          faixaAtraso: item['faixaAtraso'],
        }),
      ),
    );
  });

  test('of the assets has those that the filters of the page find, in each format', async () => {
    const all = await documented<{ id: string; status: string }>('/public/assets');
    const rows = await jsonOf<Row[]>('/tokenizacao/ativos.json');
    expect(rows.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    const settled = await jsonOf<Row[]>('/tokenizacao/ativos.json?status=SETTLED');
    expect(settled).toEqual(rows.filter(({ status }) => status === 'SETTLED'));
    const csv = await (await site.get('/en/tokenizacao/ativos.csv?status=SETTLED')).text();
    expect(csv.trim().split('\r\n')).toHaveLength(settled.length + 1);
    expect((await site.get('/tokenizacao/ativos.csv?status=LOST')).status).toBe(400);
  });

  test('of the estates, the obligations and the covenants has what the pages state', async () => {
    const { items } = await jsonOf<{ items: { ticker: string; assetCount: number }[] }>(
      '/public/patrimonies?limit=100',
    );
    const estates = await jsonOf<Row[]>('/tokenizacao/patrimonios.json');
    expect(estates.map(({ ticker, assetCount }) => ({ ticker, assetCount }))).toEqual(
      items.map(({ ticker, assetCount }) => ({ ticker, assetCount })),
    );
    const { obligations } = await jsonOf<{ obligations: { titulo: string }[] }>(
      `/v1${operation.replace('emissoes', 'emissoes/operacoes')}`,
    );
    const titles = (rows: readonly Row[]) => rows.map(({ title }) => title).sort();
    expect(titles(await jsonOf<Row[]>(`${operation}/obrigacoes.json`))).toEqual(
      obligations.map(({ titulo }) => titulo).sort(),
    );
    const page = await site.html(operation);
    const covenants = await jsonOf<Row[]>(`${operation}/covenants.json`);
    expect(covenants.length).toBeGreaterThan(0);
    for (const { name } of covenants) expect(page).toContain(String(name));
  });

  test('is linked from its page, in three formats that exist', async () => {
    const pages = [operation, `${operation}/estoque`, '/tokenizacao', '/en/tokenizacao/ativos?status=ACTIVE'];
    for (const path of pages) {
      const links = [...(await site.html(path)).matchAll(/href="([^"]+\.(?:csv|json|xlsx)(?:\?[^"]*)?)"/g)];
      expect(links.length % 3).toBe(0);
      expect(links.length).toBeGreaterThan(0);
      for (const [, href = ''] of links) {
        const file = await site.get(href.replaceAll('&amp;', '&'));
        expect([href, file.status, file.headers.get('content-disposition')]).toEqual([
          href,
          200,
          expect.stringMatching(/^attachment; filename="[\w.-]+"$/),
        ]);
      }
    }
  });

  test('for calendars has payments that may still change as tentative, and for feeds the days of Brazil', async () => {
    const calendar = await (await site.get(`${operation}/agenda.ics`)).text();
    const events = calendar.replaceAll('\r\n ', '').split('BEGIN:VEVENT').slice(1);
    const payments = events.filter((event) => event.includes('#payments'));
    for (const event of payments)
      expect(event).toContain(event.includes('DESCRIPTION:Pago') ? 'STATUS:CONFIRMED' : 'STATUS:TENTATIVE');
    expect(new Set(payments.map((event) => /STATUS:(\w+)/.exec(event)?.[1]))).toEqual(
      new Set(['CONFIRMED', 'TENTATIVE']),
    );
    const feed = await (await site.get(`${operation}/comunicacoes.atom`)).text();
    const entries = [...feed.matchAll(/<entry>.*?<\/entry>/g)].map(([entry]) => entry);
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) {
      expect(entry).toMatch(/<updated>\d{4}-\d\d-\d\dT0[23]:00:00\.000Z<\/updated>/);
      expect(entry).toMatch(/<summary>[^<]+<\/summary>/);
    }
  });

  test('for feeds and calendars tells of what was corrected and what was called off', async () => {
    const { context } = site.platform.infrastructure;
    const publish = async (title: string, status: string) => {
      const changed = {
        communications: [record('communications', { title })],
        assemblies: [record('assemblies', { status })],
      };
      const files = { 'whole.json': wholeOperation({ slug: 'cri-retificado', ...changed }) };
      expect((await importTexts(context, files, { correct: 'Retificação' })).errors).toEqual([]);
      const [feed = '', calendar = ''] = await Promise.all(
        ['comunicacoes.atom', 'agenda.ics'].map(async (name) =>
          (await site.get(`/emissoes/cri-retificado/${name}`)).text(),
        ),
      );
      const [, id, published, updated] =
        /<entry><id>(.*?)<\/id>.*?<published>(.*?)<\/published><updated>(.*?)<\/updated>/.exec(feed) ?? [];
      const [, assembly] = /#assemblies\r\nSTATUS:(\w+)/.exec(calendar.replaceAll('\r\n ', '')) ?? [];
      return { id, published, updated, assembly, isTitled: feed.includes(`<title>${title}</title>`) };
    };
    const first = await publish('Aviso', 'Convocada');
    expect(first).toMatchObject({ updated: first.published, assembly: 'CONFIRMED', isTitled: true });
    const second = await publish('Aviso retificado', 'Cancelada');
    expect(second).toMatchObject({ id: first.id, published: first.published, assembly: 'CANCELLED', isTitled: true });
    expect(Date.parse(second.updated ?? '')).toBeGreaterThan(Date.parse(first.updated ?? ''));
  });

  test('of an operation that does not exist is not found', async () => {
    for (const name of ['estoque.csv', 'obrigacoes.json', 'covenants.xlsx', 'pagamentos.csv'])
      expect([name, (await site.get(`/emissoes/nada/${name}`)).status]).toEqual([name, 404]);
  });
});

const series = 'CRISERRAAZUL1';

/** Imports a price of the series, as a correction where the day has one already. */
async function importPrice(value: string): Promise<void> {
  const { context } = site.platform.infrastructure;
  const files = { 'p.csv': csv('unitPrices', [{ trancheTicker: series, date: day, value }]) };
  const report = await importTexts(context, files, { correct: 'Preço digitado com erro' });
  expect(report.errors).toEqual([]);
}

/** The field of the moment in the form of a page. */
const fieldOf = (html: string): string => /<input[^>]* name="asOf"[^>]*>/.exec(html)?.[0] ?? '';

const prices = (await (await site.get(`/series/${series}/pu.json`)).json()) as readonly { date: string }[];
const day = prices.at(-1)?.date ?? '';

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
  expect(await then.text()).toBe('ticker;date;unitPrice;projected\r\n');
  expect((await site.get(`/series/${series}/pu.csv?asOf=ontem`)).status).toBe(400);
});
