import { afterAll, expect, test } from '@jest/globals';
import { readEntries } from '../../shared/security/audit/read-entries.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { systemClock } from '../../shared/kernel/clock.js';
import type { Context } from '../../shared/kernel/context.js';
import { countSelected, readFeed, readSelected } from '../../shared/events/outbox/feed.store.js';
import { claim, outboxLagSeconds } from '../../shared/events/outbox/relay.store.js';
import { countRequests, listRequests } from '../../subgraphs/accounts/request-log/request-log.store.js';
import { createAssetReader } from '../../subgraphs/tokenization/assets/read-assets.js';
import { assetsOfPatrimonies } from '../../subgraphs/tokenization/assets/asset.store.js';
import { countsOf, deliveriesAt } from '../../subgraphs/webhooks/deliveries/delivery-list.store.js';
import { attemptsOf } from '../../subgraphs/webhooks/deliveries/delivery.store.js';
import { claimDue } from '../../subgraphs/webhooks/engine/claim.store.js';
import { healthOf } from '../../subgraphs/webhooks/health/managed-webhook.store.js';
import { testContext } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { claimOf } from '../webhooks/kit.js';
import { Client } from 'pg';
import { watchStatements, type Statement } from '../kit/count-queries.js';

/** A number of rows up to which each table of a kind is filled. */
interface Sizes {
  readonly assets: number;
  readonly deliveries: number;
  /** Events of the outbox, requests and entries of the audit log, each. */
  readonly others: number;
}

const estate = '00000000-0000-7000-8000-000000000001';
const webhook = '00000000-0000-7000-8000-0000000000aa';
const account = '00000000-0000-7000-8000-0000000000bb';

const parents = `
  INSERT INTO tokenization.patrimonies (id, ticker, name, slug, status, created_at, updated_at)
    SELECT overlay('${estate}' PLACING lpad(to_hex(n), 4, '0') FROM 33)::uuid, 'PAT' || n, 'Estate ' || n, 'pat' || n, 'ACTIVE', now(), now()
    FROM generate_series(1, 100) n;
  INSERT INTO webhooks.subscriptions (id, owner_id, url, events, secret, status, created_at)
    SELECT overlay('${webhook}' PLACING lpad(to_hex(n + 170), 4, '0') FROM 33)::uuid, 'owner-' || n, 'https://receiver.example/', '{payment.completed}', '\\x00', 'active', now()
    FROM generate_series(0, 9) n`;

/** An id of number `n` of `count`, spread over the last thirty days. */
const idOf = (n: string, count: number) =>
  `(lpad(to_hex((extract(epoch FROM now() - interval '30 days') * 1000 + (${n})::float8 * 2592000000 / ${String(count)})::bigint), 12, '0')
    || '7' || lpad(to_hex(((${n})::bigint * 7919) % 4096), 3, '0') || '8' || lpad(to_hex((${n})::bigint), 15, '0'))::uuid`;

/**
 * Adds rows so that each table has as many as `sizes` says; those that wait are as few as before. Triggers are off: what they would keep is written as they would.
 */
async function grow(database: TestDatabase, from: Sizes, sizes: Sizes): Promise<void> {
  const client = new Client({ connectionString: database.superuserUrl });
  await client.connect();
  const rows = (kind: keyof Sizes, most = Infinity) =>
    `generate_series(${String(Math.max(from[kind] + 1, sizes[kind] - most + 1))}, ${String(sizes[kind])}) n`;
  // Of the events and attempts of deliveries only those of the newest ones: each is found by the key of one delivery.
  const newest = rows('deliveries', 5_000_000);
  const ofWebhook = `overlay('${webhook}' PLACING lpad(to_hex(170 + n % 10), 4, '0') FROM 33)::uuid`;
  const status = `CASE WHEN n % 100 = 0 THEN 'failed' ELSE 'delivered' END`;
  const [events, others] = [idOf('n', sizes.deliveries), idOf('n', sizes.others)];
  try {
    await client.query(
      `SET session_replication_role = replica; SET lastro.asset_registration = '1'; SET maintenance_work_mem = '1GB'`,
    );
    const indexes = await dropIndexes(client);
    for (const text of [
      `INSERT INTO webhooks.events (id, type, body, created_at) SELECT ${events}, 'payment.completed', '{}', now() FROM ${newest}`,
      `INSERT INTO webhooks.deliveries (event_id, subscription_id, status, attempts, created_at)
         SELECT ${events}, ${ofWebhook}, ${status}, 1, now() FROM ${rows('deliveries')}`,
      `INSERT INTO webhooks.attempts (event_id, subscription_id, number, url, started_at, duration_ms, response_status)
         SELECT ${events}, ${ofWebhook}, 1, 'https://receiver.example/', now(), 10, 200 FROM ${newest}`,
      `INSERT INTO shared.outbox (id, topic, key, payload, created_at, published_at, feed_position)
         SELECT ${others}, 'price', 'S' || n % 1000, '{}', now(), now(), n FROM ${rows('others')}`,
      `UPDATE shared.outbox_head SET last = ${String(sizes.others)}`,
      `INSERT INTO accounts.request_log (at, id, account_id, key_id, method, route, status, duration_ms)
         SELECT now() - interval '30 days' * n / ${String(sizes.others)}, gen_random_uuid(), overlay('${account}' PLACING lpad(to_hex(187 + n % 50), 4, '0') FROM 33)::uuid,
           gen_random_uuid(), 'GET', '/v1', 200, 1 FROM ${rows('others')}`,
      `INSERT INTO shared.audit_log (id, at, actor_kind, actor_id, credential_id, source, request_id, action, outcome)
         SELECT ${others}, now() - interval '30 days' * n / ${String(sizes.others)}, 'OPERATOR', 'o' || n % 50, 'k', 's', 'r', 'import', 'DONE' FROM ${rows('others')}`,
      `INSERT INTO tokenization.assets (id, patrimony_id, external_id, type, status, debtor_name, debtor_document, original_value, current_balance,
           interest_rate, installments, final_due_date, search_text, created_at, updated_at, registration)
         SELECT ${idOf('n', sizes.assets)}, overlay('${estate}' PLACING lpad(to_hex(1 + n % 100), 4, '0') FROM 33)::uuid, 'C-' || n,
           (ARRAY['CCB', 'CRI'])[1 + n % 2], (ARRAY['ACTIVE', 'DEFAULTED'])[1 + n / 2 % 2], 'Company', '11222333000181', 100, 100, 1, 1, '2030-01-01',
           'c-' || n || CASE WHEN n BETWEEN 19951 AND 20000 THEN ' rarest ' ELSE ' company ' END || md5(n::text), now(), now(), n FROM ${rows('assets')}`,
      `TRUNCATE webhooks.delivery_tallies, tokenization.asset_totals`,
      `INSERT INTO webhooks.delivery_tallies SELECT subscription_id, count(*) FROM webhooks.deliveries GROUP BY 1`,
      `INSERT INTO tokenization.asset_totals SELECT patrimony_id, type, status, count(*), sum(original_value), sum(current_balance), 0, 0, 0 FROM tokenization.assets GROUP BY 1, 2, 3`,
      // The same few that wait, whatever the table holds.
      ...(from.deliveries > 0
        ? []
        : [
            `UPDATE webhooks.deliveries SET status = 'pending', next_attempt_at = now() - interval '1 minute' WHERE event_id IN (SELECT id FROM webhooks.events ORDER BY id DESC LIMIT 200)`,
            `INSERT INTO shared.outbox (id, topic, key, payload, created_at) SELECT ${idOf('1', 1)}, 'price', 'S1', '{}', now()`,
          ]),
      ...indexes,
      `VACUUM ANALYZE`,
    ])
      await client.query(text);
  } finally {
    await client.end();
  }
}

/** Drops the indexes of the large tables that keep no rule, and returns what makes them again: at once is several times faster than row by row. */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; text: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS text FROM pg_index i
     WHERE NOT i.indisunique AND i.indrelid = ANY ($1::regclass[])`,
    [
      [
        'webhooks.events',
        'webhooks.deliveries',
        'webhooks.attempts',
        'shared.outbox',
        'accounts.request_log',
        'shared.audit_log',
        'tokenization.assets',
      ],
    ],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ text }) => text);
}

function noteStatements(database: TestDatabase): () => readonly Statement[] {
  let statements: Statement[] = [];
  watchStatements(database.dataSource, (one) => statements.push(one));
  return () => {
    const noted = statements;
    statements = [];
    return noted.filter(({ text }) => /^\s*(SELECT|WITH|UPDATE|INSERT)/.test(text));
  };
}

interface Plan {
  readonly 'QUERY PLAN': {
    readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
  }[];
}

/** Returns how many pages of 8 kB statements read, each run once more and taken back. */
async function pagesOf(database: TestDatabase, statements: readonly Statement[]): Promise<number> {
  const runner = database.dataSource.createQueryRunner();
  const explain = async ({ text, values }: Statement): Promise<number> => {
    await runner.startTransaction();
    const explained = (await runner.query(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`, [
      ...values,
    ])) as Plan[];
    await runner.rollbackTransaction();
    const plan = explained[0]?.['QUERY PLAN'][0]?.Plan;
    return (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN);
  };
  let pages = 0;
  try {
    // The second time is without what the connection reads of the catalogue after the server has analysed a table.
    for (const one of statements) pages += Math.min(await explain(one), await explain(one));
  } finally {
    await runner.release();
  }
  return pages;
}

/** GROWTH_FULL=1 fills ten million assets and fifty million deliveries, which took 25 minutes on two processors, and takes some 40 GB by estimate. */
const isFull = process.env['GROWTH_FULL'] === '1';
const none: Sizes = { assets: 0, deliveries: 0, others: 0 };
const large: Sizes = isFull
  ? { assets: 10_000_000, deliveries: 50_000_000, others: 1_000_000 }
  : { assets: 200_000, deliveries: 200_000, others: 200_000 };
const share = (sizes: Sizes, part: number): Sizes => ({
  assets: sizes.assets / part,
  deliveries: sizes.deliveries / part,
  others: sizes.others / part,
});
const times = 10;

const list = { after: null, offset: 0, limit: 20 };
const everything = { patrimonyId: null, status: null, type: null, words: [] };
/** The newest event. A new id may be of a week without rows: ids of a process never go back, and a test before this one may have had a clock of the future. */
let newest = '';

/** What is asked often, by name. Each makes statements, whose pages count. */
const requests: Readonly<Record<string, (context: Context) => Promise<unknown>>> = {
  'claim deliveries': (at) => claimDue(at, claimOf({ after: webhook })),
  'list deliveries of a webhook': (at) =>
    deliveriesAt(at, [{ subscriptionId: webhook, status: null, after: undefined, backward: false, limit: 21 }]),
  'list failed deliveries behind a place': (at) =>
    deliveriesAt(at, [{ subscriptionId: webhook, status: 'failed', after: newest, backward: false, limit: 21 }]),
  'count deliveries of a webhook': (at) => countsOf(at, [{ subscriptionId: webhook, status: null }]),
  'attempts of a delivery': (at) => attemptsOf(at, [{ eventId: newest, subscriptionId: webhook }]),
  'health of a webhook': (at) => healthOf(at, [webhook]),
  'first page of assets': (at) => createAssetReader()(at, everything, list),
  'page 500 of assets': (at) => createAssetReader()(at, everything, { ...list, offset: 10_000 }),
  'first page of assets of a status': (at) => createAssetReader()(at, { ...everything, status: 'ACTIVE' }, list),
  'page of assets behind a place': (at) =>
    createAssetReader()(at, { ...everything, patrimonyId: estate }, { ...list, after: `10000/${estate}` }),
  'assets of an estate': (at) =>
    assetsOfPatrimonies(at, [
      { patrimonyId: estate, after: { registration: '0', id: estate }, backward: false, limit: 21 },
    ]),
  'search of a rare word': (at) => createAssetReader()(at, { ...everything, words: ['rarest'] }, list),
  'search of a common word': (at) => createAssetReader(10_000)(at, { ...everything, words: ['company'] }, list),
  'page of a search behind a place': (at) =>
    createAssetReader(10_000)(
      at,
      { ...everything, words: ['company'], status: 'ACTIVE' },
      { ...list, after: `10000/${estate}` },
    ),
  'claim events': (at) => inTransaction(at, (tx) => claim(tx, { limit: 200 })),
  'age of the oldest event': (at) => outboxLagSeconds(at),
  'follow the feed': (at) => readFeed(at, { topics: ['price'], after: 5_000, limit: 100 }),
  'events of a subject': async (at) => {
    const range = { after: 5_000, until: 15_000, limit: 100 };
    await readSelected(at, { topics: ['price'], keys: ['S1'] }, range);
    await countSelected(at, { topics: ['price'], keys: ['S1'] }, range);
  },
  'requests of an account': (at) =>
    listRequests(
      at,
      { accountId: account, since: new Date(Date.now() - 86_400_000) },
      {},
      { limit: 20, backward: false, position: [] },
    ),
  'count of requests of an account': (at) =>
    countRequests(at, { accountId: account, since: new Date(Date.now() - 3_600_000) }, {}),
  'page of the audit log': ({ manager }) => readEntries(manager, {}, { order: 'newest', limit: 50 }),
  'acts of an operator': ({ manager }) => readEntries(manager, { action: 'import' }, { order: 'newest', limit: 50 }),
};

const database = await openTestDatabase({ poolSize: 2 });
const context = testContext({ manager: database.dataSource.manager, clock: systemClock });
await database.asOwner(parents);
const noted = noteStatements(database);
const measure = async () => {
  const [event] = await database.dataSource.query<{ id: string }[]>(
    'SELECT id FROM webhooks.events ORDER BY id DESC LIMIT 1',
  );
  newest = event?.id ?? '';
  const found: Record<string, number> = {};
  for (const [name, ask] of Object.entries(requests)) {
    noted();
    await inTransaction(context, async (tx) => {
      await ask(tx);
      throw new Error('taken back');
    }).catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== 'taken back') throw error;
    });
    const statements = noted();
    if (statements.length === 0) throw new Error(`${name} makes no statement`);
    found[name] = await pagesOf(database, statements);
  }
  return found;
};
const small = share(large, times);
await grow(database, none, small);
const before = await measure();
await grow(database, small, large);
const after = await measure();
const pages: Record<string, readonly [small: number, large: number]> = Object.fromEntries(
  Object.keys(requests).map((name) => [name, [before[name] ?? NaN, after[name] ?? NaN]]),
);
if (process.env['GROWTH_REPORT'] !== undefined) process.stdout.write(`${JSON.stringify(pages, null, 1)}\n`);
afterAll(() => database.close());

test.each(Object.keys(requests))('%s: tables ten times as large cost no more than a few pages', (name) => {
  const [small, tenfold] = pages[name] ?? [NaN, NaN];
  // An index is a level deeper at most; ten times as much is always more than this.
  expect(tenfold).toBeLessThanOrEqual(Math.max(3 * small, small + 8));
});
