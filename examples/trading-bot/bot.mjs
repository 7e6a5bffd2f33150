// A rebalancing bot: it keeps a share of a wallet in one currency, within a band, by market orders. See README.md.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createClient } from './client.mjs';
import { rebalance } from './rebalance.mjs';

const { values } = parseArgs({
  options: {
    symbol: { type: 'string', default: 'BTC/BRL' },
    target: { type: 'string', default: '50' },
    band: { type: 'string', default: '2' },
    interval: { type: 'string', default: '30' },
    profile: { type: 'string' },
    synthetic: { type: 'boolean', default: false },
    once: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
  },
});
const {
  TRADING_API_KEY: apiKey,
  TRADING_SECRET_KEY: secretKey,
  LASTRO_URL: baseUrl = 'http://localhost:4000',
} = process.env;
if (apiKey === undefined || secretKey === undefined) {
  console.error(
    'TRADING_API_KEY and TRADING_SECRET_KEY are needed: the pair of a credential with the scopes read and trade',
  );
  process.exit(2);
}

const { symbol } = values;
const [baseCurrency, quoteCurrency] = symbol.split('/');
const client = createClient({
  baseUrl,
  apiKey,
  secretKey,
  synthetic: values.synthetic,
  ...(values.profile === undefined ? {} : { profileId: values.profile }),
});
const say = (what) => console.log(JSON.stringify({ at: new Date().toISOString(), symbol, ...what }));
const nothing = { available: '0', locked: '0', total: '0' };

/** Looks at the wallet and the market once, and places an order where one is due. */
async function step() {
  const [wallets, markets, ticker] = [await client.balances(), await client.markets(), await client.ticker(symbol)];
  const market = markets.find((one) => one.symbol === symbol);
  if (market === undefined) throw new Error(`There is no market ${symbol}`);
  if (market.status !== 'ACTIVE' || ticker.bid === null || ticker.ask === null)
    return say({ action: 'wait', reason: 'no market' });
  const balanceOf = (currency) => wallets.find((one) => one.currency === currency) ?? nothing;
  const { weightPercent, order } = rebalance({
    base: balanceOf(baseCurrency),
    quote: balanceOf(quoteCurrency),
    ticker,
    market,
    targetPercent: values.target,
    bandPercent: values.band,
  });
  if (order === undefined) return say({ action: 'keep', weightPercent });
  if (values['dry-run']) return say({ action: 'would trade', weightPercent, ...order });
  const placed = await client.createOrder({ symbol, type: 'MARKET', ...order, clientOrderId: `bot-${randomUUID()}` });
  const { orderId, status, filledAmount, averagePrice, fee, feeCurrency } = placed;
  return say({
    action: 'traded',
    weightPercent,
    ...order,
    orderId,
    status,
    filledAmount,
    averagePrice,
    fee,
    feeCurrency,
  });
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

do {
  try {
    await step();
  } catch (error) {
    say({ action: 'failed', error: error.message });
    if (values.once) process.exitCode = 1;
  }
  if (!values.once)
    await sleep(Number(values.interval) * 1_000, undefined, { signal: stop.signal }).catch(() => undefined);
} while (!values.once && !stop.signal.aborted);
