import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Decimal } from '../../shared/kernel/decimal.js';
import { changeSuspension } from '../../subgraphs/trading/profiles/profiles.acts.js';
import { until } from '../kit/until.js';
import { newProfile, walletOf, type TestTrader } from './kit.js';
import { openOrders, type OrdersKit } from './orders-kit.js';
import { streamedBalances } from './streamed-balances.js';

let kit: OrdersKit;

beforeAll(async () => {
  kit = await openOrders();
});
afterAll(() => kit.close());

const fields =
  'quoteId symbol side status price amount quoteAmount fee feeCurrency spread expiresAt ttlSeconds orderId';
const create = `mutation ($symbol: String!, $side: OrderSide!, $amount: Decimal, $quoteAmount: Decimal, $synthetic: Boolean, $profileId: ID) {
  createQuote(symbol: $symbol, side: $side, amount: $amount, quoteAmount: $quoteAmount, synthetic: $synthetic, profileId: $profileId) { ${fields} }
}`;
const execute = `mutation ($quoteId: ID!, $synthetic: Boolean, $profileId: ID) {
  executeQuote(quoteId: $quoteId, synthetic: $synthetic, profileId: $profileId) { orderId status type filledAmount averagePrice fee filledAt }
}`;
const fetch = `query ($quoteId: ID!, $synthetic: Boolean) { fetchQuote(quoteId: $quoteId, synthetic: $synthetic) { ${fields} } }`;

interface QuoteView {
  readonly quoteId: string;
  readonly status: string;
  readonly price: string;
  readonly amount: string;
  readonly quoteAmount: string;
  readonly fee: string;
  readonly spread: string;
  readonly expiresAt: string;
  readonly orderId: string | null;
}
interface OrderView {
  readonly orderId: string;
  readonly averagePrice: string;
  readonly fee: string;
}

const buy = { symbol: 'BTC/BRL', side: 'BUY' };
const sell = { symbol: 'BTC/BRL', side: 'SELL' };

async function quoted(trader: TestTrader, input: Record<string, unknown>): Promise<QuoteView> {
  const { data, errors } = await kit.run(trader, create, input);
  expect(errors).toBeUndefined();
  return data?.['createQuote'] as QuoteView;
}

async function executed(trader: TestTrader, input: Record<string, unknown>): Promise<OrderView> {
  const { data, errors } = await kit.run(trader, execute, input);
  expect(errors).toBeUndefined();
  return data?.['executeQuote'] as OrderView;
}

async function refused(trader: TestTrader, document: string, input: Record<string, unknown>) {
  const { errors } = await kit.run(trader, document, input);
  return errors?.[0]?.extensions;
}

/** Lets a quote expire by the database's clock. */
const expire = (quoteId: string) =>
  kit.database.asOwner(
    `UPDATE trading.quotes SET created_at = now() - interval '31 s', expires_at = now() - interval '1 s' WHERE id = '${quoteId}'`,
  );

/** What the house's accounts of a kind come to, in the real world. */
async function platform(kind: string, currency: string): Promise<string> {
  const [row] = await kit.rows<{ sum: string }>(
    `SELECT coalesce(sum(balance), 0) AS sum FROM trading.ledger_accounts WHERE kind = $1 AND currency = $2 AND NOT synthetic`,
    [kind, currency],
  );
  return row?.sum ?? '0';
}

describe('a quote', () => {
  test('says everything that was promised, sets nothing aside and can be read again', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    const quote = await quoted(trader, { ...buy, amount: '0.05' });
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
    const { data } = await kit.run(trader, fetch, { quoteId: quote.quoteId });
    expect(data?.['fetchQuote']).toEqual(quote);
    expect((await kit.balances(await walletOf(trader)))['BRL']).toMatchObject({
      available: '100000.00',
      locked: '0.00',
    });
  });

  test('is valid for 30 seconds by the clock of the database', async () => {
    const { quoteId } = await quoted(await kit.trader(), { ...sell, amount: '0.01' });
    const [row] = await kit.rows<{ seconds: string; ahead: boolean }>(
      `SELECT extract(epoch FROM expires_at - created_at)::text AS seconds, created_at <= clock_timestamp() AS ahead
       FROM trading.quotes WHERE id = $1`,
      [quoteId],
    );
    expect(row).toEqual({ seconds: '30.000000', ahead: true });
  });

  test('of a larger value has a lower spread', async () => {
    const trader = await kit.trader();
    const [small, large] = [
      await quoted(trader, { ...buy, quoteAmount: '1000' }),
      await quoted(trader, { ...buy, quoteAmount: '600000' }),
    ];
    expect(new Decimal(large.spread).lessThan(small.spread)).toBe(true);
    expect(new Decimal(large.quoteAmount).lessThanOrEqualTo('600000')).toBe(true);
  });

  test('is not made of what rests of orders of the house’s own clients, so that nobody moves his own quote', async () => {
    const trader = await kit.trader({ BRL: '1000000', BTC: '10' });
    const shown = () => kit.trading.markets.data.books(false, 'BTC/BRL').flatMap(({ bids }) => bids);
    const { ask } = kit.trading.markets.data.ticker(false, 'BTC/BRL');
    const price = ask?.minus('0.01').toFixed() ?? '';
    const { errors } = await kit.run(
      trader,
      `mutation ($price: Decimal!) { createOrder(symbol: "BTC/BRL", side: BUY, type: LIMIT, amount: "0.4", price: $price, postOnly: true) { status } }`,
      { price },
    );
    expect(errors).toBeUndefined();
    await until('the order in the book', () => shown().some((level) => level.price.equals(price)));
    const { quoteId } = await quoted(trader, { ...sell, amount: '0.1' });
    const [row] = await kit.rows<{ decision: { venues: { bids: { price: string }[] }[] } }>(
      'SELECT decision FROM trading.quotes WHERE id = $1',
      [quoteId],
    );
    const bids = row?.decision.venues.flatMap((venue) => venue.bids.map((level) => level.price));
    expect(bids).not.toContain(price);
    expect(bids?.length).toBeGreaterThan(0);
  });

  test('has the tiers that were agreed with the company', async () => {
    const trader = await kit.trader();
    await kit.rows(`INSERT INTO trading.spread_tiers VALUES ($1, 0, 2)`, [trader.companyId]);
    const { spread } = await quoted(trader, { ...buy, amount: '0.5' });
    expect(spread).toBe('2.0000');
  });

  test.each([
    ['both amounts', { ...buy, amount: '1', quoteAmount: '1' }, 'amount'],
    ['no amount', buy, 'amount'],
    ['excess precision', { ...buy, amount: '0.000001' }, 'amount'],
  ])('with %s: 400 that names it', async (_what, input, path) => {
    expect(await refused(await kit.trader({}), create, input)).toMatchObject({
      statusCode: 400,
      details: expect.arrayContaining([expect.objectContaining({ path })]) as unknown,
    });
  });

  test.each(['0.00', '-1'])('of an amount of %s: 422 that names it', async (quoteAmount) => {
    expect(await refused(await kit.trader({}), create, { ...sell, quoteAmount })).toMatchObject({
      statusCode: 422,
      details: [{ path: 'quoteAmount' }],
    });
  });

  test('of no market, of too little and of too much is refused with the code of each', async () => {
    const trader = await kit.trader();
    expect(await refused(trader, create, { ...buy, symbol: 'DOGE/BRL', amount: '1' })).toMatchObject({
      catalogue: 'CAAS_ORD_002',
    });
    expect(await refused(trader, create, { ...buy, amount: '0.00001' })).toMatchObject({ catalogue: 'CAAS_ORD_003' });
    expect(await refused(trader, create, { ...buy, quoteAmount: '1' })).toMatchObject({ catalogue: 'CAAS_ORD_003' });
    expect(await refused(trader, create, { ...buy, amount: '100000' })).toMatchObject({ statusCode: 422 });
  });
});

describe('executing a quote', () => {
  test('buys at the quoted price, whatever the market does: the client, the house and the fee get what was said', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    const quote = await quoted(trader, { ...buy, amount: '0.05' });
    const fees = new Decimal(await platform('FEES', 'BRL'));
    const order = await executed(trader, { quoteId: quote.quoteId });
    expect(order).toMatchObject({
      status: 'FILLED',
      type: 'MARKET',
      filledAmount: '0.05000000',
      averagePrice: quote.price,
      fee: quote.fee,
    });
    const { BRL, BTC } = await kit.balances(await walletOf(trader));
    expect(BTC).toMatchObject({ available: '0.05000000', locked: '0.00000000' });
    expect(await streamedBalances(kit.context.manager, (await walletOf(trader)).id)).toMatchObject({
      BRL: { available: BRL?.available },
      BTC: { available: BTC?.available },
    });
    expect(BRL?.available).toBe(new Decimal('100000').minus(quote.quoteAmount).toFixed(2));
    expect(new Decimal(await platform('FEES', 'BRL')).minus(fees).toFixed(2)).toBe(quote.fee);
    const { data } = await kit.run(trader, fetch, { quoteId: quote.quoteId });
    expect(data?.['fetchQuote']).toMatchObject({ status: 'EXECUTED', orderId: order.orderId });
  });

  test('is the cause of its movement in the statement, which names its order beside', async () => {
    const trader = await kit.trader({ BRL: '5000' });
    const { quoteId } = await quoted(trader, { ...buy, quoteAmount: '1000' });
    const { orderId } = await executed(trader, { quoteId });
    const { data } = await kit.run(
      trader,
      '{ statement(currency: "BRL", from: "2020-01-01T00:00:00Z") { movements { cause causeId orderId } } }',
    );
    const { movements } = data?.['statement'] as { movements: unknown[] };
    expect(movements.at(-1)).toEqual({ cause: 'quote.execution', causeId: quoteId, orderId });
  });

  test('of all that the wallet has can be executed, and leaves less than the smallest amount costs', async () => {
    const trader = await kit.trader({ BRL: '5000' });
    const quote = await quoted(trader, { ...buy, quoteAmount: '5000' });
    await executed(trader, { quoteId: quote.quoteId });
    const { BRL } = await kit.balances(await walletOf(trader));
    expect(BRL?.available).toBe(new Decimal('5000').minus(quote.quoteAmount).toFixed(2));
    expect(new Decimal(quote.price).times('0.0000101').greaterThan(BRL?.available ?? 0)).toBe(true);
  });

  test('sells at the quoted price', async () => {
    const trader = await kit.trader({ BTC: '1' });
    const quote = await quoted(trader, { ...sell, quoteAmount: '50000' });
    await executed(trader, { quoteId: quote.quoteId });
    const { BRL, BTC } = await kit.balances(await walletOf(trader));
    expect(new Decimal(quote.quoteAmount).greaterThanOrEqualTo('50000')).toBe(true);
    expect(BRL?.available).toBe(quote.quoteAmount);
    expect(BTC?.available).toBe(new Decimal(1).minus(quote.amount).toFixed(8));
  });

  test('gives an order that lists and reports of execution show, and that webhooks receive once', async () => {
    const trader = await kit.trader();
    const { quoteId } = await quoted(trader, { ...buy, amount: '0.01' });
    const { orderId } = await executed(trader, { quoteId });
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
    const { quoteId, quoteAmount } = await quoted(trader, { ...buy, amount: '0.01' });
    const results = await Promise.all(Array.from({ length: 100 }, () => kit.run(trader, execute, { quoteId })));
    expect(results.filter(({ errors }) => errors === undefined)).toHaveLength(1);
    const codes = results.flatMap(({ errors }) => errors?.[0]?.extensions ?? []);
    expect(codes).toHaveLength(99);
    for (const code of codes) expect(code).toMatchObject({ statusCode: 409, catalogue: 'CAAS_RFQ_002' });
    expect(await kit.rows('SELECT FROM trading.orders WHERE company_id = $1', [trader.companyId])).toHaveLength(1);
    const { BRL } = await kit.balances(await walletOf(trader));
    expect(BRL?.available).toBe(new Decimal('1000000').minus(quoteAmount).toFixed(2));
  });

  test('that has expired is 410 with CAAS_RFQ_001; one that was executed stays CAAS_RFQ_002', async () => {
    const trader = await kit.trader();
    const [late, used] = [
      await quoted(trader, { ...buy, amount: '0.01' }),
      await quoted(trader, { ...buy, amount: '0.01' }),
    ];
    await expire(late.quoteId);
    expect(await refused(trader, execute, { quoteId: late.quoteId })).toMatchObject({
      statusCode: 410,
      catalogue: 'CAAS_RFQ_001',
    });
    expect((await kit.run(trader, fetch, { quoteId: late.quoteId })).data?.['fetchQuote']).toMatchObject({
      status: 'EXPIRED',
    });
    await executed(trader, { quoteId: used.quoteId });
    expect(await refused(trader, execute, { quoteId: used.quoteId })).toMatchObject({ catalogue: 'CAAS_RFQ_002' });
  });

  test('that the wallet cannot pay is CAAS_ORD_001, leaves nothing, and can be tried again', async () => {
    const trader = await kit.trader({ BRL: '10' });
    const { quoteId } = await quoted(trader, { ...buy, amount: '0.05' });
    expect(await refused(trader, execute, { quoteId })).toMatchObject({ statusCode: 400, catalogue: 'CAAS_ORD_001' });
    expect(await kit.rows('SELECT FROM trading.orders WHERE company_id = $1', [trader.companyId])).toEqual([]);
    expect((await kit.run(trader, fetch, { quoteId })).data?.['fetchQuote']).toMatchObject({
      status: 'OPEN',
      orderId: null,
    });
  });

  test("of somebody else's quote, another wallet's or another world's is 404", async () => {
    const [trader, other] = [await kit.trader(), await kit.trader()];
    const { quoteId } = await quoted(trader, { ...buy, amount: '0.01' });
    const { id: profileId } = await newProfile(trader);
    expect(await refused(other, execute, { quoteId })).toMatchObject({ statusCode: 404 });
    expect(await refused(other, fetch, { quoteId })).toMatchObject({ statusCode: 404 });
    expect(await refused(trader, execute, { quoteId, profileId })).toMatchObject({ statusCode: 404 });
    expect(await refused(trader, execute, { quoteId, synthetic: true })).toMatchObject({ statusCode: 404 });
    expect(await refused(trader, execute, { quoteId: 'none' })).toMatchObject({ statusCode: 404 });
  });

  test('of a suspended profile is 403, and it gets no new quotes', async () => {
    const trader = await kit.trader();
    const { id: profileId } = await newProfile(trader);
    const { quoteId } = await quoted(trader, { ...buy, amount: '0.01', profileId });
    await changeSuspension(trader.context, profileId, 'companySuspends');
    expect(await refused(trader, execute, { quoteId, profileId })).toMatchObject({ statusCode: 403 });
    expect(await refused(trader, create, { ...buy, amount: '0.01', profileId })).toMatchObject({ statusCode: 403 });
  });

  test('synthetic trades with synthetic funds alone', async () => {
    const trader = await kit.trader({ BRL: '1000' });
    const { quoteId } = await quoted(trader, { ...buy, amount: '0.01', synthetic: true });
    await executed(trader, { quoteId, synthetic: true });
    expect((await kit.balances(await walletOf(trader)))['BRL']).toMatchObject({ total: '1000.00' });
    expect((await kit.balances(await walletOf(trader, undefined, true)))['BTC']).toMatchObject({
      available: '1.01000000',
    });
  });
});

describe('open quotes are bounded', () => {
  test('twenty of a wallet, also when thirty are asked for at once; executed and expired ones make room', async () => {
    const trader = await kit.trader();
    const all = await Promise.all(
      Array.from({ length: 30 }, () => kit.run(trader, create, { ...buy, amount: '0.001' })),
    );
    const made = all.flatMap(({ data }) => (data?.['createQuote'] as QuoteView | null | undefined) ?? []);
    expect(made).toHaveLength(20);
    expect(await refused(trader, create, { ...buy, amount: '0.001' })).toMatchObject({ statusCode: 422 });
    const [first, second] = made;
    await executed(trader, { quoteId: first?.quoteId });
    await expire(second?.quoteId ?? '');
    await quoted(trader, { ...buy, amount: '0.001' });
    await quoted(trader, { ...buy, amount: '0.001' });
    expect(await refused(trader, create, { ...buy, amount: '0.001' })).toMatchObject({ statusCode: 422 });
  });

  test('and worth no more than was agreed in one market, over all wallets of the company', async () => {
    const trader = await kit.trader();
    const { id: profileId } = await newProfile(trader);
    await kit.rows('UPDATE trading.company_terms SET max_quoted_value = 10000 WHERE company_id = $1', [
      trader.companyId,
    ]);
    await quoted(trader, { ...buy, quoteAmount: '6000' });
    expect(await refused(trader, create, { ...sell, quoteAmount: '6000', profileId })).toMatchObject({
      statusCode: 422,
    });
    await quoted(trader, { symbol: 'ETH/BRL', side: 'BUY', quoteAmount: '6000' });
    await quoted(await kit.trader(), { ...buy, quoteAmount: '6000' });
  });

  test('and an executed one makes no room until the house has hedged it', async () => {
    const trader = await kit.trader();
    await kit.rows('UPDATE trading.company_terms SET max_quoted_value = 10000 WHERE company_id = $1', [
      trader.companyId,
    ]);
    const { quoteId } = await quoted(trader, { ...buy, quoteAmount: '6000' });
    await executed(trader, { quoteId });
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
    expect(await refused(trader, create, { ...buy, quoteAmount: '6000' })).toMatchObject({ statusCode: 422 });
    await hedged('0.5');
    await quoted(trader, { ...buy, quoteAmount: '6000' });
    expect(await refused(trader, create, { ...buy, quoteAmount: '6000' })).toMatchObject({ statusCode: 422 });
  });

  test('the largest order that was agreed is the largest quote', async () => {
    const trader = await kit.trader(undefined, { terms: { maxOrderValue: '500' } });
    expect(await refused(trader, create, { ...buy, quoteAmount: '1000' })).toMatchObject({ statusCode: 422 });
  });
});
