import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { lastro } from '../tests/kit/command-line.js';
import { openTestDatabase, type TestDatabase } from '../tests/kit/database.js';
import { addEstate, addSeries } from '../tests/tokenization/series-kit.js';
import { csvCell } from './audit-format.js';

let database: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  database = await openTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'lastro-operator-'));
  Object.assign(process.env, { DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  const { manager } = database.dataSource;
  await addSeries(manager, await addEstate(manager, 'PAT1'), 'S1', { remuneration_start_date: '2024-01-15' });
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});
beforeEach(() => {
  as(undefined);
});

/** Sets the key of the following commands. */
function as(key: string | undefined): void {
  if (key === undefined) delete process.env['LASTRO_OPERATOR_KEY'];
  else process.env['LASTRO_OPERATOR_KEY'] = key;
}

const keyOf = ({ stdout }: { stdout: string }) => stdout.split('\n')[0] ?? '';
const add = async (email: string, roles: string) =>
  keyOf(await lastro('operator', 'add', email, '--name', 'Nome', '--roles', roles));
const lastEntries = (count: number) =>
  database.dataSource.query<Record<string, unknown>[]>(
    `SELECT * FROM (SELECT * FROM shared.audit_log ORDER BY at DESC, id DESC LIMIT $1) AS last ORDER BY at, id`,
    [count],
  );

describe('operators of the command line', () => {
  let admin: string;

  test('before there is one, commands need no key; the first is added without one, and then they do', async () => {
    const price = join(dataDir, 'price.csv');
    await writeFile(price, 'index;date;value\nIPCA;2024-06-01;7000,1\n');
    expect(await lastro('import', price)).toMatchObject({ code: 0 });
    expect(await lastEntries(1)).toMatchObject([
      { action: 'import', actor_kind: 'SYSTEM', source: expect.stringMatching(/^cli:.+@.+/), outcome: 'DONE' },
    ]);
    admin = await add('ana@casa.example', 'administer,publish');
    expect(admin).toMatch(/^svc_op_[0-9A-Za-z]{44}$/);
    expect(await lastEntries(1)).toMatchObject([
      {
        action: 'addOperator',
        actor_kind: 'SYSTEM',
        after: { email: 'ana@casa.example', roles: ['publish', 'administer'] },
      },
    ]);
    for (const command of [
      ['import', price],
      ['operator', 'list'],
      ['audit', 'list'],
      ['tranche', 'status', 'S1', 'CLOSED'],
    ]) {
      const [name = '', ...args] = command;
      expect(await lastro(name, ...args)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('LASTRO_OPERATOR_KEY'),
      });
    }
    expect(await lastro('operator', 'add', 'x@casa.example', '--name', 'X', '--roles', 'read')).toMatchObject({
      code: 1,
    });
  });

  test('an operator does what the roles say, and no more; both are in the audit log', async () => {
    as(admin);
    const publisher = await add('paula@casa.example', 'publish');
    const reader = await add('rui@casa.example', 'read');
    const price = join(dataDir, 'price.csv');
    await writeFile(price, 'index;date;value\nIPCA;2024-07-01;7001,1\n');
    as(publisher);
    expect(await lastro('import', price)).toMatchObject({ code: 0 });
    expect(await lastEntries(1)).toMatchObject([
      {
        action: 'import',
        actor_kind: 'OPERATOR',
        actor_name: 'paula@casa.example',
        after: { files: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }] },
      },
    ]);
    as(reader);
    expect(await lastro('import', price)).toMatchObject({
      code: 1,
      stderr: 'This key lacks the role publish: use the key of an operator who has it\n',
    });
    expect(await lastEntries(1)).toMatchObject([
      { action: 'import', outcome: 'REFUSED', actor_name: 'rui@casa.example' },
    ]);
    as(publisher);
    for (const args of [
      ['operator', 'list'],
      ['audit', 'list'],
      ['audit', 'export'],
    ]) {
      const [name = '', ...more] = args;
      expect(await lastro(name, ...more)).toMatchObject({
        code: 1,
        stderr: 'This key lacks the role administer: use the key of an operator who has it\n',
      });
    }
    expect(await lastro('originator', 'list')).toMatchObject({ code: 0 });
    expect(await lastro('originator', 'permit', 'nobody', 'PAT1')).toMatchObject({
      code: 1,
      stderr: 'This key lacks the role originate: use the key of an operator who has it\n',
    });
  });

  test('a key is replaced without a gap, and a revoked operator is refused from then on', async () => {
    as(admin);
    await add('caio@casa.example', 'read');
    const second = keyOf(await lastro('operator', 'key', 'add', 'CAIO@casa.example', '--days', '7'));
    as(second);
    expect(await lastro('originator', 'list')).toMatchObject({ code: 0 });
    as(admin);
    const listed = (await lastro('operator', 'list')).stdout;
    const keyId = new RegExp(`(\\S+)  ${second.slice(0, 18)}…`).exec(listed)?.[1] ?? '';
    expect(await lastro('operator', 'key', 'revoke', keyId)).toMatchObject({ code: 0 });
    as(second);
    expect(await lastro('originator', 'list')).toMatchObject({ code: 1, stderr: expect.stringContaining('revoked') });
    expect(await lastEntries(1)).toMatchObject([
      {
        action: 'operatorLogin',
        outcome: 'REFUSED',
        actor_name: 'caio@casa.example',
        reason: expect.stringContaining('revoked'),
      },
    ]);
    as(admin);
    expect(await lastro('operator', 'roles', 'caio@casa.example', '--roles', 'read,originate')).toMatchObject({
      code: 0,
    });
    expect(await lastro('operator', 'revoke', 'caio@casa.example')).toMatchObject({ code: 0 });
    expect(await lastEntries(1)).toMatchObject([
      {
        action: 'revokeOperator',
        subject_type: 'operator',
        before: { roles: ['read', 'originate'], revokedAt: null },
        after: { revokedAt: expect.any(String) },
      },
    ]);
    expect(await lastro('operator', 'key', 'add', 'caio@casa.example')).toMatchObject({ code: 1 });
  });

  test('what is wrong is refused with every error; wrong use exits with 2', async () => {
    as(admin);
    expect(await lastro('operator', 'add', 'nobody', '--name', ' ', '--roles', 'chief,read', '--days', '0')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/email .*\nname .*\nroles\[0\] .*\ndays .*\n/),
    });
    expect(await lastro('operator', 'add', 'ANA@casa.example', '--name', 'A', '--roles', 'read')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already'),
    });
    expect(await lastro('operator', 'revoke', 'nobody@casa.example')).toMatchObject({ code: 1 });
    expect(await lastro('operator', 'add', 'a@casa.example')).toMatchObject({ code: 2 });
    expect(await lastro('operator')).toMatchObject({ code: 2 });
    expect(await lastro('audit', 'export', '--format', 'xml')).toMatchObject({ code: 2 });
    expect(await lastro('audit', 'list', '--from', 'yesterday', '--outcome', 'MAYBE')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/--outcome .*\n--from .*\n|--from .*\n--outcome .*\n/),
    });
  });

  test('a key that is none is refused, also for the first operator’s command, and noted', async () => {
    as('svc_op_nonsense');
    expect(await lastro('operator', 'list')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not the key of an operator'),
    });
    expect(await lastEntries(1)).toMatchObject([
      { action: 'operatorLogin', outcome: 'REFUSED', actor_kind: 'ANONYMOUS' },
    ]);
  });

  test('the audit log is listed, filtered and exported, and holds no key', async () => {
    as(admin);
    const listed = await lastro('audit', 'list', '--action', 'addOperator', '--limit', '2');
    expect(listed.stdout.trim().split('\n')).toHaveLength(2);
    expect(listed.stdout).toContain('by ana@casa.example from cli:');
    const lines = (await lastro('audit', 'export', '--outcome', 'DONE')).stdout.trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { at: string; outcome: string });
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted());
    expect(new Set(entries.map(({ outcome }) => outcome))).toEqual(new Set(['DONE']));
    expect(lines.join('\n')).not.toContain(admin.slice(18));
    const csv = (await lastro('audit', 'export', '--format', 'csv', '--actor', 'paula@casa.example')).stdout;
    expect(csv).toMatch(/^at;id;actorKind;[^\r]*\r\n(?:[^\r]*;paula@casa.example;[^\r]*\r\n)+$/);
    expect((await lastro('audit', 'export', '--from', '2001-01-01', '--to', '2001-01-02')).stdout).toBe('');
    expect(await lastEntries(1)).toMatchObject([{ action: 'exportAuditLog', actor_name: 'ana@casa.example' }]);
  });

  test('where nobody can administer any more, the next operator is added without a key', async () => {
    as(admin);
    expect(await lastro('operator', 'revoke', 'ana@casa.example')).toMatchObject({ code: 0 });
    as(undefined);
    expect(await lastro('operator', 'list')).toMatchObject({ code: 1 });
    as(await add('nova@casa.example', 'administer'));
    expect(await lastro('operator', 'list')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nova@casa.example'),
    });
  });
});

test.each([
  ['=1+1', "'=1+1"],
  ['+55', "'+55"],
  ['-1', "'-1"],
  ['@x', "'@x"],
  ['\tx', "'\tx"],
  ['a;b"c', '"a;b""c"'],
  [null, ''],
  [7, '7'],
])('a cell of %j is no formula: %j', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});
