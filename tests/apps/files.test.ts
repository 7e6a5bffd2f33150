import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importTexts, record, wholeOperation } from '../../subgraphs/issuances/import/tests/kit.js';
import { openSite } from './kit.js';

type Row = Readonly<Record<string, string | number | null>>;

const operation = '/emissoes/cri-shopping-serra-azul';
let site: Awaited<ReturnType<typeof openSite>>;
let key: Readonly<Record<string, string>>;

beforeAll(async () => {
  site = await openSite();
  const file = readFileSync(join(site.platform.dataDir, 'demo-credentials.json'), 'utf8');
  key = { 'x-api-key': (JSON.parse(file) as { publicApiKey: string }).publicApiKey };
});
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
