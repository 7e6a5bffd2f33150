import { afterAll, describe, expect, test } from '@jest/globals';
import { testContext } from '../../../../tests/kit/context.js';
import { openTestDatabase } from '../../../../tests/kit/database.js';
import { csv, importTexts, printed, record, tranche, wholePatrimony, type Json } from './kit.js';

const paid = record('schedule', { paidOn: '2025-09-15', interestValue: '1', principalValue: '0' });
const standing = {
  patrimonies: [
    record('patrimonies', {
      ticker: 'OTHER',
      slug: 'other-estate',
      tranches: [
        tranche({ ticker: 'OTHER1', schedule: [paid] }),
        tranche({ ticker: 'DRAFT1', status: 'DRAFT', schedule: [] }),
        tranche({ ticker: 'OWING1' }),
        tranche({ ticker: 'OFFER1', status: 'FUNDRAISING' }),
        tranche({ ticker: 'EMPTY1', schedule: [] }),
      ],
      assets: [
        record('assets', { externalId: 'K-1', paymentHistory: [record('installments')] }),
        record('assets', { externalId: 'K-2', paymentHistory: [record('installments', { paidOn: '2026-11-19' })] }),
        record('assets', { externalId: 'K-3', status: 'WRITTEN_OFF', currentBalance: '10' }),
      ],
    }),
  ],
  indexValues: ['2026-01-01', '2026-02-01'].map((date) =>
    record('indexValues', { index: 'IPCA', date, value: '7000' }),
  ),
};

// The test clock is set to 2026-11-20.
const database = await openTestDatabase();
afterAll(async () => {
  const [row] = await database.dataSource.query<unknown[]>(
    `SELECT (SELECT count(*) FROM tokenization.patrimonies) AS patrimonies, (SELECT count(*) FROM tokenization.tranches) AS tranches,
       (SELECT count(*) FROM tokenization.assets) AS assets, (SELECT count(*) FROM tokenization.index_values) AS values,
       (SELECT max(policy_version) FROM tokenization.tranches) AS version, (SELECT count(*) FROM shared.outbox) AS events`,
  );
  expect(row).toEqual({ patrimonies: '1', tranches: '5', assets: '3', values: '2', version: 1, events: '7' });
  await database.close();
});
const context = testContext({ manager: database.dataSource.manager });
expect(printed(await importTexts(context, { 'other.json': standing }))).toEqual([]);

async function errorsOf(content: string | object): Promise<string[]> {
  return printed(await importTexts(context, { 'a.json': content })).map((line) => line.replace(/^a\.json:/, ''));
}

const withTranche = (changes: Json) => wholePatrimony({ tranches: [tranche(changes)] });
type AssetOf = Json & { readonly history?: readonly Json[] };
const withAsset = ({ history, ...changes }: AssetOf) => {
  const paymentHistory = history?.map((one) => record('installments', one));
  return wholePatrimony({ assets: [record('assets', { ...changes, ...(paymentHistory && { paymentHistory }) })] });
};
const ofOther = (changes: Json) => record('patrimonies', { ticker: 'OTHER', slug: 'other-estate', ...changes });
const instalment = (changes: Json) => record('schedule', changes);
const withoutDi = { diPercentage: null, diLagBusinessDays: null };
const onIgpm = { ...withoutDi, indexer: 'IGPM', indexLagMonths: 1, indexAnniversaryDay: 5 };
/** The instalment after the one of the example. */
const second = (changes: Json) =>
  instalment({ installmentNumber: 2, calculationDate: null, dueDate: '2026-09-15', ...changes });
const policy = (changes: Json) => ({
  schedule: undefined,
  schedulePolicy: { ...(record('tranches')['schedulePolicy'] as Json), ...changes },
});

describe('errors of estates and series', () => {
  test('each is reported with file, line and field, all at once', async () => {
    const text = `{ "patrimonies": [{
      "ticker": "PAT 1", "name": "Aurora",
      "slug": "aurora", "status": "OPEN",
      "tranches": [{
        "ticker": "T1", "name": "T", "status": "ACTIVE", "className": "SENIOR", "tokenQuantity": 1.5,
        "remunerationStartDate": "2025-02-30", "issueValue": 1000, "dayCount": "BUS253", "rate": "-100",
        "indexer": "DI", "diLagBusinessDay": 2
      }],
      "assets": [{ "externalId": "A", "type": "CCB", "debtorName": "Beatriz", "debtorDocument": "111.444.777-00",
        "originalValue": 0, "interestRate": 1, "installments": 1 }]
    }], "colours": [], "indexValues": {} }`;
    expect(await errorsOf(text)).toEqual([
      '2 patrimonies[0].ticker must be a ticker: up to 40 letters, digits, points, hyphens and underscores, and "PAT 1" is not',
      '3 patrimonies[0].status must be DRAFT, ACTIVE or CLOSED, and "OPEN" is not',
      '5 patrimonies[0].tranches[0].tokenQuantity must be a whole number, and "1.5" is not',
      '6 patrimonies[0].tranches[0].remunerationStartDate must be a date like 2026-12-31 (in CSV also 31/12/2026), and "2025-02-30" is not',
      '6 patrimonies[0].tranches[0].dayCount must be BUS252, CIVIL_365 or CIVIL_360, and "BUS253" is not',
      '6 patrimonies[0].tranches[0].rate must be greater than -100, and -100 is not',
      '7 patrimonies[0].tranches[0].diLagBusinessDay is not a field here; did you mean diLagBusinessDays?',
      '9 patrimonies[0].assets[0].debtorDocument is neither a CPF nor a CNPJ: its length or its check digits are wrong',
      '10 patrimonies[0].assets[0].originalValue must be greater than 0, and 0 is not',
      '11 colours is not a list of the input, such as patrimonies',
      '11 indexValues must be a list',
    ]);
  });

  test.each<[RegExp, Json]>([
    [/slug is "other-estate", by which patrimony OTHER is found$/, { slug: 'OTHER-estate' }],
    [/slug is "other", by which patrimony OTHER is found$/, { slug: 'other' }],
    [/ticker is "other1", a series of patrimony OTHER$/, { tranches: [tranche({ ticker: 'other1' })] }],
    [
      /tranches\[1\]\.ticker repeats the tranche of a\.json:\d+$/,
      { tranches: [tranche(), record('tranches', { schedulePolicy: null })] },
    ],
  ])('%s is the only fault', async (expected, changes) => {
    expect(await errorsOf(record('patrimonies', changes))).toEqual([expect.stringMatching(expected)]);
  });

  test.each<[RegExp, Json]>([
    [/diPercentage is only allowed for series that follow DI$/, { indexer: 'NONE', diLagBusinessDays: null }],
    [
      /indexLagMonths is required for series that follow IPCA or IGPM$/,
      { ...withoutDi, indexer: 'IPCA', indexAnniversaryDay: 15 },
    ],
    [
      /remunerationStartDate is 1999-12-31, a day that the calendar of business days does not cover/,
      { remunerationStartDate: '1999-12-31' },
    ],
    [/indexBase must be START where amortizationOf is ISSUE_VALUE$/, { ...onIgpm, amortizationOf: 'ISSUE_VALUE' }],
    [
      /indexBase must be START, YEARLY, ANNIVERSARY or LAST_EVENT, and "LAST_AMORTIZATION" is not/,
      { ...onIgpm, indexBase: 'LAST_AMORTIZATION' },
    ],
    [
      /schedule\[0\]\.calculationDate is 2025-03-14, not after remunerationStartDate/,
      { schedule: [instalment({ calculationDate: '2025-03-14' })] },
    ],
    [/dueDate is 2025-09-14, before calculationDate/, { schedule: [instalment({ dueDate: '2025-09-14' })] }],
    [
      /calculationDate is the same as that of the instalment of a\.json:\d+$/,
      { schedule: [instalment({}), instalment({ installmentNumber: 2 })] },
    ],
    [
      /schedule\[1\]\.calculationDate is 2025-08-15, before that of the instalment before/,
      { schedule: [instalment({}), instalment({ installmentNumber: 2, calculationDate: '2025-08-15' })] },
    ],
    [
      /installmentNumber repeats the instalment of/,
      { schedule: [instalment({}), instalment({ calculationDate: '2025-09-14' })] },
    ],
    [
      /amortizationPercentage must be 0 where interestEvent is ACCRUED$/,
      { schedule: [instalment({ interestEvent: 'ACCRUED', amortizationPercentage: 1 })] },
    ],
    [
      /schedule amortizes 100\.00000001 % of the issue value, more than all$/,
      {
        amortizationOf: 'ISSUE_VALUE',
        schedule: [instalment({ amortizationPercentage: 60 }), second({ amortizationPercentage: '40.00000001' })],
      },
    ],
    [
      /schedule incorporates interest in the issue value after a part of it was amortized, at instalment 2: /,
      {
        amortizationOf: 'ISSUE_VALUE',
        schedule: [instalment({ amortizationPercentage: 40 }), second({ interestEvent: 'INCORPORATED' })],
      },
    ],
    [
      /paidOn is 2026-11-23, and today is 2026-11-20/,
      { schedule: [instalment({ dueDate: '2026-11-23', paidOn: '2026-11-23', interestValue: 1, principalValue: 0 })] },
    ],
    [/interestValue is required where paidOn is given/, { schedule: [instalment({ paidOn: '2025-09-15' })] }],
    [/principalValue is required where interestValue is given$/, { schedule: [instalment({ interestValue: '1' })] }],
    [
      /schedulePolicy is given together with schedule: give one of them$/,
      { schedulePolicy: record('tranches')['schedulePolicy'] },
    ],
    [/schedulePolicy\.everyMonths is required where schedulePolicy is given$/, policy({ everyMonths: null })],
    [
      /schedulePolicy does not produce a schedule: principalGrace must be a whole number from 0 to 9$/,
      policy({ principalGrace: 10 }),
    ],
    [/schedulePolicy\.priceRate is only allowed with the amortization PRICE$/, policy({ priceRate: 5 })],
    [/schedulePolicy does not produce a schedule: .* covers 2000 to 2078/, policy({ instalments: 600 })],
  ])('%s is the only fault', async (expected, changes) => {
    expect(await errorsOf(withTranche(changes))).toEqual([expect.stringMatching(expected)]);
  });

  test.each<[RegExp, Json]>([
    [
      /status is ACTIVE, and the series is DRAFT, from where it cannot come to that$/,
      tranche({ ticker: 'DRAFT1', status: 'ACTIVE' }),
    ],
    [/status is CLOSED, and instalments of the series are not paid$/, tranche({ ticker: 'OWING1', status: 'CLOSED' })],
    [
      /status is CLOSED, and money has been put into the series$/,
      tranche({ ticker: 'OFFER1', status: 'CLOSED', investedAmount: null }),
    ],
    [
      /status is CLOSED, and money has been put into the series$/,
      tranche({ ticker: 'OFFER1', status: 'CLOSED', investedAmount: '0' }),
    ],
    [
      /status is CLOSED, and money has been put into the series, which has no instalments$/,
      tranche({ ticker: 'EMPTY1', status: 'CLOSED', schedule: [], investedAmount: null }),
    ],
    [
      /status is CLOSED, and money has been put into the series, which has no instalments$/,
      tranche({ ticker: 'OWING1', status: 'CLOSED', schedule: [] }),
    ],
    [
      /schedule leaves out instalment 1, which was paid: an operator first takes its payment back/,
      tranche({ ticker: 'OTHER1', schedule: [] }),
    ],
    [
      /calculationDate is 2025-09-15, not after remunerationStartDate, which is 2025-10-01$/,
      record('tranches', { ticker: 'OTHER1', schedulePolicy: null, remunerationStartDate: '2025-10-01' }),
    ],
  ])('%s is the only fault', async (expected, changed) => {
    expect(await errorsOf(ofOther({ tranches: [changed] }))).toEqual([expect.stringMatching(expected)]);
  });
});

describe('errors of assets', () => {
  test.each<[RegExp, AssetOf]>([
    [/assets\[0\]\.status is required where the asset has no instalments$/, { currentBalance: '1' }],
    [/installments is 2, and the asset has 1 of them, numbered up to 1$/, { installments: 2, history: [{}] }],
    [/currentBalance must be 0 where status is SETTLED/, { status: 'SETTLED', currentBalance: 1 }],
    [
      /status is ACTIVE, and by the instalments it is DEFAULTED$/,
      { status: 'ACTIVE', finalDueDate: null, history: [{ dueDate: '2026-08-21' }] },
    ],
    [/status is DEFAULTED, and by the instalments it is ACTIVE$/, { status: 'DEFAULTED', history: [{}] }],
    [
      /status is ACTIVE, and nextDueDate is 2026-08-21$/,
      { status: 'ACTIVE', currentBalance: 1, nextDueDate: '2026-08-21' },
    ],
    [/paidInstallments is 1, and by the instalments it is 0$/, { paidInstallments: 1, history: [{}] }],
    [/paidInstallments is 2, more than installments/, { paidInstallments: 2, status: 'ACTIVE', currentBalance: 1 }],
    [/paidOn is required where paidAmount is the whole amount$/, { history: [{ paidAmount: '12000' }] }],
    [
      /paidOn must be absent until the instalment is paid in full: paidAmount is less than amount$/,
      { history: [{ paidAmount: '1', paidOn: '2026-11-19' }] },
    ],
    [/paidOn is 2026-11-21, and today is 2026-11-20/, { history: [{ paidOn: '2026-11-21' }] }],
  ])('%s is the only fault', async (expected, changes) => {
    expect(await errorsOf(withAsset(changes))).toEqual([expect.stringMatching(expected)]);
  });

  test.each([
    ['assetExternalId is "K-9", and the patrimony has no such asset', 'installments', { assetExternalId: 'K-9' }],
    ['patrimonyTicker is "NONE", and there is no such patrimony', 'assets', { patrimonyTicker: 'NONE' }],
    [
      'installments of asset "K-1" is 1, and it has 2 of them, numbered up to 2',
      'installments',
      { assetExternalId: 'K-1', installmentNumber: '2' },
    ],
    [
      'paidAmount is less than amount, and the instalment was paid on 2026-11-19: only an operator takes a payment back (reverseAssetPayment)',
      'installments',
      { assetExternalId: 'K-2', paidAmount: '5' },
    ],
    [
      'status becomes ACTIVE, and the asset is WRITTEN_OFF, from where it cannot come to that',
      'assets',
      { externalId: 'K-3', status: 'ACTIVE' },
    ],
  ])('%s is a fault of a CSV file', async (expected, kind, line) => {
    const text = csv(kind, [{ patrimonyTicker: 'OTHER', ...line }]);
    expect(printed(await importTexts(context, { 'a.csv': text }))).toContain(`a.csv:2 ${expected}`);
  });

  test('a debtor is never named in an error', async () => {
    const debtor = { debtorName: 'Beatriz', debtorDocument: '111.444.777-00' };
    const line = { patrimonyTicker: 'OTHER', originalValue: 'x', ...debtor };
    const errors = printed(await importTexts(context, { 'c.csv': csv('assets', [line]) }));
    expect(errors).toHaveLength(2);
    expect(JSON.stringify(errors)).not.toMatch(/Beatriz|111|444|777/);
  });
});

describe('errors of index values', () => {
  test.each([
    ['DI;2026-11-15;14.90', 'date is 2026-11-15, which is not a business day: there is no DI rate for it'],
    ['DI;2026-02-17;14.90', 'date is 2026-02-17, which is not a business day: there is no DI rate for it'],
    ['DI;2026-11-23;14.90', 'date is 2026-11-23, and today is 2026-11-20: it must not be in the future'],
    ['IPCA;2026-03-02;7000.5', 'date is 2026-03-02, but IPCA is monthly: give the first day of the month'],
    ['IGPM;2026-03-01;0.0', 'value must be greater than 0, because IGPM is an index number'],
    ['IPCA;2026-04-01;7000.5', 'date is 2026-04-01, and there is no IPCA of 2026-03'],
    ['IPCA;2025-11-01;7000.5', 'date is 2025-11-01, and there is no IPCA of 2025-12'],
    ['SELIC;2026-11-19;1.5', 'index must be DI, IPCA or IGPM, and "SELIC" is not'],
  ])('%s is a fault, and the only one', async (line, expected) => {
    const report = await importTexts(context, { 'i.csv': `index;date;value\n${line}\n` });
    expect(printed(report)).toEqual([`i.csv:2 ${expected}`]);
  });

  test('months of one file fill the gap of another', async () => {
    const files = {
      '1.csv': 'index;date;value\nIPCA;2026-04-01;7001\nDI;2026-11-15;1\n',
      '2.csv': 'index;date;value\nIPCA;2026-03-01;7000\n',
    };
    expect(printed(await importTexts(context, files))).toEqual([expect.stringMatching(/^1\.csv:3 date is 2026-11-15/)]);
  });
});
