import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/kernel/ids.js';
import { createLog } from '../../../shared/kernel/log.js';
import type { PublishedEvent } from '../../../shared/events/outbox/outbox.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase, untilBlocked } from '../../../tests/kit/database.js';
import { addEstate } from '../../../tests/tokenization/series/kit.js';
import { registerAssets } from './register-assets.js';

const lines: string[] = [];

const database = await openTestDatabase();
afterAll(() => database.close());
const { manager } = database.dataSource;
const context = testContext({ manager, log: createLog('error', { write: (line) => void lines.push(line) }) });
const [first = '', second = ''] = [await addEstate(manager, 'PAT1'), await addEstate(manager, 'PAT2')].toSorted();
/** In the order of their ids, in which totals of estates are locked. */
const estates: readonly [string, string] = [first, second];
beforeEach(async () => {
  await database.asOwner('TRUNCATE shared.outbox');
  lines.length = 0;
});

/** A part of a batch, with one credit. */
function assigned(patrimonyId: string, over: Readonly<Record<string, unknown>> = {}) {
  const receivable = { id: newId(), externalId: newId(), debtorDocument: '52998224725' };
  const payload = {
    batchId: newId(),
    batchName: 'Cessão',
    patrimonyId,
    originatorId: newId(),
    piece: 3,
    receivables: [{ ...receivable, faceValue: '100.50', dueDate: '2027-01-31' }],
    ...over,
  };
  return {
    topic: 'receivables.assigned',
    key: payload.batchId,
    payload,
    id: newId(),
    sequence: 1,
    createdAt: '2026-11-20T15:00:00Z',
  };
}

const register = (...events: readonly PublishedEvent[]) => inTransaction(context, (tx) => registerAssets(tx, events));
const assets = (batchId: string) =>
  manager.query<object[]>(
    `SELECT patrimony_id, batch_id, batch_name, originator_id, external_id FROM tokenization.assets WHERE batch_id = $1`,
    [batchId],
  );
const answers = () =>
  manager.query<object[]>('SELECT topic, key, payload, internal FROM shared.outbox ORDER BY position');
const answerTo = ({ payload: { batchId, piece } }: ReturnType<typeof assigned>) => ({
  topic: 'assets.registered',
  key: batchId,
  payload: { batchId, piece },
  internal: true,
});

test('parts of batches become assets of their estates, and each is answered to the other domain alone', async () => {
  const parts = [assigned(estates[1]), assigned(estates[0], { piece: 0 })];
  await register(...parts);
  for (const { payload } of parts) {
    expect(await assets(payload.batchId)).toEqual([
      {
        patrimony_id: payload.patrimonyId,
        batch_id: payload.batchId,
        batch_name: 'Cessão',
        originator_id: payload.originatorId,
        external_id: payload.receivables[0]?.externalId,
      },
    ]);
  }
  expect(await answers()).toEqual(parts.map(answerTo));
  expect(lines).toEqual([]);
});

test('a part that comes twice changes nothing, and is answered again', async () => {
  const part = assigned(estates[0]);
  await register(part);
  const before = await assets(part.payload.batchId);
  await register(part, part);
  expect(await assets(part.payload.batchId)).toEqual(before);
  expect(await answers()).toEqual([part, part, part].map(answerTo));
});

test('what is reported of anything else is nobody’s asset, and has no answer', async () => {
  const other = { ...assigned(estates[0]), topic: 'receivables.settled' };
  await register(other);
  expect(await assets(other.payload.batchId)).toEqual([]);
  expect(await answers()).toEqual([]);
  expect(lines).toEqual([]);
});

test('a part that is not of the form that is announced is said in the log, and those after it go on', async () => {
  const [broken, whole] = [assigned(estates[0], { piece: -1 }), assigned(estates[0])];
  await register(broken, whole);
  expect(await assets(broken.payload.batchId)).toEqual([]);
  expect(await assets(whole.payload.batchId)).toHaveLength(1);
  expect(await answers()).toEqual([answerTo(whole)]);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { event: broken.id, err: { message: expect.stringContaining('piece') } },
  ]);
});

test.each([
  ['first', [0, 1]],
  ['last', [1, 0]],
] as const)(
  'estates are written in the order of their ids, whether the first of them comes %s: nobody holds the second and waits for it',
  async (_, order) => {
    // The rows that both would wait for exist from the beginning.
    await register(assigned(estates[0]), assigned(estates[1]));
    const parts = order.map((index) => assigned(estates[index]));
    const totals = 'SELECT FROM tokenization.asset_totals WHERE patrimony_id = $1 FOR UPDATE';
    let registered: Promise<void> | undefined;
    try {
      await manager.inTransaction(async (other) => {
        await other.query(totals, [estates[0]]);
        registered = register(...parts);
        await untilBlocked(manager);
        await other.query(`${totals} NOWAIT`, [estates[1]]);
      });
    } finally {
      await registered;
    }
    for (const { payload } of parts) expect(await assets(payload.batchId)).toHaveLength(1);
  },
);
