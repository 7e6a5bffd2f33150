import { afterAll, expect, test } from '@jest/globals';
import { loadCalendar } from '../../../../shared/kernel/calendar/calendar.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { testContext } from '../../../../tests/kit/context.js';
import { openTestDatabase, untilBlocked } from '../../../../tests/kit/database.js';
import { recordAssetPayment } from '../../assets/assets.acts.js';
import { repriceAll } from '../../price-runs/reprice-all.js';
import { csv, importTexts, printed, tranche, wholePatrimony } from './kit.js';

/* Imports concurrently with the mutations and the job that change the same rows. */
const database = await openTestDatabase();
afterAll(() => database.close());
const context = testContext({ manager: database.dataSource.manager });

test('a payment that falls together with an import is in the figures', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `C-${at}`);
  const assets = (installments: string) =>
    csv(
      'assets',
      names.map((externalId) => ({ externalId, installments, finalDueDate: '' })),
    );
  const history = (count: number) =>
    csv(
      'installments',
      names.flatMap((assetExternalId) =>
        Array.from({ length: count }, (_, at) => ({
          assetExternalId,
          installmentNumber: String(at + 1),
          dueDate: `2027-0${at + 1}-10`,
        })),
      ),
    );
  const files = (count: number) => ({ 'assets.csv': assets(String(count)), 'history.csv': history(count) });
  await importTexts(context, { 'a.json': wholePatrimony({ assets: [] }), ...files(3) });
  const ids = await database.dataSource.query<{ id: string }[]>('SELECT id FROM tokenization.assets');
  // A payment of each that is not committed when the import reaches it.
  const four = await inTransaction(context, async (tx) => {
    for (const { id } of ids) await recordAssetPayment(tx, id, 1, '2026-11-19');
    const report = importTexts(context, files(4));
    await untilBlocked(database.dataSource);
    return { report };
  });
  expect(printed(await four.report)).toEqual([]);
  const wrong = await database.dataSource.query<unknown[]>(
    `SELECT a.external_id FROM tokenization.assets a JOIN tokenization.asset_installments i ON i.asset_id = a.id GROUP BY a.id
     HAVING a.installments <> 4 OR count(*) <> 4 OR a.paid_installments <> 1 OR sum(i.paid_amount) <> a.received
       OR min(i.due_date) FILTER (WHERE i.status = 'PENDING') <> a.next_due_date`,
  );
  expect(wrong).toEqual([]);
});

test('imports of policies and index values and runs of prices end, and the last prices are those of the last policy', async () => {
  const calendar = await loadCalendar(context.manager);
  const fixed = { indexer: 'NONE', diPercentage: null, diLagBusinessDays: null, schedule: [], tokenQuantity: 1 };
  const version = (at: number) => ({
    'a.json': {
      patrimonies: [
        wholePatrimony({
          assets: [],
          tranches: Array.from({ length: 8 }, (_, each) =>
            tranche({ ...fixed, ticker: `T${each}`, rate: `${10 + at}`, remunerationStartDate: '2026-10-15' }),
          ),
        }),
      ],
      indexValues: [{ index: 'DI', date: '2026-11-18', value: `${10 + at}` }],
    },
  });
  const work = [1, 2, 3, 4].flatMap((at) => [importTexts(context, version(at)), repriceAll(context, { calendar })]);
  const reports = await Promise.all(work);
  expect(reports.flatMap((report) => ('errors' in report ? printed(report) : []))).toEqual([]);
  await repriceAll(context, { calendar });
  const rows = await database.dataSource.query<unknown[]>(
    `SELECT DISTINCT policy_version >= 1 AND priced_policy_version = policy_version AS current, priced_on::text FROM tokenization.tranches
     WHERE ticker LIKE 'T_'`,
  );
  expect(rows).toEqual([{ current: true, priced_on: '2026-11-19' }]);
});
