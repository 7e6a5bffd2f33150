import { afterAll, describe, expect, test } from '@jest/globals';
import { sha256 } from '../../../shared/security/crypto.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { Principal } from '../../../shared/kernel/context.js';
import type { ImportReport } from '../../../shared/import/domain.js';
import { issuancesImport } from '../../../subgraphs/issuances/import/domain.js';
import { csv, importTexts, wholeOperation, record } from '../../../subgraphs/issuances/import/tests/kit.js';
import { operator } from '../../kit/context.js';
import type { Outcome } from '../../kit/run-on.js';
import { openAccounts } from '../kit.js';
import { importDomains } from '../../../bootstrap/imports.js';
import type { Manager } from '../../../shared/database/manager.js';
import { identityOf } from '../../../shared/import/write/read-back.js';
import type { Page } from '../../kit/pages.js';

const kit = await openAccounts({}, { importDomains: [issuancesImport] });
await imported({ 'a.json': wholeOperation() });
afterAll(() => kit.close());

/** Every import is a minute after the one before it. */
async function imported(files: Parameters<typeof importTexts>[1]): Promise<string> {
  kit.clock.set(new Date(kit.clock.now().getTime() + 60_000).toISOString());
  return idOf(await importTexts(kit.context, files, { correct: 'typed wrongly' }));
}

function idOf({ errors, importId }: ImportReport): string {
  if (importId === undefined) throw new Error(`Nothing was imported: ${JSON.stringify(errors)}`);
  return importId;
}

const price = (date: string, value: string) => ({ 'p.csv': csv('unitPrices', [{ date, value }]) });
const run = (text: string, variables: Record<string, unknown> = {}, principal: Principal = operator) =>
  kit.run(text, variables, { principal });

const revertText = `mutation ($id: ID!, $reason: String!) { act: revertImport(id: $id, reason: $reason) {
  id actorName reason reverts counts { kind created changed removed } } }`;
const voidText = `mutation ($kind: String!, $names: [String!]!, $reason: String!) { act: voidRecord(kind: $kind, names: $names, reason: $reason) {
  id actorName reason files { name } counts { kind created changed removed } } }`;
const revert = (id: string, reason = 'it was right', principal = operator) =>
  run(revertText, { id, reason }, principal);
const voidPrice = (date: string, reason = 'never agreed', principal = operator) =>
  run(voidText, { kind: 'unitPrices', names: ['AURORA1S1', date], reason }, principal);
const idIn = ({ data }: Outcome): string => (data?.['act'] as { id: string }).id;

async function priceOf(date: string): Promise<string | undefined> {
  const [row] = await kit.database.dataSource.query<{ value: string }[]>(
    'SELECT value FROM issuances.unit_prices WHERE date = $1',
    [date],
  );
  return row?.value;
}

test('the list of imports is read page by page, newest first, without a gap or a repeat while another import comes', async () => {
  const ids: string[] = [];
  for (const value of ['1', '2', '3', '4']) ids.unshift(await imported(price('2025-03-17', value)));
  const page = async (first: number, after?: string) => {
    const { data } = await run(
      'query ($first: Int!, $after: String) { imports(first: $first, after: $after) { nodes { id } edges { cursor node { id } } pageInfo { hasNextPage endCursor } } }',
      { first, after },
    );
    const { nodes, edges, pageInfo } = data?.['imports'] as {
      nodes: { id: string }[];
      edges: { cursor: string; node: { id: string } }[];
      pageInfo: { hasNextPage: boolean; endCursor: string };
    };
    expect(edges.map(({ node }) => node)).toEqual(nodes);
    expect(edges.at(-1)?.cursor).toBe(pageInfo.endCursor);
    return { ids: nodes.map(({ id }) => id), ...pageInfo };
  };
  const first = await page(2);
  expect([first.ids, first.hasNextPage]).toEqual([ids.slice(0, 2), true]);
  await imported(price('2025-03-17', '5'));
  const second = await page(2, first.endCursor);
  expect([second.ids, second.hasNextPage]).toEqual([ids.slice(2), true]);
  const last = await page(2, second.endCursor);
  expect([last.ids.length, last.hasNextPage]).toEqual([1, false]);
});

describe('an import', () => {
  const text = `query ($id: ID!, $first: Int = 100) { import(id: $id) { id actorName reason reverts revertedBy recordedAt
    files { name bytes sha256 } counts { kind created changed unchanged removed }
    records(first: $first) { totalCount nodes { kind change record file line movedPercent fields { field isNumber before after } } } } }`;

  test('shows its operator, its reason, its files and what each field became', async () => {
    await imported(price('2025-04-01', '10'));
    const files = {
      'p.csv': csv('unitPrices', [
        { date: '2025-04-01', value: '11' },
        { date: '2025-04-02', value: '12' },
      ]),
    };
    const id = await imported(files);
    const { data } = await run(text, { id });
    expect(data?.['import']).toEqual({
      id,
      actorName: operator.name,
      reason: 'typed wrongly',
      reverts: null,
      revertedBy: null,
      recordedAt: kit.clock.now().toISOString(),
      files: [
        {
          name: expect.stringMatching(/p\.csv$/),
          bytes: files['p.csv'].length,
          sha256: sha256(files['p.csv']).toString('hex'),
        },
      ],
      counts: [{ kind: 'unitPrices', created: 1, changed: 1, unchanged: 0, removed: 0 }],
      records: {
        totalCount: 2,
        nodes: [
          expect.objectContaining({
            kind: 'unitPrices',
            change: 'CHANGED',
            record: 'AURORA1S1 2025-04-01',
            file: 0,
            line: 2,
            fields: [{ field: 'value', isNumber: true, before: '10.00000000', after: '11.00000000' }],
          }),
          expect.objectContaining({
            change: 'CREATED',
            record: 'AURORA1S1 2025-04-02',
            line: 3,
            // From 11 to 12.
            movedPercent: '9.0909',
          }),
        ],
      },
    });
    expect((await run(text, { id, first: 1 })).data?.['import']).toMatchObject({
      records: { totalCount: 2, nodes: [{ record: 'AURORA1S1 2025-04-01' }] },
    });
    for (const first of [0, 101]) expect((await run(text, { id, first })).error?.statusCode).toBe(400);
  });

  test('that there is not is null', async () => {
    for (const id of [newId(), 'nonsense']) expect((await run(text, { id })).data).toEqual({ import: null });
  });

  test('and the acts on it are for operators who publish: 401 for nobody, 403 for everyone else', async () => {
    const id = await imported(price('2025-05-02', '1'));
    const anonymous: Principal = { kind: 'ANONYMOUS', id: 'a', ownerId: '203.0.113.7', scopes: [] };
    const others: Principal[] = [
      { ...operator, scopes: ['read', 'originate', 'trade', 'administer'] },
      { kind: 'SESSION', id: newId(), ownerId: newId(), scopes: ['confirmed'] },
      { kind: 'API_KEY', id: newId(), ownerId: newId(), scopes: [] },
      { kind: 'DEVELOPER_KEY', id: newId(), ownerId: newId(), scopes: ['contracts:read'] },
    ];
    for (const [principal, status] of [[anonymous, 401] as const, ...others.map((other) => [other, 403] as const)]) {
      const tried = [
        await run('{ imports { nodes { id } } }', {}, principal),
        await run(text, { id }, principal),
        await revert(id, 'why', principal),
        await voidPrice('2025-05-02', 'why', principal),
      ];
      expect([principal.kind, ...tried.map(({ error }) => error?.statusCode)]).toEqual([
        principal.kind,
        ...tried.map(() => status),
      ]);
    }
    expect(await priceOf('2025-05-02')).toBe('1.00000000');
  });
});

describe('taking an import back', () => {
  test('makes what it changed what it was, shows so on both imports, and works once: 409', async () => {
    await imported(price('2025-06-02', '10'));
    const id = await imported(price('2025-06-02', '11'));
    const done = await revert(id, '  it was right ');
    expect(done).toEqual({
      data: {
        act: {
          id: expect.any(String),
          actorName: operator.name,
          reason: 'it was right',
          reverts: id,
          counts: expect.arrayContaining([{ kind: 'unitPrices', created: 0, changed: 1, removed: 0 }]),
        },
      },
    });
    expect(await priceOf('2025-06-02')).toBe('10.00000000');
    const { data } = await run('query ($id: ID!) { import(id: $id) { revertedBy } }', { id });
    expect(data).toEqual({ import: { revertedBy: idIn(done) } });
    expect((await revert(id)).error).toMatchObject({
      statusCode: 409,
      message: `The import ${id} was already reverted by the import ${idIn(done)}`,
    });
  });

  test('is refused with every record that was changed since: 422', async () => {
    const both = (value: string) => ({
      'p.csv': csv('unitPrices', [
        { date: '2025-06-09', value },
        { date: '2025-06-10', value },
      ]),
    });
    await imported(both('1'));
    const id = await imported(both('2'));
    await imported(both('3'));
    expect((await revert(id)).error).toMatchObject({
      statusCode: 422,
      message: 'Nothing was reverted: 2 records have changed since',
      details: ['2025-06-09', '2025-06-10'].map((day) => ({
        message: expect.stringContaining(`unit price AURORA1S1 ${day} has changed since`),
      })),
    });
    expect(await priceOf('2025-06-09')).toBe('3.00000000');
  });

  test('that there is not is 404', async () => {
    for (const id of [newId(), 'nonsense'])
      expect((await revert(id)).error).toMatchObject({ statusCode: 404, message: `There is no import ${id}` });
  });
});

describe('voiding a record', () => {
  test('takes it away as an act of its own, which can be taken back', async () => {
    await imported(price('2025-07-01', '9'));
    const done = await voidPrice('2025-07-01');
    expect(done.data?.['act']).toEqual({
      id: expect.any(String),
      actorName: operator.name,
      reason: 'never agreed',
      files: [],
      counts: [{ kind: 'unitPrices', created: 0, changed: 0, removed: 1 }],
    });
    expect(await priceOf('2025-07-01')).toBeUndefined();
    expect((await voidPrice('2025-07-01')).error?.statusCode).toBe(404);
    expect((await revert(idIn(done))).error).toBeUndefined();
    expect(await priceOf('2025-07-01')).toBe('9.00000000');
  });

  test('of two who void it at once one does, and the other gets an error: there is none', async () => {
    await imported(price('2025-07-02', '9'));
    const both = await Promise.all([voidPrice('2025-07-02'), voidPrice('2025-07-02')]);
    expect(both.map(({ error }) => error?.statusCode ?? 200).sort()).toEqual([200, 404]);
  });

  test.each([
    ['completeMonthz', ['x'], '"completeMonthz" must be one of operations, '],
    ['unitPrices', ['AURORA1S1'], 'A unit price is identified by trancheTicker, date'],
  ])('of %s %j is 400', async (kind, names, message) => {
    expect((await run(voidText, { kind, names, reason: 'why' })).error).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining(message),
    });
  });

  test('to which something refers is 409', async () => {
    const { error } = await run(voidText, { kind: 'series', names: ['CRI-AURORA-1', 'AURORA1S1'], reason: 'why' });
    expect(error).toMatchObject({ statusCode: 409, message: expect.stringContaining('The record cannot be removed') });
  });
});

test.each(['', '  ', 'two\nlines', 'x'.repeat(501)])(
  'neither act takes a reason that is none (%#): 400',
  async (reason) => {
    const details = [{ path: 'reason' }];
    expect((await revert(newId(), reason)).error).toMatchObject({ statusCode: 400, details });
    expect((await voidPrice('2025-07-03', reason)).error).toMatchObject({ statusCode: 400, details });
  },
);

describe('the records of an import', () => {
  async function imported(files: Parameters<typeof importTexts>[1]): Promise<string> {
    kit.clock.set(new Date(kit.clock.now().getTime() + 60_000).toISOString());
    const { errors, importId } = await importTexts(kit.context, files, { correct: 'typed wrongly' });
    if (importId === undefined) throw new Error(`Nothing was imported: ${JSON.stringify(errors)}`);
    return importId;
  }

  type Records = Page<{ readonly kind: string; readonly record: string; readonly change: string }>;

  const text = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $kind: String) { import(id: $id) {
  records(first: $first, after: $after, last: $last, before: $before, kind: $kind) {
    totalCount nodes { kind change record fields { field before after } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
  const run = (variables: Record<string, unknown>, manager?: Manager) =>
    kit.run(text, variables, { principal: operator, ...(manager === undefined ? {} : { manager }) });

  async function pageOf(variables: Record<string, unknown>, manager?: Manager): Promise<Records> {
    const { data, error } = await run(variables, manager);
    if (data === null) throw new Error(JSON.stringify(error));
    return (data['import'] as { records: Records }).records;
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
  const names = ({ nodes }: Records) => nodes.map(({ kind, record: name, change }) => `${change} ${kind} ${name}`);

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
});
