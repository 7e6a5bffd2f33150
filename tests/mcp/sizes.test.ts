import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addDays } from '../../shared/kernel/calendar/days.js';
import { newId } from '../../shared/kernel/ids.js';
import { today } from '../../shared/kernel/context.js';
import { addCredential } from '../../subgraphs/trading/access/credentials.acts.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { plenty, tradingCallerOf } from '../trading/kit.js';
import { connect } from './kit.js';

/** The most bytes of the response to a call with default arguments. */
const mostBytes = 20_000;

interface Credentials {
  readonly publicApiKey: string;
  readonly trading: { readonly apiKey: string; readonly secretKey: string };
}

let platform: TestPlatform;
let client: Client;
let trader: Client;
let orderId: string;
let bytes = 0;
/** The tools that were called, and the calls whose responses were larger than permitted. */
const called = new Set<string>();
const tooLarge: (readonly [string, object, number])[] = [];

beforeAll(async () => {
  platform = await openTestPlatform({ ...plenty, DEMO: 'true' }, { background: false });
  const keys = JSON.parse(
    await readFile(join(platform.dataDir, 'demo-credentials.json'), 'utf8'),
  ) as unknown as Credentials;
  client = await connect(platform.url, { 'X-API-Key': keys.publicApiKey }, { send: counted });
  const caller = tradingCallerOf(platform);
  const { context } = platform.infrastructure;
  const { companyId } = await context.manager.one<{ companyId: string }>(
    'SELECT company_id AS "companyId" FROM trading.credentials WHERE api_key = $1',
    [keys.trading.apiKey],
  );
  const given = { companyId, scopes: ['read'], allowedNetworks: null, expiresAt: null } as const;
  const { headers } = await caller.session({ credential: await addCredential(context, given) });
  trader = await connect(platform.url, headers, { send: counted });
  const { apiKey, secretKey } = keys.trading;
  const login = await caller.post('/v1/auth/login', { apiKey, secretKey });
  const { accessToken } = login.body as { accessToken: string };
  const order = { symbol: 'BTC/BRL', side: 'BUY', type: 'MARKET', quoteAmount: '1000.00' };
  const placed = await caller.post('/v1/orders/createOrder', order, {
    authorization: `Bearer ${accessToken}`,
    'x-idempotency-key': newId(),
  });
  expect([placed.status, placed.body]).toMatchObject([201, {}]);
  ({ orderId } = placed.body as { orderId: string });
});

afterAll(async () => {
  await client.close();
  await trader.close();
  await platform.close();
});

/** Sends a request, and counts the bytes of its response. */
const counted: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const body = await response.arrayBuffer();
  bytes = body.byteLength;
  return new Response(body.byteLength === 0 ? null : body, response);
};

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
