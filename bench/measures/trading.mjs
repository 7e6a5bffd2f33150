import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findEmbedded } from '../../dist/shared/database/embedded.js';
import { startPlatform } from '../kit/platform.mjs';
import { onboardTraders } from '../kit/traders.mjs';
import { familyOf, processorMs } from '../kit/usage.mjs';
import { startWorker } from '../kit/worker.mjs';
import { measureOrderList } from './trading-list.mjs';
import { measureTradingMemory } from './trading-memory.mjs';
import { measureFanOut } from './trading-sockets.mjs';

const companies = 8;
const profilesOfEach = 8;

/** (o) Measures orders, quotes and live channels of 64 wallets of eight companies, on a separate platform with simulated venues. */
export async function measureTrading({ folder, timing, options }) {
  const platform = await startPlatform(folder);
  const traders = await onboardTraders(platform, { companies, profiles: profilesOfEach });
  const client = startWorker(new URL('../trading/client.mjs', import.meta.url));
  const database = new pg.Client({ connectionString: await findEmbedded(platform.dataDir) });
  await database.connect();
  const desk = { platform, traders, client, database, timing, seconds: Math.min(20, timing.seconds * timing.rounds) };
  const rows = [];
  try {
    rows.push(...(await measureOrders(desk)), ...(await measureQuotes(desk)), ...(await measureNews(desk)));
    rows.push(...(await measureOrderList(desk)), ...(await measureFanOut(desk)));
  } finally {
    await database.end();
    await client.stop();
    await platform.stop();
  }
  return [...rows, ...(await measureTradingMemory({ folder, options }))];
}

/** Runs acts of the client, and rejects a run in which one did not get 201. */
async function run({ platform, client }, work, order) {
  const result = await client.ask(work, { url: platform.url, ...order });
  if (result.wrong > 0) throw new Error(`${result.wrong} of ${result.count}: ${JSON.stringify(result.why)}`);
  return result;
}

async function measureOrders(desk) {
  const { platform, traders, database, timing, seconds } = desk;
  const load = { act: 'order', traders, connections: timing.connections, seconds };
  await run(desk, 'saturate', { ...load, seconds: timing.warmUpSeconds });
  // Autovacuum does the same within a minute: plans are then made for tables with rows.
  await database.query('ANALYZE');
  const before = usageOf(platform);
  const full = await run(desk, 'saturate', load);
  const after = usageOf(platform);
  const paced = await run(desk, 'keepRate', { ...load, rate: 100 });
  const single = await run(desk, 'saturate', { ...load, traders: traders.slice(0, 1) });
  const each = (of) => (after[of] === undefined ? undefined : (after[of] - before[of]) / full.count);
  const filled = ((full.statuses.FILLED ?? 0) / full.count) * 100;
  return [
    {
      name: '(o) `POST /v1/orders/createOrder`, MARKET, 64 wallets of 8 companies: orders/s',
      value: full.perSecond,
      unit: '/s',
      digits: 0,
      above: 400,
    },
    { name: '(o) their p99', value: full.p99, unit: 'ms' },
    { name: '(o) of them FILLED', value: filled, unit: '%' },
    { name: '(o) CPU of the program an order', value: each('program'), unit: 'ms', digits: 2 },
    { name: '(o) CPU of PostgreSQL an order', value: each('postgres'), unit: 'ms', digits: 2 },
    { name: '(o) at 100 orders/s: p50', value: paced.p50, unit: 'ms' },
    { name: '(o) their p99', value: paced.p99, unit: 'ms', below: 100 },
    { name: '(o) orders/s of a single wallet', value: single.perSecond, unit: '/s', digits: 0 },
  ];
}

/** Returns the processor time so far in ms: of the program's own process, and of its PostgreSQL. */
function usageOf({ pid }) {
  const program = processorMs([pid]);
  const all = processorMs(familyOf(pid));
  return { program, postgres: program === undefined || all === undefined ? undefined : all - program };
}

async function measureQuotes(desk) {
  const { traders, timing, seconds } = desk;
  const load = { act: 'pair', traders, connections: timing.connections, seconds };
  await run(desk, 'saturate', { ...load, seconds: timing.warmUpSeconds });
  const pairs = await run(desk, 'saturate', load);
  const hedging = await hedged(desk);
  return [
    { name: '(o) quotes made and executed: pairs/s', value: pairs.perSecond, unit: '/s', digits: 0, above: 300 },
    { name: '(o) p99 of a pair', value: pairs.p99, unit: 'ms' },
    { name: '(o) hedges of them that were still open at the end', value: hedging.open, unit: '', digits: 0 },
    { name: '(o) the time until all were traded', value: hedging.seconds, unit: 's' },
  ];
}

const hedgePatienceSeconds = 120;

/** Waits until the platform has hedged every executed quote; undefined seconds if that takes too long. */
async function hedged({ database }) {
  const open = async () => {
    const { rows } = await database.query(`SELECT count(*)::integer AS open FROM trading.hedges WHERE state = 'OPEN'`);
    return rows[0].open;
  };
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  const atEnd = await open();
  for (let left = atEnd; left > 0; left = await open()) {
    if (seconds() > hedgePatienceSeconds) return { open: atEnd };
    await sleep(50);
  }
  return { open: atEnd, seconds: seconds() };
}

/** Measures the time from the response of an order to its update on a socket of the wallet, both read by one process. */
async function measureNews({ platform, traders, client, seconds }) {
  const everyMs = 50;
  const order = { url: platform.url, trader: traders[1], count: seconds * 10, everyMs };
  const { p50, p99, first } = await client.ask('follow', order);
  return [
    { name: '(o) from the response of an order to its update on `/ws`: p50', value: p50, unit: 'ms', below: 10 },
    { name: '(o) its p99', value: p99, unit: 'ms' },
    { name: '(o) updates that came before the response', value: (first / order.count) * 100, unit: '%', digits: 0 },
  ];
}
