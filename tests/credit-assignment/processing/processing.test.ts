import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context, Principal } from '../../../shared/kernel/context.js';
import { creditBatches } from '../../../subgraphs/credit-assignment/credit-batches/credit-batch.kind.js';
import { batchKinds } from '../../../subgraphs/credit-assignment/processing/batch-kinds.js';
import { claimItems } from '../../../shared/work/queue/work-items.store.js';
import { createProcessingEngine, undecided } from '../../../subgraphs/credit-assignment/processing/engine.js';
import { processBatch } from '../../../subgraphs/credit-assignment/processing/process-batch.js';
import { until } from '../../kit/until.js';
import { contract, contracts, person } from '../kit.js';
import { openProcessing } from './kit.js';

let bank: Principal;

const kit = await openProcessing();
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.set('2026-11-20T15:00:00Z');
  bank = await kit.client('account-1');
  await criteria({});
  await kit.rows('UPDATE shared.outbox SET published_at = now() WHERE published_at IS NULL');
});

/** What the estate asks for, in place of what it asked for before. */
const criteria = (over: Readonly<Record<string, string | number>>) =>
  kit.rows(
    `UPDATE credit_assignment.eligibility_criteria SET min_face_value = $2, max_face_value = $3, max_term_days = $4,
       max_debtor_share = $5 WHERE patrimony_id = $1`,
    [
      kit.patrimonyId,
      ...['min_face_value', 'max_face_value', 'max_term_days', 'max_debtor_share'].map((name) => over[name] ?? null),
    ],
  );
const messages = async (id: string) => (await kit.batch(id)).errors.map(({ path, message }) => `${path} ${message}`);

describe('a batch that passes', () => {
  test('waits for its grace, then is assigned, and is PROCESSED once its assets are there', async () => {
    const id = await kit.submitted(bank, contracts(3));
    kit.clock.advance(29_999);
    await createProcessingEngine(kit.context, batchKinds).drain();
    expect(await kit.batch(id)).toMatchObject({ status: 'SUBMITTED', pending: 3 });
    kit.clock.advance(1);
    await createProcessingEngine(kit.context, batchKinds).drain();
    expect(await kit.batch(id)).toMatchObject({ status: 'PROCESSING', open: 3, assigned: 3, assets: 0 });
    await kit.drain();
    expect(await kit.batch(id)).toMatchObject({ status: 'PROCESSED', open: 3, assets: 3, installments: 3 });
    expect((await kit.told(id)).map(({ topic }) => topic)).toEqual([
      'credit_batch.submitted',
      'credit_batch.approved',
      'credit_batch.processed',
    ]);
  });

  test('sends the account of its originator what the events say', async () => {
    const id = await kit.submitted(bank);
    await kit.process();
    await kit.drain();
    const data = {
      ...{
        batchId: id,
        patrimonyId: kit.patrimonyId,
        mode: 'ALL_OR_NOTHING',
        receivableCount: 2,
        totalFaceValue: '201.00',
      },
      ...{ acceptedCount: 2, acceptedFaceValue: '201.00', refusedCount: 0, refusedFaceValue: '0.00' },
    };
    expect((await kit.told(id)).slice(1)).toEqual([
      {
        topic: 'credit_batch.approved',
        payload: {
          ownerId: 'account-1',
          originatorId: bank.ownerId,
          data: { ...data, status: 'PROCESSING', occurredAt: '2026-11-20T15:00:30.000Z' },
        },
      },
      {
        topic: 'credit_batch.processed',
        payload: {
          ownerId: 'account-1',
          originatorId: bank.ownerId,
          data: { ...data, status: 'PROCESSED', occurredAt: '2026-11-20T15:00:30.000Z' },
        },
      },
    ]);
  });

  test('becomes assets of the estate that say what the contracts said', async () => {
    const id = await kit.submitted(bank, [
      contract('Nº 7/é', { debtorDocument: '12ABC34501DE35', faceValue: '1000.10' }),
    ]);
    await kit.process();
    await kit.drain();
    const stored = await kit.rows(
      `SELECT patrimony_id = $2 AS here, originator_id = $3 AS by, external_id, type, a.status, debtor_name, debtor_document,
         original_value, current_balance, interest_rate::text, installments, paid_installments, next_due_date::text,
         final_due_date::text, batch_name, search_text, i.installment_number, i.due_date::text, i.amount, i.status AS paid
       FROM tokenization.assets AS a JOIN tokenization.asset_installments AS i ON i.asset_id = a.id WHERE batch_id = $1`,
      [id, kit.patrimonyId, bank.ownerId],
    );
    expect(stored).toEqual([
      {
        here: true,
        by: true,
        external_id: 'Nº 7/é',
        type: 'CCB',
        status: 'ACTIVE',
        debtor_name: 'Não informado',
        debtor_document: '12ABC34501DE35',
        original_value: '1000.10',
        current_balance: '1000.10',
        interest_rate: '0.00000000',
        installments: 1,
        paid_installments: 0,
        next_due_date: '2027-01-31',
        final_due_date: '2027-01-31',
        batch_name: 'Cessão Banco 20/11/2026',
        search_text: 'no 7 e nao informado',
        installment_number: 1,
        due_date: '2027-01-31',
        amount: '1000.10',
        paid: 'PENDING',
      },
    ]);
  });

  test('of several pieces is PROCESSED with the last one, whatever comes twice', async () => {
    const id = await kit.submitted(bank, contracts(2001));
    const left = async () =>
      (await kit.run('query ($id: ID!) { creditBatch(id: $id) { outstandingParts } }', { id }, bank)).data?.[
        'creditBatch'
      ];
    expect(await left()).toEqual({ outstandingParts: 0 });
    await kit.process();
    expect(await left()).toEqual({ outstandingParts: 3 });
    await kit.drain();
    expect(await left()).toEqual({ outstandingParts: 0 });
    expect(await kit.batch(id)).toMatchObject({ status: 'PROCESSED', assets: 2001, installments: 2001 });
    // All that the two domains said to each other, once more, in the other order.
    await kit.rows(
      `INSERT INTO shared.outbox (id, topic, key, payload, internal, created_at)
       SELECT gen_random_uuid(), topic, key, payload, internal, created_at FROM shared.outbox
       WHERE internal AND key = $1 ORDER BY position DESC`,
      [id],
    );
    await kit.drain();
    expect(await kit.batch(id)).toMatchObject({ status: 'PROCESSED', assets: 2001, installments: 2001, open: 2001 });
    expect((await kit.told(id)).filter(({ topic }) => topic === 'credit_batch.processed')).toHaveLength(1);
    expect(await kit.rows('SELECT FROM credit_assignment.outstanding_pieces')).toEqual([]);
  });

  test('two originators may use the same external id in one estate', async () => {
    const other = await kit.client();
    const ids = [await kit.submitted(bank, [contract('SAME')]), await kit.submitted(other, [contract('SAME')])];
    await kit.process();
    await kit.drain();
    for (const id of ids) expect(await kit.batch(id)).toMatchObject({ status: 'PROCESSED', assets: 1 });
  });
});

describe('a batch that does not pass', () => {
  test('is rejected as a whole, with everything that is wrong, and nothing of it remains', async () => {
    const id = await kit.submitted(bank, contracts(4));
    // What was true at its creation and no longer is, or was written before it was checked.
    await kit.rows(
      `UPDATE credit_assignment.receivables SET debtor_document = '11111111111', due_date = '2026-11-20'
       WHERE batch_id = $1 AND position = 2`,
      [id],
    );
    await kit.process();
    await kit.drain();
    expect(await kit.batch(id)).toEqual({
      status: 'REJECTED',
      reason: 'There are contracts with invalid data (1 of 4)',
      errors: [
        {
          index: 2,
          externalId: 'C-2',
          path: 'contracts[2].debtorDocument',
          message: 'has wrong check digits',
          field: 'debtorDocument',
          rule: 'CHECK_DIGITS',
          messagePt: 'tem dígitos verificadores errados',
        },
        {
          index: 2,
          externalId: 'C-2',
          path: 'contracts[2].dueDate',
          message: 'must be in the future',
          field: 'dueDate',
          rule: 'DUE_DATE_NOT_FUTURE',
          messagePt: 'deve ser uma data futura',
        },
      ],
      errorCount: 2,
      assigned: 0,
      pending: 4,
      open: 0,
      assets: 0,
      installments: 0,
    });
    expect((await kit.told(id)).at(-1)).toMatchObject({
      topic: 'credit_batch.rejected',
      payload: { data: { status: 'REJECTED', reason: 'There are contracts with invalid data (1 of 4)' } },
    });
    expect(await kit.told(id)).toHaveLength(2);
  });

  test('the day that counts is that of São Paulo', async () => {
    const id = await kit.submitted(bank, [contract('LATE', { dueDate: '2026-11-21' })]);
    // 2026-11-21 in UTC, and still the day before in São Paulo.
    kit.clock.set('2026-11-21T02:59:00Z');
    await kit.process();
    expect(await kit.batch(id)).toMatchObject({ status: 'PROCESSING' });
    const late = await kit.submitted(bank, [contract('LATER', { dueDate: '2026-11-21' })]);
    kit.clock.set('2026-11-21T03:00:00Z');
    await kit.process();
    expect(await messages(late)).toEqual(['contracts[0].dueDate must be in the future']);
  });

  test('at most 1,000 errors are kept, and all are counted', async () => {
    await criteria({ min_face_value: '1000' });
    const id = await kit.submitted(bank, contracts(1500));
    await kit.process();
    const { errors, errorCount, reason } = await kit.batch(id);
    expect([errors.length, errorCount]).toEqual([1000, 1500]);
    expect(errors.at(-1)).toMatchObject({ index: 999, externalId: 'C-999' });
    expect(reason).toBe('There are contracts that do not meet the eligibility criteria of the estate (1500 of 1500)');
  });
});

describe('eligibility criteria', () => {
  test('each is reported with its number; what is at the limit is taken in', async () => {
    await criteria({ min_face_value: '100.00', max_face_value: '500.00', max_term_days: 72 });
    const id = await kit.submitted(bank, [
      contract('LOW', { faceValue: '99.99' }),
      contract('LOWEST', { faceValue: '100' }),
      contract('HIGHEST', { faceValue: '500' }),
      contract('HIGH', { faceValue: '500.01' }),
      contract('LAST', { dueDate: '2027-01-31' }),
      contract('LONG', { dueDate: '2027-02-01' }),
    ]);
    await kit.process();
    expect(await messages(id)).toEqual([
      'contracts[0].faceValue is 99.99; the estate accepts 100.00 or more',
      'contracts[3].faceValue is 500.01; the estate accepts at most 500.00',
      'contracts[5].dueDate is in 73 days; the estate accepts at most 72 days',
    ]);
  });

  test('the share of a debtor is that of all of its contracts in the batch', async () => {
    await criteria({ max_debtor_share: '50' });
    const [one, two, three] = contracts(3);
    const debtor = one?.debtorDocument ?? '';
    const half = [contract('A', { debtorDocument: debtor }), { ...two, faceValue: '100.50' }];
    const fits = await kit.submitted(bank, half as never);
    const above = await kit.submitted(bank, [
      contract('D', { debtorDocument: debtor, faceValue: '50.01' }),
      contract('E', { debtorDocument: debtor, faceValue: '50.01' }),
      contract('F', { debtorDocument: three?.debtorDocument ?? '', faceValue: '100' }),
    ]);
    await kit.process();
    expect(await kit.batch(fits)).toMatchObject({ status: 'PROCESSING' });
    expect(await messages(above)).toEqual(
      [0, 1].map(
        (at) =>
          `contracts[${at}].debtorDocument belongs to a debtor with 50.0050 % of the face value of the batch; the estate accepts at most 50 %`,
      ),
    );
  });
});

describe('contracts that are assigned already', () => {
  test('are named, and those that were free remain so', async () => {
    const first = await kit.submitted(bank, [contract('A'), contract('B')]);
    await kit.process();
    const second = await kit.submitted(bank, [contract('X'), contract('B')]);
    await kit.process();
    expect(await kit.batch(first)).toMatchObject({ status: 'PROCESSING' });
    expect(await kit.batch(second)).toMatchObject({
      status: 'REJECTED',
      assigned: 0,
      errors: [
        { index: 1, externalId: 'B', path: 'contracts[1].externalId', message: 'is already assigned in another batch' },
      ],
    });
    const third = await kit.submitted(bank, [contract('X')]);
    await kit.process();
    expect(await kit.batch(third)).toMatchObject({ status: 'PROCESSING', assigned: 1 });
  });

  test('of batches that race for one contract exactly one wins', async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        kit.submitted(bank, [
          ...contracts(20, `R${index}`),
          ...(index % 2 === 0 ? [contract('RACE'), contract('ZRACE')] : [contract('ZRACE'), contract('RACE')]),
        ]),
      ),
    );
    kit.clock.advance(30_000);
    const engines = Array.from({ length: 3 }, () => createProcessingEngine(kit.context, batchKinds));
    await Promise.all(engines.map((engine) => engine.drain()));
    await kit.drain();
    const batches = await Promise.all(ids.map((id) => kit.batch(id)));
    expect(batches.map(({ status }) => status).toSorted()).toEqual([
      'PROCESSED',
      ...Array.from({ length: 5 }, () => 'REJECTED'),
    ]);
    for (const { status, assigned, assets } of batches) {
      expect([assigned, assets]).toEqual(status === 'PROCESSED' ? [22, 22] : [0, 0]);
    }
    const { data } = await kit.run(
      'query ($id: ID!) { creditBatch(id: $id) { rejectionReason } }',
      { id: ids[batches.findIndex(({ status }) => status === 'REJECTED')] },
      person('account-1'),
    );
    expect(data?.['creditBatch']).toEqual({
      rejectionReason: 'There are contracts that are already assigned (2 of 22)',
    });
  });
});

describe('engines', () => {
  test('decide one batch of an originator at a time: those of others do not wait for its other ones', async () => {
    const other = await kit.client('account-2');
    const own = [await kit.submitted(bank), await kit.submitted(bank), await kit.submitted(bank)];
    const later = await kit.submitted(other);
    kit.clock.advance(30_000);
    const begun: string[] = [];
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const kinds = batchKinds.map((kind) => ({
      ...kind,
      process: async (context: Context, id: string, lease: string) => {
        begun.push(id);
        if (begun.length === 2) open();
        await opened;
        await kind.process(context, id, lease);
      },
    }));
    await createProcessingEngine(kit.context, kinds).drain();
    // All are due at the same moment, so that any of its own may be the first.
    expect(begun.slice(0, 2)).toContain(later);
    expect(begun.toSorted()).toEqual([...own, later].toSorted());
  });

  test('a batch whose processing was lost is begun anew once its lease has run out, and not before', async () => {
    const id = await kit.submitted(bank);
    kit.clock.advance(30_000);
    const lost = '00000000-0000-7000-8000-000000000001';
    const claim = { lease: lost, leaseMs: 30_000, limit: 10 };
    expect(await claimItems(kit.context, undecided(creditBatches), claim)).toContainEqual({ id });
    await createProcessingEngine(kit.context, batchKinds).drain();
    expect(await kit.batch(id)).toMatchObject({ status: 'PROCESSING', open: 0 });
    kit.clock.advance(30_001);
    await createProcessingEngine(kit.context, batchKinds).drain();
    expect(await kit.batch(id)).toMatchObject({ status: 'PROCESSING', open: 2 });
    // Whoever was lost and comes back has nothing to say any more.
    await processBatch(kit.context, creditBatches, id, lost);
    expect(await kit.told(id)).toHaveLength(2);
  });

  test('a batch that was decided is not begun anew, however long tokenization takes', async () => {
    const id = await kit.submitted(bank);
    await kit.process();
    kit.clock.advance(3_600_000);
    await kit.process();
    expect(await kit.told(id)).toHaveLength(2);
    expect(await kit.batch(id)).toMatchObject({ status: 'PROCESSING', open: 2 });
  });

  test('an engine processes a batch that is due at once, and stops', async () => {
    const engine = createProcessingEngine(kit.context, batchKinds);
    await engine.start();
    const id = await kit.submitted(bank);
    await kit.rows('UPDATE credit_assignment.credit_batches SET process_after = submitted_at WHERE id = $1', [id]);
    await kit.context.bus.publish('credit-assignment.due', null);
    await until('the batch to be processed', async () => (await kit.batch(id)).open !== 0);
    await engine.stop();
    await kit.drain();
    const approved = `topic = 'credit_batch.approved' AND key = $1 AND published_at IS NOT NULL`;
    expect(await kit.rows(`SELECT key FROM shared.outbox WHERE ${approved}`, [id])).toEqual([{ key: id }]);
  });
});
