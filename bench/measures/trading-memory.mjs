import { setTimeout as sleep } from 'node:timers/promises';
import { collectGarbage } from '../kit/collect-garbage.mjs';
import { startPlatform } from '../kit/platform.mjs';
import { freePort } from '../kit/processes.mjs';
import { median } from '../kit/statistics.mjs';
import { onboardTraders } from '../kit/traders.mjs';
import { familyOf, memoryMb, sharedMemoryMb } from '../kit/usage.mjs';
import { startWorker } from '../kit/worker.mjs';
import { framesOf, reader, symbols } from './trading-sockets.mjs';

const idleSockets = 2_000;
const busySockets = 1_000;
const ordersPerSecond = 200;

/** (o) Measures the memory of connections, and of the program during long trading, on a separate platform. */
export async function measureTradingMemory({ folder, options }) {
  const port = await freePort();
  const platform = await startPlatform(folder, undefined, { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });
  try {
    return [...(await measureIdle(platform, port)), ...(await measureSoak(platform, options.soakSeconds))];
  } finally {
    await platform.stop();
  }
}

/** Measures connections without a channel. Garbage is collected before and after, so that only their own memory is counted. */
async function measureIdle(platform, port) {
  const url = `${platform.url.replace('http', 'ws')}/ws`;
  const readers = reader();
  const resident = async () => {
    await collectGarbage(port);
    await sleep(1_000);
    return memoryMb(platform.pid)?.now;
  };
  const open = (count) => readers.ask('open', { url, readers: Array(count).fill([]) });
  // The first ones load the code that serves them.
  await open(500);
  await readers.ask('close');
  const before = await resident();
  await open(idleSockets);
  const after = await resident();
  const { closed } = await readers.ask('count', { seconds: 0 });
  if (closed > 0) throw new Error(`${closed} of ${idleSockets} idle sockets were closed`);
  await readers.stop();
  const each = before === undefined ? undefined : ((after - before) * 1000) / idleSockets;
  return [{ name: '(o) resident memory of an idle `/ws` connection, of 2,000', value: each, unit: 'kB', below: 15 }];
}

/** Runs 1,000 sockets with a ticker each, two of each wallet with its orders and balances, and 200 orders a second. */
async function measureSoak(platform, seconds) {
  const traders = await onboardTraders(platform, { companies: 8, profiles: 8 });
  const readers = reader();
  const client = startWorker(new URL('../trading/client.mjs', import.meta.url));
  await readers.ask('open', { url: `${platform.url.replace('http', 'ws')}/ws`, readers: channelsOf(traders) });
  const trading = client.ask('keepRate', {
    url: platform.url,
    act: 'order',
    traders,
    connections: 64,
    rate: ordersPerSecond,
    seconds,
  });
  const counting = readers.ask('count', { seconds });
  const sampled = await sampleMemory(platform.pid, trading);
  const [orders, { updates, closed }] = [await trading, await counting];
  const whole = sharedMemoryMb(familyOf(platform.pid));
  await readers.stop();
  await client.stop();
  if (closed > 0) throw new Error(`${closed} of ${busySockets} sockets were closed`);
  const fifth = (number) => median(sampled.slice(...[number, number + 1].map((at) => (at * sampled.length) / 5)));
  const known = sampled.length >= 5;
  const name = `(o) 1,000 sockets and ${ordersPerSecond} orders/s for ${seconds} s`;
  return [
    { name: `${name}: orders/s that were placed`, value: orders.perSecond, unit: '/s', digits: 0 },
    {
      name: '(o) orders that were refused: the program was at its limit',
      value: orders.wrong,
      unit: '',
      digits: 0,
      below: 1,
    },
    { name: '(o) p99 of an order', value: orders.p99, unit: 'ms' },
    { name: '(o) updates/s that were read', value: updates / seconds, unit: '/s', digits: 0 },
    {
      name: '(o) the highest resident memory, without PostgreSQL',
      value: known ? Math.max(...sampled) : undefined,
      unit: 'MB',
      digits: 0,
      below: 500,
    },
    {
      name: '(o) its median in the last fifth ÷ in the second',
      value: known ? fifth(4) / fifth(1) : undefined,
      unit: '',
      digits: 2,
      below: 1.1,
    },
    { name: '(o) at the end, with PostgreSQL', value: whole, unit: 'MB', digits: 0 },
  ];
}

function channelsOf(traders) {
  return Array.from({ length: busySockets }, (_, index) => {
    const trader = traders[index % traders.length];
    const ticker = framesOf(trader, [symbols[index % symbols.length]]);
    if (index >= 2 * traders.length) return ticker;
    const { token, profileId } = trader;
    const own = ['orders', 'balance'].map((channel) =>
      JSON.stringify({ action: 'subscribe', channel, token, profileId }),
    );
    return [...ticker, ...own];
  });
}

/** Samples resident memory in MB, once a second until some work ends. */
async function sampleMemory(pid, work) {
  const samples = [];
  let over = false;
  const end = () => (over = true);
  work.then(end, end);
  while (!over) {
    await Promise.race([sleep(1_000), work.catch(() => undefined)]);
    const memory = memoryMb(pid);
    if (memory !== undefined) samples.push(memory.now);
  }
  return samples;
}
