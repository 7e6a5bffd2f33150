import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importDomains } from '../../../bootstrap/imports.js';
import type { Manager } from '../../../shared/database/manager.js';
import { identityOf } from '../../../shared/import/write/read-back.js';
import { issuancesImport } from '../../../subgraphs/issuances/import/domain.js';
import { csv, importTexts, record, wholeOperation } from '../../../subgraphs/issuances/import/tests/kit.js';
import { operator } from '../../kit/context.js';
import { openAccounts, type AccountsKit } from '../kit.js';

let kit: AccountsKit;

beforeAll(async () => {
  kit = await openAccounts({}, { importDomains: [issuancesImport] });
});
afterAll(() => kit.close());

async function imported(files: Parameters<typeof importTexts>[1]): Promise<string> {
  kit.clock.set(new Date(kit.clock.now().getTime() + 60_000).toISOString());
  const { errors, importId } = await importTexts(kit.context, files, { correct: 'typed wrongly' });
  if (importId === undefined) throw new Error(`Nothing was imported: ${JSON.stringify(errors)}`);
  return importId;
}

interface Page {
  readonly nodes: readonly { readonly kind: string; readonly record: string; readonly change: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
}

const text = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $kind: String) { import(id: $id) {
  records(first: $first, after: $after, last: $last, before: $before, kind: $kind) {
    totalCount nodes { kind change record fields { field before after } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
const run = (variables: Record<string, unknown>, manager?: Manager) =>
  kit.run(text, variables, { principal: operator, ...(manager === undefined ? {} : { manager }) });

async function pageOf(variables: Record<string, unknown>, manager?: Manager): Promise<Page> {
  const { data, error } = await run(variables, manager);
  if (data === null) throw new Error(JSON.stringify(error));
  return (data['import'] as { records: Page }).records;
}

const dayAt = (at: number) => new Date(Date.UTC(2025, 2, 17 + at)).toISOString().slice(0, 10);
const prices = (count: number, value: string, from = 0) => ({
  'p.csv': csv(
    'unitPrices',
    Array.from({ length: count }, (_, at) => ({ date: dayAt(from + at), value })),
  ),
});
const contracts = (count: number, outstandingBalance: string, from = 0) => ({
  'c.csv': csv(
    'contracts',
    Array.from({ length: count }, (_, at) => ({ externalId: `CCB-${from + at}`, outstandingBalance })),
  ),
});
const names = ({ nodes }: Page) => nodes.map(({ kind, record: name, change }) => `${change} ${kind} ${name}`);

test('the records of an import are read in pages, forward and backward, without a gap or a repeat', async () => {
  await imported({ 'a.json': wholeOperation() });
  await imported(prices(3, '1'));
  // Created, changed and removed records, of several kinds.
  const id = await imported({
    ...prices(5, '2'),
    'a.json': wholeOperation({ documents: [record('documents', { externalId: 'DOC-NEW' })], name: 'Another name' }),
  });
  const whole = await pageOf({ id });
  expect(names(whole)).toEqual(
    expect.arrayContaining([
      'CHANGED operations CRI-AURORA-1',
      'CHANGED unitPrices AURORA1S1 2025-03-17',
      'CREATED unitPrices AURORA1S1 2025-03-21',
      'CREATED documents CRI-AURORA-1 DOC-NEW',
      expect.stringMatching(/^REMOVED documents CRI-AURORA-1 /),
    ]),
  );
  expect(whole.totalCount).toBe(whole.nodes.length);

  const forward: string[] = [];
  let after: string | null = null;
  do {
    const page = await pageOf({ id, first: 2, after });
    forward.push(...names(page));
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  expect(forward).toEqual(names(whole));

  const backward: string[] = [];
  let before: string | null = null;
  do {
    const page = await pageOf({ id, last: 2, before });
    backward.unshift(...names(page));
    before = page.pageInfo.hasPreviousPage ? page.pageInfo.startCursor : null;
  } while (before !== null);
  expect(backward).toEqual(names(whole));

  const ofKind = await pageOf({ id, kind: 'unitPrices', first: 3 });
  expect([ofKind.totalCount, ofKind.pageInfo.hasNextPage, names(ofKind)]).toEqual([
    5,
    true,
    names(whole)
      .filter((name) => name.includes(' unitPrices '))
      .slice(0, 3),
  ]);
  expect(await pageOf({ id, kind: 'assemblies' })).toMatchObject({ totalCount: 0, nodes: [] });
  expect((await run({ id, kind: 'documents', after: ofKind.pageInfo.endCursor })).error).toMatchObject({
    statusCode: 400,
    details: [{ path: 'after' }],
  });
});

test('the records of an import stay what they were when others change them, and when it is read again', async () => {
  const id = await imported(prices(2, '3', 100));
  const before = await pageOf({ id });
  await imported(prices(2, '4', 100));
  expect(await pageOf({ id })).toEqual(before);
});

test('a page costs what it is long, wherever it is in an import of any size', async () => {
  await imported(contracts(60, '1'));
  const small = await imported(contracts(60, '2'));
  await imported(contracts(4_000, '1', 1_000));
  const large = await imported(contracts(4_000, '2', 1_000));
  const read = async (variables: Record<string, unknown>) => {
    const counting = rowCounter(kit.context.manager);
    const page = await pageOf(variables, counting.manager);
    expect(page.nodes).toHaveLength(20);
    return { ...page, rows: counting.rows() };
  };
  const expected = (await read({ id: small, first: 20 })).rows;
  const first = await read({ id: large, first: 20 });
  const next = await read({ id: large, first: 20, after: first.pageInfo.endCursor });
  const last = await read({ id: large, last: 20 });
  expect([first.totalCount, expected > 0]).toEqual([4_000, true]);
  for (const { rows } of [first, next, last]) expect(rows).toBeLessThanOrEqual(3 * expected);
});

test('the rows that an act wrote and replaced are indexed in the order of their keys, for every kind that is imported', async () => {
  const rows = await kit.database.dataSource.query<{ definition: string }[]>(
    'SELECT indexdef AS definition FROM pg_indexes',
  );
  const lacking = importDomains
    .flatMap(({ kinds }) => kinds)
    .filter(({ recorded }) => recorded)
    .flatMap((kind) => {
      const key = identityOf(kind).join(', ');
      const versions = `${kind.table}_versions`;
      return [
        [kind.table, `recorded_by, ${key}`],
        ...(kind.versioned
          ? []
          : [
              [versions, `recorded_by, ${key}`],
              [versions, `superseded_by, ${key}`],
            ]),
      ];
    })
    .filter(
      ([table, columns]) =>
        !rows.some(({ definition }) => definition.includes(` ON ${String(table)} USING btree (${String(columns)})`)),
    );
  expect(lacking).toEqual([]);
});

/** Counts the rows that PostgreSQL reads from tables and indexes for statements, those that a condition leaves out included. */
function rowCounter(target: Manager): { readonly manager: Manager; readonly rows: () => number } {
  let rows = 0;
  const manager = new Proxy(target, {
    get: (object, name) => {
      if (name !== 'rows') {
        const value: unknown = Reflect.get(object, name);
        return typeof value === 'function' ? (value.bind(object) as unknown) : value;
      }
      return async (statement: string, values?: readonly unknown[]) => {
        if (/^\s*(SELECT|WITH)\b/.test(statement)) {
          const [plan] = await object.rows<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
            `EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`,
            values,
          );
          rows += (plan?.['QUERY PLAN'] ?? []).reduce((sum, { Plan }) => sum + readBy(Plan), 0);
        }
        return object.rows(statement, values);
      };
    },
  });
  return { manager, rows: () => rows };
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

function readBy(plan: Plan): number {
  const own = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const isScan = plan['Relation Name'] !== undefined || plan['Node Type'] === 'Bitmap Index Scan';
  const inner = (plan.Plans ?? []).reduce((sum, one) => sum + readBy(one), 0);
  return inner + (isScan ? own * plan['Actual Loops'] : 0);
}
