import { createPrivateKey } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { openDemoOriginator } from '../../subgraphs/credit-assignment/demo/demo-originator.js';
import { loadCreditDemo } from '../../subgraphs/credit-assignment/demo/demo.js';
import { openTestPlatform } from '../kit/platform.js';
import { sendSigned } from './signing-kit.js';

const platform = await openTestPlatform({ DEMO: 'true' });
afterAll(() => platform.close());
const { manager } = platform.infrastructure.dataSource;
const { originator } = platform.demo();
const [row]: { account_id: string }[] = await manager.query('SELECT account_id FROM credit_assignment.originators');
const accountId: string = row?.account_id ?? '';

const states = ['CANCELLED', 'DRAFT', 'PROCESSED', 'PROCESSING', 'REJECTED', 'SUBMITTED'];
const counts = async (table: string): Promise<unknown> =>
  manager.query(`SELECT status, count(*)::integer FROM credit_assignment.${table} GROUP BY 1 ORDER BY 1`);
const get = async (target: string) => {
  const signer = { clientId: originator.clientId, key: createPrivateKey(originator.privateKeyPem) };
  const { status, body } = await sendSigned(platform.url, signer, target);
  expect(status).toBe(200);
  return body;
};

test('the originator of the credentials sees its batches, of credits and of settlements, in every state', async () => {
  for (const kind of ['credit-batches', 'settlement-batches']) {
    const { data } = (await get(`/tidc/v1/${kind}?limit=100`)) as { data: { status: string }[] };
    expect([...new Set(data.map(({ status }) => status))].toSorted()).toEqual(states);
  }
});

test('what is processed has its assets, what is rejected its errors, and payments are in both', async () => {
  const { data } = (await get('/tidc/v1/credit-batches?status=PROCESSED')) as { data: { id: string }[] };
  const [{ assets, paid } = {}]: { assets?: number; paid?: number }[] = await manager.query(
    `SELECT count(*)::integer AS assets, (count(*) FILTER (WHERE status = 'SETTLED'))::integer AS paid
     FROM tokenization.assets WHERE batch_id = $1`,
    [data.at(-1)?.id],
  );
  expect([assets, paid]).toEqual([40, 7]);
  const eligible = await get(`/tidc/v1/credit-batches/${data[0]?.id ?? ''}?contracts=false`);
  expect(eligible).toMatchObject({
    mode: 'ELIGIBLE_ONLY',
    acceptedCount: expect.any(Number),
    purchaseYield: expect.any(String),
  });
  expect(eligible['refusedCount']).toBeGreaterThan(0);
  const rejected = (await get('/tidc/v1/credit-batches?status=REJECTED')) as { data: { id: string }[] };
  const detail = await get(`/tidc/v1/credit-batches/${rejected.data[0]?.id ?? ''}`);
  expect(detail['rejectionReason']).toMatch(/do not meet the eligibility criteria of the estate/);
  expect(detail['errors']).not.toEqual([]);
});

test('the originator is permitted every active estate but one, and each of them takes credits in', async () => {
  const rows: { ticker: string; status: string; permitted: boolean; open: boolean }[] = await manager.query(
    `SELECT ticker, status, permit.patrimony_id IS NOT NULL AS permitted, criteria.patrimony_id IS NOT NULL AS open
     FROM credit_assignment.estates AS estate
     LEFT JOIN credit_assignment.originator_permits AS permit ON permit.patrimony_id = estate.id
     LEFT JOIN credit_assignment.eligibility_criteria AS criteria ON criteria.patrimony_id = estate.id`,
  );
  const active = rows.filter(({ status }) => status === 'ACTIVE');
  expect(active.filter(({ permitted }) => !permitted)).toHaveLength(1);
  expect(active.filter(({ open }) => !open)).toEqual([]);
  expect(rows.filter(({ status, permitted }) => status === 'CLOSED' && permitted)).toEqual([]);
});

test('another start finds all of it, and keeps the key; without the file it makes another', async () => {
  const before = [await counts('credit_batches'), await counts('settlement_batches')];
  const parts = { accountId, relay: () => Promise.resolve() };
  expect(await loadCreditDemo(platform.infrastructure.context, { ...parts, known: originator })).toEqual(originator);
  const { clientId, privateKeyPem } = await openDemoOriginator(platform.infrastructure.context, accountId, undefined);
  expect(clientId).toBe(originator.clientId);
  expect(privateKeyPem).not.toBe(originator.privateKeyPem);
  const keys: unknown = await manager.query(
    'SELECT count(*)::integer FROM credit_assignment.originator_keys WHERE revoked_at IS NULL',
  );
  expect(keys).toEqual([{ count: 1 }]);
  expect([await counts('credit_batches'), await counts('settlement_batches')]).toEqual(before);
});

test('a start that was cut short is made good: what lacks is made, and no more', async () => {
  await manager.query(
    `DELETE FROM credit_assignment.settlements WHERE batch_id IN
       (SELECT id FROM credit_assignment.settlement_batches WHERE status IN ('CANCELLED', 'DRAFT'))`,
  );
  await manager.query(`DELETE FROM credit_assignment.settlement_batches WHERE status IN ('CANCELLED', 'DRAFT')`);
  const before = await counts('credit_batches');
  await loadCreditDemo(platform.infrastructure.context, {
    accountId,
    known: undefined,
    relay: () => Promise.resolve(),
  });
  expect(await counts('credit_batches')).toEqual(before);
  const made = (await counts('settlement_batches')) as { status: string }[];
  expect(made.map(({ status }) => status)).toEqual(states);
});
