import { afterAll, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { proveLedger } from '../../../subgraphs/trading/ledger/reconcile.js';
import { startWorker } from '../../webhooks/start-worker.js';
import { random } from '../../kit/random.js';
import { until } from '../../kit/until.js';
import { openLedger, type Wallet } from './kit.js';

// The whole promise is KILLS=40.
const kills = Number(process.env['KILLS'] ?? 4);

const kit = await openLedger(4);
const folder = await mkdtemp(join(tmpdir(), 'lastro-ledger-'));
afterAll(async () => {
  await kit.close();
  await rm(folder, { recursive: true });
});

test('processes that are killed while they post lose nothing whose result they got, and leave nothing half done', async () => {
  const wallets: Wallet[] = [];
  for (let index = 0; index < 5; index += 1) wallets.push(await kit.funded('1000'));
  const notes = join(folder, 'notes');
  const env = { LEDGER_WALLETS: wallets.map(({ id }) => id).join(','), LEDGER_NOTES: notes };
  for (let round = 0; round < kills; round += 1) {
    const workers = await Promise.all(
      [1, 2].map(() => startWorker(kit.database.url, env, 'tests/trading/ledger/worker.ts')),
    );
    await delay(100 + random() * 500);
    await Promise.all(workers.map((worker) => worker.kill()));
    // What was under way ends with its connection.
    const left = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'worker'`;
    await until('the connections of the killed workers to end', async () => (await kit.rows(left)).length === 0);
    expect(await proveLedger(kit.context)).toEqual([]);
    expect(
      await kit.rows('SELECT sum(balance)::text AS sum FROM trading.ledger_accounts WHERE wallet_id IS NOT NULL'),
    ).toEqual([{ sum: '5000.00' }]);
  }
  const done = (await readFile(notes, 'utf8')).trim().split('\n');
  expect(done.length).toBeGreaterThan(kills);
  const keys = done.flatMap((id) => [`${id}:open`, `${id}:fill`]);
  const [found] = await kit.rows<{ count: number }>(
    'SELECT count(*)::integer AS count FROM trading.journals WHERE key = ANY ($1)',
    [keys],
  );
  expect(found?.count).toBe(keys.length);
  // An order that was opened is filled whole or not at all.
  const [broken] = await kit.rows<{ count: number }>(
    `SELECT count(*)::integer AS count FROM trading.holds AS hold
     WHERE (remaining = 0) <> EXISTS (SELECT FROM trading.journals WHERE key = hold.id || ':fill') OR remaining NOT IN (0, amount)`,
  );
  expect(broken?.count).toBe(0);
}, 1_800_000);
