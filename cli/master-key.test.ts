import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { sealedColumns } from '../bootstrap/encrypted-columns.js';
import { createKeyRing } from '../shared/security/crypto.js';
import { newId } from '../shared/kernel/ids.js';
import { sealedMail } from '../shared/security/sealed.js';
import { lastro } from '../tests/kit/command-line.js';
import { openTestDatabase } from '../tests/kit/database.js';
import { sealedSecret } from '../subgraphs/webhooks/subscriptions/secret.js';

const [before, now] = [randomBytes(32), randomBytes(32)];
const both = { MASTER_KEY: now.toString('base64'), MASTER_KEY_PREVIOUS: before.toString('base64') };
const [oldRing, newRing] = [createKeyRing(before), createKeyRing(now)];

const database = await openTestDatabase();
Object.assign(process.env, { DATABASE_URL: database.url, LOG_LEVEL: 'error' });
afterAll(() => database.close());
beforeEach(async () => {
  await database.asOwner('TRUNCATE shared.mails, webhooks.subscriptions CASCADE');
});

const addMails = (count: number, ring = oldRing) =>
  database.dataSource.query(
    `INSERT INTO shared.mails (id, recipient, subject, body, next_attempt_at, created_at)
     SELECT id, 'ana@example.com', 's', body, now(), now() FROM unnest($1::uuid[], $2::bytea[]) AS t(id, body)`,
    [
      Array.from({ length: count }, () => newId()),
      Array.from({ length: count }, (_, index) => ring.seal(sealedMail, `mail ${index}`)),
    ],
  );
const addWebhook = (secret: Buffer, previous: Buffer | null) =>
  database.dataSource.query(
    `INSERT INTO webhooks.subscriptions (id, owner_id, url, events, secret, previous_secret, previous_until, status, created_at)
     VALUES ($1, 'o', 'https://receiver.example/', '{payment.completed}', $2, $3, CASE WHEN $3::bytea IS NOT NULL THEN now() + interval '1 day' END, 'active', now())`,
    [newId(), secret, previous],
  );
const bodies = async (ring = newRing) =>
  (await database.dataSource.query<{ body: Buffer }[]>('SELECT body FROM shared.mails ORDER BY id')).map(({ body }) =>
    ring.inspect(sealedMail, body),
  );

async function masterKey(act: string, { MASTER_KEY, MASTER_KEY_PREVIOUS }: Readonly<Partial<typeof both>>) {
  delete process.env['MASTER_KEY_PREVIOUS'];
  Object.assign(process.env, { MASTER_KEY, ...(MASTER_KEY_PREVIOUS && { MASTER_KEY_PREVIOUS }) });
  return lastro('master-key', act);
}

test('a rotation seals everything under the new key, and a second one has nothing to do', async () => {
  await addMails(1_203);
  await addWebhook(oldRing.seal(sealedSecret, 'whsec_a'), oldRing.seal(sealedSecret, 'whsec_b'));
  const first = await masterKey('rotate', both);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toContain(`shared.mails.body: 1203 encrypted again, 1203 under ${newRing.id}`);
  expect(first.stdout).toContain('webhooks.subscriptions.previous_secret: 1 encrypted again');
  const after = await bodies();
  expect(after.every(({ keyId, plain }) => keyId === newRing.id && plain !== undefined)).toBe(true);
  expect(new Set(after.map(({ plain }) => plain)).size).toBe(1_203);
  expect((await masterKey('rotate', both)).stdout).toContain('shared.mails.body: 0 encrypted again, 1203 under');
});

test('a rotation that was cut short is finished by the next', async () => {
  await addMails(600, newRing);
  await addMails(600);
  expect((await masterKey('rotate', both)).stdout).toContain('600 encrypted again, 1200 under');
});

test('what no key opens is counted, named and left as it is; the rest is sealed again', async () => {
  await addMails(2);
  await addWebhook(createKeyRing(randomBytes(32)).seal(sealedSecret, 'whsec_a'), null);
  const rotated = await masterKey('rotate', both);
  expect(rotated.code).toBe(1);
  expect(rotated.stdout).toContain('webhooks.subscriptions.secret: 0 encrypted again, 0 under');
  const [{ id }] = await database.dataSource.query<[{ id: string }]>('SELECT id FROM webhooks.subscriptions');
  const listed = await masterKey('list', both);
  expect(listed.code).toBe(1);
  expect(listed.stdout).toContain(
    `shared.mails.body (messages that wait to be sent, or are in the development mailbox): 2 under ${newRing.id}`,
  );
  expect(listed.stdout).toContain(`owners rotate the secret; due deliveries wait until then. The first of them: ${id}`);
});

test('without the old key nothing is done, and it is said what to do', async () => {
  const { code, stderr } = await masterKey('rotate', { MASTER_KEY: both.MASTER_KEY });
  expect(code).toBe(2);
  expect(stderr).toContain('MASTER_KEY_PREVIOUS is not set');
});

test('every column of bytes is declared as sealed, or known not to be', async () => {
  const plain = [
    'accounts.one_time_tokens.hash',
    'accounts.operator_keys.secret_hash',
    'accounts.operator_keys.link_hash',
    'accounts.api_keys.secret_hash',
    'accounts.developer_keys.secret_hash',
    'accounts.login_failures.email_digest',
    'accounts.login_failures.client_digest',
    'accounts.sessions.cookie_hash',
    'accounts.challenges.challenge_hash',
    'accounts.recovery_codes.code_hash',
    'accounts.passkeys.credential_id',
    'accounts.passkeys.public_key',
    // Files that are imported into tables which are not sealed either; deleted by then, or within hours.
    'accounts.import_pieces.piece',
    'credit_assignment.originator_keys.spki',
    'credit_assignment.originator_keys.fingerprint',
    'issuances.onchain_contracts.chain_digest',
    'trading.credentials.secret_hash',
    'trading.journals.digest',
    'trading.refresh_tokens.token_hash',
  ];
  const columns = await database.dataSource.query<{ name: string }[]>(
    `SELECT table_schema || '.' || table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE data_type = 'bytea' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const sealed = sealedColumns.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
  expect(columns.map(({ name }) => name).sort()).toEqual([...plain, ...sealed].sort());
});
