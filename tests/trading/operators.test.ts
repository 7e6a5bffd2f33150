import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../../shared/kernel/decimal.js';
import { spreadTierIssues } from '../../subgraphs/trading/access/company.js';
import { oldestHedge } from '../../subgraphs/trading/quotes/metrics.js';
import { overdueHedgesJob } from '../../subgraphs/trading/quotes/overdue-job.js';
import { spreadOf } from '../../subgraphs/trading/quotes/quote.js';
import { operator } from '../kit/context.js';
import { until } from '../kit/until.js';
import type { TestTrader } from './kit.js';
import { openOrders, type OrdersKit } from './orders-kit.js';

let kit: OrdersKit;

beforeAll(async () => {
  kit = await openOrders();
});
afterAll(() => kit.close());

const asOperator = () => ({ context: { ...kit.context, principal: operator } });

const quoteText = `mutation ($side: OrderSide!, $amount: Decimal, $quoteAmount: Decimal) {
  createQuote(symbol: "BTC/BRL", side: $side, amount: $amount, quoteAmount: $quoteAmount) { quoteId spread } }`;

async function quoted(trader: TestTrader, input: Record<string, unknown>) {
  const { data, errors } = await kit.run(trader, quoteText, { side: 'BUY', ...input });
  return { quote: data?.['createQuote'] as { quoteId: string; spread: string } | undefined, errors };
}

const changeText = `mutation ($id: ID!, $terms: TradingTermsInput) {
  changeTradingCompany(id: $id, terms: $terms) { terms { takerFee maxQuotedValue spreadTiers { aboveBrl percent } } } }`;

async function changed(trader: TestTrader, terms: Record<string, unknown>) {
  const { data, errors } = await kit.run(asOperator(), changeText, { id: trader.companyId, terms });
  return { terms: (data?.['changeTradingCompany'] as { terms: object } | undefined)?.terms, error: errors?.[0] };
}

describe('the terms of quotes', () => {
  test('are what the quotes of the company cost from then on, and those of the house again after null', async () => {
    const trader = await kit.trader();
    const spreadTiers = [
      { aboveBrl: '0', percent: '3' },
      { aboveBrl: '1000', percent: '1' },
    ];
    expect(await changed(trader, { spreadTiers })).toMatchObject({
      terms: { spreadTiers, maxQuotedValue: '5000000.00' },
    });
    const small = await quoted(trader, { quoteAmount: '900' });
    expect(Number(small.quote?.spread)).toBeCloseTo(3, 2);
    // 3% of the first 1,000 and 1% of the rest.
    const large = await quoted(trader, { quoteAmount: '100000' });
    expect(Number(large.quote?.spread)).toBeCloseTo(1.02, 2);
    expect(await changed(trader, { takerFee: '0.1' })).toMatchObject({ terms: { takerFee: '0.1', spreadTiers } });
    expect(await changed(trader, { spreadTiers: null })).toMatchObject({ terms: { spreadTiers: null } });
    expect(Number((await quoted(trader, { amount: '0.5' })).quote?.spread)).toBeLessThan(0.51);
  });

  test('bound what its open quotes may be worth', async () => {
    const trader = await kit.trader();
    expect(await changed(trader, { maxQuotedValue: '500.00' })).toMatchObject({ terms: { maxQuotedValue: '500.00' } });
    expect((await quoted(trader, { quoteAmount: '900' })).errors?.[0]?.extensions).toMatchObject({ statusCode: 422 });
    expect((await quoted(trader, { quoteAmount: '400' })).errors).toBeUndefined();
  });

  test('are each kept when operators change several at once', async () => {
    const trader = await kit.trader();
    for (let round = 1; round <= 8; round += 1) {
      const spreadTiers = [{ aboveBrl: '0', percent: `${round}` }];
      const [takerFee, maxQuotedValue] = [`0.${round}`, `${round}00.00`];
      await Promise.all([{ takerFee }, { spreadTiers }, { maxQuotedValue }].map((terms) => changed(trader, terms)));
      expect(await changed(trader, {})).toMatchObject({ terms: { spreadTiers, takerFee, maxQuotedValue } });
    }
  });

  test('that are wrong are refused with every error at once, and change nothing', async () => {
    const trader = await kit.trader();
    const spreadTiers = [
      { aboveBrl: '5', percent: '0.5' },
      { aboveBrl: '5.00', percent: '0.6' },
    ];
    const { error } = await changed(trader, { spreadTiers, maxQuotedValue: '0', takerFee: '0.9' });
    const { details } = error?.extensions as { details: { path: string }[] };
    expect(details.map(({ path }) => path)).toEqual([
      'terms.maxQuotedValue',
      'terms.spreadTiers[0].aboveBrl',
      'terms.spreadTiers[1].aboveBrl',
      'terms.spreadTiers[1].percent',
    ]);
    expect(await changed(trader, {})).toMatchObject({ terms: { takerFee: '0.3', spreadTiers: null } });
  });

  test('that are accepted never make more volume cost less', () => {
    const cents = fc.integer({ min: 0, max: 10_000_000 }).map((value) => new Decimal(value).dividedBy(100).toFixed());
    const tier = fc.record({ aboveBrl: cents, percent: fc.integer({ min: 0, max: 12_000 }).map((n) => `${n / 1000}`) });
    fc.assert(
      fc.property(fc.array(tier, { minLength: 1, maxLength: 5 }), cents, cents, (given, one, other) => {
        const sorted = given.toSorted((left, right) => new Decimal(left.aboveBrl).comparedTo(right.aboveBrl));
        const tiers = sorted.map((each, index) => (index === 0 ? { ...each, aboveBrl: '0' } : each));
        if (spreadTierIssues('tiers', tiers).length > 0) return;
        const spread = spreadOf('BUY', tiers, new Decimal(1));
        const [less, more] = [one, other].map((text) => new Decimal(text)).sort((a, b) => a.comparedTo(b));
        if (less === undefined || more === undefined) return;
        expect(spread.price(less).lessThanOrEqualTo(spread.price(more))).toBe(true);
        const rate = (value: Decimal) => (value.isZero() ? value : spread.price(value).dividedBy(value));
        if (!less.isZero()) expect(rate(less).toFixed(15) >= rate(more).toFixed(15)).toBe(true);
      }),
    );
  });
});

test('a hedge that stays open is listed with its reason, logged once, and shown in the metrics', async () => {
  const trader = await kit.trader();
  const { quote } = await quoted(trader, { amount: '0.02' });
  const quoteId = quote?.quoteId ?? '';
  await kit.database.asOwner(`
    CREATE FUNCTION trading.leave_behind() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO trading.hedge_orders (id, quote_id, venue, amount, limit_price, state, created_at)
      VALUES (gen_random_uuid(), NEW.quote_id, 'nowhere', 0.02, 1000000, 'SENDING', now());
      RETURN NEW;
    END $$;
    CREATE TRIGGER leave_behind AFTER INSERT ON trading.hedges FOR EACH ROW EXECUTE FUNCTION trading.leave_behind();`);
  const executed = await kit.run(trader, 'mutation ($id: ID!) { executeQuote(quoteId: $id) { orderId } }', {
    id: quoteId,
  });
  expect(executed.errors).toBeUndefined();
  const told: unknown[] = [];
  const log = Object.assign(Object.create(kit.context.log) as typeof kit.context.log, {
    error: (what: unknown) => told.push(what),
  });
  await overdueHedgesJob.run({ ...kit.context, log });
  expect(told).toEqual([]);
  await kit.database.asOwner(
    `UPDATE trading.quotes SET created_at = created_at - interval '10 min', expires_at = expires_at - interval '10 min',
       executed_at = executed_at - interval '10 min' WHERE id = '${quoteId}'`,
  );
  await Promise.all(Array.from({ length: 4 }, () => overdueHedgesJob.run({ ...kit.context, log })));
  expect(told).toMatchObject([{ hedge: { quoteId, symbol: 'BTC/BRL' } }]);
  expect(await oldestHedge.read(kit.context)).toBeGreaterThan(600);
  const list = '{ openHedges { quoteId side symbol amount hedgedAmount since overdueSince reason } }';
  const reasons = async () => (await kit.run(asOperator(), list)).data?.['openHedges'] as { reason: string | null }[];
  await until('the reason of the open hedge', async () => (await reasons())[0]?.reason != null);
  expect(await reasons()).toEqual([
    {
      quoteId,
      side: 'BUY',
      symbol: 'BTC/BRL',
      amount: '0.02000000',
      hedgedAmount: '0.00000000',
      since: expect.any(String),
      overdueSince: expect.any(String),
      reason: 'The venue is not connected',
    },
  ]);
  expect((await kit.run(trader, list)).errors?.[0]?.extensions).toMatchObject({ statusCode: 403 });
});

test('a market that is added is halted until it is resumed, once, and what is wrong with one is reported at once', async () => {
  const add = async (market: Record<string, unknown>) =>
    kit.run(
      asOperator(),
      'mutation ($market: MarketInput!) { addMarket(market: $market) { symbol status collarPercent haltReason } }',
      { market: { symbol: 'ETH/BTC', priceDecimals: 6, amountDecimals: 4, minOrderSize: '0.01', ...market } },
    );
  const bad = await add({
    symbol: 'ETH/DOGE',
    priceDecimals: 19,
    amountDecimals: 9,
    minOrderSize: '0',
    collarPercent: '51',
  });
  const { details } = bad.errors?.[0]?.extensions as { details: { path: string }[] };
  expect(details.map(({ path }) => path)).toEqual([
    'symbol',
    'priceDecimals',
    'amountDecimals',
    'minOrderSize',
    'collarPercent',
  ]);
  const twice = await Promise.all([add({}), add({})]);
  expect(twice.map(({ data }) => data?.['addMarket']).filter(Boolean)).toMatchObject([
    { symbol: 'ETH/BTC', status: 'HALTED', collarPercent: '5' },
  ]);
  expect((await add({})).errors?.[0]?.extensions).toMatchObject({ statusCode: 409 });
  const addCurrency = (code: string, decimals: number) =>
    kit.run(
      asOperator(),
      'mutation ($code: String!, $decimals: Int!) { addCurrency(code: $code, decimals: $decimals) { code } }',
      {
        code,
        decimals,
      },
    );
  expect((await addCurrency('sol', 19)).errors?.[0]?.extensions).toMatchObject({
    details: [{ path: 'code' }, { path: 'decimals' }],
  });
  expect((await addCurrency('BTC', 9)).errors?.[0]?.extensions).toMatchObject({ statusCode: 409 });
  expect((await addCurrency('SOL', 9)).errors).toBeUndefined();
  expect((await add({ symbol: 'SOL/BRL', amountDecimals: 9 })).errors).toBeUndefined();
  const trader = await kit.trader();
  const order = 'mutation { createOrder(symbol: "ETH/BTC", side: SELL, type: MARKET, amount: "1") { status } }';
  expect((await kit.run(trader, order)).errors?.[0]?.extensions).toMatchObject({ catalogue: 'CAAS_ORD_002' });
  const listed = await kit.run(asOperator(), '{ tradingMarkets { symbol } }');
  expect(listed.data?.['tradingMarkets']).toContainEqual({ symbol: 'ETH/BTC' });
});
