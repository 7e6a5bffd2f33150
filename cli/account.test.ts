import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../shared/ids.js';
import { lastro } from '../tests/kit/command-line.js';
import { openTestDatabase, type TestDatabase } from '../tests/kit/database.js';

let database: TestDatabase;
let dataDir: string;
const id = newId();

beforeAll(async () => {
  database = await openTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'lastro-cli-'));
  Object.assign(process.env, { DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  const { manager } = database.dataSource;
  await manager.query(
    `INSERT INTO accounts.accounts (id, owner_type, email, name, portal_id, created_at, confirmed_at)
     VALUES ($1, 'AGENT_USER', 'Ana@casa.example', 'Ana', 'agent-1', now(), now())`,
    [id],
  );
  await manager.query(
    `INSERT INTO accounts.sessions (id, account_id, network, created_at, last_seen_at, expires_at)
     SELECT gen_random_uuid(), $1, '198.51.100.0/24', now(), now(), now() + interval '1 hour' FROM generate_series(1, 3)`,
    [id],
  );
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

const account = (...args: string[]) => lastro('account', ...args);

const live = async () =>
  (await database.dataSource.query<object[]>('SELECT FROM accounts.sessions WHERE ended_at IS NULL')).length;
const reason = async () =>
  (
    await database.dataSource.query<{ reason: string | null }[]>(
      'SELECT disabled_reason AS reason FROM accounts.accounts',
    )
  )[0]?.reason;

test('an operator ends the sessions of an account, disables it with a reason, and enables it', async () => {
  expect(await account('end-sessions', 'ana@casa.example')).toEqual({
    code: 0,
    stderr: '',
    stdout: '3 sessions of ana@casa.example have ended.\n',
  });
  expect(await live()).toBe(0);
  expect(await account('disable', 'ana@casa.example', '--reason', 'left the house')).toEqual({
    code: 0,
    stderr: '',
    stdout: `Ana@casa.example (${id}) is disabled.\n`,
  });
  expect(await reason()).toBe('left the house');
  expect(await account('enable', 'ana@casa.example')).toMatchObject({
    code: 0,
    stdout: `Ana@casa.example (${id}) is enabled.\n`,
  });
  expect(await reason()).toBeNull();
});

test('an account that does not exist is refused with a sentence, wrong use with how to use it', async () => {
  expect(await account('enable', 'nobody@casa.example')).toMatchObject({
    code: 1,
    stderr: 'No account has the e-mail nobody@casa.example\n',
  });
  for (const args of [
    [],
    ['disable', 'ana@casa.example'],
    ['enable'],
    ['delete', 'ana@casa.example'],
    ['enable', 'a', 'b'],
  ]) {
    expect(await account(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage:') });
  }
});

test('a key gets a limit of its own, and follows the configuration again', async () => {
  await database.dataSource.query(
    `INSERT INTO accounts.api_keys (id, account_id, prefix, secret_hash, name, created_at, expires_at)
     VALUES (gen_random_uuid(), $1, 'svcpub_abcdefghijk', sha256('x'), 'painel', now(), now() + interval '1 day')`,
    [id],
  );
  const key = (...args: string[]) => lastro('key', ...args);
  expect(await key('limit', 'svcpub_abcdefghijk', '500')).toEqual({
    code: 0,
    stderr: '',
    stdout: 'svcpub_abcdefghijk has a limit of 500 requests a minute.\n',
  });
  expect(await key('limit', 'svcpub_abcdefghijk', 'default')).toMatchObject({
    code: 0,
    stdout: 'svcpub_abcdefghijk has a limit of 60 requests a minute, as configured.\n',
  });
  expect(await key('limit', 'svcpub_none', '5')).toMatchObject({ code: 1, stderr: expect.stringContaining('No key') });
  expect(await key('limit', 'svcpub_abcdefghijk', 'many')).toMatchObject({ code: 1 });
  for (const args of [
    [],
    ['limit', 'svcpub_abcdefghijk'],
    ['raise', 'svcpub_abcdefghijk', '5'],
    ['limit', 'a', '5', 'b'],
  ]) {
    expect(await key(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage:') });
  }
});
