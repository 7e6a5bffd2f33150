import { afterAll, expect, test } from '@jest/globals';
import { readAll, type Page } from '../../kit/pages.js';
import { contract, openCredit } from '../kit.js';

const kit = await openCredit();
afterAll(() => kit.close());
const bank = await kit.client('account of the bank');
const other = await kit.client('account of another');
for (const at of [1, 2, 3]) {
  kit.clock.advance(1000);
  await kit.create(
    bank,
    [1, 2, 3].map((nth) => contract(`C-${at}-${nth}`, { faceValue: `${at}00.50`, dueDate: `203${nth}-01-1${at}` })),
  );
}
await kit.create(other, [contract('C-1-1', { faceValue: '1.00', dueDate: '2031-01-11' })]);
await kit.database.dataSource.query(
  "UPDATE credit_assignment.receivables SET status = 'OPEN', open_balance = 10 WHERE external_id IN ('C-1-1', 'C-2-1') AND face_value > 1",
);

type Receivables = Page<{ readonly externalId: string; readonly openBalance: string | null }>;

const text = `query ($externalId: String, $filter: ReceivableFilter, $first: Int, $after: String, $last: Int, $before: String) {
  receivables(externalId: $externalId, filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    totalCount nodes { externalId openBalance } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
const totalsText = `query ($externalId: String, $filter: ReceivableFilter) {
  receivableTotals(externalId: $externalId, filter: $filter) { count faceValue openBalance } }`;

const pageOf = async (variables: Record<string, unknown> = {}, by = bank): Promise<Receivables> =>
  (await kit.data<{ receivables: Receivables }>(text, variables, by)).receivables;
const names = ({ nodes }: Pick<Receivables, 'nodes'>) => nodes.map(({ externalId }) => externalId);
const all = [3, 2, 1].flatMap((batch) => [1, 2, 3].map((nth) => `C-${batch}-${nth}`));

test('the contracts of all batches are a list, those of the newest batch first, in pages of both directions', async () => {
  const whole = await pageOf();
  expect([names(whole), whole.totalCount]).toEqual([all, 9]);
  expect(names({ nodes: await readAll((after) => pageOf({ first: 2, after })) })).toEqual(all);
  const backward: string[] = [];
  for (let before: string | null | undefined; before !== null;) {
    const page: Receivables = await pageOf({ last: 2, before });
    backward.unshift(...names(page));
    before = page.pageInfo.hasPreviousPage ? page.pageInfo.startCursor : null;
  }
  expect(backward).toEqual(all);
});

test.each([
  [{ filter: { status: 'OPEN' } }, ['C-2-1', 'C-1-1'], { count: 2, faceValue: '301.00', openBalance: '20.00' }],
  [{ filter: { dueFrom: '2032-01-12', dueTo: '2033-01-11' } }, ['C-3-2', 'C-2-2', 'C-1-3'], { count: 3 }],
  [{ externalId: 'C-1-1' }, ['C-1-1'], { count: 1, faceValue: '100.50', openBalance: '10.00' }],
  [{ externalId: 'C-1-1', filter: { status: 'SETTLED' } }, [], { count: 0, faceValue: '0.00', openBalance: '0.00' }],
  [{ filter: { patrimonyId: '00000000-0000-7000-8000-000000000000' } }, [], { count: 0 }],
])('it is narrowed by %j, and its totals with it', async (variables, expected, totals) => {
  const page = await pageOf(variables);
  expect([names(page), page.totalCount]).toEqual([expected, expected.length]);
  expect((await kit.run(totalsText, variables, bank)).data?.['receivableTotals']).toMatchObject(totals);
});

test('only assigned contracts have an open balance, and their sum is the total', async () => {
  const rows = (await pageOf()).nodes.filter(({ openBalance }) => openBalance !== null);
  expect(rows.map(({ externalId }) => externalId)).toEqual(['C-2-1', 'C-1-1']);
  const { data } = await kit.run(totalsText, {}, bank);
  expect(data?.['receivableTotals']).toEqual({ count: 9, faceValue: '301.00', openBalance: '20.00' });
});

test('a cursor with another filter, and a filter that cannot be, is 400', async () => {
  const { pageInfo } = await pageOf({ first: 1 });
  const statusOf = async (variables: Record<string, unknown>) =>
    (await kit.run(text, variables, bank)).error?.statusCode;
  expect([
    await statusOf({ after: pageInfo.endCursor, filter: { status: 'OPEN' } }),
    await statusOf({ filter: { dueFrom: '2032-01-02', dueTo: '2032-01-01' } }),
    await statusOf({ filter: { patrimonyId: 'nonsense' } }),
  ]).toEqual([400, 400, 400]);
  const wrong = { patrimonyId: 'nonsense', dueFrom: '2032-01-02', dueTo: '2032-01-01' };
  expect((await kit.run(text, { filter: wrong }, bank)).error?.details).toMatchObject([
    { path: 'filter.patrimonyId', rule: 'UUID_FORM' },
    { path: 'filter.dueTo', rule: 'NOT_BEFORE' },
  ]);
});

test('nobody sees the contracts of another originator', async () => {
  expect(names(await pageOf({}, other))).toEqual(['C-1-1']);
  const { data } = await kit.run(totalsText, {}, other);
  expect(data?.['receivableTotals']).toMatchObject({ count: 1, faceValue: '0.00', openBalance: '0.00' });
});
