import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Principal } from '../../shared/context.js';
import { newId } from '../../shared/ids.js';
import { creditAssignmentImport } from '../../subgraphs/credit-assignment/import/domain.js';
import { operator } from '../kit/context.js';
import { importTextsInto, printed } from '../kit/import.js';
import { addOpenEstate } from './estate-kit.js';
import { apiKey, developer, openCredit, stranger, type CreditKit } from './kit.js';

let kit: CreditKit;
let bank: Principal;
let estate: string;
let estates = 1;

beforeAll(async () => {
  kit = await openCredit();
  bank = await kit.client();
});
afterAll(() => kit.close());
beforeEach(async () => {
  estates += 1;
  estate = newId();
  await addOpenEstate(kit.context.manager, estate, `PAT-${estates}`);
  await kit.context.manager.query('DELETE FROM credit_assignment.eligibility_criteria WHERE patrimony_id = $1', [
    estate,
  ]);
});

/** Does something a minute later, and answers when. */
async function later(work: () => Promise<{ readonly error?: object | undefined }>): Promise<string> {
  kit.clock.advance(60_000);
  expect((await work()).error).toBeUndefined();
  return kit.clock.now().toISOString();
}
const set = (criteria: object, reason?: string) =>
  kit.run(
    `mutation ($id: ID!, $criteria: EligibilityCriteriaInput!, $reason: String) {
      setEligibilityCriteria(patrimonyId: $id, criteria: $criteria, reason: $reason) { patrimonyId } }`,
    { id: estate, criteria, ...(reason === undefined ? {} : { reason }) },
    operator,
  );
const remove = (reason: string) =>
  kit.run(
    'mutation ($id: ID!, $reason: String) { removeEligibilityCriteria(patrimonyId: $id, reason: $reason) }',
    { id: estate, reason },
    operator,
  );
const bring = async (criteria: object, correct: string) => {
  const record = { patrimonyTicker: `PAT-${estates}`, ...criteria };
  const report = await importTextsInto(
    { ...kit.context, principal: operator },
    [creditAssignmentImport],
    { 'criteria.json': { eligibilityCriteria: [record] } },
    { correct },
  );
  expect(printed(report)).toEqual([]);
  return {};
};

const shown = 'patrimonyTicker kind record date removed recordedAt reason fields { name before after }';
async function corrections(args = '', principal: Principal = bank, fields = shown) {
  const { data, error } = await kit.run(
    `{ creditAssignmentCorrections(patrimonyId: "${estate}"${args}) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`,
    {},
    principal,
  );
  return {
    error,
    ...(data?.['creditAssignmentCorrections'] as
      { nodes: Record<string, unknown>[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } | undefined),
  };
}

test('what an estate accepts is listed with each change of it, newest first: when, why, and what was asked before', async () => {
  await later(() => set({ minFaceValue: '100', maxDebtorShare: '20' }, 'the deed'));
  expect((await corrections()).nodes).toEqual([]);
  const second = { minFaceValue: '100', maxDebtorShare: '12.5', maxTermDays: 720 };
  const moments = [await later(() => set(second, 'the second deed'))];
  // The same again corrects nothing.
  await later(() => set(second, 'once more'));
  moments.push(await later(() => bring({ minFaceValue: '200.00' }, 'a file')));
  moments.push(await later(() => remove('the estate is full')));
  // Nor do criteria where there are none.
  await later(() => set({}));
  moments.push(await later(() => remove('again')));
  const common = {
    patrimonyTicker: `PAT-${estates}`,
    record: `PAT-${estates}`,
    kind: 'eligibilityCriteria',
    date: null,
  };
  expect((await corrections()).nodes).toEqual([
    { ...common, removed: true, recordedAt: moments[3], reason: 'again', fields: [] },
    {
      ...common,
      removed: true,
      recordedAt: moments[2],
      reason: 'the estate is full',
      fields: [{ name: 'minFaceValue', before: '200.00', after: null }],
    },
    {
      ...common,
      removed: false,
      recordedAt: moments[1],
      reason: 'a file',
      fields: [
        { name: 'maxDebtorShare', before: '12.5000', after: null },
        { name: 'maxTermDays', before: '720', after: null },
        { name: 'minFaceValue', before: '100.00', after: '200.00' },
      ],
    },
    {
      ...common,
      removed: false,
      recordedAt: moments[0],
      reason: 'the second deed',
      fields: [
        { name: 'maxDebtorShare', before: '20.0000', after: '12.5000' },
        { name: 'maxTermDays', before: null, after: '720' },
      ],
    },
  ]);
});

test('they are paged, and narrowed to a period', async () => {
  await later(() => set({ maxTermDays: 1 }));
  const moments: string[] = [];
  for (const maxTermDays of [2, 3, 4]) moments.push(await later(() => set({ maxTermDays })));
  const first = await corrections(', first: 2');
  expect(first.nodes?.map(({ recordedAt }) => recordedAt)).toEqual([moments[2], moments[1]]);
  expect(first.pageInfo?.hasNextPage).toBe(true);
  const rest = await corrections(`, first: 2, after: "${first.pageInfo?.endCursor ?? ''}"`);
  expect(rest).toMatchObject({ nodes: [{ recordedAt: moments[0] }], pageInfo: { hasNextPage: false } });
  expect((await corrections(`, from: "${moments[1] ?? ''}", to: "${moments[1] ?? ''}"`)).nodes).toHaveLength(1);
  expect((await corrections(', kind: "receivables"')).nodes).toEqual([]);
});

test('whoever may read criteria reads them of one estate; operators of all, and who did it', async () => {
  await later(() => set({ maxTermDays: 1 }));
  await later(() => set({ maxTermDays: 2 }));
  for (const principal of [bank, apiKey('a'), developer('a', 'credit:read'), operator])
    expect((await corrections('', principal)).nodes).toHaveLength(1);
  expect((await corrections('', stranger)).error).toMatchObject({ statusCode: 401 });
  expect((await corrections('', developer('a', 'tokens:read'))).error).toMatchObject({ statusCode: 403 });
  expect((await corrections('', operator, 'recordedBy')).nodes).toEqual([{ recordedBy: operator.name }]);
  expect((await corrections('', bank, 'recordedBy')).error).toMatchObject({ statusCode: 403 });

  const all = (principal: Principal) =>
    kit.run('{ creditAssignmentCorrections(first: 100) { nodes { patrimonyTicker } } }', {}, principal);
  expect((await all(bank)).error).toMatchObject({ statusCode: 400, details: [{ path: 'patrimonyId' }] });
  expect((await all(operator)).data?.['creditAssignmentCorrections']).toMatchObject({
    nodes: expect.arrayContaining([{ patrimonyTicker: `PAT-${estates}` }]),
  });
  estate = newId();
  expect((await corrections()).error).toMatchObject({ statusCode: 404 });
});
