import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fixedClock } from '../../../tests/kit/clock.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { addEstate, addInstalment, addSeries, calendarOf } from '../../../tests/tokenization/series/kit.js';
import { repriceAll } from '../price-runs/reprice-all.js';
import type { SchedulePolicy } from '../unit-price/schedule-policy.js';
import { generateSchedule, recordPayment } from './schedule.acts.js';
import { reversePayment } from './reverse-payment.js';
import { markOverdueInstalments } from './mark-overdue.js';

let estate: string;
let series: string;
const clock = fixedClock('2026-06-10T15:00:00Z');

const database = await openTestDatabase();
afterAll(() => database.close());
const { manager } = database.dataSource;
const calendar = await calendarOf(manager);
const context = testContext({ manager, clock });
beforeEach(async () => {
  await database.asOwner('TRUNCATE tokenization.patrimonies, shared.outbox CASCADE');
  estate = await addEstate(manager, 'PAT1');
  series = await addSeries(manager, estate, 'S1');
  clock.set('2026-06-10T15:00:00Z');
});

const told = (): Promise<{ topic: string; payload: { data: Record<string, unknown> } }[]> =>
  manager.query(`SELECT topic, payload FROM shared.outbox WHERE topic LIKE 'payment.%' ORDER BY position`);
const statuses = async (): Promise<string[]> => {
  const rows: { status: string }[] = await manager.query(
    'SELECT status FROM tokenization.schedule_entries ORDER BY installment_number',
  );
  return rows.map(({ status }) => status);
};

describe('an instalment whose due day has passed', () => {
  test('is overdue, and announced once', async () => {
    await addInstalment(manager, series, 1, '2026-06-08', '10');
    await addInstalment(manager, series, 2, '2026-06-10', '10');
    await repriceAll(context, { calendar });
    await Promise.all([1, 2, 3].map(() => markOverdueInstalments(context, calendar)));
    expect(await markOverdueInstalments(context, calendar)).toBe(0);
    expect(await statuses()).toEqual(['OVERDUE', 'PENDING']);
    expect(await told()).toEqual([
      {
        topic: 'payment.overdue',
        payload: {
          ownerId: null,
          data: {
            trancheTicker: 'S1',
            installmentNumber: 1,
            dueDate: '2026-06-08',
            interestValue: expect.stringMatching(/^\d+\.\d\d$/),
            principalValue: '100000.00',
            totalValue: expect.stringMatching(/^\d+\.\d\d$/),
            status: 'OVERDUE',
          },
        },
      },
    ]);
  });

  test('has until the end of the business day in São Paulo', async () => {
    // 6 June 2026 is a Saturday: it is paid on Monday.
    await addInstalment(manager, series, 1, '2026-06-06', '10');
    clock.set('2026-06-09T02:59:00Z');
    expect(await markOverdueInstalments(context, calendar)).toBe(0);
    clock.set('2026-06-09T03:00:00Z');
    expect(await markOverdueInstalments(context, calendar)).toBe(1);
  });

  test('without a price is late without values: none are invented', async () => {
    await addInstalment(manager, series, 1, '2026-06-08', '10');
    await markOverdueInstalments(context, calendar);
    const [event] = await told();
    expect(event?.payload.data).toEqual({
      trancheTicker: 'S1',
      installmentNumber: 1,
      dueDate: '2026-06-08',
      status: 'OVERDUE',
    });
  });

  test('is paid by its day when it pays nothing', async () => {
    await addInstalment(manager, series, 1, '2026-06-08', '0', { interest_event: 'INCORPORATED' });
    expect(await markOverdueInstalments(context, calendar)).toBe(0);
    expect(await statuses()).toEqual(['PAID']);
    expect(await told()).toEqual([]);
  });

  test.each(['DRAFT', 'CLOSED'])('of a series that is %s is owed by nobody', async (status) => {
    await addInstalment(manager, series, 1, '2026-06-08', '10');
    await manager.query('UPDATE tokenization.tranches SET status = $1', [status]);
    await markOverdueInstalments(context, calendar);
    expect(await statuses()).toEqual(['PENDING']);
  });
});

describe('a payment', () => {
  beforeEach(async () => {
    await addInstalment(manager, series, 1, '2026-06-08', '10');
    await addInstalment(manager, series, 2, '2026-07-08', '100');
    await repriceAll(context, { calendar });
  });

  test('is recorded with what the price of its day says, and announced', async () => {
    const paid = await recordPayment(context, 's1', 1, { paidOn: '2026-06-09' });
    expect(paid).toMatchObject({ status: 'PAID', paidOn: '2026-06-09', principalValue: '100000.00' });
    const { interestValue, principalValue, totalValue } = paid;
    expect(new Decimal(interestValue ?? 0).plus(principalValue ?? 0).toFixed(2)).toBe(totalValue);
    const data = {
      trancheTicker: 'S1',
      installmentNumber: 1,
      dueDate: '2026-06-08',
      interestValue,
      principalValue,
      totalValue,
      status: 'PAID',
    };
    expect(await told()).toEqual([{ topic: 'payment.completed', payload: { ownerId: null, data } }]);
  });

  test('twice is the same answer, also at the same moment, and announced once', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => recordPayment(context, 'S1', 1, { paidOn: '2026-06-09' })),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await told()).toHaveLength(1);
  });

  test('of another day, or of other values, is refused once it is paid', async () => {
    const paid = await recordPayment(context, 'S1', 1, { paidOn: '2026-06-09' });
    const values = { interestValue: paid.interestValue ?? '', principalValue: '100000' };
    expect(await recordPayment(context, 'S1', 1, { paidOn: '2026-06-09', values })).toEqual(paid);
    const others = [{ paidOn: '2026-06-10' }, { paidOn: '2026-06-09', values: { ...values, interestValue: '3' } }];
    for (const other of others) {
      await expect(recordPayment(context, 'S1', 1, other)).rejects.toMatchObject({ code: 'CONFLICT' });
    }
  });

  test('keeps what is due when the price is corrected afterwards, until all of it is reversed', async () => {
    const part = await recordPayment(context, 'S1', 1, { paidOn: '2026-06-09', amount: '1.00' });
    await manager.query('UPDATE tokenization.tranches SET rate = 20, policy_version = 2');
    await repriceAll(context, { calendar });
    const paid = await recordPayment(context, 'S1', 1, { paidOn: '2026-06-09' });
    expect(paid).toMatchObject({ status: 'PAID', totalValue: part.totalValue });
    expect(await recordPayment(context, 'S1', 1, { paidOn: '2026-06-09' })).toEqual(paid);
    const reversal = { ticker: 'S1', installmentNumber: 1, reason: 'returned' };
    expect(await reversePayment(context, reversal)).toMatchObject({ status: 'OVERDUE', totalValue: part.totalValue });
    const again = await reversePayment(context, reversal);
    expect(new Decimal(again.totalValue ?? 0).gt(part.totalValue ?? 0)).toBe(true);
  });

  test.each([
    ['in the future', 1, { paidOn: '2026-06-11' }, 'UNPROCESSABLE'],
    ['before its day', 1, { paidOn: '2026-06-05' }, 'UNPROCESSABLE'],
    ['below zero', 1, { paidOn: '2026-06-09', values: { interestValue: '-1', principalValue: '1' } }, 'UNPROCESSABLE'],
    ['of no such instalment', 3, { paidOn: '2026-06-09' }, 'NOT_FOUND'],
  ] as const)('%s is refused', async (_name, number, payment, code) => {
    await expect(recordPayment(context, 'S1', number, payment)).rejects.toMatchObject({ code });
    expect(await told()).toEqual([]);
  });

  test('of unknown value is refused', async () => {
    clock.set('2026-07-09T15:00:00Z');
    await expect(recordPayment(context, 'S1', 2, { paidOn: '2026-07-08' })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test.each(['DRAFT', 'CLOSED'])('of a series that is %s is refused', async (status) => {
    await manager.query('UPDATE tokenization.tranches SET status = $1', [status]);
    await expect(recordPayment(context, 'S1', 1, { paidOn: '2026-06-09' })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('in whatever order payments and days come, nothing that was paid is ever owed again', async () => {
    const act = fc.constantFrom('overdue', 'pay 1', 'pay 2', 'price', 'day');
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        clock.set('2026-06-05T15:00:00Z');
        await manager.query(
          `UPDATE tokenization.schedule_entries SET status = 'PENDING', paid_on = NULL,
             interest_value = NULL, principal_value = NULL, total_value = NULL`,
        );
        let before = await statuses();
        for (const name of acts) {
          if (name === 'day') clock.advance(20 * 86_400_000);
          if (name === 'overdue') await markOverdueInstalments(context, calendar);
          if (name === 'price') await repriceAll(context, { calendar });
          if (name.startsWith('pay')) {
            const paidOn = clock.now().toISOString().slice(0, 10);
            await recordPayment(context, 'S1', Number(name.slice(4)), { paidOn }).catch(() => undefined);
          }
          const after = await statuses();
          for (const [index, status] of after.entries()) {
            const order = ['PENDING', 'OVERDUE', 'PAID'];
            expect(order.indexOf(status)).toBeGreaterThanOrEqual(order.indexOf(before[index] ?? ''));
          }
          before = after;
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('making a schedule', () => {
  const policy: SchedulePolicy = {
    firstMonth: '2026-04',
    anniversaryDay: 15,
    everyMonths: 1,
    instalments: 12,
    accrueUntil: 'DUE_DATE',
    amortization: { kind: 'SAC' },
    principalGrace: 2,
    interestGrace: 0,
    graceInterest: 'INCORPORATED',
    percentageDecimals: 4,
  };
  const entries = (): Promise<{ n: number; versions: number[] }[]> =>
    manager.query(
      `SELECT count(*)::integer AS n, array_agg(DISTINCT t.policy_version) AS versions
       FROM tokenization.tranches t LEFT JOIN tokenization.schedule_entries e ON e.tranche_id = t.id`,
    );

  test('puts it in the place of the old one, and has the series priced anew', async () => {
    await manager.query(`UPDATE tokenization.tranches SET status = 'DRAFT'`);
    await generateSchedule(context, calendar, 'S1', policy);
    await generateSchedule(context, calendar, 'S1', { ...policy, instalments: 24 });
    expect(await entries()).toEqual([{ n: 24, versions: [3] }]);
  });

  test.each([
    ['that has no meaning', { instalments: 0 }, /instalments must be/],
    ['that begins before its series', { firstMonth: '2026-02' }, /must be later than 2026-03-02/],
  ])('%s is refused', async (_name, part, message) => {
    await manager.query(`UPDATE tokenization.tranches SET status = 'DRAFT'`);
    await expect(generateSchedule(context, calendar, 'S1', { ...policy, ...part })).rejects.toMatchObject({
      code: 'UNPROCESSABLE',
      message: expect.stringMatching(message),
    });
    expect(await entries()).toEqual([{ n: 1, versions: [1] }]);
  });

  test('of a series that is offered already is refused', async () => {
    await expect(generateSchedule(context, calendar, 'S1', policy)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
