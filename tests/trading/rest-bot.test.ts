import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../../shared/decimal.js';
import { openTestHouse, type TestHouse } from '../kit/house.js';
import { plenty, tradingCallerOf, type TradingCaller } from './kit.js';

const folder = new URL('../../examples/trading-bot/', import.meta.url);

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

let house: TestHouse;
let caller: TradingCaller;
let headers: Record<string, string>;
let environment: Record<string, string>;
let rebalance: Rebalancing['rebalance'];

beforeAll(async () => {
  ({ rebalance } = (await import(new URL('rebalance.mjs', folder).href)) as Rebalancing);
  house = await openTestHouse({ ...plenty, DEMO: 'true' }, { background: false });
  caller = tradingCallerOf(house);
  const file = readFileSync(join(house.dataDir, 'demo-credentials.json'), 'utf8');
  const { trading } = JSON.parse(file) as { trading: { apiKey: string; secretKey: string } };
  const { body } = await caller.post('/v1/auth/login', trading);
  headers = { authorization: `Bearer ${(body as { accessToken: string }).accessToken}` };
  environment = { TRADING_API_KEY: trading.apiKey, TRADING_SECRET_KEY: trading.secretKey, LASTRO_URL: house.url };
}, 300_000);
afterAll(() => house.close());

/** Runs the bot once, and returns what it printed. */
async function bot(...options: readonly string[]) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('bot.mjs', folder)), '--once', ...options], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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

  test('ends with an error that says what is wrong where its credential is none', async () => {
    environment = { ...environment, TRADING_SECRET_KEY: 'svc_trd_secret_wrong' };
    const { code, said } = await bot('--dry-run');
    expect([code, said['action']]).toEqual([1, 'failed']);
    expect(said['error']).toMatch(/^401 /);
  });
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
