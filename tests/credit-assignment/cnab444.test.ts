import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context } from '../../shared/kernel/context.js';
import type { Manager } from '../../shared/database/manager.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { newId } from '../../shared/kernel/ids.js';
import {
  createCreditBatchFromFile,
  createSettlementBatchFromFile,
} from '../../subgraphs/credit-assignment/files/create-from-file.js';
import type { Detail } from '../../subgraphs/credit-assignment/cnab444/layout.js';
import { testContext } from '../kit/context.js';
import { countQueries } from '../kit/count-queries.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { addOpenEstate, permit } from './estate-kit.js';
import { formatCnab444 } from './cnab444-files.js';
import { assigned, fileOf, put } from './cnab444-kit.js';

let database: TestDatabase;
let manager: Manager;
let estate: string;
let client: Context;

beforeAll(async () => {
  database = await openTestDatabase();
  manager = database.dataSource.manager;
  estate = newId();
  await addOpenEstate(manager, estate, 'PAT1');
});
afterAll(() => database.close());
beforeEach(async () => {
  client = await newClient();
});

async function newClient(): Promise<Context> {
  const id = newId();
  await manager.query(
    `INSERT INTO credit_assignment.originators (id, name, status, created_at, updated_at)
     VALUES ($1, 'Crediário', 'ACTIVE', now(), now())`,
    [id],
  );
  await permit(manager, id, estate);
  return testContext({ manager, principal: { kind: 'CLIENT', id: 'key', ownerId: id, scopes: [] } });
}

const cnab = (text: string) => ({ format: 'CNAB444', text }) as const;

/** What an act is refused with; undefined when it is not. */
async function refusalOf(act: Promise<unknown>) {
  try {
    await act;
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, details = [] } = error.extensions;
    return { code, message: error.message, details: details.map(({ path, message }) => `${path} ${message}`) };
  }
}

function rows(table: 'credit_batches' | 'settlement_batches'): Promise<unknown[]> {
  return manager.query(`SELECT 1 FROM credit_assignment.${table} WHERE originator_id = $1`, [client.principal.ownerId]);
}

describe('an assignment file', () => {
  const assign = (...details: Partial<Detail>[]) =>
    createCreditBatchFromFile(client, estate, cnab(formatCnab444(fileOf(...details))));

  test('becomes a credit batch in DRAFT with its contracts', async () => {
    const batch = await assign(
      assigned('A-1', { faceValue: '1234.56' }),
      assigned('A-2', { debtorKind: '01', debtorDocument: '00052998224725' }),
    );
    expect(batch).toMatchObject({
      status: 'DRAFT',
      patrimonyId: estate,
      lineCount: 2,
      total: '2234.56',
    });
    expect(
      await manager.query(
        `SELECT position, external_id, debtor_document, face_value, due_date::text FROM credit_assignment.receivables
         WHERE batch_id = $1 ORDER BY position`,
        [batch.id],
      ),
    ).toEqual([
      {
        position: 0,
        external_id: 'A-1',
        debtor_document: '11222333000181',
        face_value: '1234.56',
        due_date: '2031-01-31',
      },
      {
        position: 1,
        external_id: 'A-2',
        debtor_document: '52998224725',
        face_value: '1000.00',
        due_date: '2031-01-31',
      },
    ]);
  });

  test('that is not of the layout is 400 by line and column, and nothing is written', async () => {
    const text = put(formatCnab444(fileOf(assigned('A-1'), assigned('A-2'))), 3, 127, 'x');
    expect(await refusalOf(createCreditBatchFromFile(client, estate, cnab(text)))).toEqual({
      code: 'BAD_REQUEST',
      message: 'The request is not valid',
      details: ['line 3, columns 127-139 must be an amount in centavos, digits only (faceValue)'],
    });
    expect(await rows('credit_batches')).toEqual([]);
  });

  test('with more than a hundred errors names a hundred, and says how many there are', async () => {
    const refusal = await refusalOf(createCreditBatchFromFile(client, estate, cnab('x\n'.repeat(250))));
    expect(refusal?.message).toMatch(/it has 250 errors, of which the first 100 are listed$/);
    expect(refusal?.details).toHaveLength(100);
  });

  test('whose contracts cannot be true is 422 by line and column', async () => {
    expect(
      await refusalOf(
        assign(
          assigned('A-1', { faceValue: '0.00' }),
          assigned('A-2', { debtorDocument: '11222333000182' }),
          assigned('A-3', { dueDate: '2026-11-20' }),
        ),
      ),
    ).toMatchObject({
      code: 'UNPROCESSABLE',
      details: [
        'line 2, columns 127-139 must be greater than 0',
        'line 3, columns 221-234 has wrong check digits',
        'line 4, columns 121-126 must be in the future',
      ],
    });
  });

  test('that names a contract twice is 409 by line and column', async () => {
    expect(await refusalOf(assign(assigned('A-1'), assigned('A-2'), assigned('A-1')))).toMatchObject({
      code: 'DUPLICATE_CONTRACT',
      details: ['line 4, columns 38-62 is the same as that of line 2: each contract may occur once in a batch'],
    });
  });

  test('for an estate that there is not is an error that says so', async () => {
    const file = formatCnab444(fileOf(assigned('A-1')));
    expect(await refusalOf(createCreditBatchFromFile(client, newId(), cnab(file)))).toMatchObject({
      code: 'UNPROCESSABLE',
      details: ['patrimonyId is not the id of an estate'],
    });
  });
});

describe('a settlement file', () => {
  const paid = (externalId: string, paidAmount: string, changed: Partial<Detail> = {}): Partial<Detail> => ({
    occurrence: '77',
    externalId,
    paidAmount,
    paidOn: '2026-11-18',
    ...changed,
  });
  /** Sends a file in a request of its own. */
  const settle = (creditBatchId: string, ...details: Partial<Detail>[]) =>
    createSettlementBatchFromFile(
      { ...client, loaders: new Map() },
      creditBatchId,
      cnab(formatCnab444(fileOf(...details))),
    );

  /** A credit batch of two contracts of 1,000 that was processed. */
  async function processed(): Promise<string> {
    const { id } = await createCreditBatchFromFile(
      client,
      estate,
      cnab(formatCnab444(fileOf(assigned('A-1'), assigned('A-2')))),
    );
    await manager.query(
      `UPDATE credit_assignment.credit_batches SET status = 'PROCESSED', submitted_at = now(), processed_at = '2026-07-30T15:00:00Z' WHERE id = $1`,
      [id],
    );
    await manager.query(`UPDATE credit_assignment.receivables SET status = 'OPEN' WHERE batch_id = $1`, [id]);
    return id;
  }

  test('becomes a settlement batch in DRAFT; contracts are found by the names that their originator gave them', async () => {
    const creditBatchId = await processed();
    const batch = await settle(creditBatchId, paid('A-2', '1000.00'), paid('A-1', '10.00', { occurrence: '14' }), {
      occurrence: '04',
      externalId: 'A-1',
      abatement: '5.50',
    });
    expect(batch).toMatchObject({ status: 'DRAFT', creditBatchId, lineCount: 3, total: '1015.50' });
    expect(
      await manager.query(
        `SELECT external_id, settled_amount, settled_date::text FROM credit_assignment.settlements AS settlement
         JOIN credit_assignment.receivables ON receivables.id = receivable_id
         WHERE settlement.batch_id = $1 ORDER BY settlement.position`,
        [batch.id],
      ),
    ).toEqual([
      { external_id: 'A-2', settled_amount: '1000.00', settled_date: '2026-11-18' },
      { external_id: 'A-1', settled_amount: '10.00', settled_date: '2026-11-18' },
      { external_id: 'A-1', settled_amount: '5.50', settled_date: '2026-08-03' },
    ]);
  });

  test('with contracts that the credit batch does not have is 422 by line', async () => {
    const creditBatchId = await processed();
    expect(await refusalOf(settle(creditBatchId, paid('A-1', '1.00'), paid('A-7', '1.00')))).toMatchObject({
      code: 'UNPROCESSABLE',
      details: ['line 3, columns 38-62 is not the external id of a contract of the credit batch'],
    });
    expect(await rows('settlement_batches')).toEqual([]);
  });

  test('with payments that cannot be is 422 by line and column', async () => {
    const creditBatchId = await processed();
    const nothing = { occurrence: '04', externalId: 'A-1', abatement: '0.00' };
    const later = paid('A-1', '1.00', { paidOn: '2026-11-21' });
    expect(await refusalOf(settle(creditBatchId, paid('A-1', '0.00'), nothing, later))).toMatchObject({
      code: 'UNPROCESSABLE',
      details: [
        'line 2, columns 83-92 must be greater than 0',
        'line 3, columns 206-218 must be greater than 0',
        'line 4, columns 95-100 must not be in the future',
      ],
    });
    expect(await refusalOf(settle(creditBatchId, paid('A-1', '600.00'), paid('A-1', '600.00')))).toMatchObject({
      code: 'UNPROCESSABLE',
      details: [
        'line 3, columns 83-92 brings the payments of this batch to 1200.00, but the open balance of the receivable is 1000.00',
      ],
    });
  });

  test('for a credit batch of someone else is answered like one that there is not', async () => {
    const creditBatchId = await processed();
    client = await newClient();
    const theirs = await refusalOf(settle(creditBatchId, paid('A-1', '1.00')));
    expect(theirs).toMatchObject({ code: 'BATCH_NOT_FOUND' });
    expect(await refusalOf(settle(newId(), paid('A-1', '1.00')))).toEqual(theirs);
    expect(await refusalOf(settle('none', paid('A-1', '1.00')))).toEqual(theirs);
  });

  test('finds its contracts in one query, however many it names', async () => {
    const creditBatchId = await processed();
    const one = await countQueries(database.dataSource, () => settle(creditBatchId, paid('A-1', '1.00')));
    const many = await countQueries(database.dataSource, () =>
      settle(creditBatchId, ...Array.from({ length: 40 }, (_, at) => paid(at % 2 === 0 ? 'A-1' : 'A-2', '1.00'))),
    );
    expect(many).toEqual(one);
  });
});
