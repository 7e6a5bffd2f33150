import { proveLedger, reconcileBalances } from '../../dist/subgraphs/trading/ledger/reconcile.js';
import { readMovements } from '../../dist/subgraphs/trading/ledger/statement.store.js';
import { median, quantile } from '../kit/statistics.mjs';

const random = (count) => Math.floor(Math.random() * count);

const history = 10_000_000;

/** (n) Measures pages of statements and proofs, after ten million entries of a year: 200,000 of each wallet. */
export async function measureHistory(context, pool, wallets) {
  await addHistory(pool);
  const page = async () => {
    const day = Date.now() - random(330) * 86_400_000;
    const begun = performance.now();
    await readMovements(context, {
      wallet: { id: wallets[random(50)], synthetic: false },
      currency: 'BRL',
      from: new Date(day).toISOString(),
      to: new Date(day + 30 * 86_400_000).toISOString(),
      after: null,
      limit: 101,
    });
    return performance.now() - begun;
  };
  for (let run = 0; run < 100; run += 1) await page();
  const times = [];
  for (let run = 0; run < 2_000; run += 1) times.push(await page());
  const first = await secondsOf(() => proveLedger(context));
  const next = await secondsOf(() => proveLedger(context));
  const minute = await secondsOf(() => reconcileBalances(context));
  return [
    {
      name: '(n) a statement page of 100 with 10,000,000 entries: p99',
      value: quantile(times, 0.99),
      unit: 'ms',
      below: 30,
    },
    { name: '(n) its median', value: median(times), unit: 'ms' },
    { name: '(n) the first proof of these entries, month by month', value: first, unit: 's' },
    { name: '(n) the proof of the next night', value: next, unit: 's' },
    { name: '(n) the proof of every minute', value: minute * 1000, unit: 'ms' },
  ];
}

/**
 * Adds ten million entries without posting them, before the first one of each wallet's account: transfers of 0.01 back and forth between the wallets of
 * a pair.
 */
async function addHistory(pool) {
  const client = await pool.connect();
  const run = (text) => client.query(text);
  await run(
    `DO $$ BEGIN FOR back IN 1..12 LOOP
       EXECUTE format('CREATE TABLE trading.%I PARTITION OF trading.entries FOR VALUES FROM (%L) TO (%L)',
         to_char(date_trunc('month', now()) - back * interval '1 month', '"entries_"YYYY_MM'),
         date_trunc('month', now()) - back * interval '1 month', date_trunc('month', now()) - (back - 1) * interval '1 month');
     END LOOP; END $$`,
  );
  // Foreign keys would be checked row by row; the way the rows are created guarantees them.
  await run(
    'SET session_replication_role = replica; ALTER TABLE trading.entries DISABLE TRIGGER USER; SET work_mem = 65536',
  );
  await run(`INSERT INTO trading.journals SELECT gen_random_uuid(), 'history', 'bench', '1', false, '', now()`);
  const each = history / 50;
  for (let month = 0; month < 12; month += 1) {
    await run(
      `INSERT INTO trading.entries (account_id, number, journal_id, currency, synthetic, amount, balance, posted_at)
       SELECT account.id, n, (SELECT id FROM trading.journals WHERE key = 'history'), 'BRL', false,
         CASE n % 2 WHEN 1 THEN side ELSE -side END, CASE n % 2 WHEN 1 THEN side ELSE 0 END,
         now() - interval '360 days' + n * interval '350 days' / ${each}
       FROM generate_series(${Math.floor((each * month) / 12) + 1}, ${Math.floor((each * (month + 1)) / 12)}) AS n,
         (SELECT id, CASE row_number() OVER () % 2 WHEN 1 THEN 0.01 ELSE -0.01 END AS side
          FROM trading.ledger_accounts WHERE kind = 'AVAILABLE') AS account`,
    );
  }
  await run(
    `UPDATE trading.entries SET number = number + ${each} WHERE posted_at > now() - interval '9 days' AND account_id IN (
       SELECT id FROM trading.ledger_accounts WHERE kind = 'AVAILABLE')`,
  );
  await run(`UPDATE trading.ledger_accounts SET entry_count = entry_count + ${each} WHERE kind = 'AVAILABLE'`);
  await run('VACUUM ANALYZE');
  client.release(true);
}

async function secondsOf(work) {
  const begun = performance.now();
  const found = await work();
  if (found.length > 0) throw new Error(`The ledger does not add up: ${JSON.stringify(found[0])}`);
  return (performance.now() - begun) / 1000;
}
