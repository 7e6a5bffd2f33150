import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import { openAccounts, type AccountsKit, type Outcome } from '../../../tests/accounts/kit.js';
import { testKeyRing } from '../../../tests/kit/context.js';
import { rateLimitsOf } from '../../../tests/kit/rate-limits.js';
import { parseKey } from './key-form.js';

let kit: AccountsKit;

beforeAll(async () => {
  kit = await openAccounts();
});

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
  test('answers the full key once, good for 365 days and 60 requests a minute', async () => {
    const { principal } = await kit.member('ana@casa.example');
    const outcome = await create(principal, '  Painel  ');
    expect(created(outcome)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      prefix: expect.stringMatching(/^svcpub_[0-9A-Za-z]{11}$/),
      key: expect.stringMatching(/^svcpub_[0-9A-Za-z]{11}\.[0-9A-Za-z]{33}$/),
      name: 'Painel',
      expiresAt: '2027-11-20T15:00:00.000Z',
      rateLimit: 60,
    });
    expect(await list(principal)).toEqual([
      {
        id: created(outcome).id,
        prefix: created(outcome).prefix,
        name: 'Painel',
        status: 'ACTIVE',
        rateLimit: 60,
        expiresAt: '2027-11-20T15:00:00.000Z',
        lastUsedAt: null,
        requestCount: 0,
        createdAt: '2026-11-20T15:00:00.000Z',
        revokedAt: null,
      },
    ]);
  });

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

  test('gives each key the number of requests that the deployment says', async () => {
    const other = await openAccounts({ rateLimits: rateLimitsOf(1, { apiKey: 600 }) });
    const { principal } = await other.member('ana@casa.example');
    const { data } = await other.run(createText, { name: 'k' }, { principal });
    expect(data?.['createApiKey']).toMatchObject({ rateLimit: 600 });
    await other.close();
  });

  test('is refused with 409 at five ACTIVE keys, and possible again after revoking one', async () => {
    const { principal } = await kit.member('five@casa.example');
    const keys: Created[] = [];
    for (let round = 0; round < 5; round += 1) keys.push(created(await create(principal)));
    expect((await create(principal)).error).toMatchObject({ code: 'CONFLICT', statusCode: 409 });
    await revoke(principal, keys[2]?.id ?? '');
    expect((await create(principal)).error).toBeUndefined();
    expect((await create(principal)).error?.statusCode).toBe(409);
  });

  test('of twenty keys at once makes exactly five', async () => {
    const { principal } = await kit.member('race@casa.example');
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => create(principal, `key ${index}`)));
    expect(outcomes.filter(({ error }) => error === undefined)).toHaveLength(5);
    expect(outcomes.filter(({ error }) => error?.statusCode === 409)).toHaveLength(15);
    expect(await list(principal)).toHaveLength(5);
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

  test('is refused with 403 until the e-mail is confirmed', async () => {
    await kit.register('waiting@casa.example');
    const principal = await kit.session('waiting@casa.example');
    expect((await create(principal)).error).toMatchObject({ code: 'FORBIDDEN', statusCode: 403 });
    // The request is rejected even if the cache says that the e-mail is confirmed.
    expect((await create({ ...principal, scopes: ['confirmed'] })).error).toMatchObject({ statusCode: 403 });
    expect(await list({ ...principal, scopes: ['confirmed'] })).toEqual([]);
  });

  test.each(['', ' ', 'n'.repeat(201), 'a\u0000b'])('refuses a name that is none (%#) with 400', async (name) => {
    const { principal } = await kit.member(`${newId()}@casa.example`);
    expect((await create(principal, name)).error).toMatchObject({ statusCode: 400, details: [{ path: 'name' }] });
  });

  test('with an idempotency key makes one key and shows it again, sealed at rest', async () => {
    const { principal, id } = await kit.member('idempotent@casa.example');
    const request = () => ({
      principal,
      idempotency: {
        key: 'create-1',
        owner: id,
        operation: 'POST /v1/emissoes/keys',
        digest: testKeyRing.hmac('test', 'body'),
        replayed: false,
      },
    });
    const first = await kit.run(createText, { name: 'k' }, request());
    const again = await kit.run(createText, { name: 'k' }, request());
    expect(again).toEqual(first);
    expect(await list(principal)).toHaveLength(1);
    const rows: unknown = await kit.database.dataSource.query('SELECT answer::text FROM shared.idempotent_answers');
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(created(first).key).toString('hex'));
  });
});

describe('revoking a key', () => {
  test('is for good: it shows REVOKED and requests with it are refused', async () => {
    const { principal } = await kit.member('revoke@casa.example');
    const { id, key } = created(await create(principal));
    expect(await authenticate(key)).toBeDefined();
    expect((await revoke(principal, id)).data).toEqual({ revokeApiKey: true });
    expect(await authenticate(key)).toBeUndefined();
    expect(await list(principal)).toMatchObject([{ status: 'REVOKED', revokedAt: kit.clock.now().toISOString() }]);
  });

  test('twice is no error and keeps the first moment', async () => {
    const { principal } = await kit.member('again@casa.example');
    const { id } = created(await create(principal));
    await revoke(principal, id);
    const [first] = await list(principal);
    kit.clock.advance(1000);
    expect((await revoke(principal, id)).data).toEqual({ revokeApiKey: true });
    expect((await list(principal))[0]).toEqual(first);
  });

  test('answers 404 for a key of someone else, one that does not exist, and no id at all', async () => {
    const owner = await kit.member('owner@casa.example');
    const thief = await kit.member('thief@casa.example');
    const { id, key } = created(await create(owner.principal));
    const errors = [];
    for (const wrong of [id, newId(), 'nonsense', '']) errors.push((await revoke(thief.principal, wrong)).error);
    for (const error of errors) {
      expect(error).toMatchObject({ code: 'NOT_FOUND', statusCode: 404, message: errors[0]?.message });
    }
    expect(await authenticate(key)).toBeDefined();
  });
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
