import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { addEstate, addInstalment, addSeries } from '../../../tests/tokenization/series/kit.js';
import { changeTrancheStatus } from './tranches.acts.js';
import { trancheStatuses, type TrancheStatus, trancheTransitions, whyNotMove } from './tranche.js';

const database = await openTestDatabase();
afterAll(() => database.close());
const { manager } = database.dataSource;
const context = testContext({ manager });

const status = fc.constantFrom(...trancheStatuses);

test('by the table no series ends with money in it or owed by it', () => {
  fc.assert(
    fc.property(status, fc.boolean(), fc.nat(3), fc.nat(3), (from, invested, paid, unpaid) => {
      const instalments = paid + unpaid;
      const mayEnd = whyNotMove({ status: from, invested, instalments, unpaid }, 'CLOSED') === undefined;
      if (from === 'FUNDRAISING') expect(mayEnd).toBe(!invested);
      if (from === 'ACTIVE') expect(mayEnd).toBe(unpaid === 0 && (instalments > 0 || !invested));
      if (from === 'CLOSED') expect(mayEnd).toBe(false);
    }),
  );
});

describe('changing the status of a series', () => {
  let id: string;

  beforeEach(async () => {
    await database.asOwner('TRUNCATE tokenization.patrimonies, shared.outbox CASCADE');
    id = await addSeries(manager, await addEstate(manager, 'PAT1'), 'S1', { status: 'DRAFT' });
  });

  const stored = () => manager.value('SELECT status FROM tokenization.tranches WHERE id = $1', [id]);
  const told = (): Promise<{ topic: string; key: string; payload: unknown }[]> =>
    manager.query('SELECT topic, key, payload FROM shared.outbox ORDER BY position');

  test('moves it and announces it, whatever the case of the ticker', async () => {
    expect(await changeTrancheStatus(context, 's1', 'FUNDRAISING')).toMatchObject({
      ticker: 'S1',
      status: 'FUNDRAISING',
    });
    expect(await stored()).toBe('FUNDRAISING');
    const data = { trancheTicker: 'S1', patrimonyTicker: 'PAT1', previousStatus: 'DRAFT', status: 'FUNDRAISING' };
    expect(await told()).toEqual([{ topic: 'tranche.status_changed', key: 'S1', payload: { ownerId: null, data } }]);
  });

  test('twice is once, also at the same moment', async () => {
    await Promise.all([1, 2, 3].map(() => changeTrancheStatus(context, 'S1', 'FUNDRAISING')));
    expect(await told()).toHaveLength(1);
  });

  test.each([
    ['DRAFT', 'ACTIVE', {}, /is DRAFT and cannot become ACTIVE/],
    ['FUNDRAISING', 'CLOSED', { invested_amount: '0.01' }, /cannot be withdrawn/],
    ['ACTIVE', 'CLOSED', {}, /1 of its instalments are not paid/],
    ['CLOSED', 'DRAFT', {}, /is CLOSED and cannot become DRAFT/],
  ] as const)('from %s to %s is refused, and nothing happens', async (from, to, columns, message) => {
    await manager.query('DELETE FROM tokenization.tranches');
    id = await addSeries(manager, await addEstate(manager, 'PAT2'), 'S1', { status: from, ...columns });
    await addInstalment(manager, id, 1, '2026-04-15', '100');
    await expect(changeTrancheStatus(context, 'S1', to)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(message),
    });
    expect(await stored()).toBe(from);
    expect(await told()).toEqual([]);
  });

  test('a series that owes what was put into it does not end for want of instalments', async () => {
    await manager.query(`UPDATE tokenization.tranches SET status = 'ACTIVE', invested_amount = 0.01`);
    await expect(changeTrancheStatus(context, 'S1', 'CLOSED')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/no instalments/),
    });
    await manager.query('UPDATE tokenization.tranches SET invested_amount = 0');
    expect(await changeTrancheStatus(context, 'S1', 'CLOSED')).toMatchObject({ status: 'CLOSED' });
  });

  test('a text that is almost a ticker names no series', async () => {
    await expect(changeTrancheStatus(context, 'S\u00001', 'FUNDRAISING')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await stored()).toBe('DRAFT');
  });

  test('no way through the acts leaves the table', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(status, { maxLength: 8 }), async (statuses) => {
        await manager.query(`UPDATE tokenization.tranches SET status = 'DRAFT'`);
        let current: TrancheStatus = 'DRAFT';
        for (const wanted of statuses) {
          const moved = await changeTrancheStatus(context, 'S1', wanted).then(
            () => true,
            () => false,
          );
          expect(moved).toBe(wanted === current || trancheTransitions[current][wanted] !== undefined);
          if (moved) current = wanted;
          expect(await stored()).toBe(current);
        }
      }),
      { numRuns: 30 },
    );
  });
});
