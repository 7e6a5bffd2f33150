import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { inTransaction } from '../../shared/database/transaction.js';
import { newId } from '../../shared/kernel/ids.js';
import type { Scope } from '../../subgraphs/trading/access/credential.js';
import { addCredential, changeCredential } from '../../subgraphs/trading/access/credentials.acts.js';
import { postJournal } from '../../subgraphs/trading/ledger/post-journals.js';
import { until } from '../kit/until.js';
import { newProfile, newTrader, tradingCallerOf, type TestTrader } from '../trading/kit.js';
import { connect, openDemoPlatform } from './kit.js';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);
const clients: Client[] = [];

const { platform, key: apiKey } = await openDemoPlatform();
const caller = tradingCallerOf(platform);
const company = await newTrader(platform.infrastructure.context);
/** Headers of a credential of the company that has only the scope read. */
const reader: { readonly authorization: string } = (await tokenOf(company, ['read'])).headers;
const profile = await newProfile(company);
const { walletId } = profile;
const postings = [
  { account: { kind: 'AVAILABLE', walletId, currency: 'BRL' } as const, amount: '5000' },
  { account: { kind: 'CUSTODY', currency: 'BRL' } as const, amount: '-5000' },
];
await inTransaction(company.context, (tx) =>
  postJournal(tx, { key: newId(), cause: 'test', causeId: walletId, synthetic: false, postings }),
);
const { tools } = await (await agent(apiKey)).listTools();
const schemas = new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema ?? false)]));

afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
afterAll(() => platform.close());

async function agent(headers: Record<string, string>): Promise<Client> {
  const client = await connect(platform.url, headers, { structured: true });
  clients.push(client);
  return client;
}

/** What calls of a credential of a company send. */
async function tokenOf({ companyId }: Pick<TestTrader, 'companyId'>, scopes: readonly Scope[]) {
  const credential = await addCredential(platform.infrastructure.context, {
    companyId,
    scopes,
    allowedNetworks: null,
    expiresAt: null,
  });
  return { id: credential.id, headers: (await caller.session({ credential })).headers };
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { structuredContent, content } = await client.callTool({ name, arguments: given });
  expect(content).toMatchObject([{ type: 'text' }]);
  const fits = schemas.get(name);
  expect([name, fits?.(structuredContent), fits?.errors]).toEqual([name, true, null]);
  return structuredContent as Record<string, unknown>;
}

async function refusal(client: Client, name: string, given: Record<string, unknown> = {}): Promise<string> {
  const { isError, content } = await client.callTool({ name, arguments: given });
  expect([name, isError]).toEqual([name, true]);
  const [{ text }] = content as [{ text: string }];
  return text;
}

describe('the markets', () => {
  test('are read by an API key and by an access token alike', async () => {
    for (const credential of [apiKey, reader]) {
      const client = await agent(credential);
      const { markets } = (await call(client, 'listar_mercados')) as { markets: { symbol: string }[] };
      const [{ symbol }] = markets as [{ symbol: string }];
      expect(await call(client, 'obter_preco_mercado', { mercado: symbol })).toMatchObject({ symbol });
      const candles = { mercado: symbol, intervalo: '1h', ultimos: 3 };
      expect(await call(client, 'obter_historico_precos', candles)).toMatchObject({ candles: [{}, {}, {}] });
      await call(client, 'obter_preco_mercado', { mercado: symbol, sintetico: true });
    }
  });

  test('that do not exist, and arguments that are wrong, are reported by the names of the tool', async () => {
    const client = await agent(apiKey);
    for (const name of ['obter_preco_mercado', 'obter_historico_precos']) {
      expect(await refusal(client, name, { mercado: 'xyz-brl' })).toBe(
        'There is no market XYZ/BRL: fetchMarkets lists the symbols, in upper case.\nCall listar_mercados to list the markets.',
      );
    }
    const text = await refusal(client, 'obter_historico_precos', { intervalo: '2h', ultimos: 1001 });
    for (const name of ['mercado', 'intervalo', 'ultimos']) expect(text).toContain(`- ${name} `);
  });
});

test('markets and intervals are accepted in any case, and markets with a hyphen', async () => {
  const client = await agent(apiKey);
  for (const mercado of ['btc/brl', 'BTC-BRL', 'btc-brl']) {
    expect(await call(client, 'obter_preco_mercado', { mercado })).toMatchObject({ symbol: 'BTC/BRL' });
  }
  const candles = { mercado: 'btc-brl', intervalo: '1D', ultimos: 1 };
  expect(await call(client, 'obter_historico_precos', candles)).toMatchObject({ symbol: 'BTC/BRL', interval: '1d' });
});

describe('what is of a company', () => {
  test('is read by the token of a credential with the scope read alone, from profile to execution', async () => {
    const trades = await tokenOf(company, ['trade']);
    const buy = { symbol: 'BTC/BRL', side: 'BUY', type: 'MARKET', quoteAmount: '1000' };
    const placed = await caller.post('/v1/orders/createOrder', buy, { ...trades.headers, 'x-profile-id': profile.id });
    const { orderId } = placed.body as { orderId: string };
    const client = await agent({ ...reader });

    const profiles = await call(client, 'listar_perfis');
    expect(profiles).toMatchObject({ profiles: [{ id: profile.id }], nextCursor: null });
    expect(JSON.stringify(profiles)).not.toContain(profile.taxId);
    const perfilId = profile.id;
    const { wallets } = (await call(client, 'obter_saldos', { perfilId })) as { wallets: Record<string, string>[] };
    expect(wallets.map(({ currency }) => currency)).toEqual(['BRL', 'BTC', 'ETH', 'USDT']);
    const order = { orderId, status: 'FILLED', symbol: 'BTC/BRL' };
    expect(await call(client, 'listar_ordens', { perfilId, status: 'FILLED' })).toMatchObject({ orders: [order] });
    expect(await call(client, 'listar_ordens', { perfilId, sintetico: true })).toMatchObject({ orders: [] });
    expect(await call(client, 'obter_ordem', { perfilId, ordemId: orderId })).toMatchObject(order);
    const report = await call(client, 'obter_execucao_ordem', { perfilId, ordemId: orderId });
    expect(report).toMatchObject({ orderId, fills: expect.arrayContaining([expect.anything()]) });
    const [venue] = report['venues'] as object[];
    expect(Object.keys(venue ?? {})).not.toContain('bids');
    const books = await call(client, 'obter_execucao_ordem', { perfilId, ordemId: orderId, comLivros: true });
    expect(books).toMatchObject({
      venues: expect.arrayContaining([expect.objectContaining({ bids: expect.anything() })]),
    });

    const of = { perfilId, moeda: 'BRL', de: '2026-01-01T00:00:00-03:00', limite: 1 };
    const page = await call(client, 'obter_extrato', of);
    expect(page).toMatchObject({ opening: { total: '0.00' }, movements: [{ available: '5000.00' }] });
    const cursor = page['nextCursor'];
    expect(cursor).toEqual(expect.any(String));
    expect(await call(client, 'obter_extrato', { ...of, cursor })).toMatchObject({ to: page['to'] });
    expect(await refusal(client, 'obter_extrato', { ...of, moeda: 'BTC', cursor })).toContain('- cursor ');
  });

  test('of another company does not exist, and the agent is sent to its own', async () => {
    const stranger = await newTrader(platform.infrastructure.context);
    const client = await agent((await tokenOf(stranger, ['read'])).headers);
    expect(await refusal(client, 'obter_saldos', { perfilId: profile.id })).toContain('listar_perfis');
    expect(await refusal(client, 'obter_ordem', { ordemId: newId() })).toContain('listar_ordens');
    expect(await call(client, 'listar_perfis')).toMatchObject({ profiles: [] });
  });

  test('is refused to an API key with the credential that it takes, and the data of operations to an access token', async () => {
    const key = await agent(apiKey);
    for (const name of ['listar_perfis', 'obter_saldos', 'listar_ordens']) {
      expect(await refusal(key, name)).toBe(
        'Send an access token of POST /v1/auth/login as Authorization: Bearer.\nDo not call again: ask the user to check the credential of this connection.',
      );
    }
    const token = await agent({ ...reader });
    expect(await refusal(token, 'listar_operacoes')).toContain('Send an API key');
  });
});

describe('an access token', () => {
  test.each<[readonly Scope[]]>([[['read', 'trade']], [['withdraw']], [['read', 'trade', 'withdraw']]])(
    'of a credential that may %j is refused before any message is read, with what to connect with',
    async (scopes) => {
      const { headers } = await tokenOf(company, scopes);
      await expect(agent(headers)).rejects.toMatchObject({
        code: 403,
        message: expect.stringContaining('addTradingCredential --companyId <company id> --scopes read'),
      });
    },
  );

  test('stops working within a second of its credential gaining a scope', async () => {
    const { id, headers } = await tokenOf(company, ['read']);
    const client = await agent(headers);
    await call(client, 'obter_saldos');
    await changeCredential(platform.infrastructure.context, id, { scopes: ['read', 'withdraw'] });
    const refusal = () => expect(client.callTool({ name: 'obter_saldos' })).rejects.toMatchObject({ code: 403 });
    await until('the refusal', () => refusal().then(() => true));
  });

  test('spends from the limit of its company, which REST and agents share', async () => {
    const limited = await newTrader(platform.infrastructure.context, { rateLimit: 4, scopes: ['read'] });
    const { headers } = await caller.session(limited);
    const client = await agent(headers); // initialize and initialized: two of four
    await call(client, 'obter_saldos');
    const reply = await caller.send('GET', '/v1/wallet/fetchBalance', undefined, headers);
    expect([reply.status, reply.headers.get('x-ratelimit-limit'), reply.headers.get('x-ratelimit-remaining')]).toEqual([
      200,
      '4',
      '0',
    ]);
    await expect(client.callTool({ name: 'obter_saldos' })).rejects.toMatchObject({ code: 429 });
  });
});
