import { afterAll, expect, test } from '@jest/globals';
import type { Pool } from 'pg';
import { sha256 } from '../../shared/security/crypto.js';
import { openAccounts, verifyText } from '../../tests/accounts/kit.js';
import { quietLog, testKeyRing } from '../../tests/kit/context.js';
import { watchStatements, type Statement } from '../../tests/kit/count-queries.js';
import { createAuthenticator } from './authenticate.js';
import { createLoginGuard } from './accounts/login-guard.js';
import { openAccountsPool } from './pool.js';

let statements: Statement[] = [];

function notedPool(target: Pool): Pool {
  return new Proxy(target, {
    get: (object, name) => {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== 'function') return value;
      return (...parts: unknown[]): unknown => {
        const [first, values] = parts as [string | Statement, unknown[] | undefined];
        if (name === 'query')
          statements.push(typeof first === 'string' ? { text: first, values: values ?? [] } : first);
        return value.apply(object, parts) as unknown;
      };
    },
  });
}

const kit = await openAccounts();
await kit.database.dataSource.query(`
    INSERT INTO accounts.accounts (id, owner_type, email, name, company, password_hash, created_at, confirmed_at)
      SELECT gen_random_uuid(), 'EMISSOES_USER', 'someone-' || n || '@casa.example', 'Ana', 'Casa', '$argon2id$', now(), nullif(now(), CASE WHEN n % 5 = 0 THEN now() END)
      FROM generate_series(1, 20000) n;
    INSERT INTO accounts.one_time_tokens (hash, account_id, purpose, created_at, expires_at, used_at)
      SELECT sha256(id::text::bytea), id, 'CONFIRM', now(), now() + interval '1 day', now() FROM accounts.accounts;
    INSERT INTO accounts.api_keys (id, account_id, prefix, secret_hash, name, rate_limit, created_at, expires_at)
      SELECT id, id, 'svcpub_' || left(translate(id::text, '-', ''), 11), sha256(id::text::bytea), 'k', 60, now(), now() + interval '1 day'
      FROM accounts.accounts WHERE confirmed_at IS NOT NULL ON CONFLICT DO NOTHING;
    INSERT INTO accounts.follows (account_id, ticker, created_at) SELECT id, 'CRI1', now() FROM accounts.accounts;
    INSERT INTO accounts.login_failures (email_digest, client_digest, attempts, undecided, last_attempt_at)
      SELECT sha256(id::text::bytea), sha256(id::text::bytea), '{}', 0, now() FROM accounts.accounts;
    INSERT INTO accounts.sessions (id, account_id, network, created_at, last_seen_at, expires_at, cookie_hash, idle_seconds, proved_at)
      SELECT id, id, '192.0.2.0/24', now(), now(), now() + interval '1 day', sha256(id::text::bytea), 1800, now() FROM accounts.accounts;
    INSERT INTO accounts.passkeys (id, owner_id, owner_kind, credential_id, public_key, counter, transports, name, created_at)
      SELECT id, id, 'ACCOUNT', id::text::bytea, 'k', 0, '{}', 'n', now() FROM accounts.accounts;
    INSERT INTO accounts.totp_secrets (owner_id, owner_kind, secret, created_at) SELECT id, 'ACCOUNT', 's', now() FROM accounts.accounts;
    INSERT INTO accounts.recovery_codes (owner_id, code_hash, created_at) SELECT id, sha256(id::text::bytea), now() FROM accounts.accounts;
  `);
await kit.database.asOwner(
  'ANALYZE accounts.accounts, accounts.one_time_tokens, accounts.api_keys, accounts.follows, accounts.login_failures, accounts.sessions, accounts.passkeys, accounts.totp_secrets, accounts.recovery_codes',
);
watchStatements(kit.database.dataSource, (one) => statements.push(one));
const pool = openAccountsPool(kit.database.url, quietLog);
const parts = { pool: notedPool(pool), keyRing: testKeyRing, clock: kit.clock };
const authenticator = createAuthenticator({ ...parts, log: quietLog });
const guard = createLoginGuard(parts);

afterAll(async () => {
  await authenticator.close();
  await pool.end();
  await kit.close();
});

/** Returns the statements of some work that scan a whole table of the accounts. */
async function scansOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  statements = [];
  await work();
  const ran = statements.filter(
    ({ text }) => /^\s*(SELECT|UPDATE|DELETE|INSERT|WITH)/.test(text) && /\baccounts\b/.test(text),
  );
  expect(ran).not.toEqual([]);
  const scans: string[] = [];
  for (const { text, values } of ran) {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [...values]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    // For a handful of rows, reading all is fastest.
    if (/Seq Scan on (?!signing_keys)/.test(plan)) scans.push(`${text}\n${plan}`);
  }
  return scans;
}

test('who calls is found by an index, by key and by session', async () => {
  const { accessToken, principal } = await kit.member('ana@casa.example');
  const { data } = await kit.run('mutation { createApiKey(name: "k") { id key } }', {}, { principal });
  const { id, key } = data?.['createApiKey'] as { id: string; key: string };
  expect(await scansOf(() => authenticator.authenticate({ apiKey: key }))).toEqual([]);
  expect(await scansOf(() => authenticator.authenticate({ bearer: accessToken }))).toEqual([]);
  authenticator.touch({ kind: 'API_KEY', id });
  expect(await scansOf(() => authenticator.flush())).toEqual([]);
  expect(await scansOf(() => kit.run('{ me { id } apiKeys { id } }', {}, { principal }))).toEqual([]);
});

test('the session of a cookie and the second factors of its owner are found by an index', async () => {
  const { accessToken, principal } = await kit.member('clara@casa.example');
  const cookie = 'A'.repeat(43);
  await kit.database.dataSource.query(
    `UPDATE accounts.sessions SET cookie_hash = $2, idle_seconds = 1800, proved_at = created_at WHERE id = $1`,
    [principal.id, sha256(cookie)],
  );
  expect(await scansOf(() => authenticator.findBrowserSession(cookie))).toEqual([]);
  expect(await authenticator.findBrowserSession(cookie)).toMatchObject({ id: principal.id, enrolled: false });
  expect(await scansOf(() => kit.run('{ secondFactors { recoveryCodesLeft } }', {}, { principal }))).toEqual([]);
  // A token names the same row, which a cookie authenticates now.
  expect(await authenticator.authenticate({ bearer: accessToken })).toBeUndefined();
});

test('an e-mail is found by an index, whatever is done with it', async () => {
  const email = 'Bruno@casa.example';
  const forgot = 'mutation ($email: String!) { forgotPassword(email: $email) { message } }';
  const resend = 'mutation ($email: String!) { resendVerification(email: $email) { message } }';
  expect(await scansOf(() => kit.register(email))).toEqual([]);
  expect(await scansOf(() => kit.run(resend, { email }))).toEqual([]);
  expect(await scansOf(() => kit.run(forgot, { email }))).toEqual([]);
  const reset = 'mutation ($token: String!) { resetPassword(token: $token, password: "new password 1") { message } }';
  const resetToken = await kit.tokenFor(email);
  expect(await scansOf(() => kit.run(reset, { token: resetToken }))).toEqual([]);
  await kit.register(email);
  const token = await kit.tokenFor(email);
  expect(await scansOf(() => kit.run(verifyText, { token }))).toEqual([]);
  expect(await scansOf(() => kit.login(email))).toEqual([]);
  expect(await scansOf(async () => (await guard.begin(email, { id: 'network', isKnown: false })).fail())).toEqual([]);
});
