import { afterAll, expect, test } from '@jest/globals';
import type { Manager } from '../shared/database/manager.js';
import { newId } from '../shared/kernel/ids.js';
import { mails, watchedMails } from '../shared/work/mail/mailer.js';
import { watchedEvents } from '../shared/events/outbox/relay.store.js';
import type { WatchedQueue } from '../shared/work/queue/watched-queue.js';
import {
  countWork,
  findItem,
  holdItem,
  listTroubled,
  releaseItem,
  retryItems,
} from '../shared/work/queue/watched-queue.store.js';
import { claimItems, untilNextDue, type WorkTable } from '../shared/work/queue/work-items.store.js';
import { creditBatches } from '../subgraphs/credit-assignment/credit-batches/credit-batch.kind.js';
import { undecided, watchedBatches } from '../subgraphs/credit-assignment/processing/engine.js';
import { settlementBatches } from '../subgraphs/credit-assignment/settlement-batches/settlement-batch.kind.js';
import { openRequests, watchedRequests } from '../subgraphs/tokenization/price-runs/price-run.store.js';
import { setAsideDeposits, watchedSetAside } from '../subgraphs/trading/transfers/deposits/deposit.store.js';
import { dueWithdrawals, watchedWithdrawals } from '../subgraphs/trading/transfers/withdrawals/withdrawal.store.js';
import { watchedHedges } from '../subgraphs/trading/quotes/hedge.store.js';
import { watchedDeliveries } from '../subgraphs/webhooks/deliveries/delivery.store.js';
import { testContext } from './kit/context.js';
import { openTestDatabase } from './kit/database.js';

let explained: string;

const database = await openTestDatabase({ poolSize: 1 });
const { manager } = database.dataSource;
const explain = async (text: string, parameters: unknown[]): Promise<[]> => {
  const rows = await manager.rows<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, parameters);
  explained = rows.map((row) => row['QUERY PLAN']).join('\n');
  return [];
};
/** A context in which statements are explained and not executed. */
const context = testContext({
  manager: Object.assign(Object.create(manager) as Manager, { rows: explain, row: explain }),
});
// Tables of tests are too small for an index to be worth its while.
for (const way of ['seqscan', 'bitmapscan', 'sort']) await manager.query(`SET enable_${way} = off`);
afterAll(() => database.close());

test.each<[index: string, WorkTable]>([
  ['mails_waiting', mails],
  ['credit_batches_due', undecided(creditBatches)],
  ['settlement_batches_due', undecided(settlementBatches)],
  ['reprice_requests_due', openRequests],
  ['withdrawals_due', dueWithdrawals([true, false])],
])('a queue finds its items by the index %s alone, the longest due first', async (index, table) => {
  await claimItems(context, table, { lease: newId(), leaseMs: 1, limit: 1 });
  expect(explained).toMatch(new RegExp(`Index Scan using ${index} on [^\\n]*\\n\\s+Index Cond: [^\\n]*<=`));
  expect(explained).not.toContain('Sort');
  await untilNextDue(context, table);
  expect(explained).toContain(`using ${index} on`);
  expect(explained).not.toContain('Sort');
});

test('a queue finds deposits that were set aside by their world', async () => {
  await claimItems(context, setAsideDeposits([true]), { lease: newId(), leaseMs: 1, limit: 1 });
  expect(explained).toContain('Index Scan using set_aside_deposits_due');
});

test.each<[string, WatchedQueue, readonly string[]]>([
  ['mail', watchedMails, ['mails_waiting', 'mails_given_up', 'mails_quarantined']],
  ['events', watchedEvents, ['outbox_waiting']],
  ['credit batches', watchedBatches(creditBatches), ['credit_batches_due', 'credit_batches_quarantined']],
  [
    'settlement batches',
    watchedBatches(settlementBatches),
    ['settlement_batches_due', 'settlement_batches_quarantined'],
  ],
  ['price requests', watchedRequests, ['reprice_requests_due', 'reprice_requests_quarantined']],
  ['withdrawals', watchedWithdrawals([true, false]), ['withdrawals_due']],
  ['set-aside deposits', watchedSetAside([true, false]), ['set_aside_deposits_due']],
  ['hedges', watchedHedges, ['hedges_due']],
  ['deliveries', watchedDeliveries, ['deliveries_due']],
])('operators see and steer %s by indexes, whatever is done stays unread', async (_name, queue, indexes) => {
  await countWork(context, queue);
  for (const index of indexes) expect(explained).toContain(`using ${index} on`);
  expect(explained).not.toContain('Seq Scan');
  await listTroubled(context, queue, 10);
  for (const index of indexes) expect(explained).toContain(`using ${index} on`);
  expect(explained).not.toContain('Seq Scan');
  // With the real statements: each fits its table.
  const own = testContext({ manager: database.dataSource.manager });
  const id = newId();
  expect(await findItem(own, queue, id)).toBeUndefined();
  expect(await retryItems(own, queue, null)).toEqual([]);
  expect(await retryItems(own, queue, id)).toEqual([]);
  expect(await holdItem(own, queue, id)).toBe(false);
  expect(await releaseItem(own, queue, id)).toBe(false);
});
