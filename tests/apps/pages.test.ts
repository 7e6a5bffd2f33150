import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HtmlValidate } from 'html-validate';
import { Client } from 'pg';
import { exampleQueries } from '../../gateway/graphql/graphiql.js';
import { measure } from '../operations/follow-kit.js';
import { openSite, readable } from './kit.js';
import { importFiles } from '../../shared/import/import.js';
import { issuancesImport } from '../../subgraphs/issuances/import/domain.js';
import { until } from '../kit/until.js';

/** JSON-LD. */
interface Data {
  readonly '@type': string;
}

interface Detail {
  readonly name: string;
  readonly kpis: readonly { readonly value: string }[];
  readonly pu: { readonly valor: string; readonly data: string };
  readonly emissora: string;
  readonly pagamentos: readonly Readonly<Record<'dueDate' | 'totalValue' | 'principalValue', string | null>>[];
  readonly documents: readonly { readonly name: string | null }[];
  readonly obligations: readonly { readonly titulo: string; readonly status: string }[];
  readonly series: readonly { readonly ticker: string }[];
  readonly precificacao: readonly {
    readonly ticker: string;
    readonly historico: readonly { readonly data: string; readonly valor: string }[];
  }[];
  readonly financeiro: { readonly contas: readonly { readonly conta: string | null }[] };
}

const slug = 'cri-shopping-serra-azul';
const operation = `/emissoes/${slug}`;

const rest = async <T>(path: string): Promise<T> =>
  (await (await fetch(`${site.url}${path}`, { headers: key })).json()) as T;

async function graph<T>(query: string): Promise<T> {
  const response = await fetch(`${site.url}/graphql`, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return ((await response.json()) as { data: T }).data;
}

const site = await openSite();
const key: Readonly<Record<string, string>> = { 'x-api-key': site.platform.demo().publicApiKey };
const detail = await rest<Detail>(`/v1/emissoes/operacoes/${slug}`);
afterAll(() => site.platform.close());

async function addresses(): Promise<readonly string[]> {
  const { data } = await rest<{ data: readonly { id: string }[] }>('/public/assets?limit=1');
  const { items } = await rest<{ items: readonly { ticker: string; patrimonyTicker: string }[] }>(
    '/public/tranches?limit=1',
  );
  const [asset, tranche] = [data[0]?.id ?? '', items[0]?.ticker ?? ''];
  const { items: prices } = await rest<{ items: readonly { date: string }[] }>(
    `/public/tranches/${tranche}/unit-prices?limit=1`,
  );
  return [
    '/',
    '/emissoes',
    operation,
    `${operation}/estoque`,
    `/series/${detail.series[0]?.ticker ?? ''}`,
    `/series/${detail.series[0]?.ticker ?? ''}/pu/${await lastDay()}`,
    `/embed/series/${detail.series[0]?.ticker ?? ''}`,
    '/tokenizacao',
    `/tokenizacao/patrimonios/${items[0]?.patrimonyTicker ?? ''}`,
    `/tokenizacao/series/${tranche}`,
    `/tokenizacao/series/${tranche}/pu/${prices[0]?.date ?? ''}`,
    `/embed/tokenizacao/series/${tranche}`,
    '/tokenizacao/ativos',
    '/status',
    `/tokenizacao/ativos/${asset}`,
  ];
}
async function lastDay(): Promise<string> {
  const prices = await rest<readonly { date: string }[]>(`/series/${detail.series[0]?.ticker ?? ''}/pu.json`);
  return prices.at(-1)?.date ?? '';
}
const inEnglish = (path: string) => (path === '/' ? '/en' : `/en${path}`);

test('the status says what works and the last day with prices, and tells a program whether all of it does', async () => {
  const text = readable(await site.html('/en/status'));
  expect(text).toContain('Writing of data Works');
  expect(text).toMatch(/Series of operations \w{3} \d+, \d{4} \d+ of \d+/);
  expect(await rest('/status.json')).toEqual({ works: true, limited: expect.any(Boolean) });
});

test('the header of every page searches operations by a form, in the language of the page', async () => {
  expect(await site.html('/en/status')).toContain(
    '<form class="find" role="search" action="/en/emissoes"><input type="search" ',
  );
  expect(readable(await site.html('/emissoes?q=CRISERRAAZUL1'))).toContain('CRI Shopping Serra Azul');
});

describe('an operation’s page', () => {
  test('states the facts of the documented path, value for value', async () => {
    const text = readable(await site.html(operation));
    const spaced = (value: string) => value.replaceAll(/\s+/g, ' ');
    for (const value of [
      detail.name,
      detail.emissora,
      detail.pu.valor,
      detail.pu.data,
      ...detail.kpis.map(({ value }) => value),
    ])
      expect(text).toContain(spaced(value));
    for (const { dueDate, totalValue, principalValue } of detail.pagamentos)
      for (const value of [dueDate, totalValue, principalValue]) expect(text).toContain(spaced(value ?? '—'));
    for (const { name } of detail.documents) expect(text).toContain(name ?? 'Sem título');
    for (const { titulo, status } of detail.obligations) {
      expect(text).toContain(titulo);
      expect(text).toContain(status);
    }
  });

  test('names the event of the paper that a payment is of where it is of no instalment', async () => {
    const own = 'cri-loteamento-vale-verde';
    await site.platform.infrastructure.context.manager.execute(
      `UPDATE issuances.payments SET installment_number = 0, event = 'Resgate antecipado (E1)'
       WHERE id = (SELECT payments.id FROM issuances.payments JOIN issuances.operations o ON o.id = operation_id WHERE slug = $1 AND series_id IS NOT NULL LIMIT 1)`,
      [own],
    );
    expect(await site.html(`/en/emissoes/${own}`)).toContain('>E1<');
  });

  test('says first what is wrong with it, as its row in the list does, which a filter keeps', async () => {
    const page = await site.html('/emissoes/cra-cafe-alta-colina');
    const [, strip = ''] = /<div class="notice bad">(.*?)<dl class="stats">/.exec(page) ?? [];
    for (const kind of ['Covenant descumprido', 'Pagamento em atraso', 'Obrigação em atraso'])
      expect(strip).toContain(kind);
    const rows = async (query: string) =>
      (await site.html(`/emissoes${query}`)).match(/<tr>.*?<\/tr>/g)?.slice(1, -1) ?? [];
    const isAlerted = (row: string) => row.includes('class="icon bad" role="img"');
    const all = await rows('');
    expect(all.filter((row) => row.includes('CRA Café Alta Colina')).map(isAlerted)).toEqual([true]);
    expect(await rows('?alert=yes')).toEqual(all.filter(isAlerted));
  });

  test('has the columns in its row that the reader chose, whatever the list is sorted by', async () => {
    const heads = async (query: string) =>
      (await site.html(`/emissoes${query}`)).match(/<th scope="col".*?<\/th>/g)?.map((head) => readable(head).trim()) ??
      [];
    const atFirst = ['Nome', 'Tipo', 'Remuneração', 'Emissão', 'Vencimento', 'Volume', 'Rating', 'Situação'];
    expect(await heads('')).toEqual(atFirst);
    const chosen = ['Nome', 'Vencimento', 'Emissora'];
    expect(await heads('?columns=issuer&columns=maturity')).toEqual(chosen);
    const html = await site.html('/emissoes?columns=issuer,maturity');
    const [, byMaturity = ''] = /<a href="([^"]*sort=maturity[^"]*)"/.exec(html) ?? [];
    expect(await heads(new URL(byMaturity.replaceAll('&amp;', '&'), site.url).search)).toEqual(chosen);
    expect((await site.get('/emissoes?columns=issuer,x')).status).toBe(400);
    // Those of the desk are not on a phone, unless they were chosen.
    const ofDesk = async (query: string) => (await site.html(`/emissoes${query}`)).includes('class="desk"');
    expect([await ofDesk(''), await ofDesk('?columns=type,rating,issuer')]).toEqual([true, false]);
  });

  test('has a total below it only with the column that it sums, and of all rows', async () => {
    const { operations } = await graph<{ operations: { pageInfo: { endCursor: string } } }>(
      '{ operations(first: 5, filter: {}, sort: { field: MATURITY_DATE, direction: ASC }) { pageInfo { endCursor } } }',
    );
    const after = encodeURIComponent(operations.pageInfo.endCursor);
    const hasTotal = async (search: string) => (await site.html(`/emissoes?${search}`)).includes('<tfoot>');
    expect(await Promise.all(['type=CRI', 'columns=type', `after=${after}`].map(hasTotal))).toEqual([
      true,
      false,
      false,
    ]);
    expect(await site.html(`/emissoes?after=${after}`)).toContain('20 de 25');
  });

  test('tokenized series are in the order of the head that was chosen, with the status that was', async () => {
    const html = await site.html('/tokenizacao?status=ACTIVE&sort=maturity&order=desc');
    expect(/<th[^>]*aria-sort="descending"[^>]*><a[^>]*>([^<]*)/.exec(html)?.[1]).toBe('Vencimento');
    const [, body = ''] = html.split('aria-sort="descending"');
    const days = [...body.matchAll(/data-label="Vencimento"><div>(\d\d)\/(\d\d)\/(\d{4})/g)].map(
      ([, day, month, year]) => `${String(year)}-${String(month)}-${String(day)}`,
    );
    expect(days.length).toBeGreaterThan(1);
    expect(days).toEqual(days.toSorted().reverse());
    expect(html).toMatch(/href="\/tokenizacao\?status=ACTIVE&amp;sort=price&amp;order=asc"/);
  });

  test('stands beside up to three others, as they were chosen in the list', async () => {
    const ask = (codes: readonly string[]) => site.get(`/comparar?${codes.map((code) => `codigo=${code}`).join('&')}`);
    const html = await (await ask(['CRI-SERRAAZUL', 'CRA-MOGIANA'])).text();
    for (const name of ['CRI Shopping Serra Azul', 'CRA Café Alta Colina']) expect(html).toContain(name);
    const tooMany = await ask(['CRI-SERRAAZUL', 'CRA-MOGIANA', 'A', 'B', 'C']);
    const said = await tooMany.text();
    expect([tooMany.status, said.includes('aceita até quatro operações'), said.includes('<table')]).toEqual([
      400,
      true,
      true,
    ]);
  });

  test('keeps the month of its report with the range of its prices, and the other way round', async () => {
    const [, month = ''] = /month=(\d{4}-\d\d)#report/.exec(await site.html(operation)) ?? [];
    const page = await site.html(`${operation}?month=${month}&series=CRISERRAAZUL2&from=2026-06-01&to=2026-10-31`);
    const [, form = ''] = /<form class="filter"(.*?)<\/form>/.exec(page) ?? [];
    expect(form).toContain(`name="month" value="${month}"`);
    const [, report = ''] = /aria-labelledby="report-title"(.*?)<\/ul>/.exec(page) ?? [];
    const links = [...report.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
    expect(links.length).toBeGreaterThan(1);
    for (const href of links) expect(href).toContain('from=2026-06-01&amp;to=2026-10-31&amp;series=CRISERRAAZUL2');
  });

  test('shows no account of a bank', async () => {
    const accounts = detail.financeiro.contas.flatMap(({ conta }) => conta ?? []);
    expect(accounts).not.toEqual([]);
    const text = await site.html(operation);
    for (const account of accounts) expect(text).not.toContain(account);
  });

  test('is found by ticker and by slug, and in English under its own address', async () => {
    const page = await site.html('/en/emissoes/CRI-SERRAAZUL');
    expect(page).toContain('<html lang="en">');
    expect(page).toContain(`<link rel="canonical" href="http://localhost:0/en${operation}"/>`);
    expect(readable(page)).toContain('Payment schedule');
  });

  test('the inventory has no page behind its last one', async () => {
    expect((await site.get(`${operation}/estoque?page=99`)).status).toBe(404);
  });

  test('the inventory’s page has the credits of the documented path, and no more', async () => {
    const { items } = await rest<{ items: readonly Readonly<Record<string, string | null>>[] }>(
      `/v1/emissoes/operacoes/${slug}/estoque?limit=50`,
    );
    const page = await site.html(`${operation}/estoque`);
    const cells = [...page.matchAll(/<tr><td[ >]([\s\S]*?)<\/tr>/g)].map(([row]) => readable(`<main>${row}`).trim());
    expect(cells).toEqual(
      items.map((item) =>
        [
          'tipo',
          'valorOriginal',
          'saldoDevedor',
          'taxa',
          'dataEmissao',
          'dataVencimento',
          'parcelas',
          'parcelasPagas',
          'faixaAtraso',
          'uf',
          'status',
        ]
          .map((name) => item[name] ?? '—')
          .join(' ')
          .replaceAll(/\s+/g, ' '),
      ),
    );
  });
});

describe('prices', () => {
  const ticker = () => detail.series[0]?.ticker ?? '';

  test('the file has exactly the days of the chart, with the values of the documented path', async () => {
    const range = 'from=2026-03-02&to=2026-04-30';
    const csv = await (await site.get(`/series/${ticker()}/pu.csv?${range}`)).text();
    const rows = csv
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(';'));
    const known = detail.precificacao.find((one) => one.ticker === ticker())?.historico ?? [];
    const raw = (value: string) => value.replaceAll(/[^\d,]/g, '').replace(',', '.');
    const isoOf = (day: string) => day.split('/').reverse().join('-');
    const expected = known
      .map(({ data, valor }) => [ticker(), isoOf(data), raw(valor)])
      .filter(([, day = '']) => day >= '2026-03-02' && day <= '2026-04-30')
      .sort(([, one = ''], [, other = '']) => (one < other ? -1 : 1));
    expect(expected.length).toBeGreaterThan(0);
    expect(rows.map(([name, day, value]) => [name, day, Number(value).toFixed(8)])).toEqual(
      expected.map(([name, day, value]) => [name, day, Number(value).toFixed(8)]),
    );
    const chart = await site.html(`/series/${ticker()}?${range}`);
    expect([...chart.matchAll(/<time dateTime="([^"]+)"/g)].map(([, day]) => day).reverse()).toEqual(
      rows.map(([, day]) => day),
    );
    const json = (await (await site.get(`/series/${ticker()}/pu.json?${range}`)).json()) as readonly {
      date: string;
      unitPrice: string;
      projected: string;
    }[];
    expect(json.map(({ date, unitPrice, projected }) => [ticker(), date, unitPrice, projected])).toEqual(rows);
  });

  test('the return of the range has that of the CDI beside it', async () => {
    const path = `/series/${ticker()}?from=2026-03-02&to=2026-04-30`;
    expect(readable(await site.html(path))).toMatch(
      /Retorno, em % do CDI -?[\d.]+,\d+\s?% CDI no período: \d+,\d{4}\s?%/,
    );
    expect(readable(await site.html(`/en${path}`))).toMatch(
      /Return, as % of the CDI -?[\d,]+\.\d+\s?% CDI over the range: \d+\.\d{4}\s?%/,
    );
    // The change begins where the return does: on the Friday before a range that begins on a Sunday.
    const sunday = await site.html(`/series/${ticker()}?from=2026-03-01&to=2026-04-30`);
    expect(readable(sunday)).toMatch(
      /Variação do PU, sem os pagamentos -?[\d.]+,\d{4}\s?% 27\/02\/2026 – 30\/04\/2026/,
    );
  });

  test('a picture is an image that other sites may show', async () => {
    const svg = await site.get(`/series/${ticker()}/pu.svg`);
    expect(svg.headers.get('content-type')).toBe('image/svg+xml');
    expect(svg.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const png = await site.get(`/series/${ticker()}/pu.png`);
    expect(
      Buffer.from(await png.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });

  test('a short address leads to the page of what has the ticker', async () => {
    const places = await Promise.all(['CRI-SERRAAZUL', ticker(), 'NADA'].map((one) => site.get(`/p/${one}`)));
    expect(places.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [302, operation],
      [302, `/series/${ticker()}`],
      [404, null],
    ]);
  });

  test('of a day are computed again with what a reader puts in, and refuse what is no number', async () => {
    const path = (await addresses()).find((one) => /^\/tokenizacao\/series\/[^/]+\/pu\//.test(one)) ?? '';
    const again = readable(await site.html(`${path}?vne=1.000&c=1,5&di=1&spread=1,01`));
    for (const value of ['1500 ', '15 ', '1515 ']) expect(again.replaceAll('.', '')).toContain(value);
    const refused = await site.get(`${path}?vne=x&c=-1&di=1.05`);
    const said = await refused.text();
    expect([refused.status, said.split('não é um número').length - 1]).toEqual([400, 3]);
  });
});

describe('every page', () => {
  test('is valid HTML, holds no style and no script but that of its charts, and allows nothing from elsewhere', async () => {
    const validator = new HtmlValidate({
      extends: ['html-validate:recommended'],
      // React writes attributes in the case of its properties, void elements with a slash, and boolean attributes without a value.
      rules: {
        'form-dup-name': ['error', { shared: ['radio', 'checkbox'] }],
        'attr-case': 'off',
        'void-style': 'off',
        'attribute-boolean-style': 'off',
        'aria-label-misuse': ['error', { allowAnyNamable: true }],
        'doctype-style': 'off',
        'no-inline-style': 'error',
        'long-title': 'off',
        'prefer-native-element': 'off',
        'no-implicit-button-type': 'off',
      },
    });
    // Each page in one of its languages.
    for (const path of (await addresses()).map((one, at) => (at % 2 === 0 ? one : inEnglish(one)))) {
      const response = await site.get(path);
      expect([path, response.status]).toEqual([path, 200]);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; /);
      expect(policy).not.toContain('unsafe');
      expect(policy).toContain(path.includes('/embed/') ? 'frame-ancestors *' : "frame-ancestors 'none'");
      expect([path, response.headers.get('x-frame-options')]).toEqual([path, path.includes('/embed/') ? null : 'DENY']);
      const html = await response.text();
      expect(html).not.toMatch(
        /<script(?! type="application\/ld\+json"| type="module" src="\/assets\/chart-[\w-]+\.js"><\/script>)|<style|\sstyle=|\son[a-z]+=/,
      );
      const { results } = await validator.validateString(html);
      expect([
        path,
        results.flatMap(({ messages }) =>
          messages.map(({ ruleId, message, line, column }) => `${ruleId} ${message} ${line}:${column}`),
        ),
      ]).toEqual([path, []]);
    }
  });

  test('has an icon, a picture, a way in, and what search engines may read of it', async () => {
    const types = new Map<string, string | undefined>();
    for (const path of (await addresses()).filter((one) => !one.startsWith('/embed/'))) {
      const html = await site.html(path);
      expect([path, /<a class="enter button" href="([^"]*)"/.exec(html)?.[1]]).toEqual([path, '/painel']);
      const [icon, image] = [
        /<link rel="icon"[^>]* href="([^"]*)"/,
        /"og:image" content="http:\/\/localhost:0([^"]*)"/,
      ].map((form) => form.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '');
      for (const [address = '', type] of [
        [icon, 'image/svg+xml'],
        [image, 'image/png'],
      ]) {
        const picture = await site.get(address);
        expect([path, picture.status, picture.headers.get('content-type')]).toEqual([path, 200, type]);
      }
      const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1];
      types.set(
        path.replace(/[0-9a-f-]{36}$/, 'id'),
        data === undefined ? undefined : (JSON.parse(data) as Data)['@type'],
      );
      expect([path, data?.includes('inLanguage') === true && !data.includes('WebSite')]).toEqual([path, false]);
    }
    expect([...types].filter(([, type]) => type === 'InvestmentOrDeposit').map(([path]) => path)).toEqual([
      operation,
      `/series/${detail.series[0]?.ticker ?? ''}`,
      expect.stringMatching(/^\/tokenizacao\/series\/[^/]+$/),
    ]);
    expect([types.get('/'), types.get('/tokenizacao/ativos/id')]).toEqual(['WebSite', 'LoanOrCredit']);
    const favicon = await site.get('/favicon.ico');
    expect([favicon.status, favicon.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
  });

  test('is revalidated without its bytes until the data changes', async () => {
    const first = await site.get(operation);
    expect(first.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=30, stale-while-revalidate=30');
    const key = first.headers.get('surrogate-key');
    expect(key).toMatch(/^issuances-\d+-\d{4}-\d\d-\d\d tokenization-\S+$/);
    const tag = first.headers.get('etag') ?? '';
    const again = await site.get(operation, { 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    await site.platform.infrastructure.context.manager.execute(
      "UPDATE issuances.operations SET rating = 'brTESTE' WHERE slug = $1",
      [slug],
    );
    await site.platform.infrastructure.context.manager.execute('UPDATE issuances.revision SET value = value + 1');
    // Readers share what was read in the last 50 ms.
    await setTimeout(60);
    const changed = await site.get(operation, { 'if-none-match': tag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('surrogate-key')).not.toBe(key);
    expect(await changed.text()).toContain('brTESTE');
  });

  test('is read once for all who ask at the same time', async () => {
    const lookups = () => measure(site.url, 'cache_lookups_total');
    await site.get(operation);
    const before = await lookups();
    await Promise.all(Array.from({ length: 20 }, () => site.get(operation)));
    const together = (await lookups()) - before;
    // One after the other, apart by more than the time for which a reading is shared.
    await setTimeout(60);
    const alone = await lookups();
    await site.get(operation);
    expect(together).toBeLessThan(10 * ((await lookups()) - alone));
  });

  test('has no header of one request, and a style sheet that is kept for ever', async () => {
    const response = await site.get('/emissoes');
    expect([...response.headers.keys()].filter((name) => /^x-(ratelimit|request)/.test(name))).toEqual([]);
    const style = /<link rel="stylesheet" href="([^"]+)"/.exec(await response.text())?.[1] ?? '';
    const asset = await site.get(style, { 'accept-encoding': 'br' });
    expect([asset.status, asset.headers.get('content-encoding'), asset.headers.get('cache-control')]).toEqual([
      200,
      'br',
      'public, max-age=31536000, immutable',
    ]);
  });
});

describe('an address that cannot be read', () => {
  test('gets a page that lists every error', async () => {
    const response = await site.get('/en/emissoes?type=XX&sort=YY&q=a&q=b');
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(readable(await response.text())).toMatch(
      /q was given more than once.*type is not one of.*sort is not one of|type.*sort/,
    );
    const range = await site.get(`${operation}?from=2026-13-01&to=ontem`);
    expect(readable(await range.text())).toMatch(/from não é uma data.*to não é uma data/);
  });

  test('a range that ends before it begins is an error of its field, on the page that it was typed on', async () => {
    const series = `/series/${detail.series[0]?.ticker ?? ''}`;
    const tranche = (await addresses()).find((one) => /^\/tokenizacao\/series\/[^/]+$/.test(one)) ?? '';
    for (const path of [operation, series, tranche]) {
      const response = await site.get(`${path}?from=2026-02-01&to=2026-01-01`);
      const html = await response.text();
      expect([path, response.status, html.includes('A data inicial é posterior à final.')]).toEqual([path, 400, true]);
      for (const typed of ['name="from" value="2026-02-01"', 'name="to" value="2026-01-01"'])
        expect(html.replaceAll('type="date" ', '')).toContain(typed);
    }
    expect((await site.get(`${series}/pu.csv?from=2026-02-01&to=2026-01-01`)).status).toBe(400);
  });

  test('any query is read or refused, never a failure', async () => {
    const names = fc.constantFrom('q', 'type', 'status', 'sort', 'after', 'from', 'to', 'series', 'month', 'x');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('/emissoes', operation, '/tokenizacao/ativos'),
        fc.array(fc.tuple(names, fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 4 }),
        async (path, pairs) => {
          const query = pairs
            .map(([name, value]) => `${name}=${encodeURIComponent(Buffer.from(value).toString())}`)
            .join('&');
          const { status } = await site.get(`${path}?${query}`);
          expect([200, 400, 404]).toContain(status);
        },
      ),
      { numRuns: 30 },
    );
  }, 300_000);

  test('a slash at the end of an address leads to the page, with its parameters', async () => {
    for (const [path, location] of [
      ['/en/', '/en'],
      ['/emissoes/?q=serra', '/emissoes?q=serra'],
      [`/en${operation}/`, `/en${operation}`],
    ] as const) {
      const response = await fetch(`${site.url}${path}`, { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([308, location]);
    }
  });

  test('an unknown one is a page for people, and the envelope for programs', async () => {
    const page = await site.get('/en/nothing');
    expect([page.status, readable(await page.text())]).toEqual([404, expect.stringContaining('Page not found')]);
    expect((await site.get('/emissoes/nada')).status).toBe(404);
    for (const [path, accept] of [
      ['/nothing', '*/*'],
      ['/', 'application/json'],
      ['/v1/nothing', 'text/html'],
    ] as const) {
      const answer = await site.get(path, { accept });
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        404,
        expect.objectContaining({ message: 'This path does not exist' }),
      ]);
    }
  });
});

test('the home page leads each kind of reader to where it begins', async () => {
  const html = await site.html('/');
  const ways = [...html.matchAll(/<div class="way"><h3>([^<]*)<\/h3>.*?<\/ul>/g)];
  expect(ways.map(([, title]) => title)).toEqual([
    'Investidores e analistas',
    'Desenvolvedores',
    'Originadores',
    'Empresas que negociam',
    'Agentes de IA',
    'Operadores',
  ]);
  const places = ways.flatMap(([way]) => [...way.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href));
  for (const href of places.filter((one) => !one.startsWith('/painel')))
    expect([href, (await site.get(href)).status]).toEqual([href, 200]);
});

test('the schedule of a tokenized series names its events as that of an operation', async () => {
  const schedule = (await site.html('/tokenizacao/series/AURORA-TK1')).split('id="schedule"')[1] ?? '';
  expect(readable(`<main>${schedule}`)).toMatch(/Juros( e amortização)? /);
  expect(readable(`<main>${schedule}`)).not.toMatch(/Pagos/);
});

test('an English page shows the usual words of the field in English, and marks other texts of the issuer as Portuguese', async () => {
  const html = await site.html(`/en${operation}`);
  const text = readable(html);
  for (const words of ['Interest and amortization', 'Perfected', 'Up to 50%', 'Trustee, Custodian', 'Not due'])
    expect(text).toContain(words);
  for (const words of ['Juros e amortização', 'Constituída', 'Até 50%', 'emissão, '])
    expect(html.replaceAll(/<span lang="pt-BR">[^<]*<\/span>/g, '')).not.toContain(words);
  expect(html).toContain('<span lang="pt-BR">Contratos de locação de lojas</span>');
  expect(await site.html(operation)).not.toContain('lang="pt-BR">Contratos');
});

test('the editor’s own queries run without a credential', async () => {
  for (const query of exampleQueries) {
    const response = await fetch(`${site.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(await response.json()).toEqual({ data: expect.anything() });
  }
});

test('the sitemap names pages that exist', async () => {
  const sitemap = await (await site.get('/sitemap.xml')).text();
  const addresses = [...sitemap.matchAll(/<loc>http:\/\/localhost:0([^<]*)<\/loc>/g)].map(([, path = '']) => path);
  expect(addresses).toContain(operation);
  for (const path of addresses.filter((_path, at) => at % 17 === 0))
    expect([path, (await site.get(path)).status]).toEqual([path, 200]);
});

test('the next payment of an operation is the first that is due, and what is overdue is said, however many follow', async () => {
  const { context } = site.platform.infrastructure;
  const strip = async () =>
    /<div class="notice bad">.*?<\/dl>/.exec(await site.html('/emissoes/cra-cafe-alta-colina'))?.[0] ?? '';
  const before = await strip();
  expect(before).toContain('Pagamento em atraso');
  const later = Array.from({ length: 101 }, (_none, at) => `CRA-MOGIANA;${String(1_000 + at)};Juros;2070-01-02;1.00`);
  const file = join(site.platform.dataDir, 'payments.csv');
  await writeFile(file, ['operationTicker;installmentNumber;event;dueDate;totalValue', ...later, ''].join('\n'));
  expect((await importFiles(context, [issuancesImport], [file])).errors).toEqual([]);
  await until('the page with what was imported', async () =>
    (await site.html('/emissoes/cra-cafe-alta-colina')).includes('02/01/2070'),
  );
  expect(await strip()).toBe(before);
});

test('a sitemap of more addresses than one may have is an index of several, which name each page once', async () => {
  const locations = (xml: string) =>
    [...xml.matchAll(/<loc>http:\/\/localhost:0([^<]*)<\/loc>/g)].map(([, path = '']) => path);
  const before = new Set(locations(await (await site.get('/sitemap.xml')).text()));
  const owner = new Client({ connectionString: site.platform.ownerUrl });
  await owner.connect();
  await owner.query(`
    INSERT INTO issuances.operations
      SELECT added.* FROM generate_series(1, 25000) AS n
        CROSS JOIN LATERAL (SELECT operation FROM issuances.operations AS operation WHERE is_public ORDER BY ticker LIMIT 1) AS one
        CROSS JOIN LATERAL jsonb_populate_record(operation, jsonb_build_object(
          'id', gen_random_uuid(), 'ticker', 'MAPPED' || n, 'slug', 'mapped-' || n, 'external_id', 'mapped-' || n)) AS added;
    UPDATE issuances.revision SET value = value + 1`);
  await owner.end();
  const parts = locations(await (await site.get('/sitemap.xml')).text());
  expect(parts).toEqual(['/sitemap.xml?part=1', '/sitemap.xml?part=2']);
  const all: string[] = [];
  for (const part of parts) {
    const named = locations(await (await site.get(part)).text());
    expect(named.length).toBeLessThanOrEqual(50_000);
    all.push(...named);
  }
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBe(before.size + 50_000);
  expect(all).toEqual(expect.arrayContaining(['/emissoes/mapped-1', '/en/emissoes/mapped-25000']));
  expect((await site.get('/sitemap.xml?part=3')).status).toBe(404);
  expect((await site.get('/sitemap.xml?part=0')).status).toBe(400);
});
