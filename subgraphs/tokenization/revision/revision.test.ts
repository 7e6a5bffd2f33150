import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fixedClock } from '../../../tests/kit/clock.js';
import type { Manager } from '../../../shared/database/manager.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { addEstate, addSeries } from '../../../tests/tokenization/series/kit.js';
import { readStamp } from './revision.js';

let series: string;
const clock = fixedClock('2026-06-10T15:00:00Z');

const stamp = () => readStamp(testContext({ manager, clock }));
const revision = async () => Number((await stamp()).split(' ')[0]);
const rename = (tx: Manager, name: string) =>
  tx.execute('UPDATE tokenization.tranches SET name = $2 WHERE id = $1', [series, name]);

const database = await openTestDatabase();
afterAll(() => database.close());
const { manager } = database.dataSource;
beforeEach(async () => {
  clock.set('2026-06-10T15:00:00Z');
  await database.asOwner('TRUNCATE tokenization.patrimonies CASCADE');
  series = await addSeries(manager, await addEstate(manager, 'PAT1'), 'S1');
});

describe('the stamp of what is published', () => {
  test('changes with each commit, and not before it', async () => {
    const before = await stamp();
    await inTransaction(testContext({ manager, clock }), async ({ manager: tx }) => {
      await rename(tx, 'A');
      await rename(tx, 'B');
      expect(await stamp()).toBe(before);
    });
    const after = await stamp();
    expect([after === before, await stamp()]).toEqual([false, after]);
  });

  test('stays when a transaction is rolled back, and changes when only a part of it is', async () => {
    const before = await stamp();
    const failed = inTransaction(testContext({ manager, clock }), async ({ manager: tx }) => {
      await rename(tx, 'A');
      throw new Error('not this time');
    });
    await expect(failed).rejects.toThrow('not this time');
    expect(await stamp()).toBe(before);
    await inTransaction(testContext({ manager, clock }), async ({ manager: tx }) => {
      await tx.execute('SAVEPOINT part');
      await rename(tx, 'A');
      await tx.execute('ROLLBACK TO SAVEPOINT part');
      await rename(tx, 'B');
    });
    expect(await stamp()).not.toBe(before);
  });

  test('counts every one of the transactions that are open at the same time, none of which waits for another', async () => {
    const before = await revision();
    const opened: Promise<void>[] = [];
    let commit: (() => void) | undefined;
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    const written = Array.from({ length: 8 }, (_, index) => {
      let wrote: (() => void) | undefined;
      opened.push(new Promise((resolve) => (wrote = resolve)));
      return inTransaction(testContext({ manager, clock }), async ({ manager: tx }) => {
        await addEstate(tx, `PAT${String(index + 2)}`);
        wrote?.();
        await mayCommit;
      });
    });
    await Promise.all(opened);
    expect(await revision()).toBe(before);
    commit?.();
    await Promise.all(written);
    expect(await revision()).toBe(before + 8);
  });

  test('changes at midnight in São Paulo', async () => {
    const before = await stamp();
    clock.set('2026-06-11T02:59:59Z');
    expect(await stamp()).toBe(before);
    clock.set('2026-06-11T03:00:00Z');
    expect(await stamp()).not.toBe(before);
  });
});
