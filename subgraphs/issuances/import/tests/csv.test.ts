import { afterAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testContext } from '../../../../tests/kit/context.js';
import { openTestDatabase } from '../../../../tests/kit/database.js';
import { csv, importTexts, printed, record } from './kit.js';
import { isIsin, isinCheckDigit } from '../model/isin.js';

const database = await openTestDatabase();
afterAll(() => database.close());
const context = testContext({ manager: database.dataSource.manager });
const operation = record('operations', { series: [record('series')] });
expect(printed(await importTexts(context, { 'a.json': operation }))).toEqual([]);

beforeEach(() =>
  database.asOwner('TRUNCATE issuances.credit_contracts, issuances.unit_prices, issuances.payments CASCADE'),
);

const header = csv('contracts', []).trim();
const plain =
  'CRI-AURORA-1;C-1;José "Zé" Conceição;12345678909;CCB;ACTIVE;1234567.80;999.10;IPCA;9.5;2024-02-10;2034-02-10;120;33;0;;SP;;2026-11-19;';
const brazilian =
  'CRI-AURORA-1;C-1;José "Zé" Conceição;123.456.789-09;CCB;ACTIVE;1.234.567,80;999,10;IPCA;9,50;10/02/2024;10/02/2034;120;33;0;;SP;;19/11/2026;';
const quoteAll = (line: string) =>
  line
    .split(';')
    .map((cell) => `"${cell.replaceAll('"', '""')}"`)
    .join(';');
const lines = (line: string, end = '\r\n') => header + end + quoteAll(line) + end;
const commas = (text: string) => text.replaceAll(';', ',');

test.each<[string, string | Uint8Array]>([
  ['plain numbers and dates', lines(plain)],
  ['Brazilian numbers and dates', lines(brazilian)],
  ['Brazilian numbers parted by commas', commas(lines(brazilian))],
  ['line feeds alone', lines(brazilian, '\n')],
  ['carriage returns alone', lines(plain, '\r')],
  ['a byte order mark', `\ufeff${lines(brazilian)}`],
  ['a quoted header with a byte order mark', `\ufeff${quoteAll(header)}\n${quoteAll(plain)}`],
  ['ISO-8859-1', Buffer.from(lines(brazilian), 'latin1')],
  ['blank lines and lines of empty cells', `${header}\n\n${';'.repeat(19)}\n${quoteAll(plain)}\n\n`],
  [
    'another order of columns, in any case',
    lines(brazilian)
      .split('\r\n')
      .map((line) => line.split(';').reverse().join(';'))
      .join('\n')
      .replace('externalId', 'EXTERNALID'),
  ],
])('a contract is the same contract with %s', async (_, content) => {
  expect(printed(await importTexts(context, { 'contracts.csv': content }))).toEqual([]);
  const found = await database.dataSource.query<unknown[]>(
    `SELECT external_id, debtor_name, debtor_document, original_value, outstanding_balance, rate, issue_date::text, position_date::text, collateral_value
     FROM issuances.credit_contracts`,
  );
  expect(found).toEqual([
    {
      external_id: 'C-1',
      debtor_name: 'José "Zé" Conceição',
      debtor_document: '12345678909',
      original_value: '1234567.80',
      outstanding_balance: '999.10',
      rate: '9.500000',
      issue_date: '2024-02-10',
      position_date: '2026-11-19',
      collateral_value: null,
    },
  ]);
});

test('characters that only Windows writes are kept', async () => {
  const text = Buffer.from(lines(plain).replace('Conceição', 'Concei\u00e7\u00e3o \u0096 \u0093A\u0094'), 'latin1');
  expect(printed(await importTexts(context, { 'contracts.csv': text }))).toEqual([]);
  expect(await context.manager.value('SELECT debtor_name FROM issuances.credit_contracts')).toBe(
    'José "Zé" Conceição – “A”',
  );
});

test('a number that reads in two ways takes the style of the rest of its file', async () => {
  const prices = (other: string) =>
    `trancheTicker;date;value\nAURORA1S1;2026-11-18;1.234\nAURORA1S1;2026-11-17;${other}\n`;
  const read = () => context.manager.value(`SELECT value FROM issuances.unit_prices WHERE date = '2026-11-18'`);
  expect(printed(await importTexts(context, { 'p.csv': prices('1233,5') }))).toEqual([]);
  expect(await read()).toBe('1234.00000000');
  expect(printed(await importTexts(context, { 'p.csv': prices('1.5') }, { correct: 'outro arquivo' }))).toEqual([]);
  expect(await read()).toBe('1.23400000');
});

test('optional columns may be missing, and a payment may be of the whole operation', async () => {
  const text = 'operationTicker,installmentNumber,event,dueDate\nCRI-AURORA-1,1,Prêmio,2026-12-01\n';
  expect(printed(await importTexts(context, { 'p.csv': text }))).toEqual([]);
  expect(await database.dataSource.query('SELECT series_id, event, total_value FROM issuances.payments')).toEqual([
    { series_id: null, event: 'Prêmio', total_value: null },
  ]);
});

test('files of a folder may refer to one another, whatever their order', async () => {
  const report = await importTexts(context, {
    '1-positions.csv': csv('contractPositions', [{ operationTicker: 'NEW' }]),
    '2-contracts.csv': csv('contracts', [{ operationTicker: 'new' }]),
    '3-prices.csv': csv('unitPrices', [{ trancheTicker: 'NEW1' }]),
    'z/4.json': record('operations', {
      ticker: 'NEW',
      slug: 'new-estate',
      series: [record('series', { ticker: 'NEW1' })],
    }),
  });
  expect(printed(report)).toEqual([]);
  expect(report.counts.map(({ kind, created }) => [kind, created])).toEqual([
    ['operations', 1],
    ['series', 1],
    ['unitPrices', 1],
    ['contracts', 1],
    ['contractPositions', 1],
  ]);
});

test('the check digit of an ISIN notices any single wrong digit', () => {
  expect(['US0378331005', 'GB0002634946'].every(isIsin)).toBe(true);
  const base = fc.stringMatching(/^BR[A-Z0-9]{9}$/);
  fc.assert(
    fc.property(base, fc.integer({ min: 1, max: 9 }), (own, shift) => {
      const digit = Number(isinCheckDigit(own));
      expect(isIsin(`${own}${digit}`)).toBe(true);
      expect(isIsin(`${own}${(digit + shift) % 10}`)).toBe(false);
    }),
  );
});
