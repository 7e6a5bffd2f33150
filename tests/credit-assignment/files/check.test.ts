import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import { dryRun } from '../../../subgraphs/credit-assignment/eligibility/credit-batch-check.resolver.js';
import {
  checkAssignmentFile as checkFile,
  checkSettlementFile,
  withFoundValues,
} from '../../../subgraphs/credit-assignment/files/files.acts.js';
import {
  createCreditBatchFromFile,
  createSettlementBatchFromFile,
} from '../../../subgraphs/credit-assignment/files/create-from-file.js';
import { errorFile } from '../../../subgraphs/credit-assignment/files/error-file.js';
import type { BatchMode } from '../../../subgraphs/credit-assignment/credit-batches/check-contracts.js';
import type { SentFile } from '../../../subgraphs/credit-assignment/files/file-format.js';
import { testContext } from '../../kit/context.js';
import { countQueries } from '../../kit/count-queries.js';
import { openTestDatabase } from '../../kit/database.js';
import { addOpenEstate, permit } from '../estates/kit.js';
import { formatCnab444 } from '../cnab444/files.js';
import { assigned, fileOf, put } from '../cnab444/kit.js';

const estate = newId();
const closed = newId();
const foreign = newId();

const fresh = (): Context => ({ ...client, loaders: new Map() });

const database = await openTestDatabase();
afterAll(() => database.close());
const manager = database.dataSource.manager;
const id = newId();
await manager.query(
  `INSERT INTO credit_assignment.originators (id, name, status, created_at, updated_at)
   VALUES ($1, 'Crediário', 'ACTIVE', now(), now())`,
  [id],
);
for (const [patrimonyId, ticker] of [
  [estate, 'PAT1'],
  [closed, 'PAT2'],
  [foreign, 'PAT3'],
] as const)
  await addOpenEstate(manager, patrimonyId, ticker);
await permit(manager, id, estate);
await permit(manager, id, closed);
await manager.query(`UPDATE credit_assignment.estates SET status = 'CLOSED' WHERE id = $1`, [closed]);
await manager.query(
  `UPDATE credit_assignment.eligibility_criteria
   SET min_face_value = 100, max_face_value = 1400, max_term_days = 3650, max_debtor_share = 70 WHERE patrimony_id = $1`,
  [estate],
);
const client = testContext({ manager, principal: { kind: 'CLIENT', id: 'key', ownerId: id, scopes: [] } });
const { id: batchId } = await send({ format: 'CSV', text: csvOf(['TAKEN', '11222333000181', '1000', '2031-01-31']) });
await manager.query(
  `INSERT INTO credit_assignment.assigned_contracts (originator_id, external_id, receivable_id)
   SELECT $1, external_id, id FROM credit_assignment.receivables WHERE batch_id = $2`,
  [id, batchId],
);

function send(file: SentFile, patrimonyId = estate, mode: BatchMode = 'ALL_OR_NOTHING') {
  return createCreditBatchFromFile(fresh(), patrimonyId, file, mode);
}

function checkAssignmentFile(
  context: Context,
  patrimonyId: string,
  file: SentFile,
  mode: BatchMode = 'ALL_OR_NOTHING',
) {
  return checkFile(context, patrimonyId, file, mode);
}

function toldBy(error: unknown) {
  if (!(error instanceof ApiError)) throw error;
  return { code: error.code, message: error.message, details: error.extensions.details };
}

function csvOf(...rows: readonly (readonly string[])[]): string {
  return ['externalId;debtorDocument;faceValue;dueDate', ...rows.map((cells) => cells.join(';'))].join('\n');
}

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);
/** The first in so many of one more case. */
const mostly = <T>(weight: number, first: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight, arbitrary: first }, { weight: 1, arbitrary: other });
const externalId = oneOf(...Array.from({ length: 20 }, (_, index) => `A-${index}`), 'TAKEN');

const csvFile = fc
  .record({
    header: mostly(
      29,
      oneOf('externalId;debtorDocument;faceValue;dueDate'),
      oneOf('externalId;debtorDocument;faceValue'),
    ),
    rows: fc.array(
      fc
        .tuple(
          mostly(29, externalId, oneOf('', '\u0000', 'x'.repeat(101))),
          mostly(29, oneOf('11222333000181', '52998224725'), oneOf('52998224726', '1')),
          mostly(29, oneOf('1000', '1100,5', '1500,5', '1200', '99.99'), oneOf('0', '1.234', 'R$ 1')),
          mostly(29, oneOf('2031-01-31', '31/01/2031', '2031-02-28', '2099-01-01'), oneOf('2020-01-01', '31/02/2031')),
        )
        .map((cells) => cells.join(';')),
      { maxLength: 5 },
    ),
    odd: mostly<string[]>(6, fc.constant([]), oneOf(['"'], ['a;b'], ['"a"b;c;d;e'])),
  })
  .map(({ header, rows, odd }): SentFile => ({ format: 'CSV', text: [header, ...rows, ...odd].join('\n') }));

const cnabFile = fc
  .record({
    details: fc.array(
      fc.record({
        externalId,
        debtorDocument: mostly(29, oneOf('11222333000181', '12ABC34501DE35'), oneOf('11222333000182')),
        faceValue: mostly(29, oneOf('1000.00', '1000.00', '1200.00', '50.00'), oneOf('0.00')),
        dueDate: mostly(29, oneOf('2031-01-31'), oneOf('2020-01-31')),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    broken: mostly<[number, number, string] | null>(
      4,
      fc.constant(null),
      fc.tuple(fc.integer({ min: 1, max: 4 }), oneOf(1, 109, 121, 127, 439), oneOf('x', '7', '\u0001')),
    ),
  })
  .map(({ details, broken }): SentFile => {
    const text = formatCnab444(fileOf(...details.map(({ externalId: id, ...rest }) => assigned(id, rest))));
    return { format: 'CNAB444', text: broken === null ? text : put(text, ...broken) };
  });

describe('the check of an assignment file', () => {
  test('gives the answer of sending, and where that creates a batch, the answer of its processing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(csvFile, cnabFile),
        mostly(8, fc.constant(estate), oneOf(closed, foreign, newId(), 'x')),
        oneOf<BatchMode>('ALL_OR_NOTHING', 'ELIGIBLE_ONLY'),
        async (file, patrimonyId, mode) => {
          const check = await checkAssignmentFile(fresh(), patrimonyId, file, mode);
          const sent = await send(file, patrimonyId, mode).catch((error: unknown) => ({ refused: toldBy(error) }));
          if ('refused' in sent) {
            expect(check.refusal === undefined ? undefined : toldBy(check.refusal)).toEqual(sent.refused);
            expect(check.rejection).toBeUndefined();
            const inFile = (sent.refused.details ?? []).filter(({ path }) => path.startsWith('line '));
            expect(check.errors.count).toBeGreaterThanOrEqual(inFile.length);
            return;
          }
          expect(check.refusal).toBeUndefined();
          expect([check.lineCount, check.total]).toEqual([sent.lineCount, sent.total]);
          const { verdict } = await dryRun(fresh(), sent.id);
          const rejection = verdict?.isRejected === true ? verdict : undefined;
          expect([check.rejection?.reason, check.rejection?.rules]).toEqual([rejection?.reason, rejection?.rules]);
          expect(check.rejection === null).toBe(rejection === undefined);
          expect(check.errors.count).toBe(verdict?.errorCount ?? 0);
          expect(check.errors.first.map(({ rule }) => rule.message).sort()).toEqual(
            (verdict?.errors ?? []).map(({ message }) => message).sort(),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  test('lists everything at once: form, meaning, repetition and criteria, with the value as the file has it', async () => {
    const file: SentFile = {
      format: 'CSV',
      text: csvOf(
        ['A-1', '52998224726', '1.234', '2031-01-31'],
        ['A-2', '52998224726', '1000', '31/01/2020'],
        ['A-3', '11222333000181', '99,99', '2031-01-31'],
        ['A-3', '11222333000181', '1000', '2031-01-31'],
        ['TAKEN', '11222333000181', '1000', '2031-01-31'],
        ['"A-4', '1'],
      ),
    };
    const { errors, refusal } = await checkAssignmentFile(fresh(), estate, file);
    const found = await withFoundValues(file, errors.first);
    expect(found.map(({ line, field, value, rule }) => [line, field, value, rule.code])).toEqual([
      [2, 'faceValue', '1.234', 'AMOUNT_FORM'],
      [2, 'debtorDocument', '52998224726', 'CHECK_DIGITS'],
      [3, 'debtorDocument', '52998224726', 'CHECK_DIGITS'],
      [3, 'dueDate', '31/01/2020', 'DUE_DATE_NOT_FUTURE'],
      [4, 'faceValue', '99,99', 'FACE_VALUE_BELOW_MINIMUM'],
      [5, 'externalId', 'A-3', 'CONTRACT_REPEATED'],
      [6, 'externalId', 'TAKEN', 'CONTRACT_ASSIGNED'],
      [7, undefined, null, 'QUOTES'],
    ]);
    expect(refusal?.extensions.details?.map(({ path }) => path)).toEqual(['line 7']);
  });

  test('says what is wrong in a line of NDJSON also beside a field that it does not know', async () => {
    const record = { externalId: 'A-1', debtorDocument: '529', faceValue: '1,00', dueDate: '2031-01-31', coupon: 1 };
    const { errors } = await checkAssignmentFile(fresh(), estate, { format: 'NDJSON', text: JSON.stringify(record) });
    expect(errors.first.map(({ field, rule }) => [field, rule.code])).toEqual([
      ['coupon', 'FIELD_UNKNOWN'],
      ['debtorDocument', 'TAX_ID_FORM'],
      ['faceValue', 'AMOUNT_FORM'],
    ]);
  });

  test('knows a contract by its id in any of its forms, in CSV and in CNAB 444', async () => {
    const row = (id: string) => [id, '11222333000181', '1000', '2031-01-31'];
    const csv = { format: 'CSV', text: csvOf(row('Cré-1'), row('Cre\u0301-1')) } as const;
    const cnab = {
      format: 'CNAB444',
      text: formatCnab444(fileOf(assigned('Cré-1'), assigned('Cre\u0301-1'))),
    } as const;
    for (const file of [csv, cnab]) {
      const { errors } = await checkAssignmentFile(fresh(), estate, file);
      expect(errors.first.map(({ rule }) => rule.code)).toContain('CONTRACT_REPEATED');
    }
    const hidden = await checkAssignmentFile(fresh(), estate, { format: 'CSV', text: csvOf(row('A\u200b1')) });
    expect(hidden.errors.first.map(({ field, rule }) => [field, rule.code])).toEqual([
      ['externalId', 'EXTERNAL_ID_FORM'],
    ]);
  });

  test('takes no thousands for decimals, with a point or a comma', async () => {
    const amounts = ['150.000', '80,000', '2.750', '1.500,00', '1,500.00', '150.00', '150,5', '150'];
    const text = csvOf(...amounts.map((amount, at) => [`A-${at}`, '11222333000181', amount, '2031-01-31']));
    const { errors, total } = await checkAssignmentFile(fresh(), estate, { format: 'CSV', text });
    const ofForm = errors.first.filter(({ rule }) => rule.code === 'AMOUNT_FORM');
    expect(ofForm.map(({ line }) => line)).toEqual([2, 3, 4, 6]);
    expect(ofForm[0]?.rule.message).toMatch(/with at most 2 decimals \(1500\.50, /);
    expect(total).toBe('1950.50');
    const payments = 'externalId;settledAmount;settledDate\nTAKEN;1.000;2026-01-01';
    const payment = await checkSettlementFile(fresh(), newId(), { format: 'CSV', text: payments });
    expect(payment.errors.first.map(({ field, rule }) => [field, rule.code])).toEqual([
      ['settledAmount', 'AMOUNT_FORM'],
    ]);
  });

  test('knows columns in any case, and says what is wrong with lines that end with CR or are padded by bytes', async () => {
    const rows = csvOf(['A-1', '1', '1000', '2031-01-31']);
    const cased: SentFile = { format: 'CSV', text: rows.replace(/^.*/, 'EXTERNALID;debtordocument;FaceValue;DUEDATE') };
    const { errors } = await checkAssignmentFile(fresh(), estate, cased);
    const found = await withFoundValues(cased, errors.first);
    expect(found.map(({ field, value, rule }) => [field, value, rule.code])).toEqual([
      ['debtorDocument', '1', 'TAX_ID_FORM'],
    ]);
    const cnab = formatCnab444(fileOf(assigned('São João')));
    const padded = cnab.replace(/^(1.*) (\d{6})\r$/m, (line: string) => {
      const more = Buffer.byteLength(line) - line.length;
      return line.replace(new RegExp(` {${String(more)}}(?=.{0,200}\r?$)`), '');
    });
    const codes = async (file: SentFile) =>
      (await checkAssignmentFile(fresh(), estate, file)).errors.first.map(({ line, rule }) => [line, rule.code]);
    expect(await codes({ format: 'CSV', text: rows.replaceAll('\n', '\r') })).toEqual([[1, 'LINE_ENDS']]);
    const two = csvOf(['A-1', '1', '1000', '2031-01-31'], ['A-2', '1', '1000', '2031-01-31']);
    const mixed = two.replaceAll('\r\n', '\n').replaceAll('\n', '\r').replace('\r', '\n');
    expect(await codes({ format: 'CSV', text: mixed })).toEqual([[2, 'LINE_ENDS']]);
    expect(await codes({ format: 'CNAB444', text: cnab.replaceAll('\r\n', '\r') })).toEqual([[1, 'LINE_ENDS']]);
    expect(await codes({ format: 'CNAB444', text: padded })).toContainEqual([2, 'LINE_BYTES']);
  });

  test('takes the first line by which Excel names the separator for no header', async () => {
    const text = `sep=;\n${csvOf(['A-1', '11222333000181', '1000', '31/12/2031'], ['A-2', '1', '1000', '31/12/2031'])}`;
    const file: SentFile = { format: 'CSV', text };
    const { errors, lineCount } = await checkAssignmentFile(fresh(), estate, file);
    expect(lineCount).toBe(2);
    const found = await withFoundValues(file, errors.first);
    expect(found.map(({ line, field, value }) => [line, field, value])).toEqual([[4, 'debtorDocument', '1']]);
    expect((await errorFile(file, errors.first, 'EN')).split('\r\n')[0]).toMatch(/^externalId;.*;errors$/);
  });

  test('writes nothing', async () => {
    const count = () => manager.value('SELECT count(*) FROM credit_assignment.receivables');
    const before = await count();
    await checkAssignmentFile(fresh(), estate, {
      format: 'CSV',
      text: csvOf(['N-1', '52998224725', '1000', '2031-01-31']),
    });
    expect(await count()).toBe(before);
  });

  test('of hostile files takes linear time and ends with an error at a line', async () => {
    const hostile = [
      `${csvOf()}\n${'"\n'.repeat(50_010)}`,
      ';'.repeat(1_000_000),
      '\u0000',
      'externalId;externalId;debtorDocument;faceValue;dueDate\n',
      `${csvOf()}\n${'"'.repeat(9_999)}`,
    ];
    for (const text of hostile) {
      const { errors } = await checkAssignmentFile(fresh(), estate, { format: 'CSV', text });
      expect(errors.count).toBeGreaterThan(0);
      expect(errors.first[0]?.line).toBeGreaterThan(0);
    }
  });
});

test('a row of a spreadsheet whose cells were cleared is a blank line', async () => {
  const found = async (text: string) =>
    (await checkAssignmentFile(fresh(), estate, { format: 'CSV', text })).errors.count;
  expect(await found(`${csvOf()}\n;;;\n`)).toBe(await found(csvOf()));
});

describe('the file with its errors', () => {
  test('is the CSV file with one more column, and no cell is a formula', async () => {
    const file: SentFile = {
      format: 'CSV',
      text: csvOf(['=cmd', '52998224726', '1000', '2031-01-31'], ['A-2', '11222333000181', '1000', '2031-01-31']),
    };
    const { errors } = await checkAssignmentFile(fresh(), estate, file);
    const [header, first, second] = (await errorFile(file, errors.first, 'PT_BR')).split('\r\n');
    expect(header).toBe('externalId;debtorDocument;faceValue;dueDate;erros');
    expect(first).toBe("'=cmd;52998224726;1000;2031-01-31;coluna debtorDocument tem dígitos verificadores errados");
    expect(second).toBe('A-2;11222333000181;1000;2031-01-31;');
  });

  test('of CNAB 444 is a table of its lines with their errors', async () => {
    const file: SentFile = {
      format: 'CNAB444',
      text: formatCnab444(fileOf(assigned('A-1', { dueDate: '2020-01-31' }))),
    };
    const { errors } = await checkAssignmentFile(fresh(), estate, file);
    const lines = (await errorFile(file, errors.first, 'EN')).split('\r\n');
    expect(lines[0]).toBe('line;record;errors');
    expect(lines[2]).toMatch(/^2;1.*;"?columns 121-126 \(dueDate\) must be in the future"?$/);
  });
});

describe('a settlement file', () => {
  /** A credit batch of two contracts of 1,000 that was processed. */
  async function processed(): Promise<string> {
    const { id } = await send({
      format: 'CSV',
      text: csvOf(['S-1', '11222333000181', '1000', '2031-01-31'], ['S-2', '52998224725', '1000', '2031-01-31']),
    });
    await manager.query(
      `UPDATE credit_assignment.credit_batches SET status = 'PROCESSED', submitted_at = now(), processed_at = '2026-07-30T15:00:00Z' WHERE id = $1`,
      [id],
    );
    await manager.query(`UPDATE credit_assignment.receivables SET status = 'OPEN' WHERE batch_id = $1`, [id]);
    return id;
  }
  const csv = (...rows: readonly string[]): SentFile => ({
    format: 'CSV',
    text: ['externalId;settledAmount;settledDate;paymentReference', ...rows].join('\n'),
  });

  test('finds its contracts in one query, however many it names', async () => {
    const id = await processed();
    const queries = (count: number) =>
      countQueries(database.dataSource, () =>
        createSettlementBatchFromFile(
          fresh(),
          id,
          csv(...Array.from({ length: count }, (_, at) => `S-${1 + (at % 2)};1;2026-08-01;`)),
        ),
      );
    expect(await queries(40)).toBe(await queries(1));
  });

  test('gets from its check the answer of sending', async () => {
    const id = await processed();
    const row = fc
      .tuple(
        mostly(6, oneOf('S-1', 'S-2'), oneOf('S-3', '')),
        mostly(6, oneOf('400', '600,5', '1000'), oneOf('0', 'x')),
        mostly(6, oneOf('2026-08-01', '02/08/2026'), oneOf('2026-07-01', '2099-01-01', 'x')),
        oneOf('', '', 'P-1', 'P-2', 'P 3'),
      )
      .map((cells) => cells.join(';'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 4 }),
        mostly(8, fc.constant(id), oneOf(newId(), 'x')),
        async (rows, batch) => {
          const file = csv(...rows);
          const check = await checkSettlementFile(fresh(), batch, file);
          const sent = await createSettlementBatchFromFile(fresh(), batch, file).catch((error: unknown) => ({
            refused: toldBy(error),
          }));
          if ('refused' in sent)
            expect(check.refusal === undefined ? undefined : toldBy(check.refusal)).toEqual(sent.refused);
          else expect([check.refusal, check.errors.count, check.total]).toEqual([undefined, 0, sent.total]);
        },
      ),
      { numRuns: 100 },
    );
  });
});
