import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '../../../../shared/kernel/ids.js';
import { voidRecord } from '../../../../shared/import/void.js';
import { testContext } from '../../../../tests/kit/context.js';
import { openTestDatabase } from '../../../../tests/kit/database.js';
import { tokenizationImport } from '../domain.js';
import { kinds } from '../model/kinds.js';
import { csv, importTexts, printed, record, tranche, wholePatrimony, type Json } from './kit.js';

// The test clock is set to 2026-11-20.
const database = await openTestDatabase();
afterAll(() => database.close());
const context = testContext({ manager: database.dataSource.manager });

const tables = kinds.map(({ table }) => table);

beforeEach(async () => {
  await database.asOwner(
    `TRUNCATE ${tables.join(', ')}, tokenization.asset_totals, tokenization.unit_prices, shared.outbox CASCADE`,
  );
});

function rows<T = Json>(sql: string): Promise<T[]> {
  return database.dataSource.query<T[]>(sql);
}

async function right(files: Readonly<Record<string, string | object>>): Promise<Json[]> {
  const report = await importTexts(context, files);
  expect(printed(report)).toEqual([]);
  return report.counts.map(({ kind, created, changed, removed }) => ({ kind, created, changed, removed }));
}

/** Returns every row of every table with its physical version (a lock creates no version), and the number of events. */
async function everything(): Promise<string> {
  const all = await Promise.all(
    tables.map((table) =>
      rows(`SELECT '${table}' AS place, xmin::text, ctid::text, t.* FROM ${table} t ORDER BY ctid`),
    ),
  );
  return JSON.stringify([all, await rows('SELECT count(*) FROM shared.outbox')]);
}

const events = async () =>
  (
    await rows<{ topic: string; key: string; payload: Json }>(
      'SELECT topic, key, payload FROM shared.outbox WHERE NOT internal ORDER BY position',
    )
  ).map(({ topic, key, payload }) => ({ topic, key, ...payload }));
const forget = () => database.asOwner('TRUNCATE shared.outbox');
const versions = () => rows('SELECT ticker, policy_version FROM tokenization.tranches ORDER BY ticker');

const whole = () => ({
  'a.json': {
    patrimonies: [wholePatrimony()],
    indexValues: [record('indexValues')],
    projectedIndexValues: [record('projectedIndexValues')],
  },
});
const instalment = (changes: Json) => record('schedule', changes);

describe('what is imported', () => {
  test.each([
    ['a series', { 'a.json': wholePatrimony() }, 1],
    ['an index value', { 'a.json': { indexValues: [record('indexValues')] } }, 1],
    ['credits alone', { 'a.json': wholePatrimony({ tranches: [] }) }, 0],
  ])('%s has prices computed soon after, where they depend on it', async (_what, files, count) => {
    await right(files);
    expect(await rows(`SELECT FROM shared.outbox WHERE topic = 'prices.due'`)).toHaveLength(count);
  });

  test('every field of the model is kept, each exactly as it was written', async () => {
    expect(await right(whole())).toEqual(kinds.map(({ name }) => ({ kind: name, created: 1, changed: 0, removed: 0 })));
    for (const { table, fields } of kinds) {
      const [row = {}] = await rows(`SELECT to_jsonb(t) AS row FROM ${table} t`);
      const stored = row['row'] as Json;
      for (const { name, column, example, type, kept } of fields) {
        if (!kept || example === null) continue;
        if (type.form === 'number') expect([name, Number(stored[column])]).toEqual([name, Number(example)]);
        else if (name === 'debtorDocument') expect(stored[column]).toBe('12345678909');
        else if (type.form === 'month') expect([name, stored[column]]).toEqual([name, `${String(example)}-01`]);
        else expect([name, stored[column]]).toEqual([name, example]);
      }
    }
  });

  test('what an asset says is found by its search text, and its figures follow from its instalments', async () => {
    const history = [
      { installmentNumber: 1, dueDate: '2026-10-10', amount: '100.00', paidOn: '2026-10-09' },
      { installmentNumber: 2, dueDate: '2026-11-10', amount: '100.00', paidAmount: '30.10', paidOn: null },
      { installmentNumber: 3, dueDate: '2026-12-10', amount: '100.50', paidAmount: null, paidOn: null },
    ];
    const asset = { externalId: 'CCB/7', debtorName: 'José Conceição', installments: 3, finalDueDate: null };
    await right({ 'a.json': wholePatrimony({ assets: [record('assets', { ...asset, paymentHistory: history })] }) });
    expect(
      await rows(
        `SELECT status, search_text, current_balance, received, paid_installments, next_due_date::text, final_due_date::text,
           batch_id IS NOT NULL AS batched FROM tokenization.assets`,
      ),
    ).toEqual([
      {
        status: 'ACTIVE',
        search_text: 'ccb 7',
        current_balance: '170.40',
        received: '130.10',
        paid_installments: 1,
        next_due_date: '2026-11-10',
        final_due_date: '2026-12-10',
        batched: true,
      },
    ]);
    expect(
      await rows('SELECT status, paid_amount FROM tokenization.asset_installments ORDER BY installment_number'),
    ).toEqual([
      { status: 'PAID', paid_amount: '100.00' },
      { status: 'PENDING', paid_amount: '30.10' },
      { status: 'PENDING', paid_amount: '0.00' },
    ]);
  });

  test.each([
    ['2026-08-22', 'ACTIVE'],
    ['2026-08-21', 'DEFAULTED'],
  ])('an asset whose oldest instalment was due on %s is %s', async (dueDate, status) => {
    await right({
      'a.json': wholePatrimony({ assets: [] }),
      'assets.csv': csv('assets', [{ finalDueDate: '' }]),
      'history.csv': csv('installments', [{ dueDate }]),
    });
    expect(await rows('SELECT status FROM tokenization.assets')).toEqual([{ status }]);
  });

  test('a credit that an originator assigned is not imported a second time, nor voided, and the errors say who assigned it', async () => {
    await right(whole());
    const originator = newId();
    await database.dataSource.query(`UPDATE tokenization.assets SET originator_id = $1, batch_name = 'Lote 7'`, [
      originator,
    ]);
    const standing = await rows('SELECT * FROM tokenization.assets');
    const assigned = `is "CCB-2025-000123", which originator ${originator} assigned in Lote 7: to correct it, write the asset off (writeOffAsset) and have the originator assign it again`;
    expect(printed(await importTexts(context, whole()))).toEqual([expect.stringContaining(`externalId ${assigned}`)]);
    expect(printed(await importTexts(context, { 'i.csv': csv('installments', [{}]) }))).toEqual([
      `i.csv:2 assetExternalId ${assigned}`,
    ]);
    const voided = voidRecord(context, [tokenizationImport], 'assets', ['pat-aurora', 'CCB-2025-000123'], {
      reason: 'wrong value',
    });
    await expect(voided).rejects.toMatchObject({
      code: 'UNPROCESSABLE',
      message: expect.stringContaining(
        `Originator ${originator} assigned the asset pat-aurora CCB-2025-000123 in Lote 7, so that it cannot be voided, not even once it is written off`,
      ),
    });
    expect(await rows('SELECT * FROM tokenization.assets')).toEqual(standing);
  });

  test('an imported asset stays importable beside an assigned one of the same external id', async () => {
    await right(whole());
    await database.dataSource.query(
      `INSERT INTO tokenization.assets SELECT (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'originator_id', gen_random_uuid()))).*
       FROM tokenization.assets a`,
    );
    expect(await right(whole())).toEqual(expect.arrayContaining([expect.objectContaining({ created: 0, changed: 0 })]));
    expect(await rows('SELECT count(*)::integer FROM tokenization.assets')).toEqual([{ count: 2 }]);
  });

  test('an asset without instalments is as it says', async () => {
    const line = { status: 'SETTLED', installments: '12', received: '500' };
    await right({ 'a.json': wholePatrimony({ assets: [] }), 'assets.csv': csv('assets', [line]) });
    expect(await rows('SELECT status, current_balance, paid_installments, received FROM tokenization.assets')).toEqual([
      { status: 'SETTLED', current_balance: '0.00', paid_installments: 12, received: '500.00' },
    ]);
  });

  test('a schedule policy makes the instalments', async () => {
    await right({ 'a.json': wholePatrimony({ tranches: [record('tranches')] }) });
    const made = await rows(
      `SELECT installment_number AS n, calculation_date::text AS day, due_date::text AS due, amortization_percentage AS share, status
       FROM tokenization.schedule_entries ORDER BY 1`,
    );
    expect(made).toHaveLength(10);
    expect(made[1]).toEqual({ n: 2, day: '2026-03-15', due: '2026-03-16', share: '0.00000000', status: 'PENDING' });
    expect(made[2]).toMatchObject({ share: '12.50000000' });
    expect(made[9]).toMatchObject({ share: '100.00000000' });
  });
});

describe('importing again', () => {
  test('the same input changes nothing: no row, no policy version, no event', async () => {
    await right(whole());
    const before = await everything();
    for (const counts of await right(whole())) expect(counts).toMatchObject({ created: 0, changed: 0, removed: 0 });
    expect(await everything()).toBe(before);
  });

  test('what acts have changed since is not undone by the same input', async () => {
    await right(whole());
    await rows(
      `UPDATE tokenization.schedule_entries SET status = 'OVERDUE', interest_value = 1, principal_value = 2, total_value = 3`,
    );
    await rows(`UPDATE tokenization.asset_installments SET paid_amount = 500`);
    await rows(`UPDATE tokenization.assets SET received = 500, current_balance = 11500`);
    await rows(
      `UPDATE tokenization.tranches SET priced_on = '2026-11-19', unit_price = 1, nominal_value = 1, interest = 0`,
    );
    const before = await everything();
    await right(whole());
    expect(await everything()).toBe(before);
  });

  test('the policy version rises with the policy or the schedule, and with nothing else', async () => {
    const one = (changes: Json) => ({ 'a.json': wholePatrimony({ tranches: [tranche(changes)] }) });
    const version = async () => Number((await versions())[0]?.['policy_version']);
    await right(one({}));
    expect(await version()).toBe(1);
    await right(one({ name: 'Outro nome', investedAmount: '1.00' }));
    await right(one({ schedule: [instalment({ dueDate: '2025-09-16' })] }));
    await right(one({ schedule: [instalment({ paidOn: '2025-09-15', interestValue: '10', principalValue: '0' })] }));
    expect(await version()).toBe(1);
    await right(one({ rate: '3.50000001' }));
    expect(await version()).toBe(2);
    await right(
      one({
        rate: '3.50000001',
        schedule: [instalment({}), instalment({ installmentNumber: 2, calculationDate: null, dueDate: '2026-09-15' })],
      }),
    );
    expect(await version()).toBe(3);
    await right({ 'a.json': record('patrimonies', { name: 'Outro' }) });
    expect(await version()).toBe(3);
  });

  test.each([{ tokenQuantity: 60000 }, { rate: '4' }])(
    'another policy, %j, takes back what unpaid instalments were said to pay, since it is made anew',
    async (changes) => {
      await right(whole());
      await rows(`UPDATE tokenization.schedule_entries SET interest_value = 1, principal_value = 2, total_value = 3`);
      await right({ 'a.json': wholePatrimony({ tranches: [tranche(changes)] }) });
      expect(await versions()).toEqual([{ ticker: 'AURORA-TK1', policy_version: 2 }]);
      expect(await rows('SELECT total_value FROM tokenization.schedule_entries')).toEqual([{ total_value: null }]);
    },
  );

  test('what has been put into a series stays where the input does not state it', async () => {
    await right(whole());
    const before = await rows('SELECT invested_amount FROM tokenization.tranches');
    expect(before).toEqual([{ invested_amount: '48500000.00' }]);
    await right({ 'a.json': wholePatrimony({ tranches: [tranche({ name: 'Outro nome', investedAmount: null })] }) });
    expect(await rows('SELECT invested_amount FROM tokenization.tranches')).toEqual(before);
  });

  test('all instalments may move by one at once, and a stated schedule is the whole of it', async () => {
    const days = ['2026-01-15', '2026-02-16', '2026-03-16', '2026-04-15'];
    const from = (first: number, count: number) =>
      Array.from({ length: count }, (_, at) =>
        instalment({ installmentNumber: at + 1, calculationDate: null, dueDate: days[first + at] }),
      );
    await right({ 'a.json': wholePatrimony({ tranches: [tranche({ schedule: from(0, 3) })] }) });
    await right({ 'a.json': wholePatrimony({ tranches: [tranche({ schedule: from(1, 3) })] }) });
    const counts = await right({ 'a.json': wholePatrimony({ tranches: [tranche({ schedule: from(0, 2) })] }) });
    expect(counts).toContainEqual({ kind: 'schedule', created: 0, changed: 2, removed: 1 });
  });

  test('an index value that differs is a new version, and prices are never touched', async () => {
    const value = (text: string) => ({ 'di.csv': `index;date;value\nDI;2026-11-18;${text}\n` });
    expect(await right(value('14.90'))).toEqual([{ kind: 'indexValues', created: 1, changed: 0, removed: 0 }]);
    expect(await right(value('14,90'))).toEqual([{ kind: 'indexValues', created: 0, changed: 0, removed: 0 }]);
    expect(await right(value('14.91'))).toEqual([{ kind: 'indexValues', created: 0, changed: 1, removed: 0 }]);
    expect(await rows('SELECT version, value FROM tokenization.index_values ORDER BY 1')).toEqual([
      { version: 1, value: '14.9000000000' },
      { version: 2, value: '14.9100000000' },
    ]);
  });

  test('a balance that the input does not state falls with what is unpaid', async () => {
    const asset = { installments: '2', currentBalance: '150.00', finalDueDate: '' };
    const history = [
      { installmentNumber: '1', amount: '100' },
      { installmentNumber: '2', amount: '100', dueDate: '2027-04-12' },
    ];
    await right({
      'a.json': wholePatrimony({ assets: [] }),
      'assets.csv': csv('assets', [asset]),
      'history.csv': csv('installments', history),
    });
    await right({ 'paid.csv': csv('installments', [{ ...history[0], paidOn: '2026-11-19' }]) });
    expect(await rows('SELECT current_balance, received, paid_installments FROM tokenization.assets')).toEqual([
      { current_balance: '75.00', received: '100.00', paid_installments: 1 },
    ]);
  });
});

describe('events', () => {
  test('other domains are notified of an estate that is new or another one, and of no other', async () => {
    const told = () =>
      rows(`SELECT key = payload->>'id' AS named, payload->>'ticker' AS ticker, payload->>'name' AS name, topic
            FROM shared.outbox WHERE topic = 'patrimony.registered' ORDER BY position`);
    const estate = { named: true, ticker: 'PAT-AURORA', topic: 'patrimony.registered' };
    await right(whole());
    expect(await told()).toEqual([{ ...estate, name: 'Patrimônio Separado Aurora' }]);
    await forget();
    await right(whole());
    await right({ 'a.json': wholePatrimony({ tranches: [tranche({ name: 'Outra' })] }) });
    expect(await told()).toEqual([]);
    await right({ 'a.json': record('patrimonies', { name: 'Outro' }) });
    expect(await told()).toEqual([{ ...estate, name: 'Outro' }]);
  });

  test('of what comes for the first time nothing is announced', async () => {
    await right({
      'a.json': wholePatrimony({
        tranches: [
          tranche({ schedule: [instalment({ paidOn: '2025-09-15', interestValue: '1', principalValue: '2' })] }),
        ],
      }),
    });
    expect(await events()).toEqual([]);
  });

  test('a series that moves, an instalment that is paid and an asset that moves are each announced once', async () => {
    await right(whole());
    const paid = instalment({ paidOn: '2025-09-15', interestValue: '10.00', principalValue: '5.50' });
    const later = wholePatrimony({
      tranches: [tranche({ status: 'CLOSED', schedule: [paid] })],
      assets: [record('assets', { paymentHistory: [record('installments', { paidOn: '2026-11-19' })] })],
    });
    await right({ 'a.json': later });
    const [asset] = await rows('SELECT id, batch_id FROM tokenization.assets');
    expect(await events()).toMatchObject([
      { topic: 'tranche.status_changed', key: 'AURORA-TK1', data: { previousStatus: 'ACTIVE', status: 'CLOSED' } },
      {
        topic: 'payment.completed',
        key: 'AURORA-TK1',
        data: { installmentNumber: 1, interestValue: '10.00', principalValue: '5.50', totalValue: '15.50' },
      },
      {
        topic: 'tranche.unit_price_updated',
        key: 'AURORA-TK1',
        data: { date: '2025-09-15', unitPrice: '0.00000000', correction: false },
      },
      {
        topic: 'contract.status_changed',
        key: asset?.['id'],
        ownerId: null,
        data: { batchId: asset?.['batch_id'], previousStatus: 'ACTIVE', status: 'SETTLED', currentBalance: '0.00' },
      },
    ]);
    await forget();
    await right({ 'a.json': later });
    expect(await events()).toEqual([]);
  });
});

test('the series that a tranche tokenizes is kept by a file that does not name it', async () => {
  const file = (changes: Json) => ({ 'a.json': wholePatrimony({ tranches: [tranche(changes)] }) });
  const linked = () => rows('SELECT series_ticker FROM tokenization.tranches');
  await right(file({ seriesTicker: 'AURORA1' }));
  expect(await linked()).toEqual([{ series_ticker: 'AURORA1' }]);
  const before = await versions();
  await right(file({ seriesTicker: null, name: 'Aurora Sênior I' }));
  expect(await linked()).toEqual([{ series_ticker: 'AURORA1' }]);
  await right(file({ seriesTicker: 'AURORA2' }));
  expect(await linked()).toEqual([{ series_ticker: 'AURORA2' }]);
  expect(await versions()).toEqual(before);
});
