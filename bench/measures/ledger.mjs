import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createLocalBus } from '../../dist/shared/bus.js';
import { systemClock } from '../../dist/shared/clock.js';
import { createContext } from '../../dist/shared/context.js';
import { openDatabase } from '../../dist/shared/database/database.js';
import { migrate } from '../../dist/shared/database/migrate.js';
import { inTransaction } from '../../dist/shared/database/transaction.js';
import { newId } from '../../dist/shared/ids.js';
import { createLog } from '../../dist/shared/log.js';
import { migrations } from '../../dist/bootstrap/migrations.js';
import { postJournal } from '../../dist/subgraphs/trading/ledger/post-journals.js';
import { median } from '../kit/statistics.mjs';
import { measureHistory } from './ledger-history.mjs';

const connections = 8;

/**
 * (n) Measures journals of two entries, each in a transaction of its own, over eight connections: posted through the ledger, and by a loop that sends
 * the same statements by hand to tables with the same keys, without any proofs.
 */
export async function measureLedger({ entry, timing }) {
  const url = await freshDatabase(entry.databaseUrl);
  const source = await openDatabase({ url, poolSize: connections, applicationName: 'bench' });
  await migrate(source, migrations);
  const context = createContext({
    clock: systemClock,
    log: createLog('error', process.stderr),
    manager: source.manager,
    bus: createLocalBus(),
  });
  const pool = new pg.Pool({ connectionString: url, max: connections });
  try {
    await pool.query(bareTables);
    const wallets = await addWallets(context, 50);
    const accounts = await addBareAccounts(pool, 50);
    const rows = [];
    for (const { name, count } of [
      { name: '50 accounts', count: 50 },
      { name: '2 hot accounts', count: 2 },
    ]) {
      const ours = (pick) => postOurs(context, wallets[pick[0]], wallets[pick[1]]);
      const bare = (pick) => postBare(pool, accounts[pick[0]], accounts[pick[1]]);
      rows.push(...(await compared(pool, { name, count }, ours, bare, timing)));
    }
    const platform = await rateOf(timing.seconds * 1000, () => postToPlatform(context, wallets[random(50)]));
    rows.push({
      name: '(n) journals/s of 50 clients that all pay FEES and VENUE',
      value: platform,
      unit: '/s',
      digits: 0,
    });
    return [...rows, ...(await measureHistory(context, pool, wallets))];
  } finally {
    await pool.end();
    await source.destroy();
  }
}

/** Measures both sides in turn, so that other work of the machine affects both. */
async function compared(pool, { name, count }, ours, bare, { rounds, seconds }) {
  const samples = { ours: [], bare: [] };
  for (const side of [ours, bare]) await rateOf(1_000, () => side(twoOf(count)));
  // Autovacuum does the same within a minute: plans are then made for tables with rows.
  await pool.query('ANALYZE');
  for (let round = 0; round < rounds; round += 1) {
    samples.ours.push(await rateOf(seconds * 1000, () => ours(twoOf(count))));
    samples.bare.push(await rateOf(seconds * 1000, () => bare(twoOf(count))));
  }
  const ratio = median(samples.ours.map((rate, round) => rate / samples.bare[round]));
  return [
    { name: `(n) ledger journals/s ÷ a bare SQL loop, ${name}`, value: ratio, unit: '', digits: 2, above: 0.7 },
    { name: `(n) its journals/s, ${name}`, value: median(samples.ours), unit: '/s', digits: 0 },
    { name: `(n) the bare loop's, ${name}`, value: median(samples.bare), unit: '/s', digits: 0 },
  ];
}

/** Returns the runs of `work` a second, on every connection one after the other. */
async function rateOf(ms, work) {
  let done = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() - begun < ms) {
        await work();
        done += 1;
      }
    }),
  );
  return (done * 1000) / (performance.now() - begun);
}

const random = (count) => Math.floor(Math.random() * count);

function twoOf(count) {
  const first = random(count);
  return [first, (first + 1 + random(count - 1)) % count];
}

const client = (walletId) => ({ kind: 'AVAILABLE', walletId, currency: 'BRL' });

function postOurs(context, from, to) {
  return post(context, [
    { account: client(from), amount: '-0.01' },
    { account: client(to), amount: '0.01' },
  ]);
}

function postToPlatform(context, wallet) {
  return post(context, [
    { account: client(wallet), amount: '-0.03' },
    { account: { kind: 'FEES', currency: 'BRL' }, amount: '0.01' },
    { account: { kind: 'VENUE', venue: 'aurora', currency: 'BRL' }, amount: '0.02' },
  ]);
}

function post(context, postings) {
  const journal = { key: randomUUID(), cause: 'bench', causeId: '1', synthetic: false, postings };
  return inTransaction(context, (tx) => postJournal(tx, journal));
}

async function addWallets(context, count) {
  const company = newId();
  await context.manager.query(
    `INSERT INTO trading.companies (id, name, status, created_at, updated_at) VALUES ($1, 'Bench', 'ACTIVE', now(), now())`,
    [company],
  );
  const wallets = [];
  for (let index = 0; index < count; index += 1) {
    const [profile, wallet] = [newId(), newId()];
    await context.manager.query(
      `INSERT INTO trading.profiles (id, company_id, name, tax_id, tax_id_type, email, created_at, updated_at)
       VALUES ($1, $2, 'Bench', $3, 'CPF', 'bench@example.com', now(), now())`,
      [profile, company, String(10_000_000_000 + index)],
    );
    await context.manager.query(
      'INSERT INTO trading.wallets (id, company_id, profile_id, synthetic, created_at) VALUES ($1, $2, $3, false, now())',
      [wallet, company, profile],
    );
    await post(context, [
      { account: client(wallet), amount: '1000000' },
      { account: { kind: 'CUSTODY', currency: 'BRL' }, amount: '-1000000' },
    ]);
    wallets.push(wallet);
  }
  return wallets;
}

/** The ledger's tables as a plain design with a journal, entries and balances would have them, with the same keys. */
const bareTables = `
  CREATE SCHEMA bare;
  CREATE TABLE bare.accounts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, currency text NOT NULL, synthetic boolean NOT NULL,
    balance numeric NOT NULL CHECK (balance >= 0), entry_count bigint NOT NULL DEFAULT 0, UNIQUE (id, currency, synthetic)) WITH (fillfactor = 50);
  CREATE TABLE bare.journals (id uuid NOT NULL, key text NOT NULL UNIQUE, cause text NOT NULL, cause_id text NOT NULL, synthetic boolean NOT NULL,
    posted_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (id, synthetic));
  CREATE TABLE bare.entries (account_id bigint NOT NULL, number bigint NOT NULL, journal_id uuid NOT NULL, currency text NOT NULL,
    synthetic boolean NOT NULL, amount numeric NOT NULL, balance numeric NOT NULL, posted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, number),
    FOREIGN KEY (account_id, currency, synthetic) REFERENCES bare.accounts (id, currency, synthetic),
    FOREIGN KEY (journal_id, synthetic) REFERENCES bare.journals (id, synthetic));
  CREATE INDEX ON bare.entries (journal_id)`;

const bareStatements = {
  lock: 'SELECT id FROM bare.accounts WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE',
  journal: 'INSERT INTO bare.journals (id, key, cause, cause_id, synthetic) VALUES ($1, $2, $3, $4, false)',
  move: 'UPDATE bare.accounts SET balance = balance + $2, entry_count = entry_count + 1 WHERE id = $1 RETURNING entry_count, balance',
  entry: `INSERT INTO bare.entries (account_id, number, journal_id, currency, synthetic, amount, balance) VALUES ($1, $2, $3, 'BRL', false, $4, $5)`,
};

async function addBareAccounts(pool, count) {
  const { rows } = await pool.query(
    `INSERT INTO bare.accounts (currency, synthetic, balance) SELECT 'BRL', false, 1000000 FROM generate_series(1, $1) RETURNING id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

async function postBare(pool, from, to) {
  const client = await pool.connect();
  const run = (name, values) => client.query({ name, text: bareStatements[name], values });
  await client.query('BEGIN');
  await run('lock', [[from, to]]);
  const id = randomUUID();
  await run('journal', [id, id, 'bench', '1']);
  for (const [account, amount] of [
    [from, '-0.01'],
    [to, '0.01'],
  ]) {
    const { rows } = await run('move', [account, amount]);
    await run('entry', [account, rows[0].entry_count, id, amount, rows[0].balance]);
  }
  await client.query('COMMIT');
  client.release();
}

async function freshDatabase(connectionString) {
  const name = 'bench_ledger';
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${name}`);
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return url.href;
}
