import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { addCredit, addEstate, addInstalment, addSeries } from '../tokenization/series/kit.js';
import { connect, openDemoPlatform } from './kit.js';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);

const { platform, key } = await openDemoPlatform();
const client = await connect(platform.url, key, { structured: true });
const { tools } = await client.listTools();
const schemas = new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema ?? false)]));

afterAll(async () => {
  await client.close();
  await platform.close();
});

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

/** Calls a tool and holds the answer against the tool's schema and its own text. */
async function call(name: string, given: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: given });
  const fits = schemas.get(name);
  expect([fits?.(result.structuredContent), fits?.errors]).toEqual([true, null]);
  const [{ text }] = result.content as [{ text: string }];
  expect(JSON.parse(text)).toEqual(result.structuredContent);
  return result.structuredContent as Record<string, unknown>;
}

async function refusal(name: string, given: Record<string, unknown>): Promise<string> {
  const result = await client.callTool({ name, arguments: given });
  expect(result.isError).toBe(true);
  const [{ text }] = result.content as [{ text: string }];
  return text;
}

const nameOf = ({ href }: Card): string => href.split('/').at(-1) ?? '';

async function cards(): Promise<Card[]> {
  return (await call('listar_operacoes'))['cards'] as Card[];
}

describe('the documented tools, on the demo data', () => {
  test('all only read', async () => {
    const { tools } = await client.listTools();
    for (const { annotations } of tools) {
      expect(annotations).toEqual({ readOnlyHint: true, idempotentHint: true, openWorldHint: false });
    }
  });

  test('listar_operacoes lists every operation with all that a list shows', async () => {
    const list = (await call('listar_operacoes', { brief: false }))['cards'] as Record<string, unknown>[];
    expect(new Set(list.map(({ tipo }) => tipo))).toEqual(new Set(['CR', 'CRI', 'CRA', 'DEB']));
    expect(list.length).toBeGreaterThanOrEqual(24);
    for (const card of list) expect(Object.keys(card)).toEqual(expect.arrayContaining(['id', 'kpis', 'pu', 'series']));
  });

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

  test('listar_operacoes is a fraction of that by default', async () => {
    const whole = JSON.stringify(await call('listar_operacoes', { brief: false }));
    const brief = JSON.stringify(await call('listar_operacoes'));
    expect(brief.length).toBeLessThan(whole.length / 2.5);
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
    ['listar_series', { patrimonio: 'NADA99' }, 'There is no estate NADA99'],
    ['listar_ativos', { patrimonioId: '01900000-0000-7000-8000-000000000000' }, 'There is no such estate'],
    ['resumo_ativos', { patrimonioId: '01900000-0000-7000-8000-000000000000' }, 'There is no such estate'],
  ])('%s of an estate that does not exist: where to find those that do', async (name, given, message) => {
    const text = await refusal(name, given);
    expect(text).toContain(message);
    expect(text).toContain('Call listar_patrimonios');
  });

  test.each([
    ['comparar_operacoes', { tickers: ['CRI-AURORA', 'NADA99'] }, 'NADA99', 'listar_operacoes'],
    ['listar_alertas', { tickers: ['NADA99'] }, 'NADA99', 'listar_operacoes'],
    ['listar_proximos_pagamentos', { tickers: ['NADA99'] }, 'NADA99', 'listar_operacoes'],
    ['listar_alertas', { seriesTokenizadas: ['NADA98'] }, 'NADA98', 'listar_series'],
    ['listar_proximos_pagamentos', { seriesTokenizadas: ['NADA98'] }, 'NADA98', 'listar_series'],
  ])('%s %j: which tickers do not exist, and where to find those that do', async (name, given, ticker, tool) => {
    const { content, isError } = await client.callTool({ name, arguments: given });
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

  test.each(['obter_serie', 'obter_cronograma', 'obter_historico_pu'])(
    '%s of a series that does not exist: where to find those that do',
    async (name) => {
      expect(await refusal(name, { ticker: 'NADA99' })).toContain('listar_series');
    },
  );
});

describe('what an agent reads when it asks wrongly', () => {
  test.each(['obter_operacao', 'listar_meses_relatorio', 'obter_relatorio_mensal', 'obter_estoque'])(
    '%s of an operation that does not exist: where to find those that do',
    async (name) => {
      expect(await refusal(name, { ticker: 'NADA99' })).toMatch(/^There is no such operation\.\n.*listar_operacoes/);
    },
  );

  test('a month without a report: where to find those that have one', async () => {
    const [ticker] = (await cards()).map(nameOf);
    expect(await refusal('obter_relatorio_mensal', { ticker, month: '1999-01' })).toMatch(
      /^There is no report of 1999-01: see the list of the months that have one\.\n.*listar_meses_relatorio/,
    );
  });

  test('a cursor of another question, and words that are too long: reported by the names of the tool, with how to mend them', async () => {
    const cursor = (await call('listar_operacoes', { limite: 1 }))['nextCursor'];
    expect(await refusal('listar_operacoes', { tipo: ['CRA'], cursor })).toMatch(
      /- cursor is not a cursor of this list, filter and order\. nextCursor of the previous page, with the same filters\nCorrect the arguments and call listar_operacoes again\.$/,
    );
    expect(await refusal('listar_operacoes', { texto: 'x'.repeat(201) })).toContain(
      '- texto must have at most 200 characters. Words of the name',
    );
    const text = await refusal('listar_operacoes', { tipo: ['FII'], limite: 201 });
    expect(text).toContain('- tipo[0] must be one of CR, CRI, CRA, DEB.');
    expect(text).toContain('- limite must be <= 200. Operations per page; default: 50');
  });

  test('a bad month, cursor and limit: all at once, with the form of each', async () => {
    expect(await refusal('obter_relatorio_mensal', { ticker: 'x', month: '12/2025' })).toMatch(
      /- month must match pattern .*Month as YYYY-MM, from listar_meses_relatorio/,
    );
    const text = await refusal('obter_estoque', { ticker: 'x', cursor: 0, limite: 101 });
    expect(text).toContain('- cursor must be >= 1. nextCursor of the previous page');
    expect(text).toContain('- limite must be <= 100. Credits per page; default: 20');
  });
});
