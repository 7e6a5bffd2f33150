import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Context, Principal } from '../../../shared/kernel/context.js';
import { createKeyRing } from '../../../shared/security/crypto.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { resealAll } from '../../../shared/security/reseal.js';
import { createTrading, type Trading } from '../../../subgraphs/trading/subgraph.js';
import { openCredentials, sealedVenueCredentials } from '../../../subgraphs/trading/venues/configured/venue.store.js';
import { createLateVenue } from '../../../subgraphs/trading/venues/configured/open-configured.js';
import { operator, quietLog, testKeyRing, testMasterKey } from '../../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../../kit/database.js';
import { until } from '../../kit/until.js';
import { keys, openBinanceServer, type BinanceServer } from '../binance-server.js';
import { statusOf, contextOn, credit, partsOf, runOn, valueOf } from '../domain-kit.js';
import { newTrader, walletOf, type TestTrader } from '../kit.js';
import { openExchange, venueOrder } from './kit.js';

let server: BinanceServer;
let database: TestDatabase;
let context: Context;
let trading: Trading;
let close: () => Promise<void>;

async function start(): Promise<void> {
  trading = createTrading(partsOf(database));
  const running = await trading.open(context);
  close = async () => {
    await running.close();
    await trading.close();
  };
}

async function restart(): Promise<void> {
  await close();
  await start();
}

const run = (text: string, variables: Record<string, unknown> = {}, principal: Principal = operator) =>
  runOn(trading.schema, context)(text, variables, principal);

beforeEach(async () => {
  server = await openBinanceServer();
  server.engine.quote('BTC/BRL', [
    { side: 'SELL', price: new Decimal('100.50'), amount: new Decimal(5) },
    { side: 'BUY', price: new Decimal('99.50'), amount: new Decimal(5) },
  ]);
  database = await openTestDatabase();
  context = contextOn(database);
  await start();
});
afterEach(async () => {
  await close();
  await database.close();
  await server.close();
});

const add = (over: Record<string, unknown> = {}) => {
  const api = Object.fromEntries(['public', 'private', 'v1', 'sapi'].map((name) => [name, `${server.url}/api/v3`]));
  const settings = JSON.stringify({
    urls: { api },
    has: { fetchCurrencies: false },
    options: { fetchMarkets: { types: ['spot'] }, fetchMargins: false },
  });
  const venue = { name: 'casa-binance', exchange: 'binance', symbols: ['BTC/BRL'], ...keys, settings, ...over };
  return run('mutation ($venue: TradingVenueInput!) { addTradingVenue(venue: $venue) { name symbols retiredAt } }', {
    venue,
  });
};

async function venueState(): Promise<{ state: string; symbols: string[] } | undefined> {
  const venues = await valueOf<{ name: string; state: string; symbols: string[] }[]>(
    run('{ tradingVenues { name state symbols } }'),
  );
  return venues.find(({ name }) => name === 'casa-binance');
}

const isConnected = async () => (await venueState())?.symbols.includes('BTC/BRL') === true;

async function funded(): Promise<TestTrader> {
  const trader = await newTrader(context);
  await credit(context, await walletOf(trader), { BRL: '10000' });
  return trader;
}

const buy = ({ principal }: TestTrader) =>
  run(
    'mutation { createOrder(symbol: "BTC/BRL", side: BUY, type: MARKET, amount: "0.5") { orderId status } }',
    {},
    principal,
  );

const capital = () =>
  context.manager.query<{ currency: string; total: string }[]>(
    `SELECT currency, trim_scale(sum(balance))::text AS total FROM trading.ledger_accounts
     WHERE kind = 'CAPITAL' AND NOT synthetic GROUP BY currency ORDER BY currency`,
  );

test("a test system of an exchange is refused where there is real money, and one that is in the table isn't connected", async () => {
  expect((await add({ sandbox: true })).error).toMatchObject({
    statusCode: 422,
    details: [{ path: 'sandbox' }],
  });
  await add();
  await context.manager.query('UPDATE trading.venues SET sandbox = true');
  await restart();
  expect(await venueState()).toBeUndefined();
});

test('a venue that was added takes orders after a restart, its capital is booked once, and none when it is retired', async () => {
  expect(await statusOf(add())).toBeUndefined();
  expect(await venueState()).toBeUndefined();
  await restart();
  await until('the venue to be connected', isConnected);
  const trader = await funded();
  await until('a filled order', async () => {
    const rows: { status: string }[] = await context.manager.query('SELECT status FROM trading.orders');
    if (rows.some(({ status }) => status === 'FILLED')) return true;
    if (!rows.some(({ status }) => status === 'PENDING')) await buy(trader);
    return false;
  });
  expect(server.received.length).toBeGreaterThan(0);
  const booked = [
    { currency: 'BRL', total: '1000000' },
    { currency: 'BTC', total: '10' },
  ];
  expect(await capital()).toEqual(booked);
  await restart();
  await until('the venue to be connected', isConnected);
  expect(await capital()).toEqual(booked);

  const retire = () => run('mutation { retireTradingVenue(name: "casa-binance") { retiredAt } }', {});
  expect(await statusOf(retire())).toBeUndefined();
  expect(await statusOf(retire())).toBe(404);
  await restart();
  expect(await venueState()).toBeUndefined();
  expect(await statusOf(add())).toBe(409);
});

const limitOrder = () =>
  venueOrder({ type: 'LIMIT', amount: new Decimal(1), price: new Decimal(1_000), timeInForce: 'GTC' });

test('an exchange that is down holds nothing up, is connected when it is back, and gets no orders once it is retired', async () => {
  const exchange = openExchange();
  let [isDown, isInUse] = [true, true];
  const venue = createLateVenue({
    name: exchange.name,
    log: quietLog,
    everyMs: 5,
    open: () => (isDown ? Promise.reject(new Error('no route')) : Promise.resolve(exchange)),
    isInUse: () => Promise.resolve(isInUse),
  });
  await venue.start();
  const request = limitOrder();
  expect(await venue.place(request)).toMatchObject({ status: 'REJECTED', reason: 'VENUE_DOWN' });
  expect(venue.markets()).toEqual([]);
  await until('the error of the exchange', () =>
    venue.balances().then(
      () => false,
      (error: unknown) => String(error).includes('no route'),
    ),
  );
  isDown = false;
  await until('the markets of the venue', () => Promise.resolve(venue.markets().length > 0));
  expect(await venue.place(request)).toMatchObject({ status: 'ACCEPTED' });
  expect(venue.book(request.symbol)).toBeDefined();
  isInUse = false;
  await until('the book to be gone', () => Promise.resolve(venue.book(request.symbol) === undefined));
  expect(await venue.place(limitOrder())).toMatchObject({ status: 'REJECTED', message: 'The venue is retired' });
  expect(await venue.cancel(request.clientOrderId, request.symbol)).toMatchObject({ state: 'CANCELLED' });
  await venue.stop();
});

test('credentials are sealed, survive a new master key, and are shown nowhere', async () => {
  await add({ password: 'passphrase-of-the-house' });
  const read = async () =>
    (await context.manager.query<{ credentials: Buffer }[]>('SELECT credentials FROM trading.venues'))[0]
      ?.credentials ?? Buffer.alloc(0);
  const next = createKeyRing(randomBytes(32), testMasterKey);
  await resealAll(context.manager, next, [sealedVenueCredentials]);
  const sealed = await read();
  expect(() => openCredentials(testKeyRing, sealed)).toThrow();
  expect(openCredentials(next, sealed)).toEqual({ ...keys, password: 'passphrase-of-the-house' });
  const kept = await context.manager.query<{ text: string }[]>(
    `SELECT coalesce("after"::text, '') || coalesce(reason, '') AS text FROM shared.audit_log`,
  );
  expect(kept.map(({ text }) => text).join()).not.toMatch(/of-the-house/);
  expect(sealed.toString('latin1')).not.toContain(keys.secret);
});

test('what is wrong with a venue is reported at once', async () => {
  const wrong = { secret: ' x', makerFee: '11', settings: '{"apiKey":"x"}' };
  const { error } = await add({ name: 'aurora-x', symbols: ['BTC/BRL', 'DOGE/BRL'], ...wrong });
  const paths = ['name', 'symbols[1]', 'secret', 'takerFee', 'makerFee', 'settings'];
  expect(error?.details?.map(({ path }) => path)).toEqual(paths);
  expect((await add({ exchange: 'nosuchexchange' })).error).toMatchObject({
    message: 'ccxt knows no exchange "nosuchexchange"',
    statusCode: 422,
  });
});
