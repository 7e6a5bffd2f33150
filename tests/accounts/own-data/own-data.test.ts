import { afterAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/kernel/ids.js';
import { openTestPlatform } from '../../kit/platform.js';
import { until } from '../../kit/until.js';
import { callerOf, password, type Caller } from '../http.js';

const platform = await openTestPlatform({
  RATE_LIMIT_ACCOUNTS: '100000',
  RATE_LIMIT_SESSION: '100000',
  RATE_LIMIT_API_KEY: '100000',
});
const caller = callerOf(platform);
afterAll(() => platform.close());

type Session = Awaited<ReturnType<Caller['member']>>;

const sql = <T>(text: string, values: unknown[] = []) =>
  platform.infrastructure.context.manager.query<T[]>(text, values);
const deleteAccount = (session: Session, given: string) =>
  caller.graphql(
    'mutation ($password: String!) { deleteMyAccount(password: $password) }',
    { password: given },
    session,
  );
const statusOf = ({ body }: { readonly body: unknown }) =>
  (body as { errors?: { extensions: { statusCode: number } }[] }).errors?.[0]?.extensions.statusCode ?? 200;

async function fullAccount(email: string) {
  const session = await caller.member(email);
  const { body: me } = await caller.send('GET', '/v1/emissoes/auth/me', undefined, session);
  const { id } = me as { id: string };
  const { body: apiKey } = await caller.post('/v1/emissoes/keys', { name: 'k' }, session);
  const { body: developerKey } = await caller.graphql(
    'mutation { createDeveloperKey(name: "k", scopes: ["webhooks:read", "webhooks:write"]) { key } }',
    {},
    session,
  );
  await caller.graphql('mutation { followOperation(ticker: "CRI1") { ticker } }', {}, session);
  const keys = [
    (apiKey as { key: string }).key,
    (developerKey as { data: { createDeveloperKey: { key: string } } }).data.createDeveloperKey.key,
  ] as const;
  const hook = {
    url: 'https://receiver.example/hook/ana@casa.example?token=1',
    events: ['tranche.status_changed'],
    description: 'of Ana',
  };
  const made = await caller.post('/developer/webhooks', hook, { 'x-api-key': keys[1] });
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
  await sql(
    `INSERT INTO accounts.key_days (key_id, day, account_id, requests, refused)
     SELECT id, '2026-11-20', account_id, 3, 1 FROM accounts.api_keys WHERE account_id = $1`,
    [id],
  );
  await sql(
    `INSERT INTO accounts.request_log (at, id, account_id, key_id, method, route, status, duration_ms)
     SELECT now(), id, account_id, id, 'GET', '/v1/emissoes/operacoes', 200, 3 FROM accounts.api_keys WHERE account_id = $1`,
    [id],
  );
  const originator = newId();
  await sql(
    `INSERT INTO credit_assignment.originators (id, name, account_id, status, created_at, updated_at)
     VALUES ($1, 'Banco', $2, 'ACTIVE', now(), now())`,
    [originator, id],
  );
  return { id, session, keys, originator };
}

/** Gives an account one second factor of each kind; from then on its password is not enough for a token. */
async function addFactors(id: string): Promise<void> {
  await sql(
    `INSERT INTO accounts.passkeys (id, owner_id, owner_kind, credential_id, public_key, counter, transports, name, created_at)
     VALUES ($1, $2, 'ACCOUNT', $3, '\\x01', 0, '{}', 'Notebook', now())`,
    [newId(), id, Buffer.from(id)],
  );
  await sql(
    `INSERT INTO accounts.totp_secrets (owner_id, owner_kind, secret, created_at, confirmed_at)
     VALUES ($1, 'ACCOUNT', '\\x01', now(), now())`,
    [id],
  );
  await sql(
    'INSERT INTO accounts.recovery_codes (owner_id, code_hash, created_at) SELECT $1, sha256($2::bytea), now()',
    [id, Buffer.from(id)],
  );
}

test('the export of an account holds all that is held about it, and no secret', async () => {
  const email = 'export@casa.example';
  const { id, session, keys } = await fullAccount(email);
  await addFactors(id);
  // It comes by an event.
  await until('the mail about the webhook', async () =>
    (await caller.mailbox(email)).some(({ subject }) => subject === 'Novo webhook na sua conta'),
  );
  const { body } = await caller.graphql('{ exportMyData }', {}, session);
  const { exportMyData: text } = (body as { data: { exportMyData: string } }).data;
  const some = (...all: object[]) => expect.arrayContaining(all.map((one) => expect.objectContaining(one) as unknown));
  expect(JSON.parse(text)).toMatchObject({
    exportedAt: expect.any(String),
    account: { id, email, name: 'Ana Souza', company: 'Casa', ownerType: 'EMISSOES_USER' },
    sessions: [{ network: '127.0.0.0/24', endReason: null }],
    passkeys: [{ name: 'Notebook' }],
    totpSince: expect.any(String),
    networks: [{ network: '127.0.0.0/24' }],
    apiKeys: [{ prefix: keys[0].slice(0, 18) }],
    developerKeys: [{ prefix: keys[1].slice(0, 19), scopes: ['webhooks:read', 'webhooks:write'] }],
    // Besides today's, once the program has written what it counted.
    keyDays: some({ day: '2026-11-20', requests: 3, refused: 1 }),
    requests: [{ path: '/v1/emissoes/operacoes' }],
    followedTickers: ['CRI1'],
    links: [{ purpose: 'CONFIRM', usedAt: expect.any(String) }],
    mails: [
      'Novo webhook na sua conta',
      'Nova chave na sua conta',
      'Nova chave na sua conta',
      'Confirme seu e-mail',
    ].map((subject) => ({ subject })),
    acts: some(
      ...['createApiKey', 'createDeveloperKey'].map((action) => ({ action, outcome: 'DONE', source: '127.0.0.1' })),
    ),
  });
  for (const key of keys) expect(text).not.toContain(key);
});

describe('the deletion of an account', () => {
  test('takes everything that names its owner, refuses its credentials, and frees its e-mail', async () => {
    const email = 'delete@casa.example';
    const { id, session, keys, originator } = await fullAccount(email);
    await addFactors(id);
    expect(statusOf(await deleteAccount(session, 'wrong password 1'))).toBe(422);
    expect((await deleteAccount(session, password)).body).toEqual({ data: { deleteMyAccount: true } });

    expect((await caller.send('GET', '/v1/emissoes/auth/me', undefined, session)).status).toBe(401);
    const byKey = { 'x-api-key': keys[0] };
    expect((await caller.send('GET', '/v1/emissoes/operacoes', undefined, byKey)).status).toBe(401);
    expect((await caller.post('/v1/emissoes/auth/login', { email, password })).status).toBe(401);

    const columns = await sql<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'accounts' AND column_name IN ('account_id', 'owner_id')`,
    );
    expect(columns.length).toBeGreaterThan(8);
    for (const { table, column } of columns) {
      expect([table, await sql(`SELECT FROM accounts.${table} WHERE ${column} = $1`, [id])]).toEqual([table, []]);
    }
    expect(await sql('SELECT FROM accounts.accounts WHERE lower(email) = $1', [email])).toEqual([]);
    expect((await caller.mailbox(email)).map(({ subject }) => subject)).toContain('Sua conta foi excluída');

    const left = () => sql('SELECT FROM webhooks.subscriptions WHERE owner_id = $1 AND deleted_at IS NULL', [id]);
    await until('the webhooks of the account to be deleted', async () => (await left()).length === 0);
    expect(await sql('SELECT url, description FROM webhooks.subscriptions WHERE owner_id = $1', [id])).toEqual([
      { url: 'https://receiver.example', description: null },
    ]);
    const linked = () =>
      sql<{ account: string | null }>('SELECT account_id AS account FROM credit_assignment.originators WHERE id = $1', [
        originator,
      ]);
    await until('the originator to be unlinked', async () => (await linked())[0]?.account === null);
    expect(await linked()).toEqual([{ account: null }]);

    const again = await caller.member(email);
    expect((await caller.send('GET', '/v1/emissoes/auth/me', undefined, again)).status).toBe(200);
  });

  test('takes the responses with it that callers without a credential got under an idempotency key', async () => {
    const email = 'replayed@casa.example';
    await caller.post('/v1/emissoes/auth/register', { name: 'Ana Souza', email, password, company: 'Casa' });
    const token = await caller.tokenFor(email);
    const verify = () => caller.post('/v1/emissoes/auth/verify-email', { token }, { 'x-idempotency-key': 'verify-1' });
    const login = () => caller.post('/v1/emissoes/auth/login', { email, password }, { 'x-idempotency-key': 'login-1' });
    const { accessToken, user } = (await verify()).body as { accessToken: string; user: { id: string } };
    const stored = () => sql('SELECT FROM shared.idempotent_answers WHERE about = $1', [user.id]);
    for (const open of [verify, login]) {
      const { body } = await open();
      expect((await open()).body).toEqual(body);
    }
    expect(await stored()).toHaveLength(2);
    const deleted = await deleteAccount({ authorization: `Bearer ${accessToken}` }, password);
    expect(deleted.body).toEqual({ data: { deleteMyAccount: true } });
    expect(await stored()).toEqual([]);
    expect([(await verify()).status, (await login()).status]).toEqual([422, 401]);
  });

  test('leaves no key behind that was being made at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = `race-${round}@casa.example`;
      const session = await caller.member(email);
      const [deleted, ...made] = await Promise.all([
        deleteAccount(session, password),
        ...Array.from({ length: 4 }, () => caller.post('/v1/emissoes/keys', { name: 'k' }, session)),
      ]);
      expect(deleted.body).toEqual({ data: { deleteMyAccount: true } });
      for (const { status } of made) expect([201, 401]).toContain(status);
      for (const { body } of made.filter(({ status }) => status === 201)) {
        const { key } = body as { key: string };
        const use = () => caller.send('GET', '/v1/emissoes/operacoes', undefined, { 'x-api-key': key });
        expect((await use()).status).toBe(401);
      }
    }
  });
});

test('the audit log has an entry of each act on an account, which names it by its id and holds no secret', async () => {
  const email = 'audited@casa.example';
  const { id, session } = await fullAccount(email);
  const next = 'ponte-nova-1966';
  await caller.post('/v1/emissoes/auth/login', { email, password: 'wrong password 1' });
  await caller.graphql(
    'mutation ($a: String!, $b: String!) { changePassword(currentPassword: $a, newPassword: $b) }',
    { a: password, b: next },
    session,
  );
  const { body } = await caller.post('/v1/emissoes/auth/login', { email, password: next });
  await caller.post('/v1/emissoes/auth/logout', undefined, {
    authorization: `Bearer ${(body as { accessToken: string }).accessToken}`,
  });
  await caller.post('/v1/emissoes/auth/forgot-password', { email });
  await caller.post('/v1/emissoes/auth/reset-password', {
    token: await caller.tokenFor(email),
    password: 'ponte-terceira-1967',
    revokeKeys: true,
  });
  const entries = () =>
    sql<{ action: string; outcome: string }>(
      `SELECT action, outcome, before, after, reason FROM shared.audit_log
         WHERE actor_id = $1 OR subject_id = $1 OR (action = 'login' AND outcome = 'REFUSED') ORDER BY id`,
      [id],
    );
  const wanted = [
    'verifyEmail DONE',
    'createApiKey DONE',
    'createDeveloperKey DONE',
    'login REFUSED',
    'changePassword DONE',
    'login DONE',
    'logout DONE',
    'resetPassword DONE',
  ];
  const found = await until('the entries of the audit log', async () => {
    const all = await entries();
    expect(all.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(expect.arrayContaining(wanted));
    return all;
  });
  const text = JSON.stringify(found);
  for (const secret of [email, password, next]) expect(text).not.toContain(secret);
});

test('no request is stored without REQUEST_LOG_DAYS', async () => {
  const session = await caller.member('plain@casa.example');
  const { body: created } = await caller.post('/v1/emissoes/keys', { name: 'k' }, session);
  await caller.send('GET', '/v1/emissoes/operacoes', undefined, { 'x-api-key': (created as { key: string }).key });
  const { body } = await caller.graphql('{ requestLogDays requestLog { totalCount } }', {}, session);
  expect(body).toEqual({ data: { requestLogDays: 0, requestLog: { totalCount: 0 } } });
});
