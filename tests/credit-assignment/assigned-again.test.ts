import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { audited } from '../../shared/audit/record.js';
import type { Principal } from '../../shared/context.js';
import { createRelay } from '../../shared/outbox/relay.js';
import { takeOperatorPayments } from '../../subgraphs/credit-assignment/receivables/take-operator-payments.js';
import { writeOffAsset } from '../../subgraphs/tokenization/assets/write-off-asset.js';
import { operator } from '../kit/context.js';
import { contract } from './kit.js';
import { consumers, openProcessing, type ProcessingKit } from './processing-kit.js';

let kit: ProcessingKit;
let bank: Principal;

beforeAll(async () => {
  kit = await openProcessing();
  bank = await kit.client('account-1');
});
afterAll(() => kit.close());

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
