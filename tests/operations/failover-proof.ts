import { expect } from '@jest/globals';
import { z } from 'zod';
import { sendSigned } from '../credit-assignment/signing-kit.js';
import type { PatroniCluster } from '../kit/patroni.js';
import { until } from '../kit/until.js';
import { batchEvents, type FailoverHouse } from './failover-kit.js';
import { attempt, emailOf, newWrite, type Write } from './failover-load.js';

/** Resolves when both instances can write again. */
export async function ready({ urls }: FailoverHouse): Promise<void> {
  for (const url of urls) {
    const isReady = async () => (await fetch(`${url}/readyz`)).status === 200;
    await until(`${url} to be ready`, isReady, { within: 90_000 });
  }
}

const auditPage = z.object({
  auditLog: z.object({
    nodes: z.array(z.object({ after: z.string() })),
    pageInfo: z.object({ endCursor: z.string().nullable(), hasNextPage: z.boolean() }),
  }),
});
type AuditPage = z.infer<typeof auditPage>['auditLog'];

/** Everything that was acknowledged is read through our interfaces: batches over REST, operators in the audit log of the graph. */
export async function expectReadable(house: FailoverHouse, writes: readonly Write[]): Promise<void> {
  const done = writes.filter(({ outcome }) => outcome === 'acknowledged');
  const lost: string[] = [];
  await eachOf(done, async ({ kind, key, id, batchId }, index) => {
    if (kind === 'operator') return;
    const url = house.urls[index % house.urls.length] ?? '';
    const target = `/tidc/v1/credit-batches/${batchId ?? id ?? ''}`;
    const { status, body } = await sendSigned(url, house.signer, target);
    if (status !== 200 || (kind === 'submission' && body['status'] === 'DRAFT')) lost.push(`${kind} ${key}: ${status}`);
  });
  const known = await operatorsIn(house);
  for (const write of done)
    if (write.kind === 'operator' && !known.has(emailOf(write))) lost.push(`operator ${write.key}`);
  expect(lost).toEqual([]);
}

async function operatorsIn({ urls, operatorKey }: FailoverHouse): Promise<ReadonlySet<string>> {
  const query = `query ($after: String) { auditLog(first: 200, after: $after, filter: { action: "addOperator" }) {
    nodes { after } pageInfo { endCursor hasNextPage } } }`;
  const emails = new Set<string>();
  for (let after: string | null = null; ;) {
    const said = await asked(urls[0] ?? '', operatorKey, query, { after });
    const { nodes, pageInfo }: AuditPage = auditPage.parse(said).auditLog;
    for (const node of nodes) emails.add(z.object({ email: z.string() }).parse(JSON.parse(node.after)).email);
    if (!pageInfo.hasNextPage) return emails;
    after = pageInfo.endCursor;
  }
}

/** Repeats with its key whatever was not acknowledged, until it is, and submits every batch. */
export async function repair(house: FailoverHouse, writes: readonly Write[]): Promise<Write[]> {
  const open = writes.filter(({ outcome }) => outcome !== 'acknowledged');
  await eachOf(open, (write) => settle(house, write));
  const submitted = new Set(writes.map(({ batchId }) => batchId));
  const more = writes.flatMap(({ kind, key, id }): Write[] =>
    kind === 'batch' && id !== undefined && !submitted.has(id)
      ? [newWrite({ kind: 'submission', key: `S-${key}`, batchId: id })]
      : [],
  );
  await eachOf(more, (write) => settle(house, write));
  return more;
}

async function eachOf<T>(all: readonly T[], act: (one: T, index: number) => Promise<void>): Promise<void> {
  const left = all.entries();
  const worker = async () => {
    for (const [index, one] of left) await act(one, index);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}

async function settle(house: FailoverHouse, write: Write): Promise<void> {
  const [, url = ''] = house.urls;
  await until(`the outcome of ${write.kind} ${write.key}, repeated with its key`, async () => {
    await attempt(house, url, write);
    if (write.outcome === 'acknowledged' || write.outcome === 'wrong') return true;
    throw new Error(write.said);
  });
  if (write.outcome === 'wrong') throw new Error(`${write.kind} ${write.key}, repeated with its key: ${write.said}`);
}

/** Every write exists once, and so does its entry of the audit log. */
export async function expectOnce(cluster: PatroniCluster, writes: readonly Write[]): Promise<void> {
  const counts = async (sql: string, given: readonly string[]) => {
    const rows = await cluster.query<{ of: string; count: number }>(sql, [given]);
    const found = new Map(rows.map(({ of, count }) => [of, count]));
    expect(given.filter((one) => found.get(one) !== 1).map((one) => `${one}: ${found.get(one) ?? 0}`)).toEqual([]);
  };
  const keys = writes.filter(({ kind }) => kind === 'batch').map(({ key }) => key);
  const emails = writes.filter(({ kind }) => kind === 'operator').map(emailOf);
  await counts(
    'SELECT external_id AS of, count(*)::int FROM credit_assignment.receivables WHERE external_id = ANY ($1) GROUP BY 1',
    keys,
  );
  await counts('SELECT email AS of, count(*)::int FROM accounts.operators WHERE email = ANY ($1) GROUP BY 1', emails);
  await counts(
    `SELECT after ->> 'email' AS of, count(*)::int FROM shared.audit_log
     WHERE action = 'addOperator' AND after ->> 'email' = ANY ($1) GROUP BY 1`,
    emails,
  );
}

/** Waits until every batch is processed, so that the work in the background has gone on. */
export async function expectProcessed(cluster: PatroniCluster, writes: readonly Write[]): Promise<void> {
  const ids = batchesOf(writes);
  const states = () =>
    cluster.query<{ status: string; count: number }>(
      'SELECT status, count(*)::int FROM credit_assignment.credit_batches WHERE id = ANY ($1::uuid[]) GROUP BY 1',
      [ids],
    );
  const isDone = async () => (await states()).every(({ status }) => status === 'PROCESSED' || status === 'REJECTED');
  await until('every batch to be processed', isDone, { within: 180_000 });
  expect(await states()).toEqual([{ status: 'PROCESSED', count: ids.length }]);
}

/** Totals that are kept equal a recount. */
export async function expectRecounted(cluster: PatroniCluster, { urls, apiKey }: FailoverHouse): Promise<void> {
  const wrong = await cluster.query(
    `SELECT 'assets' AS what, patrimony_id::text AS of FROM tokenization.asset_totals AS kept
     FULL JOIN (SELECT patrimony_id, type, status, count(*) AS count, sum(original_value) AS original_value,
       sum(current_balance) AS current_balance, sum(received) AS received FROM tokenization.assets GROUP BY 1, 2, 3) AS real
       USING (patrimony_id, type, status)
     WHERE (coalesce(kept.count, 0), coalesce(kept.original_value, 0), coalesce(kept.current_balance, 0), coalesce(kept.received, 0))
       <> (coalesce(real.count, 0), coalesce(real.original_value, 0), coalesce(real.current_balance, 0), coalesce(real.received, 0))
     UNION ALL SELECT 'deliveries', subscription_id::text FROM (
       SELECT subscription_id, sum(count) AS count FROM (
         SELECT subscription_id, count FROM webhooks.delivery_tallies
         UNION ALL SELECT subscription_id, change FROM webhooks.delivery_tally_changes
       ) AS counted GROUP BY 1
     ) AS kept
     FULL JOIN (SELECT subscription_id, count(*) AS count FROM webhooks.deliveries GROUP BY 1) AS real USING (subscription_id)
     WHERE coalesce(kept.count, 0) <> coalesce(real.count, 0)
     UNION ALL SELECT 'receivables', batch.id::text FROM credit_assignment.credit_batches AS batch
     WHERE batch.receivable_count <> (SELECT count(*) FROM credit_assignment.receivables WHERE batch_id = batch.id)`,
  );
  expect(wrong).toEqual([]);
  const [assets] = await cluster.query<{ count: number }>('SELECT count(*)::int FROM tokenization.assets');
  for (const url of urls) {
    const said = await asked(url, apiKey, '{ assetGroups(by: []) { count } }');
    const { assetGroups } = z.object({ assetGroups: z.array(z.object({ count: z.number() })) }).parse(said);
    expect([url, assetGroups]).toEqual([url, [assets]]);
  }
}

async function asked(url: string, key: string, query: string, variables: object = {}): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query, variables }),
  });
  return z.object({ data: z.unknown() }).parse(await response.json()).data;
}

export async function expectDelivered(
  cluster: PatroniCluster,
  { receiver }: FailoverHouse,
  writes: readonly Write[],
): Promise<void> {
  const ids = batchesOf(writes);
  const lacking = () => {
    const got = new Set(receiver.received.map(({ event }) => `${event.type} ${batchOf(event.data)}`));
    return ids.flatMap((id) => batchEvents.map((type) => `${type} ${id}`)).filter((one) => !got.has(one));
  };
  const areDelivered = () => {
    expect(lacking()).toEqual([]);
    return true;
  };
  await until('every event of the batches to be delivered', areDelivered, { within: 180_000 });
  const waiting = async () => {
    const [row] = await cluster.query<{ count: number }>(
      'SELECT count(*)::int FROM shared.outbox WHERE published_at IS NULL',
    );
    return row?.count;
  };
  await until('the outbox to be empty', async () => (await waiting()) === 0);
}

const batchOf = (data: unknown): string => z.object({ batchId: z.string() }).safeParse(data).data?.batchId ?? '';

function batchesOf(writes: readonly Write[]): string[] {
  return writes.filter(({ kind }) => kind === 'batch').flatMap(({ id }) => (id === undefined ? [] : [id]));
}
