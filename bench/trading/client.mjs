// The second process: clients that place orders and execute quotes over REST, so that their own work does not add to the server's.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'undici';
import { quantile } from '../kit/statistics.mjs';
import { serveWorks } from '../kit/worker.mjs';
import { openFollower } from './follower.mjs';

/** Small sizes, which the best level of a book holds a thousand times. */
const markets = [
  { symbol: 'BTC/BRL', amount: '0.0002' },
  { symbol: 'ETH/BRL', amount: '0.002' },
  { symbol: 'USDT/BRL', amount: '5' },
  { symbol: 'BTC/USDT', amount: '0.0002' },
  { symbol: 'ETH/USDT', amount: '0.002' },
];

const acts = { order: placeOrder, pair: executeQuote };

serveWorks({ saturate, keepRate, follow });

/** Runs acts of all traders in turn, on so many connections, each of which waits for the end of one before the next. */
async function saturate({ url, act, traders, connections, seconds }) {
  const tally = createTally();
  const next = turns(traders);
  const begun = performance.now();
  const loop = async () => {
    const client = new Client(url);
    while (performance.now() - begun < seconds * 1000) await tally.take(performance.now(), acts[act](client, next()));
    await client.close();
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return tally.result((performance.now() - begun) / 1000);
}

/** Starts acts evenly at `rate` a second, whether or not earlier ones have ended. Latency counts from the moment at which an act was due. */
async function keepRate({ url, act, traders, connections, rate, seconds }) {
  const tally = createTally();
  const next = turns(traders);
  const pool = new Pool(url, { connections });
  const under = new Set();
  const begun = performance.now() + 10;
  for (let index = 0; index < rate * seconds; index += 1) {
    const due = begun + (index * 1000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    const done = tally.take(due, acts[act](pool, next())).finally(() => under.delete(done));
    under.add(done);
  }
  await Promise.all(under);
  const elapsed = (performance.now() - begun) / 1000;
  await pool.close();
  return tally.result(elapsed);
}

/** Places orders one after the other, with the socket of their wallet open. @returns ms from each response to the update, negative if that came first */
async function follow({ url, trader, count, everyMs }) {
  const client = new Client(url);
  const follower = await openFollower(url, trader);
  const next = turns([trader]);
  const delays = [];
  for (let index = 0; index < count; index += 1) {
    const { status, orderId } = await created(client, '/v1/orders/createOrder', trader, orderOf(next()));
    const acknowledgedAt = performance.now();
    delays.push((await follower.toldAt(orderId, status)) - acknowledgedAt);
    await sleep(everyMs);
  }
  follower.close();
  await client.close();
  return {
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    first: delays.filter((delay) => delay <= 0).length,
  };
}

/** Returns a function that yields the wallets in turn; each goes through the markets, and sells in the next round what it bought in this one. */
function turns(traders) {
  const run = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    const number = count;
    count += 1;
    const index = number % traders.length;
    const turn = Math.floor(number / traders.length);
    const market = markets[(turn + index) % markets.length];
    const side = (Math.floor(turn / markets.length) + index) % 2 === 0 ? 'BUY' : 'SELL';
    return { trader: traders[index], market, side, clientOrderId: `${run}-${number}` };
  };
}

function orderOf({ market, side, clientOrderId }) {
  return { ...market, side, type: 'MARKET', clientOrderId };
}

/** @returns the status of the order */
async function placeOrder(client, turn) {
  const { status } = await created(client, '/v1/orders/createOrder', turn.trader, orderOf(turn));
  return status;
}

/** Requests a quote and executes it. @returns the status of its order */
async function executeQuote(client, { trader, market, side }) {
  const { quoteId } = await created(client, '/v1/orders/rfq/createQuote', trader, { ...market, side });
  const { status } = await created(client, '/v1/orders/rfq/createOrder', trader, { quoteId });
  return status;
}

async function created(client, path, { token, profileId }, sent) {
  const { statusCode, body } = await client.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'x-profile-id': profileId },
    body: JSON.stringify(sent),
  });
  const response = await body.json();
  if (statusCode !== 201) throw new Error(`${path} answered ${statusCode} ${response.code ?? ''}: ${response.message}`);
  return response;
}

/** Counts the outcomes of acts and their durations. */
function createTally() {
  const latencies = [];
  const statuses = {};
  const why = {};
  const count = (table, name) => (table[name] = (table[name] ?? 0) + 1);
  return {
    take: async (since, acting) => {
      try {
        count(statuses, await acting);
      } catch (error) {
        count(why, error.message);
      }
      latencies.push(performance.now() - since);
    },
    result: (seconds) => ({
      wrong: Object.values(why).reduce((sum, one) => sum + one, 0),
      why,
      statuses,
      count: latencies.length,
      perSecond: Object.values(statuses).reduce((sum, one) => sum + one, 0) / seconds,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
      highest: quantile(latencies, 1),
    }),
  };
}
