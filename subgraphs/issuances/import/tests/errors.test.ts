import { afterAll, describe, expect, test } from '@jest/globals';
import { importFiles } from '../../../../shared/import/import.js';
import { testContext } from '../../../../tests/kit/context.js';
import { openTestDatabase } from '../../../../tests/kit/database.js';
import { issuancesImport } from '../domain.js';
import { csv, importTexts, printed, record, wholeOperation, type Json } from './kit.js';

const database = await openTestDatabase();
afterAll(async () => {
  const [row] = await database.dataSource.query<unknown[]>(
    `SELECT (SELECT count(*) FROM issuances.operations) AS operations, (SELECT count(*) FROM issuances.unit_prices) AS prices,
       (SELECT count(*) FROM issuances.credit_contracts) AS contracts, (SELECT value FROM issuances.revision) AS revision`,
  );
  expect(row).toEqual({ operations: '1', prices: '0', contracts: '1', revision: '1' });
  await database.close();
});
const context = testContext({ manager: database.dataSource.manager });
// Another operation exists already; the operations of the tests are rejected.
const other = record('operations', {
  ticker: 'OTHER',
  slug: 'other-estate',
  series: [record('series', { ticker: 'OTHER1' })],
  contracts: [record('contracts', { externalId: 'K-1' })],
});
expect(printed(await importTexts(context, { 'other.json': other }))).toEqual([]);

async function errorsOf(content: string | object): Promise<string[]> {
  return printed(await importTexts(context, { 'a.json': content })).map((line) => line.replace(/^a\.json:/, ''));
}

const listed = (kind: string, changes: Json = {}): Json => ({ [kind]: [record(kind, changes)] });
const withSeries = (changes: Json) => record('operations', listed('series', changes));

describe('errors of JSON files', () => {
  test('each is reported with file, line and field, all at once', async () => {
    const text = `{
      "ticker": "CRI AURORA",
      "slug": "aurora",
      "type": "XXX",
      "public": "yes",
      "status": " ",
      "name": "Aurora",
      "href": "/aurora",
      "issuerCnpj": "11.222.333/0001-82",
      "emisionDate": "2025-01-01",
      "emissionDate": "2025-02-30",
      "series": [
        { "number": 1.5, "ticker": "A1", "class": "SENIOR", "status": "Ativa", "indexer": "CDI",
          "issueDate": "2025-03-14", "maturityDate": "2031-03-17",
          "unitValue": -1000,
          "quantity": "10,5" }
      ],
      "payments": {}
    }`;
    expect(await errorsOf(text)).toEqual([
      '2 ticker must be a ticker: up to 40 letters, digits, points, hyphens and underscores, and "CRI AURORA" is not',
      '4 type must be CR, CRI, CRA or DEB, and "XXX" is not',
      '5 public must be true or false',
      '6 status is blank',
      '9 issuerCnpj is not a CNPJ: its length or its check digits are wrong',
      '10 emisionDate is not a field here; did you mean emissionDate?',
      '11 emissionDate must be a date like 2026-12-31 (in CSV also 31/12/2026), and "2025-02-30" is not',
      '13 series[0].number must be a whole number',
      '15 series[0].unitValue must be greater than 0, and -1000 is not',
      '16 series[0].quantity must be a number, and "10,5" is not',
      '18 payments must be a list',
    ]);
  });

  test.each<[RegExp, Json]>([
    [/name is required$/, { name: undefined }],
    [/colour is not a field here$/, { colour: 'blue' }],
    [/maturityDate is 2031-03-17, before emissionDate, which is 2032-01-01$/, { emissionDate: '2032-01-01' }],
    [/chips\[0\] must be text$/, { chips: [7] }],
    [/summary must be an object or null$/, { summary: 'none' }],
    [/totalValue is 1, but interestValue \+ principalValue is 1512345\.67$/, listed('payments', { totalValue: '1' })],
    [
      /paidDate is 2026-11-21, and today is 2026-11-20/,
      listed('payments', { trancheTicker: null, paidDate: '2026-11-21' }),
    ],
    [
      /dueDate is 2090-01-02, a day that the calendar of business days does not cover/,
      listed('payments', { dueDate: '2090-01-02' }),
    ],
    [/minimumBalance must not be negative/, listed('accounts', { minimumBalance: '-1' })],
    [/balanceDate is required where balance is given$/, listed('accounts', { balanceDate: null })],
    [/debtorDocument is neither a CPF nor a CNPJ/, listed('contracts', { debtorDocument: '123.456.789-00' })],
    [/outstandingBalance must be 0 where status is SETTLED/, listed('contracts', { status: 'SETTLED' })],
    [/paidInstallments is 121, more than installments/, listed('contracts', { paidInstallments: 121 })],
    [/fromDays must be 0 in one of the bands/, listed('provisioningBands', { fromDays: 1 })],
    [
      /participants\[1\]\.name repeats the participant of a\.json:\d+$/,
      { participants: [record('participants'), record('participants')] },
    ],
    [/trancheTicker is "AURORA1S1", and there is no such series$/, listed('payments')],
    [/trancheTicker is "OTHER1", a series of another operation$/, listed('payments', { trancheTicker: 'OTHER1' })],
    [/slug is "other-estate", by which operation OTHER is found$/, { slug: 'OTHER-estate' }],
    [/slug is "other", by which operation OTHER is found$/, { slug: 'other' }],
    [
      /href is "\/emissoes\/residencial-boreal", whose last part is neither the slug nor the ticker of the operation$/,
      { href: '/emissoes/residencial-boreal' },
    ],
    ...[
      '//elsewhere.example/residencial-aurora',
      'https://lastro.example/residencial-aurora',
      '/emissoes/residencial-aurora/',
      '/emissoes/../residencial-aurora',
      '/emissoes/residencial-aurora?x=residencial-aurora',
      'javascript:residencial-aurora',
    ].map((href): [RegExp, Json] => [
      /href must be a path of the website, like \/emissoes\/residencial-aurora, and /,
      { href },
    ]),
    [/ticker is "other-estate", by which operation OTHER is found$/, { ticker: 'other-estate' }],
  ])('%s is the only fault', async (expected, changes) => {
    const errors = await errorsOf(record('operations', changes));
    expect(errors).toEqual([expect.stringMatching(expected)]);
  });

  test.each<[RegExp, Json]>([
    [/ticker is "OTHER1", a series of operation OTHER$/, { ticker: 'OTHER1' }],
    [/maturityDate is 2035-01-02, after the maturityDate of the operation/, { maturityDate: '2035-01-02' }],
    [/issuedTotal is 1\.00, but unitValue × quantity is 50000000\.00$/, { issuedTotal: '1.00' }],
    [/isin must be an ISIN/, { isin: 'BRAURSCRI001' }],
    [
      /date is 2020-01-02, and the series lives from 2025-03-14 to 2031-03-17$/,
      listed('unitPrices', { date: '2020-01-02' }),
    ],
    [/date is 2026-11-23, and today is 2026-11-20/, listed('unitPrices', { date: '2026-11-23' })],
    [/value has more than 8 decimals/, listed('trusteeUnitPrices', { value: '1.123456789' })],
  ])('%s is the only fault', async (expected, changes) => {
    expect(await errorsOf(withSeries(changes))).toEqual([expect.stringMatching(expected)]);
  });

  test.each([
    ['{"ticker": "A",\n "ticker": "B"}', /^2 ticker is in its object twice$/],
    ['{"ticker": "A"\n "slug": 1}', /^2 {2}is not JSON from here on/],
    ['', /^\d {2}is not JSON/],
    ['7', /must be an object/],
    ['[[]]', /^1 \[0\] must be an object/],
    ['['.repeat(100_000), /nested too deeply|not JSON/],
  ])('%.20s is told for what it is', async (text, expected) => {
    const errors = await errorsOf(text);
    expect(errors).toContainEqual(expect.stringMatching(expected));
  });

  test('two operations of one input that answer to one name are reported, the slug of one and the ticker of the other', async () => {
    const first = record('operations', { ticker: 'FIRST', slug: 'second' });
    const second = record('operations', { ticker: 'SECOND', slug: 'second-estate' });
    expect(await errorsOf([first, second])).toEqual([
      expect.stringMatching(/^\d+ \[0\]\.slug is "second", by which operation SECOND is found$/),
      expect.stringMatching(/^\d+ \[1\]\.ticker is "second", by which operation FIRST is found$/),
    ]);
  });

  test('a file that is not UTF-8, or too large, is reported', async () => {
    const latin = Buffer.from(JSON.stringify(record('operations', { name: 'Ação' })), 'latin1');
    const large = ' '.repeat(9 * 1024 * 1024);
    const report = await importTexts(context, { 'large.json': large, 'latin.json': latin });
    expect(printed(report)).toEqual([
      expect.stringMatching(/^large.json:0 {2}is larger than 8 MiB/),
      'latin.json:0  is not UTF-8, as JSON has to be',
    ]);
  });
});

describe('errors of CSV files', () => {
  const bad = async (files: Readonly<Record<string, string | Uint8Array>>) =>
    printed(await importTexts(context, files));

  test('each line is reported with its number, also after cells of several lines', async () => {
    const text = `trancheTicker;date;value;trustee\nOTHER1;2026-11-18;1;"two\nlines"\nOTHER1;2026-11-17;x;T\nOTHER1;2026-11-16;1\n\nNOPE;31/02/2026;1;T\n`;
    expect(await bad({ 'p.csv': text })).toEqual([
      'p.csv:4 value must be a number, and "x" is not',
      'p.csv:5  has 3 cells, and the header has 4 columns',
      'p.csv:7 date must be a date like 2026-12-31 (in CSV also 31/12/2026), and "31/02/2026" is not',
      'p.csv:7 trancheTicker is "NOPE", and there is no such series',
    ]);
  });

  test('references that lead nowhere are reported, those to faulty records are not', async () => {
    const files = {
      'a.json': JSON.stringify(wholeOperation({ name: 7 })),
      'contracts.csv': csv('contracts', [
        { operationTicker: 'NONE' },
        { operationTicker: 'OTHER', externalId: 'K-2', rate: 'x' },
      ]),
      'prices.csv': csv('unitPrices', [{ trancheTicker: 'NONE1' }, { trancheTicker: 'AURORA1S1', date: '2026-11-18' }]),
      'positions.csv': csv('contractPositions', [
        { operationTicker: 'OTHER', contractExternalId: 'K-1' },
        { operationTicker: 'other', contractExternalId: 'K-2' },
        { operationTicker: 'OTHER', contractExternalId: 'K-3' },
      ]),
    };
    expect(await bad(files)).toEqual([
      expect.stringMatching(/^a.json:\d+ name must be text$/),
      'contracts.csv:2 operationTicker is "NONE", and there is no such operation',
      'contracts.csv:3 rate must be a number, and "x" is not',
      'positions.csv:4 contractExternalId is "K-3", and the operation has no such contract',
      'prices.csv:2 trancheTicker is "NONE1", and there is no such series',
    ]);
  });

  test('the same record in two files is reported where it repeats', async () => {
    const line = { trancheTicker: 'OTHER1' };
    expect(
      await bad({ '1.csv': csv('unitPrices', [line]), '2.csv': csv('unitPrices', [{ trancheTicker: 'other1' }]) }),
    ).toEqual(['2.csv:2 date repeats the unit price of 1.csv:2']);
  });

  test.each([
    [
      /^p.csv:3 value is written "1234.5", and value of line 2 "1\.234,5": write all numbers/,
      'trancheTicker;date;value\nOTHER1;2026-11-18;1.234,5\nOTHER1;2026-11-17;1234.5\n',
    ],
    [
      /^p.csv:2 value is "1\.234", which can be read as 1234 and as 1\.234/,
      'trancheTicker;date;value\nOTHER1;2026-11-18;1.234\nOTHER1;2026-11-17;900\n',
    ],
    [/^p.csv:1 {2}is not a header of unitPrices, /, 'a;b\n1;2\n'],
    [/^p.csv:1 date is a required column of unitPrices, and is missing$/, 'trancheTicker;value\nA;2\n'],
    [/^p.csv:1 colour is not a column of unitPrices/, 'trancheTicker;date;value;colour\nA;2;3;4\n'],
    [/^p.csv:1 date is in the header twice$/, 'trancheTicker;date;date;value\nA;2;2;3\n'],
    [/^p.csv:1 {2}must be a header whose columns are separated/, 'trancheTicker\n'],
    [/^p.csv:\d {2}/, ''],
    [/^p.csv:0 {2}is neither UTF-8 nor ISO-8859-1/, '\ufefft;d'.split('').join('\u0000')],
    [/^p.csv:2 {2}has an opening quote that is never closed/, 'trancheTicker;date;value\nOTHER1;2026-11-18;"1\n'],
  ])('%s is the only fault', async (expected, text) => {
    expect(await bad({ 'p.csv': text })).toEqual([expect.stringMatching(expected)]);
  });

  test('no more than 1,000 errors are shown, the first ones, with how many there are', async () => {
    const lines = Array.from({ length: 12_000 }, (_, at) => ({
      operationTicker: 'OTHER',
      externalId: `C-${at}`,
      debtorDocument: at % 2 === 0 ? '1' : '123.456.789-09',
    }));
    const unknown = Array.from({ length: 3000 }, (_, at) => ({ trancheTicker: `NONE${at}` }));
    const report = await importTexts(context, {
      'a.csv': csv('unitPrices', unknown),
      'b.csv': csv('contracts', lines),
    });
    expect([report.errorCount, report.errors.length, report.counts]).toEqual([9000, 1000, []]);
    expect(printed(report).at(-1)).toMatch(/^a.csv:1001 /);
  });

  test('a debtor is never named in an error', async () => {
    const line = { operationTicker: 'OTHER', debtorName: 'Beatriz', debtorDocument: '111.444.777-00', rate: 'x' };
    expect(JSON.stringify(await bad({ 'c.csv': csv('contracts', [line]) }))).not.toMatch(/Beatriz|111|444|777/);
  });
});

test('a missing path, an empty folder and a file of another kind are reported', async () => {
  const report = await importFiles(context, [issuancesImport], ['/nowhere/at-all.json']);
  expect(printed(report)).toEqual(['/nowhere/at-all.json:0  does not exist']);
  expect(printed(await importTexts(context, {}))).toEqual([expect.stringMatching(/contains no file$/)]);
  expect(printed(await importTexts(context, { 'x.xlsx': 'a', 'sub/b.txt': 'b', '.hidden': 'c' }))).toEqual([
    'sub/b.txt:0  is neither .json nor .csv',
    'x.xlsx:0  is neither .json nor .csv',
  ]);
});
