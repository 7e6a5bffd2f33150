import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { addDays } from '../../shared/kernel/calendar/days.js';
import { newId } from '../../shared/kernel/ids.js';
import { today } from '../../shared/kernel/context.js';
import type { JsonSchema } from '../../gateway/graph/json-schema/json-schema.js';
import { addCredential } from '../../subgraphs/trading/access/credentials.acts.js';
import { addCredit, addEstate, addInstalment, addSeries } from '../tokenization/series/kit.js';
import { tradingCallerOf } from '../trading/kit.js';
import { connect, countedFetch, openDemoPlatform } from './kit.js';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);
// The schema of arguments as any caller reads it.
const looseAjv = new Ajv2020({ allowUnionTypes: true });
formats.default(looseAjv);

/** The most bytes of the response to a call with default arguments. */
const mostBytes = 20_000;

let bytes = 0;
/** The tools that were called, and the calls whose responses were larger than permitted. */
const called = new Set<string>();
const tooLarge: (readonly [string, object, number])[] = [];

const counted = countedFetch((count) => (bytes = count));

const { platform, key } = await openDemoPlatform();
const program = await connect(platform.url, key, { structured: true });
const client = await connect(platform.url, key, { send: counted });
const trader = await openTrader();
const { tools } = await program.listTools();
const schemas = new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema ?? false)]));

afterAll(async () => {
  await Promise.all([program.close(), client.close(), trader.agent.close()]);
  await platform.close();
});

/** An agent of the company of the demo that trades, and an order of it. */
async function openTrader(): Promise<{ readonly agent: Client; readonly orderId: string }> {
  const { apiKey, secretKey } = platform.demo().trading;
  const caller = tradingCallerOf(platform);
  const { context } = platform.infrastructure;
  const { companyId } = await context.manager.one<{ companyId: string }>(
    'SELECT company_id AS "companyId" FROM trading.credentials WHERE api_key = $1',
    [apiKey],
  );
  const given = { companyId, scopes: ['read'], allowedNetworks: null, expiresAt: null } as const;
  const { headers } = await caller.session({ credential: await addCredential(context, given) });
  const agent = await connect(platform.url, headers, { send: counted });
  const login = await caller.post('/v1/auth/login', { apiKey, secretKey });
  const { accessToken } = login.body as { accessToken: string };
  const order = { symbol: 'BTC/BRL', side: 'BUY', type: 'MARKET', quoteAmount: '1000.00' };
  const placed = await caller.post('/v1/orders/createOrder', order, {
    authorization: `Bearer ${accessToken}`,
    'x-idempotency-key': newId(),
  });
  expect([placed.status, placed.body]).toMatchObject([201, {}]);
  return { agent, orderId: (placed.body as { orderId: string }).orderId };
}

/** The sections of obter_operacao, with a key of the result that each adds. */
const sections = {
  series: 'series',
  participantes: 'participants',
  garantias: 'garantias',
  documentos: 'documents',
  obrigacoes: 'obligations',
  precos: 'precificacao',
  historicoPrecos: 'historicoPrecos',
  financeiro: 'financeiro',
  pagamentos: 'pagamentos',
  assembleias: 'assembleias',
  comunicados: 'comunicacao',
  blockchain: 'blockchain',
  agente: 'otData',
};

interface Dated extends Record<string, unknown> {
  readonly pagamentos: { readonly items: { readonly dueDateRaw: string }[]; readonly total: number };
  readonly comunicacao: { readonly dataRaw: string }[];
  readonly historicoPrecos: { readonly historico: { readonly dataRaw: string }[] }[];
}

interface Card {
  readonly href: string;
  readonly tipo: string;
}

interface Named extends Card {
  readonly name: string;
  readonly status: string;
}

async function call(name: string, given: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const result = await program.callTool({ name, arguments: given });
  const fits = schemas.get(name);
  expect([fits?.(result.structuredContent), fits?.errors]).toEqual([true, null]);
  const [{ text }] = result.content as [{ text: string }];
  expect(JSON.parse(text)).toEqual(result.structuredContent);
  return result.structuredContent as Record<string, unknown>;
}

async function refusal(name: string, given: Record<string, unknown>): Promise<string> {
  const result = await program.callTool({ name, arguments: given });
  expect(result.isError).toBe(true);
  const [{ text }] = result.content as [{ text: string }];
  return text;
}

const nameOf = ({ href }: Card): string => href.split('/').at(-1) ?? '';

async function cards(): Promise<Card[]> {
  return (await call('listar_operacoes'))['cards'] as Card[];
}

describe('the documented tools, on the demo data', () => {
  test('listar_operacoes comes page by page, each of which says how many there are and how to go on', async () => {
    const whole = await call('listar_operacoes', { limite: 200 });
    expect(whole['nextCursor']).toBeNull();
    const hrefs: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await call('listar_operacoes', { limite: 7, cursor, brief: true });
      expect([page['total'], page['stats']]).toEqual([whole['total'], whole['stats']]);
      hrefs.push(...(page['cards'] as Card[]).map(({ href }) => href));
      cursor = page['nextCursor'] as string | null;
    } while (cursor !== null);
    expect(hrefs).toEqual((whole['cards'] as Card[]).map(({ href }) => href));
    expect(whole['total']).toBe(hrefs.length);
  });

  test('listar_operacoes is narrowed by type, status and words, and adds up what it finds', async () => {
    const all = (await call('listar_operacoes', { limite: 200 }))['cards'] as Named[];
    const [{ name }] = all as [Named];
    const of = async (given: Record<string, unknown>) => {
      const page = await call('listar_operacoes', { limite: 200, ...given });
      const found = page['cards'] as Named[];
      expect([page['total'], (page['stats'] as { operacoes: number }).operacoes]).toEqual([found.length, found.length]);
      return found.map(({ href }) => href);
    };
    const hrefsWhere = (wanted: (card: Named) => boolean) => all.filter(wanted).map(({ href }) => href);
    expect(await of({ tipo: ['CRI', 'DEB'] })).toEqual(hrefsWhere(({ tipo }) => tipo === 'CRI' || tipo === 'DEB'));
    // Each published label is one of these statuses, so that they are parts of the whole.
    const statuses = ['structuring', 'offered', 'ACTIVE', 'defaulted', 'accelerated', 'Ended', 'cancelled', 'other'];
    const parts = await Promise.all(statuses.map((status) => of({ status })));
    expect(parts.flat().sort()).toEqual(hrefsWhere(() => true).sort());
    const labels = parts.flatMap((part) => [
      ...new Set(all.filter(({ href }) => part.includes(href)).map((card) => card.status)),
    ]);
    expect([labels.length > 1, new Set(labels).size]).toEqual([true, labels.length]);
    expect(await refusal('listar_operacoes', { status: [labels[0]] })).toContain('must be one of STRUCTURING, OFFERED');
    expect(await of({ texto: name.toUpperCase() })).toContain(all[0]?.href);
    expect(await of({ texto: 'nada que exista' })).toEqual([]);
    expect(await of({ tipo: null, status: [], texto: null, limite: null, cursor: null })).toEqual(
      hrefsWhere(() => true).slice(0, 50),
    );
  });

  test('the last part of an href is what every other tool takes, and each answer fits its schema', async () => {
    const oneOfEachType = new Map((await cards()).map((card) => [card.tipo, card]));
    expect(oneOfEachType.size).toBe(4);
    for (const card of oneOfEachType.values()) {
      const ticker = nameOf(card);
      const detail = await call('obter_operacao', { ticker, secoes: Object.keys(sections) });
      expect(detail).toMatchObject({ href: card.href, tipo: card.tipo });
      const { months } = (await call('listar_meses_relatorio', { ticker })) as { months: string[] };
      const [month] = months;
      expect([ticker, month]).toEqual([ticker, expect.any(String)]);
      expect(await call('obter_relatorio_mensal', { ticker, month })).toMatchObject({ month });
      expect(await call('obter_relatorio_mensal', { ticker, month: null })).toMatchObject({ month: null });
      await call('obter_estoque', { ticker, limite: 3, cursor: null });
    }
  });

  test('obter_operacao brings the sections that are asked for, and by default series and prices alone', async () => {
    const [ticker] = (await cards()).map(nameOf);
    const keysOf = async (given: object) => {
      const result = await call('obter_operacao', { ticker, ...given });
      return Object.values(sections).filter((key) => Object.hasOwn(result, key));
    };
    expect(await keysOf({})).toEqual(['series', 'precificacao']);
    expect(await keysOf({ secoes: [] })).toEqual([]);
    expect(await keysOf({ secoes: 'PAGAMENTOS' })).toEqual(['pagamentos']);
    expect(await keysOf({ secoes: Object.keys(sections) })).toEqual(Object.values(sections));
  });

  test('obter_operacao restricts payments, prices, documents and notices to a period', async () => {
    const ticker = 'CRI-AURORA';
    const secoes = ['pagamentos', 'historicoPrecos', 'documentos', 'comunicados'];
    const all = (await call('obter_operacao', { ticker, secoes, ultimos: 756, limite: 100 })) as Dated;
    const days = all.pagamentos.items.map(({ dueDateRaw }) => dueDateRaw);
    const [de, ate] = [days.at(2) ?? '', days.at(-3) ?? ''];
    const some = (await call('obter_operacao', { ticker, secoes, de, ate, ultimos: 756, limite: 100 })) as Dated;
    const inside = (day: string) => day >= de && day <= ate;
    expect(some.pagamentos.items).toEqual(all.pagamentos.items.filter(({ dueDateRaw }) => inside(dueDateRaw)));
    expect(some.comunicacao).toEqual(all.comunicacao.filter(({ dataRaw }) => inside(dataRaw)));
    expect(some.pagamentos.items.length).toBeLessThan(all.pagamentos.items.length);
    const prices = ({ historicoPrecos }: Dated) => historicoPrecos.flatMap(({ historico }) => historico);
    expect(prices(some)).toEqual(prices(all).filter(({ dataRaw }) => inside(dataRaw)));
    expect(await refusal('obter_operacao', { ticker, secoes, de: ate, ate: de })).toContain(
      '- ate must not be before `de`. Last day of the period',
    );
  });

  test('obter_operacao turns the pages of its payments without a gap or a repetition', async () => {
    interface Page {
      pagamentos: { items: object[]; total: number; nextCursor: string | null };
    }
    const page = async (given: object) =>
      (await call('obter_operacao', { ticker: 'CRI-AURORA', secoes: ['pagamentos'], ...given })) as unknown as Page;
    const whole = (await page({ limite: 100 })).pagamentos;
    expect(whole.items).toHaveLength(whole.total);
    const seen: object[] = [];
    let cursor: string | null = null;
    do {
      const { pagamentos }: Page = await page({ cursor, limite: 7 });
      seen.push(...pagamentos.items);
      cursor = pagamentos.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(whole.items);
    expect((await page({})).pagamentos.items).toHaveLength(25);
    expect((await page({ limite: null })).pagamentos.items).toHaveLength(25);
  });

  test('obter_estoque turns its pages, and says why there is none', async () => {
    const tickers = (await cards()).map(nameOf);
    const answers = await Promise.all(
      tickers.map((ticker) => call('obter_estoque', { ticker, cursor: 2, limite: 10 })),
    );
    const there = answers.find(({ available, total }) => available === true && Number(total) > 20);
    expect(there).toMatchObject({ page: 2, limit: 10, nextCursor: 3 });
    const none = answers.find(({ available }) => available === false);
    expect(none).toMatchObject({ reason: expect.any(String) as unknown });
  });
});

describe('the tools of tokenization', () => {
  let patrimonioId: string;
  let id: string;

  beforeAll(async () => {
    const { manager } = platform.infrastructure.dataSource;
    patrimonioId = await addEstate(manager, 'AGENT');
    const series = await addSeries(manager, patrimonioId, 'AGENT-1');
    await addInstalment(manager, series, 1, '2090-12-01', '100');
    id = await addCredit(manager, patrimonioId, 'AGENT-CCB', ['2090-12-01'], { search_text: 'agent ccb' });
  });

  test('lead from an estate to its series, their schedule and prices, and its assets; each answer fits its schema', async () => {
    expect(await call('listar_patrimonios', { limite: 1 })).toMatchObject({ items: [expect.anything()] });
    expect(await call('listar_series', { patrimonio: 'agent', status: 'ACTIVE' })).toMatchObject({
      count: 1,
      nextCursor: null,
      items: [{ ticker: 'AGENT-1', patrimonyTicker: 'AGENT' }],
    });
    expect(await call('obter_serie', { ticker: 'agent-1' })).toMatchObject({ patrimony: { ticker: 'AGENT' } });
    expect(await call('obter_cronograma', { ticker: 'agent-1' })).toMatchObject({ count: 1 });
    expect(await call('obter_historico_pu', { ticker: 'agent-1', intervalo: 'MONTHLY' })).toMatchObject({
      unitPrices: { total: 0, items: [], nextCursor: null },
    });
    expect(await call('listar_ativos', { patrimonioId, busca: 'Agent' })).toMatchObject({
      total: 1,
      data: [{ id, debtorName: 'M. D. S.' }],
    });
    expect(await call('obter_ativo', { id })).toMatchObject({
      debtorName: 'M. D. S.',
      paymentHistory: [{ status: 'PENDING' }],
    });
    expect(await call('resumo_ativos', { patrimonioId })).toMatchObject({
      totalAssets: 1,
      byType: { CCB: { count: 1 } },
    });
  });

  test('obter_historico_pu turns its pages back in time', async () => {
    interface Page {
      unitPrices: { items: { date: string }[]; total: number; nextCursor: string | null };
    }
    const page = async (given: object) =>
      (await call('obter_historico_pu', { ticker: 'AURORA-TK1', ...given })) as unknown as Page;
    const whole = (await page({ limite: 1000 })).unitPrices;
    expect([whole.items.length, whole.nextCursor]).toEqual([whole.total, null]);
    const days: string[] = [];
    let cursor: string | null = null;
    do {
      const { unitPrices }: Page = await page({ cursor, limite: 100 });
      days.unshift(...unitPrices.items.map(({ date }) => date));
      cursor = unitPrices.nextCursor;
    } while (cursor !== null);
    expect(days).toEqual(whole.items.map(({ date }) => date));
    const usual = (await page({})).unitPrices;
    expect(usual.items).toEqual(whole.items.slice(-30));
    expect((await page({ limite: 2 })).unitPrices.items).toEqual(whole.items.slice(-2));
  });

  test.each([
    ['comparar_operacoes', { tickers: ['CRI-AURORA', 'NADA99'] }, 'NADA99', 'listar_operacoes'],
    ['listar_alertas', { tickers: ['NADA99'] }, 'NADA99', 'listar_operacoes'],
    ['listar_proximos_pagamentos', { tickers: ['NADA99'] }, 'NADA99', 'listar_operacoes'],
    ['listar_alertas', { seriesTokenizadas: ['NADA98'] }, 'NADA98', 'listar_series'],
    ['listar_proximos_pagamentos', { seriesTokenizadas: ['NADA98'] }, 'NADA98', 'listar_series'],
  ])('%s %j: which tickers do not exist, and where to find those that do', async (name, given, ticker, tool) => {
    const { content, isError } = await program.callTool({ name, arguments: given });
    expect(isError).toBeUndefined();
    expect((content as { text: string }[]).map(({ text }) => text).slice(1)).toEqual([
      `Not found, and left out: ${ticker}. Call ${tool} to find the tickers that exist.`,
    ]);
  });

  test('listar_proximos_pagamentos restricts both lists to a status', async () => {
    interface Lists {
      payments: { status: string }[];
      tokenizedSeries: { payments: { status: string }[] };
    }
    const lists = (await call('listar_proximos_pagamentos', { status: 'paid' })) as unknown as Lists;
    const statuses = [...lists.payments, ...lists.tokenizedSeries.payments].map(({ status }) => status);
    expect(lists.tokenizedSeries.payments.length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set(['PAID']));
  });
});

describe('what an agent reads when it asks wrongly', () => {
  const none = { ticker: 'NADA99' };
  const noEstate = { patrimonioId: '01900000-0000-7000-8000-000000000000' };
  test.each<[string, object, string, string]>([
    ['listar_series', { patrimonio: 'NADA99' }, 'There is no estate NADA99', 'Call listar_patrimonios'],
    ['listar_ativos', noEstate, 'There is no such estate', 'Call listar_patrimonios'],
    ['resumo_ativos', noEstate, 'There is no such estate', 'Call listar_patrimonios'],
    ['obter_serie', none, '', 'listar_series'],
    ['obter_cronograma', none, '', 'listar_series'],
    ['obter_historico_pu', none, '', 'listar_series'],
    ['obter_operacao', none, 'There is no such operation.\n', 'listar_operacoes'],
    ['listar_meses_relatorio', none, 'There is no such operation.\n', 'listar_operacoes'],
    ['obter_relatorio_mensal', none, 'There is no such operation.\n', 'listar_operacoes'],
    ['obter_estoque', none, 'There is no such operation.\n', 'listar_operacoes'],
    [
      'obter_relatorio_mensal',
      { ticker: 'CRI-AURORA', month: '1999-01' },
      'There is no report of 1999-01: see the list of the months that have one.\n',
      'listar_meses_relatorio',
    ],
  ])('%s of what does not exist (%j): what it is, and where to find those that do', async (name, given, what, tool) => {
    const text = await refusal(name, { ...given });
    expect(text).toContain(what);
    expect(text).toContain(tool);
  });

  test('a cursor of another question is reported by its name, with how to mend it', async () => {
    const cursor = (await call('listar_operacoes', { limite: 1 }))['nextCursor'];
    expect(await refusal('listar_operacoes', { tipo: ['CRA'], cursor })).toMatch(
      /- cursor is not a cursor of this list, filter and order\. nextCursor of the previous page, with the same filters\nCorrect the arguments and call listar_operacoes again\.$/,
    );
  });
});

async function textAt(uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  expect(contents).toMatchObject([{ uri, mimeType: 'text/markdown' }]);
  const [content] = contents;
  return content !== undefined && 'text' in content ? content.text : '';
}

describe('resources', () => {
  test('are listed with an address that can be read, one for each public operation', async () => {
    const { resources, nextCursor } = await client.listResources();
    const { count } = await platform.infrastructure.context.manager.one<{ count: number }>(
      'SELECT count(*)::int AS count FROM issuances.operations WHERE is_public',
    );
    expect([resources.length, nextCursor]).toEqual([count, undefined]);
    const aurora = resources.find(({ uri }) => uri === 'lastro://operacoes/CRI-AURORA');
    expect(aurora).toMatchObject({ name: 'CRI-AURORA', title: 'CRI Residencial Aurora', mimeType: 'text/markdown' });
    const text = await textAt('lastro://operacoes/CRI-AURORA');
    expect(text).toMatch(/^# Operation\n\n- Identificador: /);
    expect(text).toContain('\n## Séries\n\n| Número | Ticker |');
  });

  test('are documents of operations and of reports, by templates that are completed', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'lastro://operacoes/{ticker}',
      'lastro://relatorios/{ticker}/{month}',
    ]);
    const ref = { type: 'ref/resource', uri: 'lastro://relatorios/{ticker}/{month}' } as const;
    const complete = async (name: string, value: string, known: Record<string, string> = {}) =>
      (await client.complete({ ref, argument: { name, value }, context: { arguments: known } })).completion.values;
    expect(await complete('ticker', 'aurora')).toContain('CRI-AURORA');
    expect(await complete('ticker', 'nada que exista')).toEqual([]);
    const months = await complete('month', '20', { ticker: 'CRI-AURORA' });
    expect(months.length).toBeGreaterThan(0);
    expect(await complete('month', months[0] ?? '', { ticker: 'CRI-AURORA' })).toEqual([months[0]]);
    expect(await complete('month', '20')).toEqual([]);
    expect(await textAt(`lastro://relatorios/CRI-AURORA/${months[0] ?? ''}`)).toContain(`- Mês: ${months[0] ?? ''}`);
  });

  test('name their headings, values and columns in words, each once', async () => {
    const { months } = (await call('listar_meses_relatorio', { ticker: 'CRI-AURORA' })) as { months: string[] };
    const month = months[0] ?? '';
    for (const uri of ['lastro://operacoes/CRI-AURORA', `lastro://relatorios/CRI-AURORA/${month}`]) {
      const lines = (await textAt(uri)).split('\n');
      const tables = lines.filter((_line, index) => lines[index + 1]?.startsWith('| ---'));
      const columns = tables.map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
      const named = lines.flatMap((line) => /^(?:#+ |- )([^:]+)/.exec(line)?.[1] ?? []);
      expect(columns.length).toBeGreaterThan(1);
      for (const row of columns) expect(new Set(row).size).toBe(row.length);
      const fieldNames = [...named, ...columns.flat()].filter(
        (text) => !/^[\p{Lu}]/u.test(text) || /[a-z][A-Z]|\.|Raw$/.test(text),
      );
      expect(fieldNames).toEqual([]);
    }
  });

  test.each<[string, string, number?]>([
    ['lastro://relatorios/CRI-AURORA/13', 'month must match', -32_602],
    ['lastro://operacoes/NADA', 'There is no such operation. Call listar_operacoes'],
    ['lastro://relatorios/CRI-AURORA/1999-01', 'the month with listar_meses_relatorio'],
    ['lastro://outros/1', 'There is no resource lastro://outros/1: addresses are lastro://operacoes/{ticker}'],
    ['lastro://operacoes/%', 'There is no resource'],
    ['https://example.com/', 'There is no resource'],
  ])('%s does not exist', async (uri, message, code = -32_002) => {
    await expect(client.readResource({ uri })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as unknown,
    });
  });
});

describe('prompts', () => {
  test('are tasks of an analyst that name tools which exist', async () => {
    const { prompts } = await client.listPrompts();
    const names = new Set(tools.map(({ name }) => name));
    expect(prompts.length).toBeGreaterThanOrEqual(4);
    for (const { name, arguments: taken = [] } of prompts) {
      const given = Object.fromEntries(
        taken.map((one) => [one.name, ['de', 'ate'].includes(one.name) ? '2090-01-31' : 'CRI-AURORA']),
      );
      const { messages } = await client.getPrompt({ name, arguments: given });
      const text = JSON.stringify(messages);
      expect(text).not.toMatch(/[{]\w+[}]/);
      const named = text.match(/\b(?:listar|obter|resumo|comparar)_\w+/g) ?? [];
      expect([name, named.filter((one) => !names.has(one)), named.length > 0]).toEqual([name, [], true]);
    }
  });

  test('take a ticker, which is completed', async () => {
    const ref = { type: 'ref/prompt', name: 'analisar_operacao' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'ticker', value: 'galpo' } });
    expect(completion.values).toContain('CRI-GALPAO');
  });

  test('take a list of tickers, of which the last is completed, with those before it and without a repetition', async () => {
    const ref = { type: 'ref/prompt', name: 'comparar_emissoes' } as const;
    const complete = async (value: string) =>
      (await client.complete({ ref, argument: { name: 'tickers', value } })).completion.values;
    expect(await complete('galpo')).toContain('CRI-GALPAO');
    expect(await complete('cri-aurora, galpo')).toContain('cri-aurora, CRI-GALPAO');
    expect(await complete('CRI-GALPAO,galpo')).not.toContain('CRI-GALPAO, CRI-GALPAO');
    expect((await complete('CRI-AURORA,')).length).toBeGreaterThan(5);
  });

  test('have the days of a period, by default the next 30', async () => {
    const textFor = async (given: Record<string, string>) =>
      JSON.stringify((await client.getPrompt({ name: 'agenda_de_pagamentos', arguments: given })).messages);
    expect(await textFor({})).toContain('from today to 30 days later');
    expect(await textFor({ de: '2026-01-01', ate: '2026-01-31' })).toContain('from 2026-01-01 to 2026-01-31');
  });

  test.each([
    ['agenda_de_pagamentos', { ate: 'amanhã' }, 'ate must be a day as YYYY-MM-DD'],
    ['agenda_de_pagamentos', { de: '2026-02-30', ate: '31/12/2026' }, 'de must be a day as YYYY-MM-DD; ate must be'],
    ['agenda_de_pagamentos', { de: '2026-02-02', ate: '2026-02-01' }, 'ate must not be before de, 2026-02-02'],
    ['agenda_de_pagamentos', { ate: '2020-01-01' }, 'ate must not be before today, 2'],
    ['comparar_emissoes', { tickers: ' , ' }, 'tickers must be 1 to 10 tickers, separated by commas'],
    ['comparar_emissoes', { tickers: 'A,'.repeat(11) }, 'tickers must be 1 to 10'],
    ['analisar_operacao', {}, 'needs the argument ticker'],
    ['analisar_operacao', { ticker: 'x'.repeat(201) }, 'at most 200 characters'],
    ['outra_tarefa', {}, 'There is no prompt outra_tarefa'],
  ])('%s %j is refused', async (name, given, message) => {
    await expect(client.getPrompt({ name, arguments: given })).rejects.toThrow(message);
  });
});

describe('the instructions', () => {
  const display = /R\$ |\d{2}\/\d{2}\/\d{4}|\d,\d{2}%/;
  const filled = /:\[\{/;
  const displayOf = async (name: string, given: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    expect([name, isError]).toEqual([name, undefined]);
    return (content as [{ text: string }])[0].text;
  };

  test('name tools that exist, all of those for operations and series', () => {
    const names = tools.map(({ name }) => name);
    const text = client.getInstructions() ?? '';
    const named = text.match(/\b(?:listar|obter|resumo|comparar)_[a-z_]+/g) ?? [];
    expect(named.filter((one) => !names.includes(one))).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(['listar_operacoes', 'listar_patrimonios', 'listar_series']));
  });

  test('say which tools return display text: these, and no others', async () => {
    const ticker = 'CRI-AURORA';
    for (const name of ['listar_operacoes', 'obter_operacao', 'obter_relatorio_mensal', 'obter_estoque']) {
      expect(await displayOf(name, name === 'listar_operacoes' ? {} : { ticker })).toMatch(display);
    }
    const others: [string, Record<string, unknown>][] = [
      ['listar_alertas', {}],
      ['listar_proximos_pagamentos', {}],
      ['listar_contratos_token', {}],
      ['resumo_ativos', {}],
      ['listar_ativos', {}],
      ['listar_patrimonios', {}],
      ['obter_cronograma', { ticker: 'AURORA-TK1' }],
      ['obter_historico_pu', { ticker: 'AURORA-TK1' }],
      ['listar_lotes_credito', {}],
      ['listar_lotes_liquidacao', {}],
    ];
    // Names of batches contain a day.
    for (const [name, given] of others) {
      const text = await displayOf(name, given);
      expect([name, text]).toEqual([name, expect.stringMatching(filled)]);
      expect(text.replaceAll(/"name":"[^"]*"/g, '')).not.toMatch(display);
    }
    // There the remuneration is the only display text.
    for (const [name, given] of [
      ['comparar_operacoes', { tickers: [ticker] }],
      ['listar_series', {}],
    ] as const) {
      const text = await displayOf(name, given);
      expect(text).toMatch(filled);
      expect(text.replaceAll(/"remuneration":"[^"]*"/g, '')).not.toMatch(display);
    }
  });
});

async function measured<T = unknown>(name: string, given: object = {}, agent = client): Promise<T> {
  const { content, isError } = await agent.callTool({ name, arguments: { ...given } });
  const size = bytes;
  const [{ text }] = content as [{ text: string }];
  expect([name, given, isError === true ? text : undefined]).toEqual([name, given, undefined]);
  called.add(name);
  if (size > mostBytes) tooLarge.push([name, given, size]);
  return JSON.parse(text) as T;
}

async function callEach(names: readonly string[], given: readonly object[], agent = client): Promise<void> {
  for (const name of names) for (const one of given) await measured(name, one, agent);
}

test('the response of every tool with default arguments is at most 20 KB, for each section and all data of the demo', async () => {
  const { cards } = await measured<{ cards: { ticker: string }[] }>('listar_operacoes', {});
  expect(cards.length).toBeGreaterThan(20);
  const operations = cards.map(({ ticker }) => ({ ticker }));
  await callEach(['obter_operacao', 'listar_meses_relatorio', 'obter_relatorio_mensal', 'obter_estoque'], operations);
  // Each section as it is in a response that has all of them.
  for (const one of operations) {
    const whole = await call('obter_operacao', { ...one, secoes: Object.keys(sections) });
    const card = Object.entries(whole).filter(([name]) => !Object.values(sections).includes(name));
    for (const name of Object.values(sections)) {
      const text = JSON.stringify(Object.fromEntries([...card, [name, whole[name]]]));
      const size = Buffer.byteLength(JSON.stringify({ content: [{ type: 'text', text }] }));
      if (size > mostBytes - 100) tooLarge.push(['obter_operacao', { ...one, name }, size]);
    }
  }
  // The ten operations with the most series and terms are among the combinations of ten in a row.
  const tickers = operations.map(({ ticker }) => ticker);
  await callEach(
    ['comparar_operacoes'],
    tickers.map((_, index) => ({ tickers: [...tickers, ...tickers].slice(index, index + 10) })),
  );

  const { items: series } = await measured<{ items: { ticker: string }[] }>('listar_series', { limite: 100 });
  expect(series.length).toBeGreaterThan(10);
  const tokenized = series.map(({ ticker }) => ({ ticker }));
  await callEach(['obter_serie', 'obter_cronograma', 'obter_historico_pu'], tokenized);
  await callEach(
    ['obter_historico_pu'],
    tokenized.map((one) => ({ ...one, formula: true })),
  );

  const { items: estates } = await measured<{ items: { id: string; ticker: string }[] }>('listar_patrimonios');
  await callEach(
    ['listar_ativos', 'resumo_ativos', 'obter_criterios_elegibilidade'],
    estates.flatMap(({ id, ticker }) => (ticker === 'AGENT' ? [] : [{ patrimonioId: id }])).slice(0, 3),
  );
  const { data: assets } = await measured<{ data: { id: string }[] }>('listar_ativos');
  await callEach(
    ['obter_ativo'],
    assets.map(({ id }) => ({ id })),
  );
  const { data: batches } = await measured<{ data: { id: string }[] }>('listar_lotes_credito');
  await callEach(
    ['obter_lote_credito', 'listar_recebiveis'],
    batches.map(({ id }) => ({ loteId: id })),
  );
  const { data: settlements } = await measured<{ data: { id: string }[] }>('listar_lotes_liquidacao');
  await callEach(
    ['obter_lote_liquidacao'],
    settlements.map(({ id }) => ({ loteId: id })),
  );
  const whole = ['listar_alertas', 'listar_proximos_pagamentos', 'listar_contratos_token', 'listar_mercados'];
  await callEach([...whole, 'resumo_ativos'], [{}]);
  await callEach(['obter_preco_mercado', 'obter_historico_precos'], [{ mercado: 'BTC/BRL' }]);

  await callEach(['listar_perfis', 'obter_saldos', 'listar_ordens'], [{}], trader.agent);
  await callEach(['obter_ordem', 'obter_execucao_ordem'], [{ ordemId: trader.orderId }], trader.agent);
  const de = `${addDays(today(platform.infrastructure.context), -1)}T00:00:00-03:00`;
  await callEach(['obter_extrato'], [{ moeda: 'brl', de }], trader.agent);

  expect(tooLarge).toEqual([]);
  expect(tools.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
});

test('what of a batch counts can be told from what was only sent', async () => {
  const { data } = (await call('listar_lotes_credito', { status: 'REJECTED' })) as { data: { id: string }[] };
  const refused = { acceptedCount: 0, acceptedFaceValue: '0.00' };
  expect(data[0]).toMatchObject(refused);
  expect(await call('obter_lote_credito', { loteId: data[0]?.id })).toMatchObject(refused);
  const { data: settled } = (await call('listar_lotes_liquidacao')) as { data: { id: string }[] };
  const { settlements } = await call('obter_lote_liquidacao', { loteId: settled[0]?.id });
  expect((settlements as { payments: object[] }).payments[0]).toMatchObject({ repeated: false });
});

interface Entry {
  readonly name: string;
  readonly inputSchema: JsonSchema & { readonly required: string[]; readonly properties: Record<string, JsonSchema> };
}

const { tools: documented } = JSON.parse(readFileSync(new URL('../../mcp/tools.json', import.meta.url), 'utf8')) as {
  tools: Entry[];
};
const uuid = '0190b1a0-0000-7000-8000-00000000000c';
const first = async (name: string, pattern: RegExp) => pattern.exec(await textOf(name, {}))?.[1];
const series = await first('listar_series', /"ticker":"([^"]+)"/);

/** A valid value for each argument that a tool requires, by its name, or by the names of the tool and the argument. */
const valid: Readonly<Record<string, unknown>> = {
  ticker: await first('listar_operacoes', /"ticker":"([^"]+)"/),
  tickers: ['A'],
  'obter_cronograma.ticker': series,
  'obter_historico_pu.ticker': series,
  'obter_serie.ticker': series,
  mercado: 'BTC/BRL',
  moeda: 'BRL',
  de: '2026-10-01T00:00:00-03:00',
  // A version belongs to a month.
  month: '2026-09',
};

/** What a tool says; one of trading to the company that trades. */
async function textOf(name: string, given: Readonly<Record<string, unknown>>): Promise<string> {
  const ask = async (client: Client) => {
    const { content } = await client.callTool({ name, arguments: given });
    return (content as { text: string }[]).map(({ text }) => text).join('\n');
  };
  const text = await ask(client);
  return text.includes('check the credential') ? ask(trader.agent) : text;
}

/** Values at the bounds of a schema, and those one beyond. */
function casesOf(schema: JsonSchema): { readonly inside: unknown[]; readonly beyond: unknown[] } {
  const { items, minItems = 0, maxItems, minimum, maximum, maxLength, format, pattern } = schema;
  const types = [schema.type].flat();
  if (schema.enum !== undefined) return { inside: schema.enum, beyond: ['~'] };
  if (types.includes('integer')) {
    if (minimum === undefined || maximum === undefined) throw new Error('A number needs both bounds');
    return { inside: [minimum, maximum], beyond: [minimum - 1, maximum + 1] };
  }
  if (types.includes('array')) {
    if (maxItems === undefined || items === undefined) throw new Error('A list needs a maximum');
    const list = (length: number) =>
      Array.from({ length }, (_, index) => items.enum?.[index % items.enum.length] ?? `A${index}`);
    return {
      inside: [list(minItems), list(maxItems)],
      beyond: [list(maxItems + 1), ...(minItems > 0 ? [list(minItems - 1)] : [])],
    };
  }
  if (format === 'uuid')
    return { inside: [uuid, uuid.toUpperCase()], beyond: [`urn:uuid:${uuid}`, `{${uuid}}`, uuid.slice(1)] };
  if (format === 'date')
    return { inside: ['0001-01-01', '9999-12-31'], beyond: ['0000-12-31', '2026-02-30', '10000-01-01'] };
  if (format === 'date-time')
    return {
      inside: ['2026-11-01T00:00:00Z', '2026-11-01T23:59:59.123456789-03:00'],
      beyond: [
        '2026-11-01t00:00:00Z',
        '2026-11-01T00:00:00z',
        '2026-11-01T23:59:60Z',
        '2026-11-01 00:00:00Z',
        '2026-11-01T00:00:00',
        '0000-11-01T00:00:00Z',
        '2026-11-01T00:00:00.1234567890Z',
      ],
    };
  if (pattern !== undefined) return { inside: ['2026-09'], beyond: ['2026-13'] };
  if (types.includes('boolean')) return { inside: [true, false], beyond: ['no'] };
  if (maxLength === undefined) throw new Error('A text needs a maximum');
  return { inside: ['a'.repeat(maxLength)], beyond: ['a'.repeat(maxLength + 1)] };
}

const places = documented.flatMap(({ name, inputSchema }) =>
  Object.entries(inputSchema.properties).map(([argument, schema]) => ({ name, argument, schema, inputSchema })),
);
/** Texts that are to be those of the server: its cursors, and the currencies of its ledger. */
const isOpaque = (argument: string, { type }: JsonSchema) =>
  argument === 'moeda' || (argument.startsWith('cursor') && [type].flat().includes('string'));

test.each(places)(
  '$name takes $argument within its bounds and not beyond',
  async ({ name, argument, schema, inputSchema }) => {
    const given = [...inputSchema.required, ...(argument === 'versao' ? ['month'] : [])];
    const others = Object.fromEntries(given.map((one) => [one, valid[`${name}.${one}`] ?? valid[one] ?? uuid]));
    const fits = looseAjv.compile(inputSchema);
    const { inside, beyond } = casesOf(schema);
    const named = `- ${argument}`;
    for (const value of inside) {
      const all = { ...others, [argument]: value };
      expect([value, fits(all)]).toEqual([value, true]);
      if (!isOpaque(argument, schema))
        expect([value, await textOf(name, all)]).toEqual([value, expect.not.stringContaining(named)]);
    }
    for (const value of beyond) {
      const all = { ...others, [argument]: value };
      expect([value, fits(all)]).toEqual([value, false]);
      expect(await textOf(name, all)).toContain(named);
    }
  },
);
