import { afterAll, describe, expect, test } from '@jest/globals';
import { connect, openDemoPlatform } from './kit.js';

const { platform, key } = await openDemoPlatform();
const client = await connect(platform.url, key);
afterAll(async () => {
  await client.close();
  await platform.close();
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
    const months = await client.callTool({ name: 'listar_meses_relatorio', arguments: { ticker: 'CRI-AURORA' } });
    const month = (JSON.parse((months.content as [{ text: string }])[0].text) as { months: string[] }).months[0] ?? '';
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

  test.each([
    ['lastro://operacoes/NADA', 'There is no such operation. Call listar_operacoes'],
    ['lastro://relatorios/CRI-AURORA/1999-01', 'the month with listar_meses_relatorio'],
    ['lastro://outros/1', 'There is no resource lastro://outros/1: addresses are lastro://operacoes/{ticker}'],
    ['lastro://operacoes/%', 'There is no resource'],
    ['https://example.com/', 'There is no resource'],
  ])('%s does not exist', async (uri, message) => {
    await expect(client.readResource({ uri })).rejects.toMatchObject({
      code: -32_002,
      message: expect.stringContaining(message) as unknown,
    });
  });

  test('of a bad month say what is wrong', async () => {
    await expect(client.readResource({ uri: 'lastro://relatorios/CRI-AURORA/13' })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('month must match') as unknown,
    });
  });
});

describe('prompts', () => {
  test('are tasks of an analyst that name tools which exist', async () => {
    const { prompts } = await client.listPrompts();
    const { tools } = await client.listTools();
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
  /** A list of objects that is not empty. */
  const filled = /:\[\{/;
  const textOf = async (name: string, given: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    expect([name, isError]).toEqual([name, undefined]);
    return (content as [{ text: string }])[0].text;
  };

  test('name tools that exist, all of those for operations and series', async () => {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    const text = client.getInstructions() ?? '';
    const named = text.match(/\b(?:listar|obter|resumo|comparar)_[a-z_]+/g) ?? [];
    expect(named.filter((one) => !names.includes(one))).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(['listar_operacoes', 'listar_patrimonios', 'listar_series']));
  });

  test('say which tools return display text: these, and no others', async () => {
    const ticker = 'CRI-AURORA';
    for (const name of ['listar_operacoes', 'obter_operacao', 'obter_relatorio_mensal', 'obter_estoque']) {
      expect(await textOf(name, name === 'listar_operacoes' ? {} : { ticker })).toMatch(display);
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
      const text = await textOf(name, given);
      expect([name, text]).toEqual([name, expect.stringMatching(filled)]);
      expect(text.replaceAll(/"name":"[^"]*"/g, '')).not.toMatch(display);
    }
    // There the remuneration is the only display text.
    for (const [name, given] of [
      ['comparar_operacoes', { tickers: [ticker] }],
      ['listar_series', {}],
    ] as const) {
      const text = await textOf(name, given);
      expect(text).toMatch(filled);
      expect(text.replaceAll(/"remuneration":"[^"]*"/g, '')).not.toMatch(display);
    }
  });

  test.each([
    ['CRI-AURORA', ['obter_operacao', 'listar_meses_relatorio', 'obter_relatorio_mensal', 'obter_estoque']],
    ['aurora-tk1', ['obter_serie', 'obter_cronograma', 'obter_historico_pu']],
  ])('say which tools take %s', async (ticker, takers) => {
    for (const name of takers) await textOf(name, { ticker });
    const others = ['obter_operacao', 'obter_serie'].filter((name) => !takers.includes(name));
    for (const name of others) {
      const { content, isError } = await client.callTool({ name, arguments: { ticker } });
      expect(isError).toBe(true);
      expect((content as [{ text: string }])[0].text).toMatch(/Call (?:listar_operacoes|listar_series) to list/);
    }
  });
});
