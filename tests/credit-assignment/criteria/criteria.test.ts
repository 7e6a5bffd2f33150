import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../shared/kernel/context.js';
import type { ImportOptions } from '../../../shared/import/import.js';
import { createRelay } from '../../../shared/events/outbox/relay.js';
import { creditAssignmentImport, eligibilityCriteria } from '../../../subgraphs/credit-assignment/import/domain.js';
import { keepEstates } from '../../../subgraphs/credit-assignment/estates/keep-estates.js';
import { tokenizationImport } from '../../../subgraphs/tokenization/import/domain.js';
import { patrimonies } from '../../../subgraphs/tokenization/import/model/patrimonies.js';
import { queriesWithAsOf } from '../../kit/as-of.js';
import { operator } from '../../kit/context.js';
import { exampleOf, importTextsInto, printed, type Json } from '../../kit/import.js';
import { apiKey, developer, openCredit, person, stranger } from '../kit.js';

const kit = await openCredit();
afterAll(() => kit.close());
const bank = await kit.client();
beforeEach(() => kit.context.manager.query('DELETE FROM credit_assignment.eligibility_criteria'));

const fields = 'patrimonyId minFaceValue maxFaceValue maxTermDays maxDebtorShare updatedAt';
const set = (criteria: object, principal: Principal = operator, patrimonyId = kit.patrimonyId) =>
  kit.run(
    `mutation ($id: ID!, $criteria: EligibilityCriteriaInput!) {
      setEligibilityCriteria(patrimonyId: $id, criteria: $criteria) { ${fields} } }`,
    { id: patrimonyId, criteria },
    principal,
  );
const remove = (principal: Principal = operator, patrimonyId = kit.patrimonyId) =>
  kit.run('mutation ($id: ID!) { removeEligibilityCriteria(patrimonyId: $id) }', { id: patrimonyId }, principal);
const read = (principal: Principal = operator, patrimonyId = kit.patrimonyId) =>
  kit.run(`query ($id: ID!) { eligibilityCriteria(patrimonyId: $id) { ${fields} } }`, { id: patrimonyId }, principal);

describe('the criteria of an estate', () => {
  test('are what was said last, until they are taken away', async () => {
    expect((await read()).data).toEqual({ eligibilityCriteria: null });
    await set({ minFaceValue: '100.50', maxFaceValue: '2000', maxTermDays: 720, maxDebtorShare: '12.5' });
    const { data } = await set({ minFaceValue: '99', maxDebtorShare: '7.2500' });
    expect((await read()).data?.['eligibilityCriteria']).toEqual(data?.['setEligibilityCriteria']);
    expect((await read()).data?.['eligibilityCriteria']).toEqual({
      patrimonyId: kit.patrimonyId,
      minFaceValue: '99.00',
      maxFaceValue: null,
      maxTermDays: null,
      maxDebtorShare: '7.25',
      updatedAt: '2026-11-20T15:00:00.000Z',
    });
    expect((await remove()).data).toEqual({ removeEligibilityCriteria: true });
    expect((await remove()).data).toEqual({ removeEligibilityCriteria: false });
    expect((await read()).data).toEqual({ eligibilityCriteria: null });
  });

  test('can be had as they were at a moment', async () => {
    const at = async (moment: string) =>
      (
        await kit.run(
          `{ eligibilityCriteria(patrimonyId: "${kit.patrimonyId}", asOf: "${moment}") { ${fields} } }`,
          {},
          operator,
        )
      ).data;
    const moments: (readonly [string, unknown])[] = [];
    const now = kit.clock.now();
    for (const act of [() => set({ minFaceValue: '1' }), () => set({ minFaceValue: '2' }), remove]) {
      kit.clock.advance(60_000);
      await act();
      moments.push([kit.clock.now().toISOString(), (await read()).data]);
    }
    for (const [moment, then] of moments) expect(await at(moment)).toEqual(then);
    kit.clock.set(now);
  });

  test('can be had so of every query that shows them', () => {
    expect(queriesWithAsOf(kit.schema)).toEqual(['eligibilityCriteria']);
  });

  test('that cannot be are refused with every error', async () => {
    const { error } = await set({ minFaceValue: '0', maxFaceValue: '1.001', maxTermDays: 0, maxDebtorShare: '100.01' });
    expect(error?.statusCode).toBe(400);
    expect(error?.details?.map(({ path }) => path)).toEqual([
      'minFaceValue',
      'maxFaceValue',
      'maxTermDays',
      'maxDebtorShare',
    ]);
    const backward = await set({ minFaceValue: '2', maxFaceValue: '1' });
    expect(backward.error?.details).toMatchObject([
      { path: 'maxFaceValue', message: 'must not be less than minFaceValue, which is 2' },
    ]);
    expect((await read()).data).toEqual({ eligibilityCriteria: null });
  });

  test.each(['no uuid', '00000000-0000-7000-8000-000000000001'])('of an estate that there is not: %s', async (id) => {
    expect((await set({ maxTermDays: 1 }, operator, id)).error).toMatchObject({ statusCode: 404 });
    expect((await remove(operator, id)).error).toMatchObject({ statusCode: 404 });
    expect((await read(operator, id)).data).toEqual({ eligibilityCriteria: null });
  });

  test('are said by operators alone', async () => {
    for (const principal of [bank, person('a'), apiKey('a'), developer('a', 'credit:read')]) {
      expect((await set({ maxTermDays: 1 }, principal)).error).toMatchObject({ statusCode: 403 });
      expect((await remove(principal)).error).toMatchObject({ statusCode: 403 });
    }
  });

  test('show the net worth to operators and to clients with a permit', async () => {
    await set({ netWorth: '1000.00', netWorthDate: '2026-11-20' });
    const worth = async (principal: Principal) =>
      (
        await kit.data<{ eligibilityCriteria: object }>(
          'query ($id: ID!) { eligibilityCriteria(patrimonyId: $id) { netWorth netWorthDate } }',
          { id: kit.patrimonyId },
          principal,
        )
      ).eligibilityCriteria;
    for (const principal of [bank, operator])
      expect(await worth(principal)).toEqual({ netWorth: '1000.00', netWorthDate: '2026-11-20' });
    for (const principal of [person('a'), apiKey('a'), developer('a', 'credit:read')])
      expect(await worth(principal)).toEqual({ netWorth: null, netWorthDate: null });
  });

  test('are read by whoever may read batches', async () => {
    await set({ maxTermDays: 7 });
    for (const principal of [bank, person('a'), apiKey('a'), developer('a', 'credit:read')]) {
      expect((await read(principal)).data).toMatchObject({ eligibilityCriteria: { maxTermDays: 7 } });
    }
    expect((await read(stranger)).error).toMatchObject({ statusCode: 401 });
    expect((await read(developer('a', 'tokens:read'))).error).toMatchObject({ statusCode: 403 });
  });
});

test('estates are those that tokenization imports, by the names that they have now', async () => {
  const estate = (name: string) => exampleOf(patrimonies, { operationTicker: null, name });
  const known = async (name: string): Promise<unknown> => {
    await importTextsInto(kit.context, [tokenizationImport], { 'a.json': estate(name) });
    await createRelay(kit.context, { consumers: [keepEstates] }).drain();
    return kit.context.manager.query(
      `SELECT estate.ticker, estate.name FROM credit_assignment.estates AS estate JOIN tokenization.patrimonies USING (id)`,
    );
  };
  expect(await known('Um')).toEqual([{ ticker: 'PAT-AURORA', name: 'Um' }]);
  expect(await known('Outro')).toEqual([{ ticker: 'PAT-AURORA', name: 'Outro' }]);
});

describe('the import of criteria', () => {
  const record = (changes: Json = {}) => exampleOf(eligibilityCriteria, { patrimonyTicker: 'pat-1', ...changes });
  const bring = async (content: object, options: ImportOptions = {}) => {
    const files = { 'criteria.json': content };
    const report = await importTextsInto(kit.context, [creditAssignmentImport], files, options);
    return { errors: printed(report), counts: report.counts };
  };

  test('brings what is new or different, and the same twice changes nothing', async () => {
    const counts = { kind: 'eligibilityCriteria', created: 0, changed: 0, unchanged: 0, removed: 0 };
    expect(await bring(record())).toEqual({ errors: [], counts: [{ ...counts, created: 1 }] });
    expect((await read()).data?.['eligibilityCriteria']).toMatchObject({
      minFaceValue: '100.00',
      maxFaceValue: '50000.00',
      maxTermDays: 720,
      maxDebtorShare: '20',
    });
    expect(await bring({ eligibilityCriteria: [record()] })).toEqual({
      errors: [],
      counts: [{ ...counts, unchanged: 1 }],
    });
    const without = [record({ maxTermDays: null })];
    expect(await bring(without)).toMatchObject({ errors: [expect.stringContaining('would lose maxTermDays')] });
    expect(await bring(without, { correct: 'the deed asks for none' })).toEqual({
      errors: [],
      counts: [{ ...counts, changed: 1 }],
    });
    expect((await read()).data?.['eligibilityCriteria']).toMatchObject({ maxTermDays: null });
  });

  test('names the estates that there are not, and numbers that cannot be', async () => {
    const { errors } = await bring([
      record({ patrimonyTicker: 'NOBODY' }),
      record({ minFaceValue: '0' }),
      record({ minFaceValue: '10', maxFaceValue: '9.99' }),
      record({ maxDebtorShare: 100.5 }),
    ]);
    expect(errors.join('\n')).toMatch(/patrimonyTicker is "NOBODY", and there is no such patrimony/);
    expect(errors.join('\n')).toMatch(/minFaceValue must be greater than 0/);
    expect(errors.join('\n')).toMatch(/maxFaceValue is 9\.99 and must not be less than minFaceValue, which is 10/);
    expect(errors.join('\n')).toMatch(/maxDebtorShare must be 100 or less/);
    expect((await read()).data).toEqual({ eligibilityCriteria: null });
  });
});
