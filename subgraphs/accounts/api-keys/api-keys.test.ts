import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Principal, anonymous } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import { openAccounts } from '../../../tests/accounts/kit.js';
import type { Outcome } from '../../../tests/kit/run-on.js';
import { parseKey } from './key-form.js';

const kit = await openAccounts();
afterAll(() => kit.close());
const createText = 'mutation ($name: String!) { createApiKey(name: $name) { id prefix key name expiresAt rateLimit } }';
const listText =
  '{ apiKeys { id prefix name status rateLimit expiresAt lastUsedAt requestCount createdAt revokedAt } }';

interface Created {
  readonly id: string;
  readonly prefix: string;
  readonly key: string;
}

const create = (principal: Principal, name = 'key') => kit.run(createText, { name }, { principal });
const created = ({ data }: Outcome) => data?.['createApiKey'] as Created;
const revoke = (principal: Principal, id: string) =>
  kit.run('mutation ($id: ID!) { revokeApiKey(id: $id) }', { id }, { principal });
const list = async (principal: Principal) =>
  (await kit.run(listText, {}, { principal })).data?.['apiKeys'] as Record<string, unknown>[];
const authenticate = (apiKey: string) => kit.accounts.authenticator.authenticate({ apiKey });

describe('creating a key', () => {
  test('keeps only a SHA-256 of it', async () => {
    const { principal, id } = await kit.member('hash@casa.example');
    const { key } = created(await create(principal));
    const rows = await kit.database.dataSource.query<{ secret_hash: Buffer; text: string }[]>(
      'SELECT secret_hash, k::text AS text FROM accounts.api_keys k WHERE account_id = $1',
      [id],
    );
    expect(rows[0]?.secret_hash).toHaveLength(32);
    expect(rows[0]?.text).not.toContain(key.split('.')[1]);
  });

  test('does not count expired keys, which show ACTIVE with a past expiresAt', async () => {
    const { principal, id } = await kit.member('expired@casa.example');
    for (let round = 0; round < 5; round += 1) await create(principal);
    await kit.database.dataSource.query(
      `UPDATE accounts.api_keys SET created_at = created_at - interval '366 days', expires_at = expires_at - interval '366 days'
       WHERE id = (SELECT id FROM accounts.api_keys WHERE account_id = $1 LIMIT 1)`,
      [id],
    );
    expect((await create(principal)).error).toBeUndefined();
    expect((await create(principal)).error?.statusCode).toBe(409);
    const keys = await list(principal);
    expect(keys).toHaveLength(6);
    expect(keys.map((key) => key['status'])).toEqual(Array(6).fill('ACTIVE'));
    expect(keys.filter((key) => String(key['expiresAt']) < kit.clock.now().toISOString())).toHaveLength(1);
  });

  test.each(['', ' ', 'n'.repeat(201), 'a\u0000b'])('refuses a name that is none (%#) with 400', async (name) => {
    const { principal } = await kit.member(`${newId()}@casa.example`);
    expect((await create(principal, name)).error).toMatchObject({ statusCode: 400, details: [{ path: 'name' }] });
  });
});

test('revoking a key is for good, and twice is no error and keeps the first moment', async () => {
  const { principal } = await kit.member('again@casa.example');
  const { id } = created(await create(principal));
  await revoke(principal, id);
  const [first] = await list(principal);
  expect(first).toMatchObject({ status: 'REVOKED', revokedAt: kit.clock.now().toISOString() });
  kit.clock.advance(1000);
  expect((await revoke(principal, id)).data).toEqual({ revokeApiKey: true });
  expect((await list(principal))[0]).toEqual(first);
});

describe('listing keys', () => {
  test('shows only those of the account, never a secret, and those not revoked first', async () => {
    const { principal } = await kit.member('list@casa.example');
    const first = created(await create(principal, 'first'));
    kit.clock.advance(1000);
    const second = created(await create(principal, 'second'));
    kit.clock.advance(1000);
    const third = created(await create(principal, 'third'));
    await revoke(principal, third.id);
    const keys = await list(principal);
    expect(keys.map((key) => key['name'])).toEqual(['second', 'first', 'third']);
    for (const { key } of [first, second, third]) {
      expect(JSON.stringify(keys)).not.toContain(parseKey(key)?.text.split('.')[1]);
    }
  });

  test('stays bounded, whatever an account created and revoked', async () => {
    const { principal, id } = await kit.member('many@casa.example');
    await kit.database.dataSource.query(
      `INSERT INTO accounts.api_keys (id, account_id, prefix, secret_hash, name, rate_limit, created_at, expires_at, revoked_at)
       SELECT gen_random_uuid(), $1, 'svcpub_' || lpad(n::text, 11, '0'), sha256(n::text::bytea), 'k', 60, $2::timestamptz,
         $2::timestamptz + interval '365 days', $2::timestamptz FROM generate_series(1, 300) n`,
      [id, new Date(kit.clock.now().getTime() - 7_200_000)],
    );
    await create(principal, 'living');
    const keys = await list(principal);
    expect(keys).toHaveLength(200);
    expect(keys[0]).toMatchObject({ name: 'living' });
  });
});

describe('replacing a key', () => {
  const dayMs = 86_400_000;

  async function create(principal: Principal, name = 'Painel'): Promise<Created> {
    const made = await kit.run(createText, { name }, { principal });
    if (made.error !== undefined) throw new Error(made.error.message);
    return created(made);
  }

  const rotate = (principal: Principal, id: string, graceDays: number) =>
    kit.run(
      `mutation ($id: ID!, $graceDays: Int!) { rotateApiKey(id: $id, graceDays: $graceDays) {
      newKey { id prefix key name expiresAt rateLimit } oldKey { id status expiresAt revokedAt replacedBy }
    } }`,
      { id, graceDays },
      { principal },
    );
  const rotated = async (principal: Principal, id: string, graceDays: number) => {
    const { data, error } = await rotate(principal, id, graceDays);
    if (error !== undefined) throw new Error(error.message);
    return data?.['rotateApiKey'] as { readonly newKey: Created; readonly oldKey: Record<string, unknown> };
  };
  const works = async (key: Created) =>
    (await kit.accounts.authenticator.authenticate({ apiKey: key.key })) !== undefined;
  const daysFromNow = (days: number) => new Date(kit.clock.now().getTime() + days * dayMs).toISOString();

  describe('rotating a key', () => {
    test('makes a new one with its name and limit; both work until the grace period ends, and are listed as a pair', async () => {
      const { principal } = await kit.member('pair@rotate.example');
      const old = await create(principal);
      await kit.database.dataSource.query('UPDATE accounts.api_keys SET rate_limit = 7 WHERE id = $1', [old.id]);
      const start = kit.clock.now();
      const { newKey, oldKey } = await rotated(principal, old.id, 3);
      expect(newKey).toMatchObject({ name: 'Painel', rateLimit: 7, expiresAt: daysFromNow(365) });
      expect(oldKey).toEqual({
        id: old.id,
        status: 'ACTIVE',
        expiresAt: daysFromNow(3),
        revokedAt: null,
        replacedBy: newKey.id,
      });
      expect(await Promise.all([works(old), works(newKey)])).toEqual([true, true]);
      const { data } = await kit.run('{ apiKeys { id replacedBy } }', {}, { principal });
      expect(data?.['apiKeys']).toEqual(
        expect.arrayContaining([
          { id: newKey.id, replacedBy: null },
          { id: old.id, replacedBy: newKey.id },
        ]),
      );
      kit.clock.advance(3 * dayMs);
      expect(await Promise.all([works(old), works(newKey)])).toEqual([false, true]);
      kit.clock.set(start);
    });

    test('without a grace period revokes the old one at once', async () => {
      const { principal } = await kit.member('now@rotate.example');
      const old = await create(principal);
      expect(await works(old)).toBe(true);
      const { newKey, oldKey } = await rotated(principal, old.id, 0);
      expect(oldKey).toMatchObject({ status: 'REVOKED', revokedAt: daysFromNow(0), replacedBy: newKey.id });
      expect(await Promise.all([works(old), works(newKey)])).toEqual([false, true]);
    });

    test('never makes the old one work longer than before', async () => {
      const { principal } = await kit.member('ending@rotate.example');
      const old = await create(principal);
      await kit.database.dataSource.query('UPDATE accounts.api_keys SET expires_at = $2 WHERE id = $1', [
        old.id,
        daysFromNow(2),
      ]);
      expect((await rotated(principal, old.id, 30)).oldKey).toMatchObject({ expiresAt: daysFromNow(2) });
    });

    test('tells the owner by mail, and the audit log, without either secret', async () => {
      const { principal, id } = await kit.member('told@rotate.example');
      const old = await create(principal);
      const { newKey } = await rotated(principal, old.id, 1);
      const [mail] = await kit.mailbox('told@rotate.example');
      expect(mail?.subject).toBe('Uma chave sua foi trocada');
      expect(mail?.text).toContain(old.prefix);
      expect(mail?.text).toContain(newKey.prefix);
      const entries = await kit.database.dataSource.query<object[]>(
        `SELECT before, after FROM shared.audit_log WHERE action = 'rotateApiKey' AND subject_id = $1 AND actor_id = $2`,
        [old.id, id],
      );
      expect(entries).toEqual([
        expect.objectContaining({ after: expect.objectContaining({ graceDays: 1 }) as unknown }),
      ]);
      for (const { key } of [old, newKey]) expect(JSON.stringify([mail, entries])).not.toContain(key.slice(19));
    });

    test('is no sixth key: five can be rotated, and a replaced one counts again once its replacement is revoked', async () => {
      const { principal } = await kit.member('five@rotate.example');
      const keys: Created[] = [];
      for (let round = 0; round < 5; round += 1) keys.push(await create(principal, `key ${round}`));
      const { newKey } = await rotated(principal, keys[0]?.id ?? '', 30);
      await expect(create(principal)).rejects.toThrow('already has 5 active keys');
      await revoke(principal, newKey.id);
      await expect(create(principal)).rejects.toThrow('already has 5 active keys');
    });

    test('is refused with 409 for a key that was rotated, revoked or has expired, and while its predecessor works', async () => {
      const { principal } = await kit.member('refused@rotate.example');
      const old = await create(principal);
      const { newKey } = await rotated(principal, old.id, 30);
      const codeOf = async (id: string) => (await rotate(principal, id, 1)).error?.statusCode;
      expect(await codeOf(old.id)).toBe(409);
      expect(await codeOf(newKey.id)).toBe(409);
      await revoke(principal, old.id);
      expect(await codeOf(newKey.id)).toBeUndefined();
      const revoked = await create(principal);
      await revoke(principal, revoked.id);
      expect(await codeOf(revoked.id)).toBe(409);
      const expired = await create(principal);
      await kit.database.dataSource.query(
        `UPDATE accounts.api_keys SET created_at = created_at - interval '1 day', expires_at = $2 WHERE id = $1`,
        [expired.id, kit.clock.now()],
      );
      expect(await codeOf(expired.id)).toBe(409);
    });

    test('of ten requests at once succeeds once', async () => {
      const { principal } = await kit.member('race@rotate.example');
      const old = await create(principal);
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => rotate(principal, old.id, 30)));
      expect(outcomes.filter(({ error }) => error === undefined)).toHaveLength(1);
      expect(outcomes.filter(({ error }) => error?.statusCode === 409)).toHaveLength(9);
    });

    test('takes 0 to 30 days; a form gets the error as data', async () => {
      const { principal } = await kit.member('days@rotate.example');
      const old = await create(principal);
      for (const days of [-1, 31]) {
        expect((await rotate(principal, old.id, days)).error).toMatchObject({
          statusCode: 400,
          details: [{ path: 'graceDays' }],
        });
      }
      const { data } = await kit.run(
        `mutation ($id: ID!) { rotateApiKeyResult(id: $id, graceDays: 31) { __typename ... on InputErrors { details { path } } } }`,
        { id: old.id },
        { principal },
      );
      expect(data?.['rotateApiKeyResult']).toEqual({ __typename: 'InputErrors', details: [{ path: 'graceDays' }] });
      expect(await works(old)).toBe(true);
    });

    test('is for the owner alone, with a session: 404 for others, 401 without one', async () => {
      const owner = await kit.member('owner@rotate.example');
      const thief = await kit.member('thief@rotate.example');
      const old = await create(owner.principal);
      for (const id of [old.id, 'nonsense']) expect((await rotate(thief.principal, id, 1)).error?.statusCode).toBe(404);
      expect((await rotate(anonymous('203.0.113.7'), old.id, 1)).error?.statusCode).toBe(401);
      expect(await works(old)).toBe(true);
    });
  });

  test('an account makes thirty keys of a kind in an hour, new or by rotation, so that its limits cannot be had anew without end', async () => {
    const { principal } = await kit.member('restless@rotate.example');
    const start = kit.clock.now();
    let { id } = await create(principal);
    for (let made = 1; made < 30; made++) ({ id } = (await rotated(principal, id, 0)).newKey);
    const refused = await rotate(principal, id, 0);
    expect(refused.error).toMatchObject({ statusCode: 429, retryAfterSeconds: 3600 });
    expect((await kit.run('mutation { createApiKey(name: "n") { id } }', {}, { principal })).error?.statusCode).toBe(
      429,
    );
    kit.clock.advance(3_600_000);
    ({ id } = (await rotated(principal, id, 0)).newKey);
    expect(id).toBeDefined();
    kit.clock.set(start);
  });

  describe('rotating a developer key', () => {
    const createText = `mutation { createDeveloperKey(name: "k", scopes: ["webhooks:read", "credit:read"]) { id prefix key } }`;
    const rotateText = `mutation ($id: ID!) { rotateDeveloperKey(id: $id, graceDays: 2) {
    newKey { id key scopes } oldKey { id replacedBy scopes }
  } }`;

    test('keeps its scopes', async () => {
      const { principal } = await kit.member('developer@rotate.example');
      const { data: made } = await kit.run(createText, {}, { principal });
      const old = made?.['createDeveloperKey'] as Created;
      const { data } = await kit.run(rotateText, { id: old.id }, { principal });
      const { newKey, oldKey } = data?.['rotateDeveloperKey'] as { newKey: Created; oldKey: object };
      const scopes = ['credit:read', 'webhooks:read'];
      expect(newKey).toMatchObject({ scopes });
      expect(oldKey).toEqual({ id: old.id, replacedBy: newKey.id, scopes });
      expect(await kit.accounts.authenticator.authenticate({ apiKey: newKey.key })).toMatchObject({ scopes });
      expect(await works(old)).toBe(true);
    });
  });
});

describe("a developer's key", () => {
  const createText = `mutation ($name: String!, $scopes: [String!]!) {
  createDeveloperKey(name: $name, scopes: $scopes) { id prefix key name scopes expiresAt rateLimit }
}`;
  const create = (principal: Principal, scopes = ['webhooks:read'], name = 'key') =>
    kit.run(createText, { name, scopes }, { principal });
  const created = ({ data }: Outcome) => data?.['createDeveloperKey'] as Created;
  const revoke = (principal: Principal, id: string) =>
    kit.run('mutation ($id: ID!) { revokeDeveloperKey(id: $id) }', { id }, { principal });

  test('is svc_dev_<random>, shown once, and kept as its SHA-256 alone', async () => {
    const { principal } = await kit.member('ana@dev.example');
    const key = created(await create(principal, ['webhooks:write', 'contracts:read', 'contracts:read'], ' Painel '));
    expect(key).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      prefix: key.key.slice(0, 19),
      key: expect.stringMatching(/^svc_dev_[0-9A-Za-z]{44}$/),
      name: 'Painel',
      scopes: ['contracts:read', 'webhooks:write'],
      expiresAt: new Date(kit.clock.now().getTime() + 365 * 86_400_000).toISOString(),
      rateLimit: 60,
    });
    const { data } = await kit.run(
      '{ developerKeys { id prefix name scopes status rateLimit expiresAt createdAt revokedAt } }',
      {},
      { principal },
    );
    expect(data?.['developerKeys']).toEqual([
      expect.objectContaining({ id: key.id, prefix: key.prefix, status: 'ACTIVE', revokedAt: null }),
    ]);
    const rows = await kit.database.dataSource.query<object[]>('SELECT * FROM accounts.developer_keys');
    expect(JSON.stringify(rows)).not.toContain(key.key.slice(19));
  });

  test('makes the caller: its id, the account as owner, its scopes, its end', async () => {
    const { principal, id: ownerId } = await kit.member('caller@dev.example');
    const { id, key } = created(await create(principal, ['webhooks:read', 'webhooks:write']));
    const caller = {
      kind: 'DEVELOPER_KEY',
      id,
      ownerId,
      scopes: ['webhooks:read', 'webhooks:write'],
      expiresAt: new Date(kit.clock.now().getTime() + 365 * 86_400_000),
    };
    expect(await authenticate(key)).toEqual(caller);
    expect(await kit.accounts.authenticator.authenticate({ bearer: key })).toEqual(caller);
  });

  test('that was revoked is refused at once; again changes nothing', async () => {
    const { principal } = await kit.member('revoked@dev.example');
    const { id, key } = created(await create(principal));
    expect(await authenticate(key)).toBeDefined();
    for (let times = 0; times < 2; times += 1) {
      expect((await revoke(principal, id)).data).toEqual({ revokeDeveloperKey: true });
      expect(await authenticate(key)).toBeUndefined();
    }
  });

  test('of someone else cannot be revoked: 404, as for one that does not exist', async () => {
    const owner = await kit.member('owner@dev.example');
    const thief = await kit.member('thief@dev.example');
    const { id, key } = created(await create(owner.principal));
    for (const wanted of [id, 'nonsense']) expect((await revoke(thief.principal, wanted)).error?.statusCode).toBe(404);
    expect(await authenticate(key)).toBeDefined();
  });

  test('needs a session and a confirmed e-mail', async () => {
    await kit.register('waiting@dev.example');
    const waiting = await kit.session('waiting@dev.example');
    expect((await create(waiting)).error?.statusCode).toBe(403);
    expect((await create({ ...waiting, scopes: ['confirmed'] })).error?.statusCode).toBe(403);
    expect((await create(anonymous('203.0.113.7'))).error?.statusCode).toBe(401);
    const key: Principal = { kind: 'DEVELOPER_KEY', id: 'k', ownerId: waiting.ownerId, scopes: ['webhooks:write'] };
    expect((await create(key)).error?.statusCode).toBe(403);
  });

  test('with scopes that are none, or no scope, is refused with all errors at once', async () => {
    const { principal } = await kit.member('scopes@dev.example');
    const known = 'must be one of contracts:read, credit:read, webhooks:read, webhooks:write';
    expect((await create(principal, ['operator', 'webhooks:read', 'x'], '')).error).toMatchObject({
      statusCode: 400,
      details: [
        { path: 'name', message: expect.anything() },
        { path: 'scopes[0]', message: known },
        { path: 'scopes[2]', message: known },
      ],
    });
    expect((await create(principal, [])).error).toMatchObject({ statusCode: 400, details: [{ path: 'scopes' }] });
  });

  test('a twenty-first working key is refused, also when many are asked for at once', async () => {
    const { principal } = await kit.member('many@dev.example');
    const outcomes = await Promise.all(Array.from({ length: 25 }, () => create(principal)));
    expect(outcomes.filter(({ error }) => error === undefined)).toHaveLength(20);
    expect(outcomes.filter(({ error }) => error?.statusCode === 409)).toHaveLength(5);
  });
});

const start = '2026-11-20T15:00:00Z';
const dayMs = 86_400_000;
async function runJob(): Promise<void> {
  await kit.accounts.jobs.find(({ name }) => name === 'accounts.key-expiry')?.run(kit.context);
}

/** An account with an API key and a developer key, which end in a year. */
async function memberWithKeys(email: string) {
  const member = await kit.member(email);
  const { principal } = member;
  const { data } = await kit.run(
    `mutation { createApiKey(name: "k") { id prefix } createDeveloperKey(name: "k", scopes: ["webhooks:read"]) { id prefix } }`,
    {},
    { principal },
  );
  const made = data as Record<'createApiKey' | 'createDeveloperKey', { id: string; prefix: string }>;
  return { ...member, apiKey: made.createApiKey, developerKey: made.createDeveloperKey };
}

const notices = async (email: string) =>
  (await kit.mailbox(email)).filter(({ subject }) => /venc|expire/.test(subject)).reverse();
const daysBefore = (days: number) => new Date(Date.parse(start) + (365 - days) * dayMs);

describe('the notice of keys that expire', () => {
  beforeEach(() => {
    kit.clock.set(start);
  });

  test('is mailed 30, 10 and 1 days ahead, once each, for all keys together', async () => {
    const email = 'ana@casa.example';
    const { apiKey, developerKey } = await memberWithKeys(email);
    const sent: number[] = [];
    for (const days of [31, 30, 29, 11, 10, 9, 2, 1, 0.5, 0]) {
      kit.clock.set(daysBefore(days));
      await runJob();
      await runJob();
      sent.push((await notices(email)).length);
    }
    expect(sent).toEqual([0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
    const [first] = await notices(email);
    expect(first?.subject).toBe('Chaves suas vencem em breve');
    for (const { prefix } of [apiKey, developerKey]) expect(first?.text).toContain(prefix);
    expect(first?.text).toContain('20/11/2027, às 12:00 (horário de Brasília)');
  });

  test('is mailed once when two processes run the job at the same time', async () => {
    const email = 'two@casa.example';
    await memberWithKeys(email);
    kit.clock.set(daysBefore(30));
    await Promise.all([runJob(), runJob(), runJob()]);
    expect(await notices(email)).toHaveLength(1);
  });

  test('leaves out periods that passed while nothing ran', async () => {
    const email = 'late@casa.example';
    await memberWithKeys(email);
    kit.clock.set(daysBefore(1));
    await runJob();
    await runJob();
    expect(await notices(email)).toHaveLength(1);
  });

  test('leaves out keys that were revoked or rotated, and disabled accounts', async () => {
    const email = 'rotated@casa.example';
    const { apiKey, developerKey } = await memberWithKeys(email);
    kit.clock.set(daysBefore(40));
    const principal = await kit.session(email);
    await kit.run(
      'mutation ($a: ID!, $b: ID!) { rotateApiKey(id: $a, graceDays: 30) { oldKey { id } } revokeDeveloperKey(id: $b) }',
      { a: apiKey.id, b: developerKey.id },
      { principal },
    );
    kit.clock.set(daysBefore(11));
    await runJob();
    expect(await notices(email)).toEqual([]);

    const disabled = 'disabled@casa.example';
    kit.clock.set(start);
    const { id } = await memberWithKeys(disabled);
    await kit.database.dataSource.query(
      `UPDATE accounts.accounts SET disabled_at = $2, disabled_reason = 'test' WHERE id = $1`,
      [id, kit.clock.now()],
    );
    kit.clock.set(daysBefore(30));
    await runJob();
    expect(await notices(disabled)).toEqual([]);
  });

  test('that the limit of notices holds back is mailed by a later run', async () => {
    const email = 'limit@casa.example';
    const { id } = await memberWithKeys(email);
    kit.clock.set(daysBefore(30));
    const now = kit.clock.now();
    await kit.database.dataSource.query(
      `UPDATE accounts.accounts SET noticed_at = array_fill($2::timestamptz, ARRAY[5]) WHERE id = $1`,
      [id, now],
    );
    await runJob();
    expect(await notices(email)).toEqual([]);
    kit.clock.set(new Date(now.getTime() + 3_600_001));
    await runJob();
    expect(await notices(email)).toHaveLength(1);
  });

  test('is in the language of the account', async () => {
    const email = 'english@casa.example';
    const { principal, apiKey } = await memberWithKeys(email);
    const { data } = await kit.run('mutation { changeMailSettings(language: EN) { language } }', {}, { principal });
    expect(data?.['changeMailSettings']).toEqual({ language: 'EN' });
    expect((await kit.run('{ mailSettings { language } }', {}, { principal })).data?.['mailSettings']).toEqual({
      language: 'EN',
    });
    kit.clock.set(daysBefore(10));
    await runJob();
    const [mail] = await notices(email);
    expect(mail?.subject).toContain('about to expire');
    expect(mail?.text).toContain(apiKey.prefix);
    expect(mail?.text).toContain('Hello, Ana Souza.');
  });
});
