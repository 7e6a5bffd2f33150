import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../shared/kernel/context.js';
import { newId } from '../../shared/kernel/ids.js';
import { operator } from '../kit/context.js';
import { contract, contracts, createText, developer, person, stranger } from './kit.js';
import { openProcessing } from './processing/kit.js';

let bank: Principal;
let newcomer: Principal;

const kit = await openProcessing();
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.set('2026-11-20T15:00:00Z');
  await kit.rows(`UPDATE credit_assignment.estates SET status = 'ACTIVE'`);
  await kit.rows(
    `INSERT INTO credit_assignment.eligibility_criteria (patrimony_id, updated_at) VALUES ($1, now()) ON CONFLICT DO NOTHING`,
    [kit.patrimonyId],
  );
  [bank, newcomer] = [await kit.client(newId()), await kit.client(newId())];
  await withdraw(newcomer);
});

const create = (principal: Principal, given: readonly object[] = contracts(1), patrimonyId = kit.patrimonyId) =>
  kit.run(createText, { patrimonyId, contracts: given }, principal);
const permitText = `mutation ($originatorId: ID!, $patrimonyId: ID!) {
  permitOriginator(originatorId: $originatorId, patrimonyId: $patrimonyId) { id permits { patrimony { id } permittedAt } } }`;
const withdrawText = `mutation ($originatorId: ID!, $patrimonyId: ID!) {
  withdrawOriginatorPermit(originatorId: $originatorId, patrimonyId: $patrimonyId) }`;
const permit = ({ ownerId }: Principal, by = operator, patrimonyId = kit.patrimonyId) =>
  kit.run(permitText, { originatorId: ownerId, patrimonyId }, by);
const withdraw = ({ ownerId }: Principal, by = operator, patrimonyId = kit.patrimonyId) =>
  kit.run(withdrawText, { originatorId: ownerId, patrimonyId }, by);
const close = () => kit.rows(`UPDATE credit_assignment.estates SET status = 'CLOSED'`);
const removeCriteria = () =>
  kit.run('mutation ($id: ID!) { removeEligibilityCriteria(patrimonyId: $id) }', { id: kit.patrimonyId }, operator);

describe('an originator that was just onboarded', () => {
  test('assigns nothing to an estate until an operator permits it, and nothing of its batch is kept', async () => {
    const { error } = await create(newcomer, [contract('A', { faceValue: '99999999.99' })]);
    expect(error).toMatchObject({ statusCode: 403, message: expect.stringContaining('PAT-1') });
    expect(
      await kit.rows('SELECT FROM credit_assignment.credit_batches WHERE originator_id = $1', [newcomer.ownerId]),
    ).toEqual([]);
    expect((await permit(newcomer)).data).toEqual({
      permitOriginator: {
        id: newcomer.ownerId,
        permits: [{ patrimony: { id: kit.patrimonyId }, permittedAt: '2026-11-20T15:00:00.000Z' }],
      },
    });
    expect((await create(newcomer)).error).toBeUndefined();
  });

  test('gets errors of the form of its batch first, and of the permit before the meaning', async () => {
    expect((await create(newcomer, [contract('A', { dueDate: 'soon' })])).error).toMatchObject({ statusCode: 400 });
    expect((await create(newcomer, [contract('A', { debtorDocument: '52998224724' })])).error).toMatchObject({
      statusCode: 403,
    });
    expect((await create(newcomer, contracts(1), newId())).error).toMatchObject({ statusCode: 422 });
  });
});

describe('a permit', () => {
  test('is given once however often, and withdrawn once', async () => {
    const both = await Promise.all([permit(newcomer), permit(newcomer)]);
    expect(both.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect((await withdraw(newcomer)).data).toEqual({ withdrawOriginatorPermit: true });
    expect((await withdraw(newcomer)).data).toEqual({ withdrawOriginatorPermit: false });
    expect((await create(newcomer)).error).toMatchObject({ statusCode: 403 });
  });

  test('is for operators alone to give and to withdraw', async () => {
    for (const by of [newcomer, person('a'), developer('a', 'credit:read'), stranger]) {
      const status = by === stranger ? 401 : 403;
      expect((await permit(newcomer, by)).error).toMatchObject({ statusCode: status });
      expect((await withdraw(bank, by)).error).toMatchObject({ statusCode: status });
    }
    expect((await create(bank)).error).toBeUndefined();
  });

  test.each(['no uuid', newId()])('of a client or an estate that does not exist is 404: %s', async (id) => {
    for (const act of [permit, withdraw]) {
      expect((await act({ ...newcomer, ownerId: id })).error).toMatchObject({ statusCode: 404 });
      expect((await act(newcomer, operator, id)).error).toMatchObject({ statusCode: 404 });
    }
  });
});

describe('an estate', () => {
  test('without criteria, or CLOSED, takes nothing in: 422 beside what else is wrong', async () => {
    await removeCriteria();
    const wrong = [contract('A', { debtorDocument: '52998224724' })];
    const { error } = await create(bank, wrong);
    expect(error?.statusCode).toBe(422);
    expect(error?.details?.map(({ path }) => path)).toEqual(['patrimonyId', 'contracts[0].debtorDocument']);
    expect(error?.details?.[0]?.message).toMatch(/no eligibility criteria/);
    await close();
    expect((await create(bank)).error?.details).toMatchObject([
      { path: 'patrimonyId', message: 'names an estate that is CLOSED and accepts no credits' },
    ]);
  });

  test.each([
    ['is CLOSED', close, 422],
    ['loses its criteria', removeCriteria, 422],
    ['is no longer permitted', () => withdraw(bank), 403],
  ])(
    'that %s after a batch was made lets it neither grow nor be submitted, but be cancelled',
    async (_, change, status) => {
      const { id } = await kit.create(bank);
      await change();
      expect((await kit.add(bank, id, [contract('Z')])).error).toMatchObject({ statusCode: status });
      expect((await kit.submit(bank, id)).error).toMatchObject({ statusCode: status });
      expect((await kit.batch(id)).status).toBe('DRAFT');
      expect((await kit.cancel(bank, id)).error).toBeUndefined();
    },
  );

  test.each([
    ['is CLOSED', close, 'The estate PAT-1 is CLOSED and accepts no credits'],
    ['loses its criteria', removeCriteria, /^The estate PAT-1 has no eligibility criteria/],
    ['is no longer permitted', () => withdraw(bank), 'The estate PAT-1 is not permitted for the originator'],
  ])('that %s after a submit rejects the batch, and says why', async (_, change, reason) => {
    const id = await kit.submitted(bank);
    await change();
    await kit.process();
    await kit.drain();
    const { status, reason: told, errors, assigned, open, assets } = await kit.batch(id);
    expect({ status, errors, assigned, open, assets }).toEqual({
      status: 'REJECTED',
      errors: [],
      assigned: 0,
      open: 0,
      assets: 0,
    });
    if (typeof reason === 'string') expect(told).toBe(reason);
    else expect(told).toMatch(reason);
  });

  test('whose criteria ask for nothing takes in everything', async () => {
    await removeCriteria();
    const set = 'mutation ($id: ID!) { setEligibilityCriteria(patrimonyId: $id, criteria: {}) { patrimonyId } }';
    expect((await kit.run(set, { id: kit.patrimonyId }, operator)).error).toBeUndefined();
    const id = await kit.submitted(bank, [contract('A', { faceValue: '99999999.99' })]);
    await kit.process();
    await kit.drain();
    expect((await kit.batch(id)).status).toBe('PROCESSED');
  });
});
