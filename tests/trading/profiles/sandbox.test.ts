import { afterAll, expect, test } from '@jest/globals';
import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { routes } from '../../../rest/routes.js';
import { requireSynthetic } from '../../../subgraphs/trading/profiles/require-synthetic.js';
import { connect } from '../../mcp/kit.js';
import { newCpf, newTrader, tradingCallerOf } from '../kit.js';
import { openSocketPlatform } from '../socket-kit.js';

const kit = await openSocketPlatform({ ENVIRONMENT: 'sandbox', SUBSCRIPTIONS_MAX_PER_OWNER: '1' });
const { platform } = kit;
const caller = tradingCallerOf(platform);
const session = await caller.session(await newTrader(platform.infrastructure.context));
const headers = session.headers;
// Neither login nor refresh asks for the header.
expect((await caller.refresh(session.tokens.refreshToken)).status).toBe(200);
afterAll(() => kit.close());

test('in the sandbox a statement, in either form, is refused the same way', async () => {
  const path = '/v1/wallet/fetchStatement?currency=BRL&from=2026-01-01T00:00:00Z';
  for (const accept of ['text/csv', 'application/json']) {
    expect(await caller.send('GET', path, undefined, { ...headers, accept })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'X-Synthetic' }] },
    });
  }
  expect((await caller.send('GET', path, undefined, { ...headers, 'x-synthetic': 'true' })).status).toBe(200);
});

test('in the sandbox an agent gets an error that names the argument that must be true, by an API key as by an access token', async () => {
  const session = await caller.member('agent@example.com');
  const { body } = await caller.post('/v1/emissoes/keys', { name: 'agent' }, session);
  const reader = await newTrader(platform.infrastructure.context, { scopes: ['read'] });
  const credentials = [{ 'X-API-Key': (body as { key: string }).key }, (await caller.session(reader)).headers];
  for (const sent of credentials) {
    const client = await connect(platform.url, sent);
    const refused = await client.callTool({ name: 'listar_mercados' });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.content)).toContain('sintetico must be true');
    expect(
      (await client.callTool({ name: 'listar_mercados', arguments: { sintetico: true } })).isError,
    ).toBeUndefined();
    await client.close();
  }
});

test.each([
  ['orders/createOrder', { symbol: 'BTC/BRL', side: 'BUY', type: 'LIMIT', amount: '0.123456789' }, ['amount', 'price']],
  ['orders/rfq/createQuote', { symbol: 'BTC/BRL', side: 'BUY', amount: '1', quoteAmount: '1' }, ['amount']],
  ['orders/createOrder', { symbol: 'BTC/BRL', side: 'BUY', type: 'MARKET', amount: '0' }, ['amount']],
  ['wallet/withdraw', { asset: 'BTC', amount: '0.001', address: 'x', network: 'pix' }, ['network']],
  ['wallet/withdraw', { asset: 'BTC', amount: '-1', address: 'x' }, ['address', 'amount']],
])(
  'in the sandbox the missing header is named beside what only the act of %s finds, and nothing is done',
  async (path, input, wrong) => {
    const send = (mode: object) => caller.send('POST', `/v1/${path}`, input, { ...headers, ...mode });
    const named = pathsOf((await send({ 'x-synthetic': 'true' })).body);
    expect(named.sort()).toEqual(wrong);
    const refused = await send({});
    expect(refused.status).toBe(400);
    expect(pathsOf(refused.body).sort()).toEqual(['X-Synthetic', ...wrong]);
  },
);

test.each([
  ['symbol', { symbol: 'XXX/BRL', amount: '1' }],
  ['amount', { symbol: 'BTC/BRL', amount: '0.00000001' }],
])('in the sandbox the missing header is named beside a %s that has a code of its own', async (path, input) => {
  const refused = await caller.send(
    'POST',
    '/v1/orders/createOrder',
    { ...input, side: 'BUY', type: 'MARKET' },
    headers,
  );
  expect(pathsOf(refused.body)).toEqual(['X-Synthetic', path]);
});

test.each(['createOrder', 'createOrderResult'])(
  'on the graph %s names the missing mode beside the price',
  async (name) => {
    const query = `mutation { ${name}(symbol: "BTC/BRL", side: BUY, type: LIMIT, amount: "1") { __typename } }`;
    const { body } = await caller.send('POST', '/graphql', { query }, headers);
    const { errors } = body as { readonly errors: readonly { readonly extensions: unknown }[] };
    expect(pathsOf(errors[0]?.extensions)).toEqual(['synthetic', 'price']);
  },
);

const person = () => ({ name: 'Maria', document: newCpf(), documentType: 'CPF', email: 'maria@cliente.example' });

const id = '0190b1a0-0000-7000-8000-00000000000f';

/** What each path of the table is called with: right in itself, so that nothing but the header is wrong. */
const calls: Readonly<Record<string, () => object>> = {
  'POST /v1/account/createProfile': person,
  'GET /v1/account/fetchProfiles': () => ({}),
  'GET /account/fetchProfiles': () => ({}),
  'GET /v1/wallet/fetchBalance': () => ({}),
  'GET /v1/wallet/fetchStatement': () => ({ currency: 'BRL', from: '2026-01-01T00:00:00Z' }),
  'GET /v1/wallet/fetchDepositAddress': () => ({ currency: 'BTC' }),
  'POST /v1/wallet/withdraw': () => ({ asset: 'BRL', amount: '100', address: 'maria@cliente.example' }),
  'GET /v1/transfers/fetchDeposits': () => ({}),
  'GET /v1/transfers/fetchWithdrawals': () => ({}),
  'GET /v1/market/fetchMarkets': () => ({}),
  'GET /v1/market/fetchTicker': () => ({ symbol: 'BTC/BRL' }),
  'GET /v1/market/fetchHistoricalPrices': () => ({ symbol: 'BTC/BRL' }),
  'GET /v1/analytics/poolsBalances': () => ({}),
  'GET /analytics/poolsBalances': () => ({}),
  'POST /v1/orders/createOrder': () => ({ symbol: 'BTC/BRL', side: 'BUY', type: 'MARKET', amount: '0.001' }),
  'GET /v1/orders/fetchOrder': () => ({ orderId: id }),
  'GET /v1/orders/fetchOrders': () => ({}),
  'POST /v1/orders/cancelOrder': () => ({ orderId: id }),
  'POST /v1/orders/rfq/createQuote': () => ({ symbol: 'BTC/BRL', side: 'BUY', amount: '0.001' }),
  'GET /v1/orders/rfq/fetchQuote': () => ({ quoteId: id }),
  'POST /v1/orders/rfq/createOrder': () => ({ quoteId: id }),
  'POST /v1/orders/rfq/executeQuote': () => ({ quoteId: id }),
};
const pathsOf = (body: unknown) =>
  ((body as { readonly details?: readonly { readonly path: string }[] } | undefined)?.details ?? []).map(
    ({ path }) => path,
  );

const table = routes.filter(({ tag }) => tag === 'Trading');
const nameOf = ({ method, path }: (typeof table)[number]) => `${method} ${path}`;

test('in the sandbox every path of trading but login and refresh is refused without X-Synthetic: true, by a 400 that names the header', async () => {
  const open = ['POST /v1/auth/login', 'PUT /v1/auth/refresh'];
  const names = table.map(nameOf).filter((name) => !open.includes(name));
  expect(names.sort()).toEqual(Object.keys(calls).sort());
  for (const [name, inputOf] of Object.entries(calls)) {
    const [method = '', path = ''] = name.split(' ');
    const input = inputOf();
    const query = method === 'GET' ? `?${new URLSearchParams(Object.entries(input)).toString()}` : '';
    const call = (mode: Record<string, string>) =>
      caller.send(method, `${path}${query}`, method === 'GET' ? undefined : input, { ...headers, ...mode });
    for (const mode of [{}, { 'x-synthetic': 'false' }] as Record<string, string>[])
      expect({ name, ...(await call(mode)) }).toMatchObject({
        name,
        status: 400,
        body: { details: [{ path: 'X-Synthetic' }] },
      });
    // It is named together with everything else that is wrong.
    const without = (mode: Record<string, string>) =>
      caller.send(method, path, method === 'GET' ? undefined : {}, { ...headers, ...mode });
    const [wrong, right] = [await without({}), await without({ 'x-synthetic': 'true' })];
    const missing = pathsOf(right.body).filter(() => Object.keys(input).length > 0);
    expect(pathsOf(wrong.body).sort()).toEqual([...missing, 'X-Synthetic'].sort());
    // With it the header is not what is wrong, if anything is.
    expect(JSON.stringify((await call({ 'x-synthetic': 'true' })).body)).not.toContain('X-Synthetic');
  }
  const { manager } = platform.infrastructure.context;
  expect(await manager.query('SELECT id FROM trading.quotes WHERE NOT synthetic')).toEqual([]);
});

test.each(['trader', 'market'])(
  'a field of level %s that does not take synthetic stops the start of the sandbox',
  (level) => {
    const forgotten = { type: GraphQLString, extensions: { access: { level, scope: 'read' } } };
    const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { forgotten } }) });
    expect(() => {
      requireSynthetic(schema);
    }).toThrow('forgotten does not support synthetic');
  },
);

test.each([
  '{ currencies { code } }',
  '{ withdrawalAddresses { id } }',
  'mutation { addWithdrawalAddress(network: "pix", address: "maria@cliente.example", label: "Maria") { id } }',
  'mutation { removeWithdrawalAddress(id: "x") }',
])('in the sandbox %s wants synthetic, although it is of no wallet', async (text) => {
  expect((await caller.graphql(text, {}, headers)).body).toMatchObject({
    errors: [{ extensions: { statusCode: 400, details: [{ path: 'synthetic' }] } }],
  });
});

test('in the sandbox so it is on the graph, but who may not call gets that error first', async () => {
  const statusOf = async (text: string, sent: Record<string, string> = headers) => {
    const { errors } = (await caller.graphql(text, {}, sent)).body as {
      errors?: { extensions: { statusCode: number } }[];
    };
    return errors?.[0]?.extensions.statusCode;
  };
  expect(await statusOf('{ fetchProfiles { nextToken } }')).toBe(400);
  expect(await statusOf('mutation { suspendProfile(id: "x", synthetic: false) }')).toBe(400);
  expect(await statusOf('{ fetchProfiles(synthetic: true) { nextToken } }')).toBeUndefined();
  expect(await statusOf('{ fetchProfiles { nextToken } }', {})).toBe(401);
});

test('in the sandbox, with one subscription of an owner, a channel beyond those of its owner is refused, the others go on, and one that ends makes room', async () => {
  const [own, other] = [await kit.trader(), await kit.trader()];
  const [client, elsewhere] = [await kit.connect(), await kit.connect()];
  const to = (channel: string, { token } = own) => ({ action: 'subscribe', channel, token, synthetic: true });
  client.send(to('orders'));
  expect((await client.take(2)).map(({ type }) => type)).toEqual(['subscribed', 'update']);
  client.send(to('balance'));
  expect(await client.next()).toMatchObject({ type: 'error', channel: 'balance', statusCode: 429 });
  elsewhere.send(to('balance', other));
  expect(await elsewhere.next()).toMatchObject({ type: 'subscribed' });
  client.send({ action: 'unsubscribe', channel: 'orders', synthetic: true });
  expect(await client.next()).toMatchObject({ type: 'unsubscribed' });
  client.send(to('balance'));
  expect(await client.next()).toMatchObject({ type: 'subscribed', channel: 'balance' });
});

test('in the sandbox a subscription without synthetic is refused, and one with it is not', async () => {
  const own = await kit.trader();
  const client = await kit.connect();
  for (const channel of ['orders', 'balance', 'ticker:BTC/BRL', 'depth:BTC/BRL']) {
    client.send({ action: 'subscribe', channel, token: own.token });
    expect(await client.next()).toMatchObject({ type: 'error', statusCode: 400, channel });
    client.send({ action: 'subscribe', channel, token: own.token, synthetic: true });
    expect(await client.next()).toMatchObject({ type: 'subscribed', channel, synthetic: true });
    client.send({ action: 'unsubscribe', channel, synthetic: true });
    while ((await client.next()).type !== 'unsubscribed');
  }
});
