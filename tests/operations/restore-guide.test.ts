import { afterAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { newId } from '../../shared/kernel/ids.js';
import { openAccounts } from '../accounts/kit.js';

const kit = await openAccounts();
const guide = await readFile('docs/operations/backup.md', 'utf8');
const blocks: string[] = [...guide.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = '']) => sql);
afterAll(() => kit.close());

const rows = <T>(text: string, values: unknown[] = []) => kit.database.dataSource.query<T[]>(text, values);

/** Runs the block of the guide that begins with a text, for an id. */
async function run(beginning: string, id = ''): Promise<void> {
  const found = blocks.filter((sql) => sql.startsWith(beginning));
  expect(found).toHaveLength(1);
  for (const sql of found) await kit.database.asOwner(sql.replaceAll('<id>', id));
}

async function accountWithKeys() {
  const { id, principal } = await kit.member(`${crypto.randomUUID()}@casa.example`);
  const created: string[] = [];
  for (const text of ['createApiKey(name: "k")', 'createDeveloperKey(name: "k", scopes: ["webhooks:read"])']) {
    const { data } = await kit.run(`mutation { created: ${text} { id } }`, {}, { principal });
    created.push((data?.['created'] as { id: string }).id);
  }
  await rows(
    `INSERT INTO accounts.passkeys (id, owner_id, owner_kind, credential_id, public_key, counter, transports, name, created_at)
     VALUES ($1, $2, 'ACCOUNT', $3, '\\x01', 0, '{}', 'Notebook', now())`,
    [newId(), id, Buffer.from(id)],
  );
  await rows(
    `INSERT INTO webhooks.subscriptions (id, owner_id, url, events, description, secret, status, created_at)
     VALUES ($1, $2, 'https://receiver.example/hook?token=1', '{tranche.status_changed}', 'of Ana', '\\x01', 'active', now())`,
    [newId(), id],
  );
  return { id, keys: created };
}

test('the statements of the guide for a restore end every session and link, keys and factors', async () => {
  const { id, keys } = await accountWithKeys();
  await kit.run('mutation ($email: String!) { forgotPassword(email: $email) { message } }', {
    email: (await rows<{ email: string }>('SELECT email FROM accounts.accounts WHERE id = $1', [id]))[0]?.email,
  });
  await run('UPDATE accounts.sessions');
  expect(await rows('SELECT FROM accounts.sessions WHERE ended_at IS NULL')).toEqual([]);
  expect(await rows('SELECT FROM accounts.one_time_tokens WHERE used_at IS NULL')).toEqual([]);
  await run('-- Keys of accounts', keys.join(','));
  for (const table of ['api_keys', 'developer_keys'])
    expect(await rows(`SELECT FROM accounts.${table} WHERE revoked_at IS NULL`)).toEqual([]);
  await run('-- Second factors', id);
  expect(await rows('SELECT FROM accounts.passkeys')).toEqual([]);
  await run('-- An address', newId());
});

test('the statements of the guide for a restore erase an account as its owner had', async () => {
  const { id } = await accountWithKeys();
  await run('-- An account', id);
  const columns = await rows<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'accounts' AND column_name IN ('account_id', 'owner_id')`,
  );
  for (const { table, column } of columns)
    expect([table, await rows(`SELECT FROM accounts.${table} WHERE ${column} = $1`, [id])]).toEqual([table, []]);
  expect(await rows('SELECT FROM accounts.accounts WHERE id = $1', [id])).toEqual([]);
  expect(await rows('SELECT url, description, status FROM webhooks.subscriptions WHERE owner_id = $1', [id])).toEqual([
    { url: 'https://receiver.example', description: null, status: 'deactivated' },
  ]);
});
