import { afterAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { addDays } from '../../shared/kernel/calendar/days.js';
import { newId } from '../../shared/kernel/ids.js';
import { today } from '../../shared/kernel/context.js';
import { addCredential } from '../../subgraphs/trading/access/credentials.acts.js';
import { tradingCallerOf } from '../trading/kit.js';
import { connect, openDemoPlatform } from './kit.js';
import type { JsonSchema } from '../../gateway/graph/json-schema/json-schema.js';

/** The most bytes of the response to a call with default arguments. */
const mostBytes = 20_000;

let bytes = 0;
/** The tools that were called, and the calls whose responses were larger than permitted. */
const called = new Set<string>();
const tooLarge: (readonly [string, object, number])[] = [];

/** Sends a request, and counts the bytes of its response. */
const counted: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const body = await response.arrayBuffer();
  bytes = body.byteLength;
  return new Response(body.byteLength === 0 ? null : body, response);
};

const { platform, key } = await openDemoPlatform();
const { apiKey, secretKey } = platform.demo().trading;
const client = await connect(platform.url, key, { send: counted });
const caller = tradingCallerOf(platform);
const { context } = platform.infrastructure;
const { companyId } = await context.manager.one<{ companyId: string }>(
  'SELECT company_id AS "companyId" FROM trading.credentials WHERE api_key = $1',
  [apiKey],
);
const given = { companyId, scopes: ['read'], allowedNetworks: null, expiresAt: null } as const;
const { headers } = await caller.session({ credential: await addCredential(context, given) });
const trader = await connect(platform.url, headers, { send: counted });
const login = await caller.post('/v1/auth/login', { apiKey, secretKey });
const { accessToken } = login.body as { accessToken: string };
const order = { symbol: 'BTC/BRL', side: 'BUY', type: 'MARKET', quoteAmount: '1000.00' };
const placed = await caller.post('/v1/orders/createOrder', order, {
  authorization: `Bearer ${accessToken}`,
  'x-idempotency-key': newId(),
});
expect([placed.status, placed.body]).toMatchObject([201, {}]);
const { orderId } = placed.body as { orderId: string };

afterAll(async () => {
  await client.close();
  await trader.close();
  await platform.close();
});

async function call<T = unknown>(name: string, given: object = {}, agent = client): Promise<T> {
  const { content, isError } = await agent.callTool({ name, arguments: { ...given } });
  const size = bytes;
  const [{ text }] = content as [{ text: string }];
  expect([name, given, isError === true ? text : undefined]).toEqual([name, given, undefined]);
  called.add(name);
  if (size > mostBytes) tooLarge.push([name, given, size]);
  return JSON.parse(text) as T;
}

async function callEach(names: readonly string[], given: readonly object[], agent = client): Promise<void> {
  for (const name of names) for (const one of given) await call(name, one, agent);
}

test('the response of every tool with default arguments is at most 20 KB, for each section and all data of the demo', async () => {
  const { tools } = await client.listTools();
  const { cards } = await call<{ cards: { ticker: string }[] }>('listar_operacoes', {});
  expect(cards.length).toBeGreaterThan(20);
  const operations = cards.map(({ ticker }) => ({ ticker }));
  await callEach(['obter_operacao', 'listar_meses_relatorio', 'obter_relatorio_mensal', 'obter_estoque'], operations);
  const sections = tools.find(({ name }) => name === 'obter_operacao')?.inputSchema.properties?.['secoes'];
  const { enum: names } = (sections as { items: { enum: string[] } }).items;
  expect(names.length).toBeGreaterThan(10);
  const each = operations.flatMap(({ ticker }) => names.map((section) => ({ ticker, secoes: [section] })));
  await callEach(['obter_operacao'], each);
  // The ten operations with the most series and terms are among the combinations of ten in a row.
  const tickers = operations.map(({ ticker }) => ticker);
  await callEach(
    ['comparar_operacoes'],
    tickers.map((_, index) => ({ tickers: [...tickers, ...tickers].slice(index, index + 10) })),
  );

  const { items: series } = await call<{ items: { ticker: string }[] }>('listar_series', { limite: 100 });
  expect(series.length).toBeGreaterThan(10);
  const tokenized = series.map(({ ticker }) => ({ ticker }));
  await callEach(['obter_serie', 'obter_cronograma', 'obter_historico_pu'], tokenized);
  await callEach(
    ['obter_historico_pu'],
    tokenized.map((one) => ({ ...one, formula: true })),
  );

  const { items: estates } = await call<{ items: { id: string; ticker: string }[] }>('listar_patrimonios');
  await callEach(
    ['listar_ativos', 'resumo_ativos', 'obter_criterios_elegibilidade'],
    estates.map(({ id }) => ({ patrimonioId: id })).slice(0, 3),
  );
  const { data: assets } = await call<{ data: { id: string }[] }>('listar_ativos');
  await callEach(
    ['obter_ativo'],
    assets.map(({ id }) => ({ id })),
  );
  const { data: batches } = await call<{ data: { id: string }[] }>('listar_lotes_credito');
  await callEach(
    ['obter_lote_credito', 'listar_recebiveis'],
    batches.map(({ id }) => ({ loteId: id })),
  );
  const { data: settlements } = await call<{ data: { id: string }[] }>('listar_lotes_liquidacao');
  await callEach(
    ['obter_lote_liquidacao'],
    settlements.map(({ id }) => ({ loteId: id })),
  );
  const whole = ['listar_alertas', 'listar_proximos_pagamentos', 'listar_contratos_token', 'listar_mercados'];
  await callEach([...whole, 'resumo_ativos'], [{}]);
  await callEach(['obter_preco_mercado', 'obter_historico_precos'], [{ mercado: 'BTC/BRL' }]);

  await callEach(['listar_perfis', 'obter_saldos', 'listar_ordens'], [{}], trader);
  await callEach(['obter_ordem', 'obter_execucao_ordem'], [{ ordemId: orderId }], trader);
  const de = `${addDays(today(platform.infrastructure.context), -1)}T00:00:00-03:00`;
  await callEach(['obter_extrato'], [{ moeda: 'brl', de }], trader);

  expect(tooLarge).toEqual([]);
  expect(tools.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
});

interface Entry {
  readonly name: string;
  readonly inputSchema: JsonSchema & { readonly required: string[]; readonly properties: Record<string, JsonSchema> };
}

const { tools: documented } = JSON.parse(readFileSync(new URL('../../mcp/tools.json', import.meta.url), 'utf8')) as {
  tools: Entry[];
};
// The schema as any caller reads it.
const ajv = new Ajv2020({ allowUnionTypes: true });
formats.default(ajv);
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
  return text.includes('check the credential') ? ask(trader) : text;
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
    const fits = ajv.compile(inputSchema);
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
