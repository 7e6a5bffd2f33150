import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { lastro } from '../tests/kit/command-line.js';
import { openTestDatabase } from '../tests/kit/database.js';

let admin: string;

const database = await openTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'lastro-operator-'));
Object.assign(process.env, { DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' });
const price = join(dataDir, 'price.csv');
await writeFile(price, 'index;date;value\nIPCA;2024-06-01;7000,1\n');
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});
beforeEach(() => {
  as(undefined);
});

function as(key: string | undefined): void {
  if (key === undefined) delete process.env['LASTRO_OPERATOR_KEY'];
  else process.env['LASTRO_OPERATOR_KEY'] = key;
}

const person = (email: string) => ['--email', email, '--name', 'Nome'];
const roles = (...names: string[]) => names.flatMap((name) => ['--roles', name]);

async function keyOf(...args: string[]): Promise<string> {
  return (JSON.parse((await lastro(...args, '--json')).stdout) as { key: string }).key;
}
const lastEntries = (count: number) =>
  database.dataSource.query<Record<string, unknown>[]>(
    `SELECT * FROM (SELECT * FROM shared.audit_log ORDER BY at DESC, id DESC LIMIT $1) AS last ORDER BY at, id`,
    [count],
  );

test('before there is an operator, commands need no key; the first is added without one, and then they do', async () => {
  expect(await lastro('import', price)).toMatchObject({ code: 0 });
  expect(await lastEntries(1)).toMatchObject([
    { action: 'import', actor_kind: 'SYSTEM', source: expect.stringMatching(/^cli:.+@.+/), outcome: 'DONE' },
  ]);
  admin = await keyOf('addOperator', ...person('ana@casa.example'), ...roles('administer', 'publish'));
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
    ['operators'],
    ['audit', 'export'],
    ['addOperator', ...person('x@casa.example'), ...roles('read')],
  ])
    expect(await lastro(...command)).toMatchObject({ code: 1, stderr: expect.stringContaining('LASTRO_OPERATOR_KEY') });
});

test('an operator does what the roles say, and no more; both are in the audit log', async () => {
  as(admin);
  const publisher = await keyOf('addOperator', ...person('paula@casa.example'), ...roles('publish'));
  const reader = await keyOf('addOperator', ...person('rui@casa.example'), ...roles('read'));
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
  const lacks = (role: string) => ({
    code: 1,
    stdout: '',
    stderr: `This key lacks the role ${role}: use the key of an operator who has it\n`,
  });
  expect(await lastro('operators')).toEqual(lacks('administer'));
  expect(await lastro('audit', 'export')).toEqual(lacks('administer'));
  as(reader);
  expect(await lastro('import', price)).toEqual(lacks('publish'));
  expect(await lastEntries(1)).toMatchObject([
    { action: 'import', outcome: 'REFUSED', actor_name: 'rui@casa.example' },
  ]);
  expect(await lastro('haltTrading', '--reason', 'x')).toEqual(lacks('trade'));
  expect(await lastEntries(1)).toMatchObject([{ action: 'haltTrading', outcome: 'REFUSED' }]);
  expect(await lastro('originators')).toMatchObject({ code: 0 });
});

test('a key is replaced without a gap, and a revoked one is refused from then on', async () => {
  as(admin);
  await lastro('addOperator', ...person('caio@casa.example'), ...roles('read'));
  const added = await lastro('addOperatorKey', '--operator', 'CAIO@casa.example', '--days', '7', '--json');
  const { id, key } = JSON.parse(added.stdout) as { id: string; key: string };
  as(key);
  expect(await lastro('originators')).toMatchObject({ code: 0 });
  as(admin);
  expect(await lastro('revokeOperatorKey', '--id', id)).toEqual({ code: 0, stdout: 'true\n', stderr: '' });
  as(key);
  expect(await lastro('originators')).toMatchObject({ code: 1, stderr: expect.stringContaining('revoked') });
  expect(await lastEntries(1)).toMatchObject([
    {
      action: 'operatorLogin',
      outcome: 'REFUSED',
      actor_name: 'caio@casa.example',
      reason: expect.stringContaining('revoked'),
    },
  ]);
});

test('what is wrong is refused with every error', async () => {
  as(admin);
  const wrong = ['--email', 'nobody', '--name', ' ', '--days', '0', ...roles('chief', 'read')];
  expect(await lastro('addOperator', ...wrong)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/--email .*\n--name .*\n--roles\[0\] .*\n--days .*\n/),
  });
  as('svc_op_nonsense');
  expect(await lastro('operators')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not the key of an operator'),
  });
  expect(await lastEntries(1)).toMatchObject([
    { action: 'operatorLogin', outcome: 'REFUSED', actor_kind: 'ANONYMOUS' },
  ]);
});

test('the audit log is listed, filtered and exported, and holds no key', async () => {
  as(admin);
  const listed = await lastro('auditLog', '--filter.action', 'addOperator', '--first', '2', '--json');
  const { nodes } = JSON.parse(listed.stdout) as { nodes: object[] };
  expect(nodes).toHaveLength(2);
  expect(nodes[0]).toMatchObject({ actorName: 'ana@casa.example', source: expect.stringMatching(/^cli:/) });
  const lines = (await lastro('audit', 'export', '--outcome', 'DONE')).stdout.trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as { at: string; outcome: string });
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted());
  expect(new Set(entries.map(({ outcome }) => outcome))).toEqual(new Set(['DONE']));
  expect(lines.join('\n')).not.toContain(admin.slice(18));
  const csv = (await lastro('audit', 'export', '--format', 'csv', '--actor', 'paula@casa.example')).stdout;
  expect(csv).toMatch(/^at;id;actorKind;[^\r]*\r\n(?:[^\r]*;paula@casa.example;[^\r]*\r\n)+$/);
  expect((await lastro('audit', 'export', '--from', '2001-01-01', '--to', '2001-01-02')).stdout).toBe('');
  expect(await lastEntries(1)).toMatchObject([{ action: 'exportAuditLog', actor_name: 'ana@casa.example' }]);
  expect(await lastro('audit', 'export', '--from', 'yesterday', '--outcome', 'MAYBE')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^--outcome .*\n--from .*\n$/),
  });
  expect(await lastro('audit', 'export', '--format', 'xml')).toMatchObject({ code: 2 });
});

test('where nobody can administer any more, the next operator is added without a key', async () => {
  as(admin);
  expect(await lastro('revokeOperator', '--operator', 'ana@casa.example')).toMatchObject({ code: 0 });
  as(undefined);
  expect(await lastro('operators')).toMatchObject({ code: 1 });
  as(await keyOf('addOperator', ...person('nova@casa.example'), ...roles('administer')));
  expect(await lastro('operators')).toMatchObject({ code: 0, stdout: expect.stringContaining('nova@casa.example') });
});
