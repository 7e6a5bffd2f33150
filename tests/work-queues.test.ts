import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Context } from '../shared/context.js';
import type { Manager } from '../shared/database/manager.js';
import { newId } from '../shared/ids.js';
import { mails } from '../shared/mail/mailer.js';
import { claimItems, untilNextDue, type WorkTable } from '../shared/work-queue/work-items.store.js';
import { creditBatches } from '../subgraphs/credit-assignment/credit-batches/credit-batch.kind.js';
import { undecided } from '../subgraphs/credit-assignment/processing/engine.js';
import { settlementBatches } from '../subgraphs/credit-assignment/settlement-batches/settlement-batch.kind.js';
import { openRequests } from '../subgraphs/tokenization/price-runs/reprice-request.store.js';
import { setAsideDeposits } from '../subgraphs/trading/transfers/deposits/set-aside.store.js';
import { dueWithdrawals } from '../subgraphs/trading/transfers/withdrawals/withdrawal.store.js';
import { testContext } from './kit/context.js';
import { openTestDatabase, type TestDatabase } from './kit/database.js';

let database: TestDatabase;
let explained: string;
/** A context in which statements are explained and not executed. */
let context: Context;

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 1 });
  const { manager } = database.dataSource;
  const explain = async (text: string, parameters: unknown[]): Promise<[]> => {
    const rows = await manager.rows<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, parameters);
    explained = rows.map((row) => row['QUERY PLAN']).join('\n');
    return [];
  };
  context = testContext({ manager: Object.assign(Object.create(manager) as Manager, { rows: explain, row: explain }) });
  // Tables of tests are too small for an index to be worth its while.
  for (const way of ['seqscan', 'bitmapscan', 'sort']) await manager.query(`SET enable_${way} = off`);
});
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
