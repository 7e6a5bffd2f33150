import { afterAll, expect, test } from '@jest/globals';
import { audited } from '../../shared/security/audit/record.js';
import { createRelay } from '../../shared/events/outbox/relay.js';
import { takeOperatorPayments } from '../../subgraphs/credit-assignment/receivables/take-operator-payments.js';
import { writeOffAsset } from '../../subgraphs/tokenization/assets/assets.acts.js';
import { operator } from '../kit/context.js';
import { contract } from './kit.js';
import { consumers, openProcessing } from './processing/kit.js';

const kit = await openProcessing();
afterAll(() => kit.close());
const bank = await kit.client('account-1');

const drain = async () => {
  const relay = createRelay(kit.context, { consumers: [...consumers, takeOperatorPayments] });
  while ((await relay.drain()) > 0);
};
async function processed(...ids: readonly string[]): Promise<string[]> {
  await kit.process();
  await drain();
  return Promise.all(ids.map(async (id) => (await kit.batch(id)).status));
}
const assets = () =>
  kit.rows<{ id: string; status: string; value: string }>(
    `SELECT id, status, original_value AS value FROM tokenization.assets WHERE external_id = 'A' ORDER BY registration`,
  );
const writeOff = (assetId: string) =>
  audited({ ...kit.context, principal: { ...operator } }, { action: 'writeOffAsset' }, (tx) =>
    writeOffAsset(tx, assetId),
  );

test('a contract whose asset was written off is assigned again with the right values, once, and never beside a live one', async () => {
  const wrong = contract('A', { faceValue: '1000.00' });
  const right = contract('A', { faceValue: '100.00' });
  expect(await processed(await kit.submitted(bank, [wrong]))).toEqual(['PROCESSED']);
  expect(await processed(await kit.submitted(bank, [right]))).toEqual(['REJECTED']);
  const [first] = await assets();
  await writeOff(first?.id ?? '');
  await drain();
  const both = [await kit.submitted(bank, [right]), await kit.submitted(bank, [right])];
  expect((await processed(...both)).toSorted()).toEqual(['PROCESSED', 'REJECTED']);
  expect(await assets()).toMatchObject([
    { status: 'WRITTEN_OFF', value: '1000.00' },
    { status: 'ACTIVE', value: '100.00' },
  ]);
  await writeOff(first?.id ?? '');
  await drain();
  expect(await processed(await kit.submitted(bank, [right]))).toEqual(['REJECTED']);
  expect(await assets()).toHaveLength(2);
});

test('a written-off credit is no open balance, and is paid only while nothing has taken its place', async () => {
  const batch = await kit.submitted(bank, [contract('B', { faceValue: '1000.00' }), contract('C')]);
  expect(await processed(batch)).toEqual(['PROCESSED']);
  const ids = await kit.rows<{ id: string }>(
    'SELECT id FROM credit_assignment.receivables WHERE batch_id = $1 ORDER BY position',
    [batch],
  );
  const [replaced = '', recovered = ''] = ids.map(({ id }) => id);
  for (const id of [replaced, recovered]) await writeOff(id);
  await drain();
  expect(await openOf('B')).toEqual({ listed: [], count: 0, openBalance: '0.00', everOpen: '0.00' });
  expect((await pay(batch, replaced, '1')).error).toBeUndefined();
  const again = await kit.submitted(bank, [contract('B', { faceValue: '100.00' })]);
  expect(await processed(again)).toEqual(['PROCESSED']);
  const open = await openOf('B');
  expect(open).toEqual({ listed: [expect.any(String)], count: 1, openBalance: '100.00', everOpen: '100.00' });
  expect((await pay(batch, replaced, '1')).error).toMatchObject({
    code: 'UNPROCESSABLE',
    details: [{ path: 'settlements[0].contractId', message: expect.stringContaining(open.listed[0] ?? '') as unknown }],
  });
  expect((await pay(batch, recovered, '1')).error).toBeUndefined();
});

function pay(creditBatchId: string, contractId: string, settledAmount: string) {
  const text = `mutation ($id: ID!, $payments: [SettlementInput!]!) { createSettlementBatch(creditBatchId: $id, settlements: $payments) { id } }`;
  const settledDate = kit.clock.now().toISOString().slice(0, 10);
  return kit.run(text, { id: creditBatchId, payments: [{ contractId, settledAmount, settledDate }] }, bank);
}

async function openOf(externalId: string) {
  const text = `query ($externalId: String) {
    receivables(externalId: $externalId, filter: { status: OPEN }) { nodes { id } }
    open: receivableTotals(externalId: $externalId, filter: { status: OPEN }) { count openBalance }
    all: receivableTotals(externalId: $externalId) { openBalance } }`;
  const { receivables, open, all } = await kit.data<{
    receivables: { nodes: { id: string }[] };
    open: { count: number; openBalance: string };
    all: { openBalance: string };
  }>(text, { externalId }, bank);
  return { listed: receivables.nodes.map(({ id }) => id), ...open, everOpen: all.openBalance };
}
