import { afterAll, describe, expect, test } from '@jest/globals';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { changeSuspension } from '../../../subgraphs/trading/profiles/profiles.acts.js';
import { until } from '../../kit/until.js';
import { newProfile, walletOf, type TestTrader } from '../kit.js';
import { statusOf, valueOf } from '../domain-kit.js';
import { asOperator, createQuote, executeQuote, openOrders, quoteFields, type QuoteView } from '../orders/kit.js';
import { streamedBalances } from '../streamed-balances.js';

const kit = await openOrders();
afterAll(() => kit.close());

const fetch = `query ($quoteId: ID!, $synthetic: Boolean) { fetchQuote(quoteId: $quoteId, synthetic: $synthetic) { ${quoteFields} } }`;

const sell = { side: 'SELL' };

const refused = async (trader: TestTrader, document: string, input: object) =>
  (await kit.run(trader, document, input)).error;
const stands = (trader: TestTrader, quoteId: string) => valueOf(kit.run(trader, fetch, { quoteId }));
const quotedValue = (trader: TestTrader, value: string) =>
  kit.rows('UPDATE trading.company_terms SET max_quoted_value = $2 WHERE company_id = $1', [trader.companyId, value]);
const ordersOf = ({ companyId }: TestTrader) =>
  kit.rows('SELECT FROM trading.orders WHERE company_id = $1', [companyId]);

/** The HTTP statuses of what is asked for at once: 200 for what was done. */
const statusesOf = (asked: readonly (readonly [TestTrader, string, object])[]): Promise<unknown[]> =>
  Promise.all(asked.map(async (one) => (await statusOf(kit.run(...one))) ?? 200));

const expire = (quoteId: string) =>
  kit.database.asOwner(
    `UPDATE trading.quotes SET created_at = now() - interval '31 s', expires_at = now() - interval '1 s' WHERE id = '${quoteId}'`,
  );

describe('a quote', () => {
  test('says everything that was promised, sets nothing aside and can be read again', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    const quote = await kit.quote(trader, { amount: '0.05' });
    expect(quote).toMatchObject({
      symbol: 'BTC/BRL',
      side: 'BUY',
      amount: '0.05000000',
      feeCurrency: 'BRL',
      ttlSeconds: 30,
      orderId: null,
    });
    expect(quote.price).toMatch(/^\d+\.\d{2}$/);
    const value = new Decimal(quote.price).times('0.05').toDecimalPlaces(2, Decimal.ROUND_UP);
    expect(quote.quoteAmount).toBe(value.plus(quote.fee).toFixed(2));
    expect(new Decimal(quote.spread).greaterThanOrEqualTo('0.5')).toBe(true);
    expect(await stands(trader, quote.quoteId)).toEqual(quote);
    expect((await kit.balances(await walletOf(trader)))['BRL']).toMatchObject({
      available: '100000.00',
      locked: '0.00',
    });
  });

  test('is valid for 30 seconds by the clock of the database', async () => {
    const { quoteId } = await kit.quote(await kit.trader(), { ...sell, amount: '0.01' });
    const [row] = await kit.rows<{ seconds: string; ahead: boolean }>(
      `SELECT extract(epoch FROM expires_at - created_at)::text AS seconds, created_at <= clock_timestamp() AS ahead
       FROM trading.quotes WHERE id = $1`,
      [quoteId],
    );
    expect(row).toEqual({ seconds: '30.000000', ahead: true });
  });

  test('is not made of what rests of orders of the house’s own clients, so that nobody moves his own quote', async () => {
    const trader = await kit.trader({ BRL: '1000000', BTC: '10' });
    const shown = () => kit.trading.markets.data.books(false, 'BTC/BRL').flatMap(({ bids }) => bids);
    const price = new Decimal(kit.ask()).minus('0.01').toFixed();
    await kit.place(trader, { type: 'LIMIT', amount: '0.4', price, postOnly: true });
    await until('the order in the book', () => shown().some((level) => level.price.equals(price)));
    const { quoteId } = await kit.quote(trader, { ...sell, amount: '0.1' });
    const [row] = await kit.rows<{ decision: { venues: { bids: { price: string }[] }[] } }>(
      'SELECT decision FROM trading.quotes WHERE id = $1',
      [quoteId],
    );
    const bids = row?.decision.venues.flatMap((venue) => venue.bids.map((level) => level.price));
    expect(bids).not.toContain(price);
    expect(bids?.length).toBeGreaterThan(0);
  });

  const named = (statusCode: number, path: string) => ({
    statusCode,
    details: expect.arrayContaining([expect.objectContaining({ path })]) as unknown,
  });
  test.each<[string, object, object]>([
    ['both amounts', { amount: '1', quoteAmount: '1' }, named(400, 'amount')],
    ['no amount', {}, named(400, 'amount')],
    ['excess precision', { amount: '0.000001' }, named(400, 'amount')],
    ['nothing', { ...sell, quoteAmount: '0.00' }, named(422, 'quoteAmount')],
    ['less than nothing', { ...sell, quoteAmount: '-1' }, named(422, 'quoteAmount')],
    ['no market', { symbol: 'DOGE/BRL', amount: '1' }, { catalogue: 'CAAS_ORD_002' }],
    ['too little', { amount: '0.00001' }, { catalogue: 'CAAS_ORD_003' }],
    ['too little money', { quoteAmount: '1' }, { catalogue: 'CAAS_ORD_003' }],
    ['too much', { amount: '100000' }, { statusCode: 422 }],
  ])('of %s is refused by the error of that', async (_what, input, error) => {
    expect(await refused(await kit.trader(), createQuote, input)).toMatchObject(error);
  });
});

describe('executing a quote', () => {
  test('buys at the quoted price, whatever the market does: the client, the house and the fee get what was said', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    const quote = await kit.quote(trader, { amount: '0.05' });
    const fees = await kit.platform('FEES', 'BRL');
    const order = await kit.execute(trader, quote.quoteId);
    const filled = { status: 'FILLED', type: 'MARKET', filledAmount: '0.05000000' };
    expect(order).toMatchObject({ ...filled, averagePrice: quote.price, fee: quote.fee });
    const { BRL, BTC } = await kit.balances(await walletOf(trader));
    expect(BTC).toMatchObject({ available: '0.05000000', locked: '0.00000000' });
    expect(await streamedBalances(kit.context.manager, (await walletOf(trader)).id)).toMatchObject({
      BRL: { available: BRL?.available },
      BTC: { available: BTC?.available },
    });
    expect(BRL?.available).toBe(new Decimal('100000').minus(quote.quoteAmount).toFixed(2));
    expect((await kit.platform('FEES', 'BRL')).minus(fees).toFixed(2)).toBe(quote.fee);
    expect(await stands(trader, quote.quoteId)).toMatchObject({ status: 'EXECUTED', orderId: order.orderId });
  });

  test('is the cause of its movement in the statement, which names its order beside', async () => {
    const trader = await kit.trader({ BRL: '5000' });
    const { quoteId } = await kit.quote(trader, { quoteAmount: '1000' });
    const { orderId } = await kit.execute(trader, quoteId);
    const { data } = await kit.run(
      trader,
      '{ statement(currency: "BRL", from: "2020-01-01T00:00:00Z") { movements { cause causeId orderId } } }',
    );
    const { movements } = data['statement'] as { movements: unknown[] };
    expect(movements.at(-1)).toEqual({ cause: 'quote.execution', causeId: quoteId, orderId });
  });

  test('sells at the quoted price', async () => {
    const trader = await kit.trader({ BTC: '1' });
    const quote = await kit.quote(trader, { ...sell, quoteAmount: '50000' });
    await kit.execute(trader, quote.quoteId);
    const { BRL, BTC } = await kit.balances(await walletOf(trader));
    expect(new Decimal(quote.quoteAmount).greaterThanOrEqualTo('50000')).toBe(true);
    expect(BRL?.available).toBe(quote.quoteAmount);
    expect(BTC?.available).toBe(new Decimal(1).minus(quote.amount).toFixed(8));
  });

  test('gives an order that lists and reports of execution show, and that webhooks receive once', async () => {
    const trader = await kit.trader();
    const { quoteId } = await kit.quote(trader, { amount: '0.01' });
    const { orderId } = await kit.execute(trader, quoteId);
    const seen = await kit.run(
      trader,
      'query ($id: ID!) { fetchOrders { orders { orderId } } orderExecution(orderId: $id) { mid expected { amount } venues { venue asks { price } } children { venue } fills { venue } } }',
      { id: orderId },
    );
    expect(seen.data).toMatchObject({
      fetchOrders: { orders: [{ orderId }] },
      orderExecution: { expected: { amount: '0.01000000' }, children: [], fills: [] },
    });
    const events = await kit.rows(`SELECT FROM shared.outbox WHERE topic = 'order.filled' AND key = $1`, [orderId]);
    expect(events).toHaveLength(1);
  });

  test('a hundred times at once makes one order, and ninety-nine refusals with CAAS_RFQ_002', async () => {
    const trader = await kit.trader({ BRL: '1000000' });
    const { quoteId, quoteAmount } = await kit.quote(trader, { amount: '0.01' });
    const results = await Promise.all(Array.from({ length: 100 }, () => kit.run(trader, executeQuote, { quoteId })));
    expect(results.filter(({ error }) => error === undefined)).toHaveLength(1);
    const codes = results.flatMap(({ error }) => error ?? []);
    expect(codes).toHaveLength(99);
    for (const code of codes) expect(code).toMatchObject({ statusCode: 409, catalogue: 'CAAS_RFQ_002' });
    expect(await ordersOf(trader)).toHaveLength(1);
    const { BRL } = await kit.balances(await walletOf(trader));
    expect(BRL?.available).toBe(new Decimal('1000000').minus(quoteAmount).toFixed(2));
  });

  test('that has expired is 410 with CAAS_RFQ_001; one that was executed stays CAAS_RFQ_002', async () => {
    const trader = await kit.trader();
    const [late, used] = [await kit.quote(trader, { amount: '0.01' }), await kit.quote(trader, { amount: '0.01' })];
    await expire(late.quoteId);
    expect(await refused(trader, executeQuote, { quoteId: late.quoteId })).toMatchObject({
      statusCode: 410,
      catalogue: 'CAAS_RFQ_001',
    });
    expect(await stands(trader, late.quoteId)).toMatchObject({
      status: 'EXPIRED',
    });
    await kit.execute(trader, used.quoteId);
    expect(await refused(trader, executeQuote, { quoteId: used.quoteId })).toMatchObject({ catalogue: 'CAAS_RFQ_002' });
  });

  test('that the wallet cannot pay is CAAS_ORD_001, leaves nothing, and can be tried again', async () => {
    const trader = await kit.trader({ BRL: '10' });
    const { quoteId } = await kit.quote(trader, { amount: '0.05' });
    expect(await refused(trader, executeQuote, { quoteId })).toMatchObject({
      statusCode: 400,
      catalogue: 'CAAS_ORD_001',
    });
    expect(await ordersOf(trader)).toEqual([]);
    expect(await stands(trader, quoteId)).toMatchObject({
      status: 'OPEN',
      orderId: null,
    });
  });

  test("of somebody else's quote, another wallet's or another world's is 404", async () => {
    const [trader, other] = [await kit.trader(), await kit.trader()];
    const { quoteId } = await kit.quote(trader, { amount: '0.01' });
    const { id: profileId } = await newProfile(trader);
    expect(await refused(other, executeQuote, { quoteId })).toMatchObject({ statusCode: 404 });
    expect(await refused(other, fetch, { quoteId })).toMatchObject({ statusCode: 404 });
    expect(await refused(trader, executeQuote, { quoteId, profileId })).toMatchObject({ statusCode: 404 });
    expect(await refused(trader, executeQuote, { quoteId, synthetic: true })).toMatchObject({ statusCode: 404 });
    expect(await refused(trader, executeQuote, { quoteId: 'none' })).toMatchObject({ statusCode: 404 });
  });

  test('of a suspended profile is 403, and it gets no new quotes', async () => {
    const trader = await kit.trader();
    const { id: profileId } = await newProfile(trader);
    const { quoteId } = await kit.quote(trader, { amount: '0.01', profileId });
    await changeSuspension(trader.context, profileId, 'companySuspends');
    expect(await refused(trader, executeQuote, { quoteId, profileId })).toMatchObject({ statusCode: 403 });
    expect(await refused(trader, createQuote, { amount: '0.01', profileId })).toMatchObject({ statusCode: 403 });
  });

  test('synthetic trades with synthetic funds alone', async () => {
    const trader = await kit.trader({ BRL: '1000' });
    const { quoteId } = await kit.quote(trader, { amount: '0.01', synthetic: true });
    await kit.execute(trader, quoteId, { synthetic: true });
    expect((await kit.balances(await walletOf(trader)))['BRL']).toMatchObject({ total: '1000.00' });
    expect((await kit.balances(await walletOf(trader, undefined, true)))['BTC']).toMatchObject({
      available: '1.01000000',
    });
  });
});

describe('open quotes are bounded', () => {
  test('twenty of a wallet, also when thirty are asked for at once; executed and expired ones make room', async () => {
    const trader = await kit.trader();
    const all = await Promise.all(Array.from({ length: 30 }, () => kit.run(trader, createQuote, { amount: '0.001' })));
    const made = all.flatMap(({ data }) => (data['createQuote'] as QuoteView | null | undefined) ?? []);
    expect(made).toHaveLength(20);
    expect(await refused(trader, createQuote, { amount: '0.001' })).toMatchObject({ statusCode: 422 });
    const [first, second] = made;
    await kit.execute(trader, first?.quoteId ?? '');
    await expire(second?.quoteId ?? '');
    await kit.quote(trader, { amount: '0.001' });
    await kit.quote(trader, { amount: '0.001' });
    expect(await refused(trader, createQuote, { amount: '0.001' })).toMatchObject({ statusCode: 422 });
  });

  test('and worth no more than was agreed in one market, over all wallets of the company', async () => {
    const trader = await kit.trader();
    const { id: profileId } = await newProfile(trader);
    await quotedValue(trader, '10000');
    await kit.quote(trader, { quoteAmount: '6000' });
    expect(await refused(trader, createQuote, { ...sell, quoteAmount: '6000', profileId })).toMatchObject({
      statusCode: 422,
    });
    await kit.quote(trader, { symbol: 'ETH/BRL', side: 'BUY', quoteAmount: '6000' });
    await kit.quote(await kit.trader(), { quoteAmount: '6000' });
  });

  test('and an executed one makes no room until the house has hedged it', async () => {
    const trader = await kit.trader();
    await quotedValue(trader, '10000');
    const { quoteId } = await kit.quote(trader, { quoteAmount: '6000' });
    await kit.execute(trader, quoteId);
    await until(
      'the hedge',
      async () =>
        (await kit.rows(`SELECT FROM trading.hedges WHERE quote_id = $1 AND state = 'DONE'`, [quoteId])).length > 0,
    );
    const hedged = (share: string) =>
      kit.rows(
        `UPDATE trading.hedges AS h SET state = 'OPEN', done_at = NULL, hedged_amount = q.amount * $2::numeric,
           due_at = now() + interval '1 hour' FROM trading.quotes AS q WHERE q.id = quote_id AND quote_id = $1`,
        [quoteId, share],
      );
    await hedged('0');
    expect(await refused(trader, createQuote, { quoteAmount: '6000' })).toMatchObject({ statusCode: 422 });
    await hedged('0.5');
    await kit.quote(trader, { quoteAmount: '6000' });
    expect(await refused(trader, createQuote, { quoteAmount: '6000' })).toMatchObject({ statusCode: 422 });
  });

  test('the largest order that was agreed is the largest quote', async () => {
    const trader = await kit.trader(undefined, { terms: { maxOrderValue: '500' } });
    expect(await refused(trader, createQuote, { quoteAmount: '1000' })).toMatchObject({ statusCode: 422 });
  });
});

test('of quotes that are executed at once each gets its own: the order, or why there is none', async () => {
  const traders = await Promise.all(
    Array.from({ length: 8 }, (_, index) => kit.trader({ BRL: index === 0 ? '10' : '100000' })),
  );
  const quotes = await Promise.all(
    traders.map((trader, index) => kit.quote(trader, { amount: '0.01', synthetic: index === 3 })),
  );
  await expire(quotes[1]?.quoteId ?? '');
  const asked = traders.map(
    (trader, index) => [trader, executeQuote, { quoteId: quotes[index]?.quoteId, synthetic: index === 3 }] as const,
  );
  const [last] = asked.slice(-1);
  const statuses = await statusesOf([...asked, ...(last === undefined ? [] : [last])]);
  expect(statuses.sort()).toEqual([...Array<number>(6).fill(200), 400, 409, 410]);
  const counts = await Promise.all(traders.map(ordersOf));
  expect(counts.map((rows) => rows.length)).toEqual([0, 0, 1, 1, 1, 1, 1, 1]);
  const balances = await Promise.all(
    traders.map(async (trader, index) => {
      const { BTC } = await kit.balances(await walletOf(trader, undefined, index === 3));
      return BTC?.available;
    }),
  );
  const bought = '0.01000000';
  expect(balances).toEqual(['0.00000000', '0.00000000', bought, '1.01000000', bought, bought, bought, bought]);
});

test('of two quotes that are made at once one is refused where the company has room for one', async () => {
  const trader = await kit.trader();
  const profiles = await Promise.all([newProfile(trader), newProfile(trader)]);
  await quotedValue(trader, '10000');
  const statuses = await statusesOf(
    profiles.map(({ id: profileId }) => [trader, createQuote, { quoteAmount: '6000', profileId }] as const),
  );
  expect(statuses.sort()).toEqual([200, 422]);
});

test('of two quotes that are executed at once one is refused where the day has room for one', async () => {
  const trader = await kit.trader(undefined, { terms: { maxDailyVolume: '10000' } });
  const asked = await Promise.all(
    [1, 2].map(async () => [trader, executeQuote, await kit.quote(trader, { quoteAmount: '6000' })] as const),
  );
  expect((await statusesOf(asked)).sort()).toEqual([200, 422]);
});

const changeText = `mutation ($id: ID!, $terms: TradingTermsInput) {
  changeTradingCompany(id: $id, terms: $terms) { terms { takerFee maxQuotedValue spreadTiers { aboveBrl percent } } } }`;

async function changed(trader: TestTrader, terms: object) {
  const { data, error } = await kit.run(asOperator, changeText, { id: trader.companyId, terms });
  return { terms: (data['changeTradingCompany'] as { terms: object } | undefined)?.terms, error };
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
    const small = await kit.quote(trader, { quoteAmount: '900' });
    expect(Number(small.spread)).toBeCloseTo(3, 2);
    // 3% of the first 1,000 and 1% of the rest.
    const large = await kit.quote(trader, { quoteAmount: '100000' });
    expect(Number(large.spread)).toBeCloseTo(1.02, 2);
    expect(await changed(trader, { takerFee: '0.1' })).toMatchObject({ terms: { takerFee: '0.1', spreadTiers } });
    expect(await changed(trader, { spreadTiers: null })).toMatchObject({ terms: { spreadTiers: null } });
    expect(Number((await kit.quote(trader, { amount: '0.5' })).spread)).toBeLessThan(0.51);
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
    expect(error?.details?.map(({ path }) => path)).toEqual([
      'terms.maxQuotedValue',
      'terms.spreadTiers[0].aboveBrl',
      'terms.spreadTiers[1].aboveBrl',
      'terms.spreadTiers[1].percent',
    ]);
    expect(await changed(trader, {})).toMatchObject({ terms: { takerFee: '0.3', spreadTiers: null } });
  });
});
