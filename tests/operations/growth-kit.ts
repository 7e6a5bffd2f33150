import { Client } from 'pg';
import { watchStatements, type Statement } from '../kit/count-queries.js';
import type { TestDatabase } from '../kit/database.js';

/** A number of rows up to which each table of a kind is filled. */
export interface Sizes {
  readonly assets: number;
  readonly deliveries: number;
  /** Events of the outbox, requests and entries of the audit log, each. */
  readonly others: number;
}

export const estate = '00000000-0000-7000-8000-000000000001';
export const webhook = '00000000-0000-7000-8000-0000000000aa';
export const account = '00000000-0000-7000-8000-0000000000bb';

/** Gives the tables the partitions of the last five weeks, as a platform has them that has run for so long. */
export const ageTables = `
  DO $$ DECLARE t text; k text; p text; week timestamptz := date_trunc('week', now() - interval '5 weeks'); BEGIN
    FOR t, k IN SELECT name, key FROM shared.partitioned_tables WHERE step = 'week' LOOP
      FOR p IN SELECT partition::text FROM shared.partitions_of(t) WHERE NOT is_default LOOP EXECUTE 'DROP TABLE ' || p; END LOOP;
      EXECUTE format('CREATE TABLE %s_aged PARTITION OF %1$s FOR VALUES FROM (%L) TO (%L)', t, shared.key_at(t::regclass, k, week), shared.key_at(t::regclass, k, week + interval '1 week'));
      PERFORM shared.make_partitions(t);
    END LOOP;
  END $$;
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
export async function grow(database: TestDatabase, from: Sizes, sizes: Sizes): Promise<void> {
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
      `INSERT INTO webhooks.delivery_tallies SELECT subscription_id, date_trunc('week', now()), count(*) FROM webhooks.deliveries GROUP BY 1`,
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
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE NOT i.indisunique AND NOT c.relispartition AND i.indrelid = ANY ($1::regclass[])`,
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
  return rows.map(({ text }) => text.replace(' ON ONLY ', ' ON '));
}

export function noteStatements(database: TestDatabase): () => readonly Statement[] {
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
export async function pagesOf(database: TestDatabase, statements: readonly Statement[]): Promise<number> {
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
