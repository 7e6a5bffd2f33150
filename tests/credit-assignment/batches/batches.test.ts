import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '../../../shared/kernel/ids.js';
import {
  batchStatuses,
  batchTransitions,
  type BatchEvent,
  type BatchStatus,
} from '../../../subgraphs/credit-assignment/batches/transitions.js';
import { contract, contracts, createText, openCredit, person, stranger } from '../kit.js';
import type { Outcome } from '../../kit/run-on.js';

const kit = await openCredit();
afterAll(() => kit.close());
const bank = await kit.client('account of the bank');
const other = await kit.client();

const rows = (batchId: string) =>
  kit.database.dataSource.query<
    { position: number; external_id: string; face_value: string; status: string; open_balance: string }[]
  >(
    `SELECT position, external_id, face_value, status, open_balance FROM credit_assignment.receivables
     WHERE batch_id = $1 ORDER BY position`,
    [batchId],
  );
const told = (batchId: string) =>
  kit.database.dataSource.query<{ topic: string; payload: unknown }[]>(
    'SELECT topic, payload FROM shared.outbox WHERE key = $1 ORDER BY position',
    [batchId],
  );
const item = ({ data }: Outcome) => Object.values(data ?? {})[0];
const codes = (outcomes: readonly Outcome[]) => outcomes.map(({ error }) => error?.['catalogue'] ?? 'ok').sort();
const create = (given: readonly object[], over: Record<string, unknown> = {}) =>
  kit.run(createText, { patrimonyId: kit.patrimonyId, contracts: given, ...over }, bank);

describe('a batch is created', () => {
  test('in DRAFT, with its contracts in their order and their sum', async () => {
    const given = [contract('A', { faceValue: '0.01' }), contract('B', { faceValue: '999999999999.99' })];
    const batch = await kit.create(bank, given);
    expect(batch).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      patrimonyId: kit.patrimonyId,
      name: 'Cessão Banco 20/11/2026',
      status: 'DRAFT',
      receivableCount: 2,
      totalFaceValue: '1000000000000.00',
      createdAt: '2026-11-20T15:00:00.000Z',
      submittedAt: null,
      processedAt: null,
    });
    expect(await rows(batch.id)).toEqual([
      { position: 0, external_id: 'A', face_value: '0.01', status: 'PENDING', open_balance: '0.01' },
      {
        position: 1,
        external_id: 'B',
        face_value: '999999999999.99',
        status: 'PENDING',
        open_balance: '999999999999.99',
      },
    ]);
  });

  test('with all errors of form at once, by their paths', async () => {
    const { error } = await create(
      [
        contract('', { debtorDocument: '529.982.247-25' }),
        contract('B', { faceValue: '1.001' }),
        contract('C\u0000', { faceValue: '1000000000000.00', debtorDocument: '12abc34501de35' }),
      ],
      { patrimonyId: 'x' },
    );
    expect(error).toMatchObject({ statusCode: 400 });
    expect(error?.details?.map(({ path }) => path)).toEqual([
      'patrimonyId',
      'contracts[0].externalId',
      'contracts[0].debtorDocument',
      'contracts[1].faceValue',
      'contracts[2].externalId',
      'contracts[2].debtorDocument',
      'contracts[2].faceValue',
    ]);
  });

  test.each(['  ', '\u00a0', '\u200b', 'A\ufeff', 'A\u200bB', 'A\u00adB', 'A\ud83d'])(
    'not with an id of which a part cannot be seen: %j',
    async (id) => {
      expect((await create([contract(id)])).error).toMatchObject({
        statusCode: 400,
        details: [
          { path: 'contracts[0].externalId', message: 'must have from 1 to 100 characters that can all be seen' },
        ],
      });
    },
  );

  test('with an id in one form, so that it is the same contract however it is written', async () => {
    const forms = ['Cré\u00a0dito', 'Cre\u0301 dito', ' Cré dito\u3000'];
    const { error } = await create(forms.map((id) => contract(id)));
    expect(error).toMatchObject({
      statusCode: 409,
      details: [{ path: 'contracts[1].externalId' }, { path: 'contracts[2].externalId' }],
    });
    for (const id of forms) expect((await create([contract(id)])).error).toBeUndefined();
    const named = `query ($id: String!) { receivables(externalId: $id) { nodes { externalId } } }`;
    for (const id of forms) {
      const { data } = await kit.run(named, { id }, bank);
      expect(data).toEqual({ receivables: { nodes: forms.map(() => ({ externalId: 'Cré dito' })) } });
    }
    expect((await kit.run(named, { id: 'Cré\u200b dito' }, bank)).error).toMatchObject({ statusCode: 400 });
  });

  test('with all errors of meaning at once, once the form is right', async () => {
    const { error } = await create(
      [
        contract('A', { debtorDocument: '52998224726' }),
        contract('B', { faceValue: '0.00' }),
        contract('C', { faceValue: '-5.00', dueDate: '2026-11-20' }),
        contract('D', { debtorDocument: '12ABC34501DE35', dueDate: '2026-11-21' }),
      ],
      { patrimonyId: newId() },
    );
    expect(error).toMatchObject({ statusCode: 422 });
    expect(error?.details?.map(({ path }) => path)).toEqual([
      'patrimonyId',
      'contracts[0].debtorDocument',
      'contracts[1].faceValue',
      'contracts[2].faceValue',
      'contracts[2].dueDate',
    ]);
  });

  test('today is the day of São Paulo, at both ends', async () => {
    const tomorrow = [contract('A', { dueDate: '2026-11-21' })];
    kit.clock.set('2026-11-21T02:59:59Z');
    expect((await create(tomorrow)).error).toBeUndefined();
    kit.clock.set('2026-11-21T03:00:00Z');
    expect((await create(tomorrow)).error).toMatchObject({ statusCode: 422 });
    kit.clock.set('2026-11-20T15:00:00Z');
  });

  test('a hundred errors are listed, and how many there are', async () => {
    const { error } = await create(contracts(150).map((one) => ({ ...one, faceValue: '0' })));
    expect(error?.details).toHaveLength(100);
    expect(error?.message).toContain('150');
    const twice = await create([contract('A'), ...contracts(150).map(() => contract('A'))]);
    expect(twice.error).toMatchObject({ statusCode: 409, catalogue: 2003 });
    expect(twice.error?.details).toHaveLength(100);
    expect(twice.error?.message).toContain('150');
  });

  test('without contracts, or with more than 50,000, it is refused', async () => {
    for (const given of [[], contracts(50_001)]) {
      const { error } = await create(given);
      expect(error).toMatchObject({ statusCode: 400, details: [{ path: 'contracts' }] });
    }
  });

  test('what was refused leaves nothing', async () => {
    const count = () => kit.context.manager.value('SELECT count(*) FROM credit_assignment.credit_batches');
    const before = await count();
    await create([contract('A'), contract('A')]);
    await create([contract('A', { faceValue: '0' })]);
    expect(await count()).toEqual(before);
  });

  test('only by a signed request', async () => {
    const variables = { patrimonyId: kit.patrimonyId, contracts: contracts(1) };
    expect((await kit.run(createText, variables, stranger)).error?.statusCode).toBe(401);
    expect((await kit.run(createText, variables, person('account of the bank'))).error?.statusCode).toBe(403);
  });
});

describe('contracts are added to a draft', () => {
  test('behind those that it has; count and sum follow', async () => {
    const { id } = await kit.create(bank, [contract('A')]);
    const added = await kit.add(bank, id, [contract('B', { faceValue: '0.50' }), contract('C')]);
    expect(item(added)).toMatchObject({ status: 'DRAFT', receivableCount: 3, totalFaceValue: '201.50' });
    expect((await rows(id)).map(({ external_id }) => external_id)).toEqual(['A', 'B', 'C']);
  });

  test('one that it has already, or that comes twice, is 2003', async () => {
    const { id } = await kit.create(bank, [contract('A')]);
    expect((await kit.add(bank, id, [contract('B'), contract('A')])).error).toMatchObject({
      catalogue: 2003,
      details: [{ path: 'contracts[1].externalId' }],
    });
    expect((await kit.add(bank, id, [contract('B'), contract('B')])).error).toMatchObject({ catalogue: 2003 });
    expect(await rows(id)).toHaveLength(1);
  });

  test('more than 50,000 in all are 422', async () => {
    const { id } = await kit.create(bank, contracts(2));
    const full = 'UPDATE credit_assignment.credit_batches SET receivable_count = 49998 WHERE id = $1';
    await kit.context.manager.query(full, [id]);
    const { error } = await kit.add(bank, id, contracts(3, 'D'));
    expect(error).toMatchObject({ statusCode: 422, details: [{ path: 'contracts' }] });
    expect((await kit.add(bank, id, contracts(2, 'D'))).error).toBeUndefined();
  });

  test('what is added at once from several sides is all there, or was refused', async () => {
    const { id } = await kit.create(bank, [contract('A')]);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => kit.add(bank, id, [contract('B'), contract(`own ${String(index)}`)])),
    );
    expect(codes(outcomes)).toEqual([...Array<number>(7).fill(2003), 'ok']);
    expect((await rows(id)).map(({ position }) => position)).toEqual([0, 1, 2]);
  });
});

describe('a batch is submitted and cancelled', () => {
  test('submitted: it waits for its grace, and its owner is notified', async () => {
    const { id } = await kit.create(bank);
    expect(item(await kit.submit(bank, id))).toMatchObject({
      status: 'SUBMITTED',
      submittedAt: '2026-11-20T15:00:00.000Z',
    });
    const due = 'SELECT process_after FROM credit_assignment.credit_batches WHERE id = $1';
    expect(await kit.context.manager.value(due, [id])).toEqual(new Date('2026-11-20T15:00:30Z'));
    expect(await told(id)).toEqual([
      {
        topic: 'credit_batch.submitted',
        payload: {
          ownerId: 'account of the bank',
          originatorId: bank.ownerId,
          data: {
            batchId: id,
            patrimonyId: kit.patrimonyId,
            mode: 'ALL_OR_NOTHING',
            status: 'SUBMITTED',
            receivableCount: 2,
            totalFaceValue: '201.00',
            occurredAt: '2026-11-20T15:00:00.000Z',
          },
        },
      },
    ]);
  });

  test('submitting wakes the processing, after the commit', async () => {
    const { id } = await kit.create(bank);
    const statusOf = () =>
      kit.context.manager.value('SELECT status FROM credit_assignment.credit_batches WHERE id = $1', [id]);
    const woken = new Promise<unknown>((resolve) => {
      void kit.context.bus.listen('credit-assignment.due', () => void statusOf().then(resolve));
    });
    await kit.submit(bank, id);
    expect(await woken).toBe('SUBMITTED');
  });

  test('the owner of a client without an account is the client itself', async () => {
    const { id } = await kit.create(other);
    await kit.submit(other, id);
    expect(await told(id)).toMatchObject([{ payload: { ownerId: other.ownerId } }]);
  });

  test('of two at once exactly one is done', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await kit.create(bank);
      const submits = await Promise.all([kit.submit(bank, id), kit.submit(bank, id), kit.submit(bank, id)]);
      expect(codes(submits)).toEqual([2002, 2002, 'ok']);
      const cancels = await Promise.all([kit.cancel(bank, id), kit.cancel(bank, id), kit.cancel(bank, id)]);
      expect(codes(cancels)).toEqual([2002, 2002, 'ok']);
      expect((await told(id)).map(({ topic }) => topic)).toEqual(['credit_batch.submitted', 'credit_batch.cancelled']);
    }
  });

  test('what is added while it is submitted is in it, or was refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await kit.create(bank);
      const [added, submitted] = await Promise.all([kit.add(bank, id, [contract('late')]), kit.submit(bank, id)]);
      expect(submitted.error).toBeUndefined();
      expect(await rows(id)).toHaveLength(added.error === undefined ? 3 : 2);
      expect(added.error?.['catalogue'] ?? 2002).toBe(2002);
      const [event] = await told(id);
      expect(event).toMatchObject({ payload: { data: { receivableCount: added.error === undefined ? 3 : 2 } } });
    }
  });
});

describe('the states of a batch', () => {
  const acts: Partial<Record<BatchEvent, (id: string, step: number) => Promise<Outcome>>> = {
    ADD: (id, step) => kit.add(bank, id, [contract(`step ${String(step)}`)]),
    SUBMIT: (id) => kit.submit(bank, id),
    CANCEL: (id) => kit.cancel(bank, id),
  };
  const names = ['ADD', 'SUBMIT', 'CANCEL'] as const;

  test('any sequence of acts moves a batch as the table says, and announces each move once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { maxLength: 8 }), async (sequence) => {
        const { id } = await kit.create(bank);
        let status: BatchStatus = 'DRAFT';
        let count = 2;
        const expected: string[] = [];
        for (const [step, act] of sequence.entries()) {
          const next: BatchStatus | undefined = batchTransitions[status][act];
          const outcome = await acts[act]?.(id, step);
          if (next === undefined) {
            expect(outcome?.error).toMatchObject({ statusCode: 409, catalogue: 2002 });
            continue;
          }
          status = next;
          if (act === 'ADD') count += 1;
          else expected.push(act === 'SUBMIT' ? 'credit_batch.submitted' : 'credit_batch.cancelled');
          expect(outcome && item(outcome)).toMatchObject({ status, receivableCount: count });
        }
        expect((await told(id)).map(({ topic }) => topic)).toEqual(expected);
        expect(await rows(id)).toHaveLength(count);
      }),
      { numRuns: 40 },
    );
  });

  test('no act reaches a batch that stands where only the processing moves it', async () => {
    for (const status of batchStatuses.filter(
      (one) => Object.keys(batchTransitions[one]).length === 0 || one === 'PROCESSING',
    )) {
      const { id } = await kit.create(bank);
      await kit.submit(bank, id);
      await kit.database.dataSource.query(
        `UPDATE credit_assignment.credit_batches SET status = $2::text,
           processed_at = CASE WHEN $2::text IN ('PROCESSED', 'REJECTED') THEN now() END,
           rejection_reason = CASE WHEN $2::text = 'REJECTED' THEN 'no' END,
           cancelled_at = CASE WHEN $2::text = 'CANCELLED' THEN now() END WHERE id = $1`,
        [id, status],
      );
      for (const name of names) {
        expect((await acts[name]?.(id, 0))?.error).toMatchObject({ statusCode: 409, catalogue: 2002 });
      }
    }
  });
});
