import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createLocalBus } from '../../dist/shared/events/bus.js';
import { systemClock } from '../../dist/shared/kernel/clock.js';
import { createContext } from '../../dist/shared/kernel/context.js';
import { createKeyRing } from '../../dist/shared/security/crypto.js';
import { openDatabase } from '../../dist/shared/database/database.js';
import { migrate } from '../../dist/shared/database/migrate.js';
import { inTransaction } from '../../dist/shared/database/transaction.js';
import { createLog } from '../../dist/shared/kernel/log.js';
import { announceAll } from '../../dist/shared/events/outbox/outbox.js';
import { migrations } from '../../dist/bootstrap/migrations.js';
import { createWebhook } from '../../dist/subgraphs/webhooks/subscriptions/subscriptions.acts.js';
import { environment } from '../kit/platform.mjs';
import { freePort, startProcess } from '../kit/processes.mjs';
import { median, quantile } from '../kit/statistics.mjs';
import { processorMs } from '../kit/usage.mjs';

const side = (name) => fileURLToPath(new URL(`../sides/${name}.mjs`, import.meta.url));

/** (j) Measures deliveries to receivers on loopback, from events in the outbox to the response, by one worker on a separate database. */
export async function measureWebhooks(bench) {
  return onFreshDatabase(bench, async (context, receiver, url) => {
    await subscribeAll(context, receiver);
    const flood = await measureFlood(context, receiver, url);
    const calm = await measureCalm(context, receiver, url);
    return [
      {
        name: '(j) webhooks delivered a second, 2,000 events to 50 receivers',
        value: flood.rate,
        unit: '/s',
        digits: 0,
        above: 1000,
      },
      { name: '(j) SQL statements a delivery', value: flood.statements, unit: '', digits: 3, below: 6 },
      {
        name: '(j) first attempt after the commit, 100 events/s, 10 dead receivers beside: median',
        value: calm.median,
        unit: 'ms',
        below: 1000,
      },
      { name: '(j) its p99', value: calm.p99, unit: 'ms', below: 500 },
    ];
  });
}

/** Measures as many deliveries as so many workers make together when all are due at once, for each number of workers. */
export async function measureDeliveries(bench, counts) {
  return onFreshDatabase(bench, async (context, receiver, url) => {
    await subscribeAll(context, receiver);
    const samples = [];
    for (const count of counts) samples.push(await measureFlood(context, receiver, url, count));
    return samples.map(({ rate: perSecond, processorMs }) => ({ perSecond, processorMs }));
  });
}

/** Does work on a separate database, with receivers of webhooks. */
async function onFreshDatabase({ entry, folder }, work) {
  const url = await freshDatabase(entry.databaseUrl);
  const source = await openDatabase({ url, poolSize: 4, applicationName: 'bench' });
  await migrate(source, migrations);
  const log = createLog('error', process.stderr);
  const context = createContext({ clock: systemClock, log, manager: source.manager, bus: createLocalBus() });
  const receiver = await startReceiver(folder);
  try {
    return await work(context, receiver, url);
  } finally {
    await receiver.stop();
    await source.destroy();
  }
}

/** Subscribes the receivers that `measureFlood` expects. */
async function subscribeAll(context, receiver) {
  for (let index = 0; index < 50; index += 1) await subscribe(context, `${receiver.url}/${index}`, 'payment.completed');
}

/** Measures as many deliveries as workers make when all of them are due at once. */
async function measureFlood(context, receiver, url, count = 1) {
  const total = 2_000 * 50;
  for (let from = 0; from < 2_000; from += 200) await announce(context, 'payment.completed', 200);
  const workers = [];
  for (let index = 0; index < count; index += 1) workers.push(await startWorker(url));
  const begun = performance.now();
  const used = () => processorMs(workers.map(({ pid }) => pid));
  const before = used();
  while ((await receiver.told()).count < total) await sleep(100);
  const seconds = (performance.now() - begun) / 1000;
  const ms = used() - before;
  const statements = await Promise.all(workers.map((worker) => worker.stop()));
  await receiver.told('?forget');
  return {
    rate: total / seconds,
    statements: statements.reduce((sum, one) => sum + one, 0) / total,
    processorMs: ms / total,
  };
}

/** Measures how soon the first attempt comes under little load, while receivers that never respond are being tried. */
async function measureCalm(context, receiver, url) {
  await subscribe(context, `${receiver.url}/alive`, 'order.filled');
  for (let index = 0; index < 10; index += 1) await subscribe(context, `${receiver.url}/dead`, 'order.filled');
  const worker = await startWorker(url);
  for (let round = 0; round < 200; round += 1) {
    await announce(context, 'order.filled', 10);
    await sleep(100);
  }
  let told;
  while ((told = await receiver.told()).count < 2_000) await sleep(100);
  await worker.stop();
  return { median: median(told.delays), p99: quantile(told.delays, 0.99) };
}

async function subscribe(context, url, event) {
  const owner = { ...context, principal: { kind: 'DEVELOPER_KEY', id: 'bench', ownerId: 'bench', scopes: [] } };
  const keyRing = createKeyRing(Buffer.from(environment.MASTER_KEY, 'base64'));
  await createWebhook(owner, { keyRing, allowInsecure: true }, { url, events: [event], description: null });
}

async function announce(context, topic, count) {
  const data = {
    trancheTicker: 'BENCH-1',
    installmentNumber: 1,
    dueDate: '2026-11-20',
    interestValue: '10.00',
    principalValue: '90.00',
    totalValue: '100.00',
    status: 'PAID',
  };
  const events = Array.from({ length: count }, () => ({ topic, key: 'BENCH-1', payload: { ownerId: null, data } }));
  await inTransaction(context, (tx) => announceAll(tx, events));
}

async function freshDatabase(connectionString) {
  const name = 'bench_webhooks';
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${name}`);
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return url.href;
}

async function startReceiver(folder) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const told = async (query = '') => (await fetch(`${url}/${query}`)).json();
  const running = await startProcess({
    name: 'webhook-receiver',
    args: [side('webhook-receiver')],
    env: { PORT: String(port) },
    folder,
    ready: () => told().then(() => true),
  });
  return { ...running, url, told };
}

/** @returns a function that stops the worker and then returns how many statements it sent */
async function startWorker(url) {
  const child = spawn(process.execPath, [side('webhook-worker')], {
    env: { ...process.env, ...environment, DATABASE_URL: url, DATABASE_POOL: '10', WEBHOOK_ALLOW_INSECURE: 'true' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  return {
    pid: child.pid,
    stop: async () => {
      const last = once(lines, 'line');
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const [line] = await last;
      await gone;
      return Number(line.split('=')[1]);
    },
  };
}
