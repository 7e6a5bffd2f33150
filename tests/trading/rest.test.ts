import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openPlatform } from '../../bootstrap/platform.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { quietLog } from '../kit/context.js';
import { openTestPlatform } from '../kit/platform.js';
import { credit } from './domain-kit.js';
import { newCpf, newProfile, newTrader, plenty, type TestTrader, tradingCallerOf, walletOf } from './kit.js';
import type { Reply } from '../accounts/http.js';

const platform = await openTestPlatform({ ...plenty, DEMO: 'true' }, { background: false });
const caller = tradingCallerOf(platform);
const { trading: demo } = platform.demo();
const demoSession = await caller.post('/v1/auth/login', demo);
const demoHeaders = { authorization: `Bearer ${(demoSession.body as { accessToken: string }).accessToken}` };
afterAll(() => platform.close());

type Headers = Readonly<Record<string, string>>;

interface OrderView {
  readonly orderId: string;
  readonly clientOrderId: string | null;
  readonly status: string;
  readonly filledAmount: string;
}

/** A company with funds of its own, and what its calls send. */
async function funded(
  funds: Readonly<Record<string, string>> = { BRL: '100000' },
  scopes?: TestTrader['credential']['scopes'],
) {
  const trader = await newTrader(platform.infrastructure.context, scopes === undefined ? {} : { scopes });
  await fund(trader, funds);
  const { headers } = await caller.session(trader);
  return { trader, headers: { ...headers } };
}

const fund = async (trader: TestTrader, funds: Readonly<Record<string, string>>, profileId?: string) =>
  credit(trader.context, await walletOf(trader, profileId), funds);

const get = (path: string, headers: Headers) => caller.send('GET', path, undefined, headers);
const create = (body: object, headers: Headers) => caller.post('/v1/orders/createOrder', body, headers);
const cancel = (orderId: string, headers: Headers) => caller.post('/v1/orders/cancelOrder', { orderId }, headers);

async function list(query: string, headers: Headers): Promise<{ orders: OrderView[]; nextToken?: string }> {
  const reply = await get(`/v1/orders/fetchOrders${query}`, headers);
  expect(reply.status).toBe(200);
  return reply.body as { orders: OrderView[]; nextToken?: string };
}

async function balance(currency: string, headers: Headers) {
  const { body } = await get('/v1/wallet/fetchBalance', headers);
  const { wallets } = body as { wallets: { currency: string; available: string; locked: string; total: string }[] };
  const found = wallets.find((one) => one.currency === currency);
  if (found === undefined) throw new Error(`No balance of ${currency}`);
  return found;
}

const refusal = ({ status, body }: Reply) => ({ status, code: (body as { code?: unknown }).code });
const pathsOf = ({ body }: Reply) =>
  ((body as { details?: { path: string }[] }).details ?? []).map(({ path }) => path).sort();
const buy = { symbol: 'BTC/BRL', side: 'BUY', type: 'MARKET', quoteAmount: '1000' };
const waiting = { symbol: 'BTC/BRL', side: 'BUY', type: 'LIMIT', amount: '0.001', price: '1000' };

describe('a wallet by REST', () => {
  test('shows every currency, what is set aside for open orders, and both together', async () => {
    const { headers } = await funded({ BRL: '1000' });
    expect(await balance('BTC', headers)).toEqual({
      currency: 'BTC',
      available: '0.00000000',
      locked: '0.00000000',
      total: '0.00000000',
    });
    await create({ ...waiting, amount: '0.1' }, headers);
    const { available, locked, total } = await balance('BRL', headers);
    expect(new Decimal(locked).greaterThanOrEqualTo('100')).toBe(true);
    expect(new Decimal(available).plus(locked).toFixed(2)).toBe('1000.00');
    expect(total).toBe('1000.00');
  });

  test("is the profile's where X-Profile-Id says so, and a stranger's profile is 404 like one that is none", async () => {
    const { trader, headers } = await funded();
    const { id } = await newProfile(trader);
    await fund(trader, { BRL: '77' }, id);
    expect(await balance('BRL', { ...headers, 'x-profile-id': id })).toMatchObject({ total: '77.00' });
    const other = await funded();
    const stranger = await get('/v1/wallet/fetchBalance', { ...other.headers, 'x-profile-id': id });
    const none = await get('/v1/wallet/fetchBalance', { ...other.headers, 'x-profile-id': 'none' });
    expect([stranger.status, none.status]).toEqual([404, 404]);
    expect({ ...(stranger.body as object), requestId: '' }).toEqual({ ...(none.body as object), requestId: '' });
  });

  test('is the synthetic one where X-Synthetic says so, and the two never meet', async () => {
    const { trader, headers } = await funded({});
    await credit(trader.context, await walletOf(trader, undefined, true), { BRL: '100000' });
    const simulated = { ...headers, 'x-synthetic': 'true' };
    expect(await balance('BRL', simulated)).toMatchObject({ total: '100000.00' });
    expect(await balance('BRL', headers)).toMatchObject({ total: '0.00' });
    const { status, body } = await create(buy, simulated);
    expect([status, (body as OrderView).status]).toEqual([201, 'FILLED']);
    expect((await list('', simulated)).orders).toHaveLength(1);
    expect((await list('', headers)).orders).toEqual([]);
    const { orderId } = body as OrderView;
    expect((await get(`/v1/orders/fetchOrder?orderId=${orderId}`, headers)).status).toBe(404);
    const slip = await get('/v1/wallet/fetchBalance', { ...headers, 'x-synthetic': 'yes' });
    expect([slip.status, pathsOf(slip)]).toEqual([400, ['X-Synthetic']]);
  });
});

describe('markets by REST', () => {
  test('are listed with their rules, and each has a ticker and candles', async () => {
    const { headers } = await funded({});
    const { body } = await get('/v1/market/fetchMarkets', headers);
    const { markets } = body as { markets: { symbol: string; status: string }[] };
    expect(markets.map(({ symbol }) => symbol)).toContain('BTC/BRL');
    for (const { symbol } of markets) {
      const ticker = await get(`/v1/market/fetchTicker?symbol=${encodeURIComponent(symbol)}`, headers);
      const { bid, ask } = ticker.body as { bid: string; ask: string };
      expect([ticker.status, new Decimal(bid).greaterThan(0), new Decimal(ask).greaterThan(0)]).toEqual([
        200,
        true,
        true,
      ]);
    }
    const candles = await get('/v1/market/fetchHistoricalPrices?symbol=BTC/BRL', headers);
    expect(candles.body).toMatchObject({ symbol: 'BTC/BRL', interval: '1d' });
    const { candles: days } = candles.body as { candles: { timestamp: string; low: string; high: string }[] };
    expect(days).toHaveLength(30);
    expect(days.map(({ timestamp }) => timestamp)).toEqual(days.map(({ timestamp }) => timestamp).sort());
    for (const { low, high } of days) expect(new Decimal(low).lessThanOrEqualTo(high)).toBe(true);
  });

  test('refuse a symbol that is none by its code, and report every parameter that is wrong at once', async () => {
    const { headers } = await funded({});
    const none = { status: 400, code: 'CAAS_ORD_002' };
    expect(refusal(await get('/v1/market/fetchTicker?symbol=XYZ/BRL', headers))).toEqual(none);
    expect(refusal(await get('/v1/market/fetchHistoricalPrices?symbol=XYZ/BRL', headers))).toEqual(none);
    expect(pathsOf(await get('/v1/market/fetchTicker', headers))).toEqual(['symbol']);
    expect(pathsOf(await get('/v1/market/fetchHistoricalPrices?limit=1001', headers))).toEqual(['limit', 'symbol']);
  });

  test('have pools at exchanges, of the world that is asked for, under both paths', async () => {
    const { headers } = await funded({});
    const exchanges = async (path: string, more: Headers = {}) => {
      const { status, body } = await get(path, { ...headers, ...more });
      expect(status).toBe(200);
      return body as {
        pools: { exchange: string; status: string; updatedAt: string; balances: Record<string, string>[] }[];
      };
    };
    const { pools } = await exchanges('/v1/analytics/poolsBalances');
    expect(pools.map(({ exchange, status }) => [exchange, status])).toEqual([
      ['aurora', 'ACTIVE'],
      ['boreal', 'ACTIVE'],
    ]);
    for (const { balances, updatedAt } of pools) {
      expect(balances.map(({ currency }) => currency)).toEqual(['BRL', 'BTC', 'ETH', 'USDT']);
      for (const { available = '', locked = '', total = '' } of balances)
        expect(new Decimal(available).plus(locked).equals(total)).toBe(true);
      expect(Date.parse(updatedAt)).toBeGreaterThan(Date.now() - 60_000);
    }
    const unversioned = await exchanges('/analytics/poolsBalances', { 'x-synthetic': 'true' });
    expect(unversioned.pools.map(({ exchange }) => exchange)).toEqual(['aurora-synthetic', 'boreal-synthetic']);
  });
});

describe('an order by REST', () => {
  test('is placed with 201, and read, listed and cancelled under its id', async () => {
    const { headers } = await funded();
    const filled = await create(buy, headers);
    expect(filled).toMatchObject({
      status: 201,
      body: { status: 'FILLED', feeCurrency: 'BRL', quoteAmount: '1000.00' },
    });
    const open = await create({ ...waiting, clientOrderId: 'mine' }, headers);
    expect(open).toMatchObject({ status: 201, body: { status: 'PENDING', clientOrderId: 'mine', timeInForce: 'GTC' } });
    const { orderId } = open.body as OrderView;
    expect((await get(`/v1/orders/fetchOrder?orderId=${orderId}`, headers)).body).toEqual(open.body);
    expect((await list('?status=OPEN', headers)).orders.map((one) => one.orderId)).toEqual([orderId]);
    expect(await cancel(orderId, headers)).toMatchObject({ status: 200, body: { orderId, status: 'CANCELLED' } });
    expect(refusal(await cancel(orderId, headers))).toEqual({ status: 409, code: undefined });
    expect((await list('?status=OPEN', headers)).orders).toEqual([]);
    expect((await list('?status=CANCELLED&symbol=BTC/BRL', headers)).orders).toHaveLength(1);
    expect((await list('?symbol=ETH/BRL', headers)).orders).toEqual([]);
    expect(await balance('BRL', headers)).toMatchObject({ locked: '0.00' });
  });

  test('is refused by the documented codes', async () => {
    const { headers } = await funded({ BRL: '100' });
    for (const [order, code] of [
      [buy, 'CAAS_ORD_001'],
      [{ ...buy, symbol: 'XYZ/BRL' }, 'CAAS_ORD_002'],
      [{ ...waiting, amount: '0.00001' }, 'CAAS_ORD_003'],
    ] as const)
      expect(refusal(await create(order, headers))).toEqual({ status: 400, code });
    expect((await list('', headers)).orders).toEqual([]);
  });

  test.each([
    ['no price, a decimal too many', { ...waiting, price: undefined, amount: '0.0000001' }, ['amount', 'price']],
    ['words that are none', { ...buy, side: 'HOLD', type: 'STOP' }, ['side', 'type']],
    ['a number for an amount', { ...buy, quoteAmount: 1000 }, ['quoteAmount']],
    ['nothing', {}, ['side', 'symbol', 'type']],
  ])('with %s is 400 with everything that is wrong', async (_what, body, paths) => {
    const { headers } = await funded({});
    const reply = await create(body, headers);
    expect([reply.status, pathsOf(reply)]).toEqual([400, paths]);
  });

  test('with a word that a field does not have is told those that it has', async () => {
    const { headers } = await funded({});
    const { body } = await create({ ...waiting, timeInForce: 'gtc' }, headers);
    expect(body).toMatchObject({
      details: [{ path: 'timeInForce', message: 'must be one of GTC, IOC, FOK, GTD' }],
    });
  });

  test('that is sent twenty times at once with one key is placed once, and no other is announced', async () => {
    const { headers } = await funded();
    const keyed = { ...headers, 'x-idempotency-key': 'once' };
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(buy, keyed)));
    for (const { status } of replies) expect([201, 409]).toContain(status);
    expect((await list('', headers)).orders).toHaveLength(1);
    const again = await create(buy, keyed);
    const first = replies.find(({ status }) => status === 201);
    expect([again.status, again.body]).toEqual([201, first?.body]);
    expect(again.headers.get('x-idempotent-replayed')).toBe('true');
  });

  test('with a clientOrderId that was used is 409, and another wallet may use it', async () => {
    const { trader, headers } = await funded();
    const { id } = await newProfile(trader);
    await fund(trader, { BRL: '5000' }, id);
    const own = { ...buy, clientOrderId: 'twice' };
    expect((await create(own, headers)).status).toBe(201);
    expect((await create(own, headers)).status).toBe(409);
    expect((await create(own, { ...headers, 'x-profile-id': id })).status).toBe(201);
  });

  test("of another company is 404, and so is another wallet's of the same", async () => {
    const { trader, headers } = await funded();
    const { id } = await newProfile(trader);
    const { orderId } = (await create(waiting, headers)).body as OrderView;
    const other = await funded();
    for (const stranger of [other.headers, { ...headers, 'x-profile-id': id }]) {
      expect((await get(`/v1/orders/fetchOrder?orderId=${orderId}`, stranger)).status).toBe(404);
      expect((await cancel(orderId, stranger)).status).toBe(404);
      expect((await list('', stranger)).orders).toEqual([]);
    }
    expect((await cancel(orderId, headers)).status).toBe(200);
  });

  test('needs the scope trade, and reading it the scope read', async () => {
    const reader = await funded({}, ['read']);
    expect((await create(buy, reader.headers)).status).toBe(403);
    expect((await cancel('x', reader.headers)).status).toBe(403);
    const placer = await funded({ BRL: '5000' }, ['trade']);
    expect((await create(buy, placer.headers)).status).toBe(201);
    expect((await get('/v1/orders/fetchOrders', placer.headers)).status).toBe(403);
    expect((await get('/v1/wallet/fetchBalance', placer.headers)).status).toBe(403);
  });
});

describe('a list of orders by REST', () => {
  test('has 50 where no limit is given, goes on by nextToken, and shows each order once while others come', async () => {
    const { headers } = await funded();
    for (let made = 0; made < 52; made += 1) await create({ ...waiting, clientOrderId: `list-${made}` }, headers);
    const first = await list('', headers);
    expect(first.orders).toHaveLength(50);
    await create({ ...waiting, clientOrderId: 'later' }, headers);
    const second = await list(`?nextToken=${encodeURIComponent(first.nextToken ?? '')}`, headers);
    expect(second).not.toHaveProperty('nextToken');
    const seen = [...first.orders, ...second.orders].map(({ clientOrderId }) => clientOrderId);
    expect(seen).toEqual(Array.from({ length: 52 }, (_, index) => `list-${51 - index}`));
    const foreign = await get(
      `/v1/orders/fetchOrders?status=OPEN&nextToken=${encodeURIComponent(first.nextToken ?? '')}`,
      headers,
    );
    expect([foreign.status, pathsOf(foreign)]).toEqual([400, ['nextToken']]);
    const wrong = await get('/v1/orders/fetchOrders?limit=101&status=NEW', headers);
    expect([wrong.status, pathsOf(wrong)]).toEqual([400, ['limit', 'status']]);
  });

  test('of a symbol of no market is refused, as its ticker is; of a market without orders it is empty', async () => {
    const { headers } = await funded({ BRL: '1000' });
    for (const symbol of ['btc/brl', 'NOP/X']) {
      const message = `There is no market ${symbol}: fetchMarkets lists the symbols, in upper case`;
      for (const path of ['/v1/orders/fetchOrders', '/v1/market/fetchTicker']) {
        expect(await get(`${path}?symbol=${symbol}`, headers)).toMatchObject({
          status: 400,
          body: { code: 'CAAS_ORD_002', message },
        });
      }
    }
    expect(await list('?symbol=BTC/BRL', headers)).toEqual({ orders: [] });
  });
});

test('a text with the character NUL is 400 wherever it comes to the database', async () => {
  const { headers } = await funded({ BRL: '1000' }, ['read', 'trade', 'withdraw']);
  expect((await get('/v1/orders/fetchOrders?symbol=BTC%00', headers)).status).toBe(400);
  const body = { asset: 'BRL', amount: '10', address: 'maria@cliente.example' };
  const odd = await caller.post('/v1/wallet/withdraw', { ...body, beneficiaryName: 'Maria\u0000' }, headers);
  expect(odd.status).toBe(400);
  expect(await balance('BRL', headers)).toMatchObject({ available: '1000.00' });
  expect((await caller.post('/v1/wallet/withdraw', body, headers)).status).toBe(201);
});

const examples = new URL('../../examples/trading-bot/', import.meta.url);
const typescript = new URL('../kit/typescript.mjs', import.meta.url).href;

interface Amounts {
  readonly available: string;
  readonly total: string;
}

interface Decision {
  readonly weightPercent: string;
  readonly order?: { readonly side: 'BUY' | 'SELL'; readonly amount: string };
}

/** What the example bot exports; it is plain JavaScript. */
interface Rebalancing {
  readonly rebalance: (state: {
    base: Amounts;
    quote: Amounts;
    ticker: { bid: string; ask: string };
    market: { amountDecimals: number; minOrderSize: string };
    targetPercent: string;
    bandPercent: string;
  }) => Decision;
}

const { rebalance } = (await import(new URL('rebalance.mjs', examples).href)) as Rebalancing;

let environment = { TRADING_API_KEY: demo.apiKey, TRADING_SECRET_KEY: demo.secretKey, LASTRO_URL: platform.url };

const start = (program: string, ...options: readonly string[]) =>
  spawn(process.execPath, ['--import', typescript, fileURLToPath(new URL(program, examples)), ...options], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Runs the bot once, and returns what it printed. */
async function bot(...options: readonly string[]) {
  const child = start('bot.mjs', '--once', ...options);
  const chunks: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said: JSON.parse(chunks.join('')) as Record<string, string> };
}

async function demoOrders(more: Headers = {}) {
  const { orders } = await list('', { ...demoHeaders, ...more });
  return orders;
}

describe('the example bot', () => {
  test('says what it would trade and trades nothing on a dry run', async () => {
    const before = await demoOrders();
    const { code, said } = await bot('--dry-run', '--target', '10');
    expect([code, said['action'], said['side']]).toEqual([0, 'would trade', 'SELL']);
    expect(await demoOrders()).toEqual(before);
  });

  test('brings the weight into its band by one order, and keeps it then', async () => {
    const synthetic = { 'x-synthetic': 'true' };
    expect(await demoOrders(synthetic)).toEqual([]);
    const { code, said } = await bot('--synthetic', '--target', '60', '--band', '3');
    expect([code, said['action'], said['side'], said['status']]).toEqual([0, 'traded', 'SELL', 'FILLED']);
    expect((await bot('--synthetic', '--target', '60', '--band', '3')).said['action']).toBe('keep');
    expect(await demoOrders(synthetic)).toMatchObject([
      { status: 'FILLED', clientOrderId: expect.stringMatching(/^bot-/) },
    ]);
  });

  test('trades as the socket reports balance and price, until it is stopped', async () => {
    const child = start('bot.mjs', '--synthetic', '--target', '30', '--band', '3', '--interval', '1');
    const lines = createInterface({ input: child.stdout });
    const said: Record<string, string>[] = [];
    for await (const line of lines) {
      said.push(JSON.parse(line) as Record<string, string>);
      if (said.length === 3) break;
    }
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    // After its order it has what the order brought, and never trades for it twice.
    expect(said.map(({ action }) => action)).toEqual(['traded', 'keep', 'keep']);
  });

  test('places no order while one of its own is open', async () => {
    const own = { ...demoHeaders, 'x-synthetic': 'true' };
    const resting = { symbol: 'BTC/BRL', side: 'BUY', type: 'LIMIT', price: '1000.00', amount: '0.001' };
    const order = { ...resting, clientOrderId: 'bot-1' };
    const { body } = await caller.send('POST', '/v1/orders/createOrder', order, own);
    const { said } = await bot('--synthetic', '--target', '90', '--band', '1');
    const { orderId } = body as { orderId: string };
    await caller.send('POST', '/v1/orders/cancelOrder', { orderId }, own);
    expect([said['action'], said['reason']]).toEqual(['wait', 'an order is open']);
  });

  test('ends with an error that says what is wrong where its credential is none', async () => {
    const good = environment;
    environment = { ...good, TRADING_SECRET_KEY: 'svc_trd_secret_wrong' };
    const { code, said } = await bot('--dry-run');
    const child = start('bot.mjs');
    const [ended] = (await once(child, 'close')) as [number | null];
    environment = good;
    expect([code, said['action'], said['status'], ended]).toEqual([1, 'failed', 401, 1]);
  });
});

test('the example that watches prints a snapshot of each channel, and what happens then', async () => {
  const child = start('watch.mjs', 'orders', 'balance', '--synthetic');
  const seen: { channel: string; eventId: number; snapshot?: boolean }[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    seen.push(JSON.parse(line) as (typeof seen)[number]);
    if (seen.length === 2) {
      const order = { symbol: 'BTC/BRL', side: 'BUY', type: 'MARKET', quoteAmount: '500' };
      await caller.send('POST', '/v1/orders/createOrder', order, { ...demoHeaders, 'x-synthetic': 'true' });
    }
    if (seen.length === 6) break;
  }
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
  for (const name of ['orders', 'balance']) {
    const [snapshot, ...updates] = seen.filter(({ channel }) => channel === name);
    expect(snapshot?.snapshot).toBe(true);
    const from = snapshot?.eventId ?? 0;
    expect(updates.map(({ eventId }) => eventId)).toEqual([from + 1, from + 2]);
  }
});

describe('the decision of the example bot', () => {
  const market = { amountDecimals: 5, minOrderSize: '0.0001' };
  const amount = (max: number, decimals: number) =>
    fc
      .bigInt({ min: 0n, max: BigInt(max) * 10n ** BigInt(decimals) })
      .map((units) => new Decimal(units.toString()).div(10 ** decimals).toFixed());

  test('never spends more than there is, never beyond the decimals of the market, never below its minimum', () => {
    fc.assert(
      fc.property(
        amount(10, 8),
        amount(1_000_000, 2),
        fc.integer({ min: 1_000, max: 1_000_000 }),
        fc.integer({ min: 0, max: 100 }),
        (base, quote, price, target) => {
          const { order } = rebalance({
            base: { available: base, total: base },
            quote: { available: quote, total: quote },
            ticker: { bid: String(price), ask: String(price + 10) },
            market,
            targetPercent: String(target),
            bandPercent: '2',
          });
          if (order === undefined) return;
          const size = new Decimal(order.amount);
          expect(size.decimalPlaces()).toBeLessThanOrEqual(5);
          expect(size.greaterThanOrEqualTo(market.minOrderSize)).toBe(true);
          const most = order.side === 'BUY' ? new Decimal(quote).times('0.98').div(price + 10) : new Decimal(base);
          expect(size.lessThanOrEqualTo(most)).toBe(true);
          const mid = new Decimal(price).plus(5);
          const held = new Decimal(base).times(mid);
          const weight = held.div(held.plus(quote)).times(100);
          expect(order.side).toBe(weight.lessThan(target) ? 'BUY' : 'SELL');
        },
      ),
    );
  });
});

test('another start of the demo neither funds nor trades in the wallet of a profile that a user opened since', async () => {
  const person = { name: 'Ana', document: newCpf(), documentType: 'CPF', email: 'ana@cliente.example' };
  const { id } = (await caller.post('/v1/account/createProfile', person, demoHeaders)).body as { id: string };
  const read = async (path: string, profileId?: string) => {
    const sent = { ...demoHeaders, ...(profileId === undefined ? {} : { 'x-profile-id': profileId }) };
    return (await caller.send('GET', path, undefined, sent)).body;
  };
  const statement = '/v1/wallet/fetchStatement?currency=BRL&from=2020-01-01T00:00:00Z';
  const own = await read(statement);
  expect(own).toMatchObject({
    movements: expect.arrayContaining([expect.objectContaining({ cause: 'demo.funds' })]),
  });
  await (await openPlatform(platform.infrastructure.config, quietLog, { background: false })).close();
  expect(await read(statement, id)).toMatchObject({ movements: [] });
  expect(await read('/v1/orders/fetchOrders', id)).toEqual({ orders: [] });
});
