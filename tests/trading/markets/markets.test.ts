import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Principal, anonymous } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import type { SupervisedVenue } from '../../../subgraphs/trading/venues/supervise-venue.js';
import { systemClock } from '../../../shared/kernel/clock.js';
import { openMarkets, seedMarkets } from '../../../subgraphs/trading/markets/open-markets.js';
import { simulatedMarkets } from '../../../subgraphs/trading/venues/simulated/world.js';
import type { Venue } from '../../../subgraphs/trading/venues/venue.js';
import { operator, quietLog } from '../../kit/context.js';
import { statusOf, valueOf } from '../domain-kit.js';
import { openMarketKit, trader } from './kit.js';

const kit = await openMarketKit();
afterAll(() => kit.close());
beforeEach(async () => {
  await kit.context.manager.query("UPDATE trading.markets SET status = 'ACTIVE', halt_reason = NULL");
  await kit.context.manager.query('UPDATE trading.trading_switch SET halted = false, reason = NULL');
  kit.trading.markets.catalogue.forget();
  kit.clock.set('2026-11-20T15:00:00Z');
});

const statuses = async () =>
  (
    await valueOf<{ symbol: string; status: string; haltReason: string | null }[]>(
      kit.run('{ markets { symbol status haltReason } }'),
    )
  ).map((one) => [one.symbol, one.status, one.haltReason]);
const act = (text: string, principal: Principal = operator) => kit.run(`mutation { ${text} }`, {}, principal);
const entries = (action: string): Promise<{ before: unknown; after: unknown; subject: string }[]> =>
  kit.context.manager.query(
    'SELECT before, after, subject_id AS subject FROM shared.audit_log WHERE action = $1 ORDER BY id DESC',
    [action],
  );

describe('the markets', () => {
  test('are those of the simulated exchanges, in the documented form, and are seeded once', async () => {
    const fields = 'symbol baseCurrency quoteCurrency minOrderSize priceDecimals amountDecimals status';
    const list = kit.run(`{ markets { ${fields} } }`);
    const markets = await valueOf<unknown[]>(list);
    expect(markets[0]).toEqual({
      ...{ symbol: 'BTC/BRL', baseCurrency: 'BTC', quoteCurrency: 'BRL', minOrderSize: '0.0001' },
      ...{ priceDecimals: 2, amountDecimals: 5, status: 'ACTIVE' },
    });
    expect((await statuses()).map(([symbol]) => symbol).join()).toBe('BTC/BRL,BTC/USDT,ETH/BRL,ETH/USDT,USDT/BRL');
    await kit.context.manager.query("DELETE FROM trading.markets WHERE symbol = 'ETH/USDT'");
    await seedMarkets(kit.context, simulatedMarkets);
    kit.trading.markets.catalogue.forget();
    expect(await statuses()).toHaveLength(4);
    await kit.context.manager.query('DELETE FROM trading.markets');
    await Promise.all([seedMarkets(kit.context, simulatedMarkets), seedMarkets(kit.context, simulatedMarkets)]);
    kit.trading.markets.catalogue.forget();
    expect(await statuses()).toHaveLength(5);
  });

  test.each([
    ['{ markets { symbol } }'],
    ['{ ticker(symbol: "BTC/BRL") { bid } }'],
    ['{ depth(symbol: "BTC/BRL") { symbol } }'],
    ['{ historicalPrices(symbol: "BTC/BRL") { symbol } }'],
  ])('are for credentials with the scope read: %s', async (text) => {
    expect(await statusOf(kit.run(text, {}, trader('trade')))).toBe(403);
    expect(await statusOf(kit.run(text, {}, anonymous('127.0.0.1')))).toBe(401);
    expect(await statusOf(kit.run(text))).toBeUndefined();
  });

  test.each([
    ['ticker(symbol: "DOGE/BRL") { bid }'],
    ['depth(symbol: "btc/brl") { symbol }'],
    ['historicalPrices(symbol: "BTC/BRL\\u0000") { symbol }'],
  ])('that do not exist are told apart: %s', async (text) => {
    expect((await kit.run(`{ ${text} }`)).error).toMatchObject({ statusCode: 400, catalogue: 'CAAS_ORD_002' });
  });

  test('show numbers out of bounds with every detail', async () => {
    const pathsOf = async (field: string) => {
      const { error } = await kit.run(`{ ${field} { symbol } }`);
      return [error?.statusCode, ...(error?.details ?? []).map(({ path }) => path)];
    };
    const prices = 'historicalPrices(symbol: "BTC/BRL"';
    expect(await pathsOf(`${prices}, interval: "2h", limit: 1001)`)).toEqual([400, 'interval', 'limit']);
    for (const limit of [0, 1001]) expect(await pathsOf(`${prices}, limit: ${limit})`)).toEqual([400, 'limit']);
    expect(await pathsOf('depth(symbol: "BTC/BRL", levels: 21)')).toEqual([400, 'levels']);
  });
});

describe('a halt', () => {
  test('of a market holds at once in this process, says why, and is in the audit log with before and after', async () => {
    const { data } = await act('haltMarket(symbol: "BTC/BRL", reason: "feed is wrong") { status haltReason }');
    expect(data).toEqual({ haltMarket: { status: 'HALTED', haltReason: 'feed is wrong' } });
    expect((await statuses())[0]).toEqual(['BTC/BRL', 'HALTED', 'feed is wrong']);
    const { catalogue } = kit.trading.markets;
    await expect(catalogue.requireActive(kit.context, 'BTC/BRL', false)).rejects.toMatchObject({
      code: 'MARKET_NOT_AVAILABLE',
      // The same key gets the response that is kept for it.
      message: expect.stringContaining('another idempotency key'),
    });
    expect(await catalogue.requireActive(kit.context, 'ETH/BRL', false)).toMatchObject({ symbol: 'ETH/BRL' });
    expect((await entries('haltMarket'))[0]).toMatchObject({
      subject: 'BTC/BRL',
      before: { status: 'ACTIVE' },
      after: { status: 'HALTED', haltReason: 'feed is wrong' },
    });
    await act('resumeMarket(symbol: "BTC/BRL") { status }');
    expect((await statuses())[0]).toEqual(['BTC/BRL', 'ACTIVE', null]);
    expect((await entries('resumeMarket'))[0]).toMatchObject({
      before: { status: 'HALTED' },
      after: { status: 'ACTIVE' },
    });
  });

  test('of a currency holds for its markets, in its world alone', async () => {
    const { catalogue } = kit.trading.markets;
    await kit.database.asOwner(
      `INSERT INTO trading.currency_halts (currency, synthetic, reason, halted_at) VALUES ('ETH', false, 'books', now())`,
    );
    catalogue.forget();
    await expect(catalogue.requireActive(kit.context, 'ETH/BRL', false)).rejects.toMatchObject({
      code: 'MARKET_NOT_AVAILABLE',
    });
    expect(await catalogue.requireActive(kit.context, 'ETH/BRL', true)).toMatchObject({ symbol: 'ETH/BRL' });
    expect(await catalogue.requireActive(kit.context, 'BTC/BRL', false)).toMatchObject({ symbol: 'BTC/BRL' });
    expect((await statuses()).filter(([, status]) => status === 'HALTED')).toEqual([
      ['ETH/BRL', 'HALTED', 'ETH cannot be traded at the moment'],
      ['ETH/USDT', 'HALTED', 'ETH cannot be traded at the moment'],
    ]);
    const synthetic = await catalogue.list(kit.context, true);
    expect(synthetic.filter(({ status }) => status === 'HALTED')).toEqual([]);
    await kit.database.asOwner('DELETE FROM trading.currency_halts');
    catalogue.forget();
  });

  test('of all of trading holds for every market, and leaves those halted that were', async () => {
    await act('haltMarket(symbol: "ETH/BRL", reason: "own") { status }');
    expect((await act('haltTrading(reason: "fire") { halted reason }')).data).toEqual({
      haltTrading: { halted: true, reason: 'fire' },
    });
    expect(new Set((await statuses()).map(([, status, why]) => `${String(status)} ${String(why)}`))).toEqual(
      new Set(['HALTED fire']),
    );
    expect((await kit.run('{ tradingStatus { halted } }', {}, operator)).data).toEqual({
      tradingStatus: { halted: true },
    });
    await act('resumeTrading { halted }');
    expect((await statuses()).filter(([, status]) => status === 'HALTED')).toEqual([['ETH/BRL', 'HALTED', 'own']]);
    expect(await entries('haltTrading')).toMatchObject([
      { before: { halted: false }, after: { halted: true, reason: 'fire' } },
    ]);
    expect(await entries('resumeTrading')).toMatchObject([{ before: { halted: true }, after: { halted: false } }]);
  });

  test.each([
    'haltMarket(symbol: "BTC/BRL", reason: "x")',
    'resumeMarket(symbol: "BTC/BRL")',
    'changeMarket(symbol: "BTC/BRL", change: {})',
  ])('is for operators with the role trade: %s', async (text) => {
    for (const principal of [
      trader('read', 'trade'),
      { ...operator, scopes: ['read', 'publish', 'originate', 'administer'] },
    ]) {
      expect(await statusOf(act(`${text} { status }`, principal))).toBe(403);
    }
    expect(await statusOf(act(`${text} { status }`))).toBeUndefined();
  });

  test.each(['', '   ', 'x'.repeat(501)])('without a reason is refused', async (reason) => {
    const text = 'mutation ($reason: String!) { haltTrading(reason: $reason) { halted } }';
    expect((await kit.run(text, { reason }, operator)).error).toMatchObject({
      statusCode: 400,
      details: [{ path: 'reason' }],
    });
    expect((await statuses()).every(([, status]) => status === 'ACTIVE')).toBe(true);
  });

  test('of no market is 404', async () => {
    expect(await statusOf(act('haltMarket(symbol: "DOGE/BRL", reason: "x") { status }'))).toBe(404);
  });

  test('by two operators at once keeps both entries, and the state of the last', async () => {
    const before = (await entries('haltMarket')).length;
    await Promise.all(
      ['one', 'two'].map((reason) => act(`haltMarket(symbol: "BTC/BRL", reason: "${reason}") { status }`)),
    );
    const [last, first] = (await entries('haltMarket')) as { before: unknown; after: { haltReason: string } }[];
    expect(await entries('haltMarket')).toHaveLength(before + 2);
    const rows: { reason: string }[] = await kit.context.manager.query(
      "SELECT halt_reason AS reason FROM trading.markets WHERE symbol = 'BTC/BRL'",
    );
    expect([last?.after.haltReason, first?.after.haltReason]).toContain(rows[0]?.reason);
  });
});

describe('a change of a market', () => {
  test('takes what is given and leaves the rest', async () => {
    const { data } = await act(
      'changeMarket(symbol: "BTC/BRL", change: { minOrderSize: "0.0002" }) { minOrderSize collarPercent }',
    );
    expect(data).toEqual({ changeMarket: { minOrderSize: '0.0002', collarPercent: '5' } });
    expect((await entries('changeMarket'))[0]).toMatchObject({
      before: { minOrderSize: '0.0001' },
      after: { minOrderSize: '0.0002' },
    });
  });

  test('that cannot be is refused with every detail', async () => {
    const { error } = await act(
      'changeMarket(symbol: "BTC/BRL", change: { minOrderSize: "0.000001", collarPercent: "51" }) { status }',
    );
    expect(error).toMatchObject({ statusCode: 400, details: [{ path: 'minOrderSize' }, { path: 'collarPercent' }] });
  });
});

describe('ticker and depth', () => {
  const venueNamed = (name: string): SupervisedVenue => {
    const found = kit.trading.markets.venues.all.find((venue) => venue.name === name);
    if (found === undefined) throw new Error(name);
    return found;
  };
  const ticker = (synthetic = false) =>
    valueOf<Record<string, string | null>>(
      kit.run(
        'query ($s: Boolean!) { ticker(symbol: "BTC/BRL", synthetic: $s) { symbol bid ask last volume24h change24h high24h low24h timestamp } }',
        { s: synthetic },
      ),
    );

  const marketBid = async () => {
    const markets = await valueOf<readonly { symbol: string; bid: string | null }[]>(
      kit.run('{ markets { symbol bid } }'),
    );
    return markets.find(({ symbol }) => symbol === 'BTC/BRL')?.bid;
  };

  test('are the best of all venues of one world, and of none of the other', async () => {
    kit.tick();
    for (const synthetic of [false, true]) {
      const names = synthetic ? ['aurora-synthetic', 'boreal-synthetic'] : ['aurora', 'boreal'];
      const books = names.map((name) => venueNamed(name).book('BTC/BRL'));
      const best = Decimal.min(...books.flatMap((book) => book?.asks[0]?.price ?? []));
      expect((await ticker(synthetic))['ask']).toBe(best.toFixed());
    }
    expect((await ticker(false))['ask']).not.toBe((await ticker(true))['ask']);
    const { data } = await kit.run(
      '{ depth(symbol: "BTC/BRL", levels: 3) { bids { price amount } asks { price amount } } }',
    );
    const { bids, asks } = data['depth'] as Record<string, { price: string }[]>;
    expect([bids?.length, asks?.length]).toEqual([3, 3]);
    expect(asks?.[0]?.price).toBe((await ticker())['ask']);
    expect(await marketBid()).toBe((await ticker())['bid']);
    const prices = bids?.map(({ price }) => Number(price)) ?? [];
    expect(prices).toEqual([...prices].sort((left, right) => right - left));
  });

  test('leave out a venue that is not in use, and a stale book', async () => {
    kit.tick();
    kit.clock.advance(1_000);
    const [aurora, boreal] = kit.trading.markets.venues.simulated;
    const freeze = (exchange: Venue | undefined) => {
      if (exchange !== undefined) jest.spyOn(exchange, 'book').mockReturnValue(exchange.book('BTC/BRL'));
    };
    freeze(aurora);
    kit.clock.advance(6_000);
    boreal?.tick();
    expect((await ticker())['bid']).toBe(boreal?.book('BTC/BRL')?.bids[0]?.price.toFixed());
    freeze(boreal);
    kit.clock.advance(6_000);
    expect(await ticker()).toMatchObject({ bid: null, ask: null });
    expect(await marketBid()).toBeNull();
    jest.restoreAllMocks();
    kit.clock.advance(1_001);
    expect((await ticker())['bid']).not.toBeNull();
  });

  test('count what is traded, from then on for 24 hours', async () => {
    kit.clock.set('2026-11-25T15:00:00Z');
    kit.tick();
    const before = await ticker(true);
    const venue = venueNamed('aurora-synthetic');
    const request = { symbol: 'BTC/BRL', side: 'BUY', type: 'MARKET', timeInForce: 'IOC', postOnly: false } as const;
    const answer = await venue.place({ ...request, clientOrderId: crypto.randomUUID(), amount: new Decimal('0.25') });
    const after = await ticker(true);
    expect(answer).toMatchObject({ order: { state: 'FILLED' } });
    expect(new Decimal(after['volume24h'] ?? 0).minus(before['volume24h'] ?? 0).toFixed()).toBe('0.25');
    const latest = 'query ($s: Boolean!) { ticker(symbol: "BTC/BRL", synthetic: $s) { trades { price amount } last } }';
    const { trades, last } = await valueOf<{ trades: readonly { price: string; amount: string }[]; last: string }>(
      kit.run(latest, { s: true }),
    );
    expect(trades[0]?.price).toBe(last);
    expect(trades.length).toBeLessThanOrEqual(20);
    // The order met several levels of the book; trades before it may be there too.
    const sums = trades.map((_, at) => Decimal.sum(...trades.slice(0, at + 1).map(({ amount }) => amount)).toFixed());
    expect(sums).toContain('0.25');
    expect(after['change24h']).toMatch(/^-?\d+\.\d\d$/);
    // The best price of the order's trades is the market's of before.
    const prices = trades.slice(0, sums.indexOf('0.25') + 1).map(({ price }) => price);
    const known = (value: string | null | undefined) => (value == null ? [] : [value]);
    expect(new Decimal(after['high24h'] ?? 0)).toEqual(Decimal.max(...known(before['high24h']), ...prices));
    expect(new Decimal(after['low24h'] ?? 0)).toEqual(Decimal.min(...known(before['low24h']), ...prices));
    kit.clock.advance(24 * 3_600_000);
    kit.clock.advance(60_000);
    expect(await ticker(true)).toMatchObject({ volume24h: '0.00000000', high24h: null, low24h: null });
  });

  test('are sent to whoever listens: once for many changes, and the last one always', async () => {
    const { data } = kit.trading.markets;
    const heard: (string | undefined)[] = [];
    let wake: () => void = () => undefined;
    const stop = data.onTicker(({ symbol, synthetic, ask }) => {
      if (symbol !== 'BTC/BRL' || synthetic) return;
      heard.push(ask?.toFixed());
      wake();
    });
    for (let round = 1; round <= 3; round += 1) {
      const told = new Promise<void>((resolve) => (wake = resolve));
      for (let change = 0; change < 5; change += 1) kit.tick();
      await told;
      expect(heard).toHaveLength(round);
      expect(heard.at(-1)).toBe(data.ticker(false, 'BTC/BRL').ask?.toFixed());
    }
    stop();
  });
});

test('operators see the venues and how they are; traders do not', async () => {
  const text = '{ tradingVenues { name synthetic state lastError latencyMs symbols } }';
  const { data } = await kit.run(text, {}, operator);
  const venues = data['tradingVenues'] as { name: string; synthetic: boolean; state: string }[];
  expect(venues.map(({ name, synthetic, state }) => [name, synthetic, state])).toEqual([
    ['aurora', false, 'CLOSED'],
    ['boreal', false, 'CLOSED'],
    ['aurora-synthetic', true, 'CLOSED'],
    ['boreal-synthetic', true, 'CLOSED'],
  ]);
  expect(await statusOf(kit.run(text))).toBe(403);
});

test('a program that starts has markets, history and tickers within moments, and lets go of all when it stops', async () => {
  const markets = openMarkets({ clock: systemClock, log: quietLog, demo: false, history: true });
  await markets.start({ ...kit.context, clock: systemClock });
  expect(markets.venues.all.map(({ name }) => name)).toEqual(['aurora-synthetic', 'boreal-synthetic']);
  const { bid, ask, last, volume24h } = markets.data.ticker(true, 'BTC/USDT');
  expect(bid !== undefined && ask !== undefined && last !== undefined).toBe(true);
  expect(volume24h.greaterThan(0)).toBe(true);
  expect(markets.data.isTraded(false, 'BTC/USDT')).toBe(false);
  await markets.stop();
  const held: unknown[] = await kit.context.manager.query(
    'SELECT 1 FROM trading.candle_writers WHERE held_until > clock_timestamp()',
  );
  expect(held).toEqual([]);
});

test('a market that is added is halted until it is resumed, once, and what is wrong with one is reported at once', async () => {
  const add = (market: object) =>
    kit.run(
      'mutation ($market: MarketInput!) { addMarket(market: $market) { symbol status collarPercent haltReason } }',
      { market: { symbol: 'ETH/BTC', priceDecimals: 6, amountDecimals: 4, minOrderSize: '0.01', ...market } },
      operator,
    );
  const wrong = { symbol: 'ETH/DOGE', priceDecimals: 19, amountDecimals: 9, minOrderSize: '0', collarPercent: '51' };
  expect((await add(wrong)).error?.details?.map(({ path }) => path)).toEqual(Object.keys(wrong));
  const twice = await Promise.all([add({}), add({})]);
  expect(twice.map(({ data }) => data['addMarket']).filter(Boolean)).toMatchObject([
    { symbol: 'ETH/BTC', status: 'HALTED', collarPercent: '5' },
  ]);
  expect(await statusOf(add({}))).toBe(409);
  const addCurrency = (code: string, decimals: number) =>
    act(`addCurrency(code: "${code}", decimals: ${decimals}) { code }`);
  expect((await addCurrency('sol', 19)).error).toMatchObject({
    details: [{ path: 'code' }, { path: 'decimals' }],
  });
  expect(await statusOf(addCurrency('BTC', 9))).toBe(409);
  expect(await statusOf(addCurrency('SOL', 9))).toBeUndefined();
  expect(await statusOf(add({ symbol: 'SOL/BRL', amountDecimals: 9 }))).toBeUndefined();
  const { catalogue } = kit.trading.markets;
  await expect(catalogue.requireActive(kit.context, 'ETH/BTC', false)).rejects.toMatchObject({
    code: 'MARKET_NOT_AVAILABLE',
  });
  expect(await valueOf(kit.run('{ tradingMarkets { symbol } }', {}, operator))).toContainEqual({ symbol: 'ETH/BTC' });
});
