// A rebalancing bot: it keeps a share of a wallet in one currency, within a band, by market orders. See README.md.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, liveUpdates } from '@lastro/sdk';
import { WebSocket } from 'ws';
import { readOptions, sayWaiting } from './options.mjs';
import { rebalance } from './rebalance.mjs';

const { values, connection, signal } = readOptions({
  symbol: { type: 'string', default: 'BTC/BRL' },
  target: { type: 'string', default: '50' },
  band: { type: 'string', default: '2' },
  interval: { type: 'string', default: '5' },
  once: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
});
const { symbol } = values;
const [baseCurrency, quoteCurrency] = symbol.split('/');
const lastro = createClient(connection);
const say = (what) => console.log(JSON.stringify({ at: new Date().toISOString(), symbol, ...what }));
const nothing = { available: '0', locked: '0', total: '0' };

/** Looks at the wallet and the market as they are, and places an order where one is due. */
async function step(wallets, ticker) {
  const { markets } = await lastro.GET('/v1/market/fetchMarkets');
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
  // An order with an unknown outcome is in no balance yet: a second order would trade for the same difference again.
  const open = lastro.items('/v1/orders/fetchOrders', { params: { query: { symbol, status: 'OPEN' } } });
  for await (const { clientOrderId } of open) {
    if (clientOrderId?.startsWith('bot-')) return say({ action: 'wait', reason: 'an order is open' });
  }
  if (values['dry-run']) return say({ action: 'would trade', weightPercent, ...order });
  const clientOrderId = `bot-${randomUUID()}`;
  const placed = await lastro.POST('/v1/orders/createOrder', {
    params: { header: { 'X-Idempotency-Key': clientOrderId } },
    body: { symbol, type: 'MARKET', ...order, clientOrderId },
  });
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

async function tried(work) {
  try {
    await work();
    return true;
  } catch (error) {
    say({ action: 'failed', status: error.status, error: error.message });
    return false;
  }
}

/** Steps once an interval if the wallet or the price has changed. Updates of the socket are read during a step, too. */
async function run() {
  const prices = `ticker:${symbol}`;
  const wallet = new Map();
  let ticker;
  let isNew = false;
  const listen = async () => {
    const channels = ['balance', prices];
    const options = { channels, signal, onState: sayWaiting, webSocket: WebSocket };
    for await (const { type, channel, data } of liveUpdates(lastro, options)) {
      if (type === 'reset') wallet.clear();
      else if (channel === prices) ticker = data;
      else for (const one of data.wallets) wallet.set(one.currency, one);
      isNew = ticker !== undefined && wallet.size > 0;
    }
  };
  const trade = async () => {
    while (!signal.aborted) {
      await sleep(Number(values.interval) * 1_000, undefined, { signal }).catch(() => undefined);
      if (!isNew || signal.aborted) continue;
      isNew = false;
      await tried(() => step([...wallet.values()], ticker));
    }
  };
  await Promise.race([listen(), trade()]);
}

const isDone = values.once
  ? await tried(async () => {
      const { wallets } = await lastro.GET('/v1/wallet/fetchBalance');
      return step(wallets, await lastro.GET('/v1/market/fetchTicker', { params: { query: { symbol } } }));
    })
  : await tried(run);
// Ends the process, since the other half of `run` may still be active.
if (!isDone) process.exit(1);
