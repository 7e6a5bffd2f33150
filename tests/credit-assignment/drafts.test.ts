import { afterAll, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../shared/kernel/context.js';
import { newId } from '../../shared/kernel/ids.js';
import type { GraphResultStream } from '../../shared/graphql/executor.js';
import { addOpenEstate, permit } from './estates/kit.js';
import { contract, contracts, type Contract } from './kit.js';
import { openProcessing } from './processing/kit.js';

const kit = await openProcessing();
afterAll(() => kit.close());
const bank = await kit.client('an-account');
const other = await kit.client();

const replace = (principal: Principal, id: string, given: readonly Contract[]) =>
  kit.run(
    'mutation ($id: ID!, $contracts: [ContractInput!]!) { replaceContracts(id: $id, contracts: $contracts) { status receivableCount totalFaceValue } }',
    { id, contracts: given },
    principal,
  );
const remove = (principal: Principal, id: string, externalId: string) =>
  kit.run(
    'mutation ($id: ID!, $externalId: String!) { removeContract(id: $id, externalId: $externalId) { receivableCount totalFaceValue } }',
    { id, externalId },
    principal,
  );
const namesIn = (id: string) =>
  kit.rows<{ position: number; name: string }>(
    'SELECT position, external_id AS name FROM credit_assignment.receivables WHERE batch_id = $1 ORDER BY position',
    [id],
  );

describe('the contracts of a draft', () => {
  test('can be replaced as a whole, by what a new batch could have', async () => {
    const { id } = await kit.create(bank, contracts(3));
    const given = [contract('NEW-1', { faceValue: '10.00' }), contract('C-1', { faceValue: '5.50' })];
    expect((await replace(bank, id, given)).data).toEqual({
      replaceContracts: { status: 'DRAFT', receivableCount: 2, totalFaceValue: '15.50' },
    });
    expect(await namesIn(id)).toEqual([
      { position: 0, name: 'NEW-1' },
      { position: 1, name: 'C-1' },
    ]);
    const twice = await replace(bank, id, [contract('A'), contract('A')]);
    expect(twice.error).toMatchObject({ code: 'DUPLICATE_CONTRACT' });
    expect((await replace(bank, id, [])).error).toMatchObject({ code: 'BAD_REQUEST' });
    expect((await replace(other, id, given)).error).toMatchObject({ code: 'BATCH_NOT_FOUND' });
    expect(await namesIn(id)).toHaveLength(2);
  });

  test('can be removed one by one, down to the last; those behind move up, and more can be added', async () => {
    const { id } = await kit.create(bank, contracts(3));
    expect((await remove(bank, id, 'C-0')).data).toEqual({
      removeContract: { receivableCount: 2, totalFaceValue: '201.00' },
    });
    expect((await remove(bank, id, 'C-0')).error).toMatchObject({ code: 'NOT_FOUND' });
    await kit.add(bank, id, [contract('D')]);
    expect(await namesIn(id)).toEqual(['C-1', 'C-2', 'D'].map((name, position) => ({ position, name })));
    await Promise.all(['C-1', 'C-2'].map((name) => remove(bank, id, name)));
    expect((await remove(bank, id, 'D')).error).toMatchObject({ code: 'UNPROCESSABLE' });
    expect(await namesIn(id)).toEqual([{ position: 0, name: 'D' }]);
  });

  test('are what they are once it is submitted', async () => {
    const id = await kit.submitted(bank, contracts(2, 'S'));
    expect((await replace(bank, id, [contract('A')])).error).toMatchObject({ code: 'BATCH_STATUS' });
    expect((await remove(bank, id, 'S-0')).error).toMatchObject({ code: 'BATCH_STATUS' });
  });
});

describe('a dry run', () => {
  const check = (principal: Principal, id: string) =>
    kit.run(
      'query ($id: ID!) { creditBatchCheck(id: $id) { status eligible rejectionReason rejectionRules { rule values { name value } } errorCount errors { index externalId path message field rule messagePt } } }',
      { id },
      principal,
    );

  test('says what processing then says, and writes nothing', async () => {
    const narrow = newId();
    await addOpenEstate(kit.context.manager, narrow, 'NARROW');
    await kit.rows(
      `UPDATE credit_assignment.eligibility_criteria SET max_face_value = 100, max_debtor_share = 60 WHERE patrimony_id = $1`,
      [narrow],
    );
    await permit(kit.context.manager, bank.ownerId, narrow);
    const taken = await kit.submitted(bank, [contract('TAKEN')]);
    await kit.process();
    await kit.drain();
    expect(await kit.batch(taken)).toMatchObject({ status: 'PROCESSED' });
    const given = [contract('TAKEN', { faceValue: '90' }), contract('LARGE', { faceValue: '100.01' })];
    const { data } = await kit.run(
      'mutation ($patrimonyId: ID!, $contracts: [ContractInput!]!) { createCreditBatch(patrimonyId: $patrimonyId, contracts: $contracts) { id } }',
      { patrimonyId: narrow, contracts: given },
      bank,
    );
    const { id } = data?.['createCreditBatch'] as { id: string };
    const first = (await check(bank, id)).data?.['creditBatchCheck'];
    expect(first).toMatchObject({ status: 'DRAFT', eligible: false, errorCount: 4 });
    expect((await check(bank, id)).data?.['creditBatchCheck']).toEqual(first);
    expect(await kit.batch(id)).toMatchObject({ status: 'DRAFT', assigned: 0, errorCount: 0 });
    await kit.submit(bank, id);
    await kit.process();
    const { reason, errors, errorCount } = await kit.batch(id);
    expect(first).toMatchObject({ rejectionReason: reason, errors, errorCount });
    const values = (count: string) => [
      { name: 'count', value: count },
      { name: 'total', value: '2' },
    ];
    const rejectionRules = [
      { rule: 'CONTRACTS_INELIGIBLE', values: values('2') },
      { rule: 'CONTRACTS_ASSIGNED', values: values('1') },
    ];
    expect(first).toMatchObject({ rejectionRules });
    const { data: after } = await kit.run(
      'query ($id: ID!) { creditBatch(id: $id) { rejectionReason rejectionRules { rule values { name value } } } }',
      { id },
      bank,
    );
    expect(after?.['creditBatch']).toEqual({ rejectionReason: reason, rejectionRules });
    expect((await check(bank, id)).error).toMatchObject({ code: 'BATCH_STATUS' });
    expect((await check(other, id)).error).toMatchObject({ code: 'BATCH_NOT_FOUND' });
  });

  test('of a batch that nothing is wrong with says so, and so does processing', async () => {
    const { id } = await kit.create(bank, contracts(2, 'GOOD'));
    expect((await check(bank, id)).data?.['creditBatchCheck']).toEqual({
      status: 'DRAFT',
      eligible: true,
      rejectionReason: null,
      rejectionRules: null,
      errorCount: 0,
      errors: [],
    });
  });
});

describe('what an originator looks for', () => {
  test('contracts by their external id, in whatever batch, the newest first', async () => {
    const ids: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) ids.push((await kit.create(bank, [contract('FIND/1')])).id);
    await kit.create(other, [contract('FIND/1')]);
    const text = `query ($name: String!, $after: String) {
      receivables(externalId: $name, first: 2, after: $after) { totalCount nextCursor nodes { batchId externalId } } }`;
    const page = async (after: string | null) =>
      (await kit.run(text, { name: 'FIND/1', after }, bank)).data?.['receivables'] as {
        totalCount: number;
        nextCursor: string | null;
        nodes: { batchId: string }[];
      };
    const first = await page(null);
    const second = await page(first.nextCursor);
    expect([...first.nodes, ...second.nodes].map(({ batchId }) => batchId)).toEqual(ids.toReversed());
    expect([first.totalCount, second.nextCursor]).toEqual([3, null]);
    expect((await kit.run(text, { name: 'NOBODY' }, bank)).data?.['receivables']).toMatchObject({ totalCount: 0 });
  });

  test('batches by estate, status and day of creation in São Paulo; a period that ends before it begins is 400', async () => {
    const someone = await kit.client();
    const { id } = await kit.create(someone);
    const list = async (filter: string) =>
      (await kit.run(`{ creditBatches(filter: {${filter}}) { totalCount nodes { id } } }`, {}, someone)).data?.[
        'creditBatches'
      ];
    const found = { totalCount: 1, nodes: [{ id }] };
    const nothing = { totalCount: 0, nodes: [] };
    expect(
      await list(`patrimonyId: "${kit.patrimonyId}", status: DRAFT, from: "2026-11-20", to: "2026-11-20"`),
    ).toEqual(found);
    expect(await list(`patrimonyId: "${newId()}"`)).toEqual(nothing);
    expect(await list('from: "2026-11-21"')).toEqual(nothing);
    expect(await list('to: "2026-11-19"')).toEqual(nothing);
    for (const name of ['creditBatches', 'settlementBatches']) {
      const text = `{ ${name}(filter: {from: "2026-11-21", to: "2026-11-20"}) { totalCount } }`;
      const { error } = await kit.run(text, {}, someone);
      expect(error).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: 'to' }] });
    }
  });
});

test('settlementBatchUpdated reports the settlement batches of the caller, and of nobody else', async () => {
  const id = await kit.submitted(bank, [contract('PAY-1', { dueDate: '2027-05-31' })]);
  await kit.submitted(other, [contract('PAY-1')]);
  await kit.process();
  await kit.drain();
  const open = (principal: Principal) =>
    kit.listen('subscription { settlementBatchUpdated { kind batch { id status } } }', {}, principal);
  const next = async (stream: GraphResultStream) => (await stream.next()).value?.data?.['settlementBatchUpdated'];
  const settle = async (creditBatchId: string, draft: boolean) => {
    const [row] = await kit.rows<{ id: string }>('SELECT id FROM credit_assignment.receivables WHERE batch_id = $1', [
      creditBatchId,
    ]);
    const settlements = [{ contractId: row?.id, settledAmount: '1.00', settledDate: '2026-11-20' }];
    const { createSettlementBatch } = await kit.data<{ createSettlementBatch: { id: string } }>(
      'mutation ($c: ID!, $s: [SettlementInput!]!, $d: Boolean) { createSettlementBatch(creditBatchId: $c, settlements: $s, draft: $d) { id } }',
      { c: creditBatchId, s: settlements, d: draft },
      bank,
    );
    return createSettlementBatch.id;
  };
  const [mine, theirs] = [await open(bank), await open(other)];
  const first = await settle(id, false);
  await kit.relay();
  expect(await next(mine)).toMatchObject({ kind: 'SUBMITTED', batch: { id: first, status: 'SUBMITTED' } });
  await kit.run('mutation ($id: ID!) { cancelSettlementBatch(id: $id) { id } }', { id: first }, bank);
  const second = await settle(id, true);
  await kit.run('mutation ($id: ID!) { submitSettlementBatch(id: $id) { id } }', { id: second }, bank);
  await kit.relay();
  expect(await next(mine)).toMatchObject({ kind: 'CANCELLED', batch: { id: first } });
  expect(await next(mine)).toMatchObject({ kind: 'SUBMITTED', batch: { id: second } });
  const heard = Promise.race([next(theirs), Promise.resolve('nothing')]);
  expect(await heard).toBe('nothing');
  await mine.return?.();
  await theirs.return?.();
});
