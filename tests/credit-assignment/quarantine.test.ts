import { afterAll, expect, test } from '@jest/globals';
import { batchKinds } from '../../subgraphs/credit-assignment/processing/batch-kinds.js';
import { createProcessingEngine } from '../../subgraphs/credit-assignment/processing/engine.js';
import { failingBatches } from '../../subgraphs/credit-assignment/processing/batch-kinds.js';
import { operator } from '../kit/context.js';
import { openProcessing } from './processing/kit.js';

const kit = await openProcessing();
afterAll(() => kit.close());

const failing = batchKinds.map((kind) => ({
  ...kind,
  process: () => Promise.reject(new Error('Maria <maria@banco.example>, 529.982.247-25, is not welcome')),
}));
const queues = async () => {
  const { data } = await kit.run(
    '{ creditAssignmentWorkQueues { name due claimed failing quarantined items { id state attempts lastError } } }',
    {},
    operator,
  );
  return data?.['creditAssignmentWorkQueues'];
};
const failingSeconds = () => Promise.all(failingBatches.map((gauge) => gauge.read(kit.context)));
const act = (name: string, id: string, rest = '', principal = operator) =>
  kit.run(
    `mutation ($id: ID!) { act: ${name}CreditAssignmentWork(queue: "credit-batches", id: $id${rest}) { id state } }`,
    { id },
    principal,
  );
const hold = (id: string, principal = operator) => act('quarantine', id, ', reason: "Fails each time"', principal);

test('a batch that cannot be processed is seen, held back, released, and then processed like any other', async () => {
  const id = await kit.submitted(await kit.client('account-1'));
  // In its grace it can be cancelled by its originator, and by nobody else.
  expect(await hold(id)).toMatchObject({ error: { code: 'CONFLICT' } });
  kit.clock.advance(30_000);
  await createProcessingEngine(kit.context, failing).drain();
  expect(await hold(id)).toMatchObject({ error: { code: 'CONFLICT' } });
  kit.clock.advance(30_001);
  const item = { id, attempts: 1, lastError: 'Maria <[e-mail]>, ***.***.*47-25, is not welcome' };
  expect(await queues()).toMatchObject([
    { name: 'credit-batches', due: 1, failing: 1, items: [{ ...item, state: 'DUE' }] },
    { name: 'settlement-batches', due: 0, failing: 0, items: [] },
  ]);

  // Since the end of its grace.
  expect(await failingSeconds()).toEqual([30.001, 0]);

  const [first, second] = await Promise.all([hold(id), hold(id)]);
  expect([first, second].some(({ data }) => (data?.['act'] as { state: string } | null)?.state === 'QUARANTINED')).toBe(
    true,
  );
  await createProcessingEngine(kit.context, batchKinds).drain();
  expect(await kit.batch(id)).toMatchObject({ status: 'PROCESSING', open: 0 });
  expect(await queues()).toMatchObject([
    { due: 0, failing: 0, quarantined: 1, items: [{ id, state: 'QUARANTINED' }] },
    {},
  ]);
  expect(await failingSeconds()).toEqual([0, 0]);

  expect(await act('release', id)).toMatchObject({ data: { act: { id, state: 'DUE' } } });
  await createProcessingEngine(kit.context, batchKinds).drain();
  await kit.drain();
  expect(await kit.batch(id)).toMatchObject({ status: 'PROCESSED' });
});

test('only operators who originate steer batches', async () => {
  const id = '0190b1a0-0000-7000-8000-000000000000';
  expect(await hold(id, { ...operator, scopes: ['read', 'publish'] })).toMatchObject({ error: { code: 'FORBIDDEN' } });
  expect(await hold(id)).toMatchObject({ error: { code: 'NOT_FOUND' } });
});
