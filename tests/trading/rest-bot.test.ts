import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../../shared/kernel/decimal.js';
import { openTestPlatform } from '../kit/platform.js';
import { plenty, tradingCallerOf } from './kit.js';

const folder = new URL('../../examples/trading-bot/', import.meta.url);
const typescript = new URL('../kit/typescript.mjs', import.meta.url).href;

interface Amounts {
  readonly available: string;
  readonly total: string;
}

interface Decision {
  readonly weightPercent: string;
  readonly order?: { readonly side: 'BUY' | 'SELL'; readonly amount: string };
}

/** What the example exports; it is plain JavaScript. */
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

let environment: Record<string, string>;

const { rebalance } = (await import(new URL('rebalance.mjs', folder).href)) as Rebalancing;
const platform = await openTestPlatform({ ...plenty, DEMO: 'true' }, { background: false });
const caller = tradingCallerOf(platform);
const file = readFileSync(join(platform.dataDir, 'demo-credentials.json'), 'utf8');
const { trading } = JSON.parse(file) as { trading: { apiKey: string; secretKey: string } };
const { body } = await caller.post('/v1/auth/login', trading);
const headers = { authorization: `Bearer ${(body as { accessToken: string }).accessToken}` };
environment = { TRADING_API_KEY: trading.apiKey, TRADING_SECRET_KEY: trading.secretKey, LASTRO_URL: platform.url };
afterAll(() => platform.close());

const start = (program: string, ...options: readonly string[]) =>
  spawn(process.execPath, ['--import', typescript, fileURLToPath(new URL(program, folder)), ...options], {
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

async function orders(more: Record<string, string> = {}) {
  const { body } = await caller.send('GET', '/v1/orders/fetchOrders', undefined, { ...headers, ...more });
  return (body as { orders: { clientOrderId: string | null; status: string }[] }).orders;
}

describe('the example bot', () => {
  test('says what it would trade and trades nothing on a dry run', async () => {
    const before = await orders();
    const { code, said } = await bot('--dry-run', '--target', '10');
    expect([code, said['action'], said['side']]).toEqual([0, 'would trade', 'SELL']);
    expect(await orders()).toEqual(before);
  });

  test('brings the weight into its band by one order, and keeps it then', async () => {
    const synthetic = { 'x-synthetic': 'true' };
    expect(await orders(synthetic)).toEqual([]);
    const { code, said } = await bot('--synthetic', '--target', '60', '--band', '3');
    expect([code, said['action'], said['side'], said['status']]).toEqual([0, 'traded', 'SELL', 'FILLED']);
    expect((await bot('--synthetic', '--target', '60', '--band', '3')).said['action']).toBe('keep');
    expect(await orders(synthetic)).toMatchObject([
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
    const own = { ...headers, 'x-synthetic': 'true' };
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
      await caller.send('POST', '/v1/orders/createOrder', order, { ...headers, 'x-synthetic': 'true' });
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

describe('its decision', () => {
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
