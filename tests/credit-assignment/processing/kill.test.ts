import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { startWorker } from '../../webhooks/start-worker.js';
import { random } from '../../kit/random.js';
import { until } from '../../kit/until.js';
import { contract, contracts } from '../kit.js';
import { openProcessing } from './kit.js';

// The whole promise is KILL_BATCHES=40 KILL_CONTRACTS=5000 KILLS=30.
const batches = Number(process.env['KILL_BATCHES'] ?? 8);
const size = Number(process.env['KILL_CONTRACTS'] ?? 1_000);
const kills = Number(process.env['KILLS'] ?? 4);

const kit = await openProcessing();
afterAll(() => kit.close());

test('workers that are killed at random moments double nothing, lose nothing, and announce each move once', async () => {
  const bank = await kit.client();
  const dueDate = '2090-01-31';
  const ids: string[] = [];
  for (let index = 0; index < batches; index += 1) {
    // Two by two they have one contract in common: of each pair one is rejected.
    const common = contract(`PAIR-${Math.floor(index / 2)}`, { dueDate });
    const own = contracts(size, `B${index}`).map((one) => ({ ...one, dueDate }));
    ids.push(await kit.submitted(bank, [...own, common]));
  }
  await kit.rows(`UPDATE credit_assignment.credit_batches SET process_after = '2000-01-01'`);
  const start = () => startWorker(kit.database.url, {}, 'tests/credit-assignment/worker.ts');
  const waiting = () =>
    kit.context.manager.value(
      `SELECT (SELECT count(*) FROM shared.outbox WHERE published_at IS NULL)::integer + (SELECT count(*)
         FROM credit_assignment.credit_batches WHERE status IN ('SUBMITTED', 'PROCESSING'))::integer`,
    );
  for (let round = 0; round < kills; round += 1) {
    const workers = await Promise.all([start(), start()]);
    await delay(50 + random() * 700);
    await Promise.all(workers.map((worker) => worker.kill()));
    // Their leases run out.
    await kit.rows('UPDATE credit_assignment.credit_batches SET leased_until = now() WHERE lease IS NOT NULL');
  }
  const survivor = await start();
  await until('every batch to be decided and announced', async () => (await waiting()) === 0, { within: 240_000 });
  await survivor.kill();

  const stored = await Promise.all(ids.map((id) => kit.batch(id)));
  for (let index = 0; index < batches; index += 2) {
    const pair = stored.slice(index, index + 2).map(({ status }) => status);
    expect(pair.toSorted()).toEqual(['PROCESSED', 'REJECTED']);
  }
  for (const [index, { status, assigned, pending, open, assets, installments }] of stored.entries()) {
    const told = (await kit.told(ids[index] ?? '')).map(({ topic }) => topic);
    const whole = size + 1;
    const [figures, topics] =
      status === 'PROCESSED'
        ? [
            [whole, 0, whole, whole, whole],
            ['credit_batch.approved', 'credit_batch.processed'],
          ]
        : [[0, whole, 0, 0, 0], ['credit_batch.rejected']];
    expect([assigned, pending, open, assets, installments]).toEqual(figures);
    expect(told).toEqual(['credit_batch.submitted', ...topics]);
  }
  const [left] = await kit.rows<{ all: number; pieces: number }>(
    `SELECT (SELECT count(*)::integer FROM tokenization.assets) AS all,
       (SELECT count(*)::integer FROM credit_assignment.outstanding_pieces) AS pieces`,
  );
  expect(left).toEqual({ all: (batches / 2) * (size + 1), pieces: 0 });
}, 1_800_000);
