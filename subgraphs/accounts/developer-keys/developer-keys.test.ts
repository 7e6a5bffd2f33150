import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { anonymous, type Principal } from '../../../shared/kernel/context.js';
import { openAccounts, type AccountsKit, type Outcome } from '../../../tests/accounts/kit.js';
import { quietLog, testKeyRing } from '../../../tests/kit/context.js';
import { createAuthenticator } from '../authenticate.js';
import { openAccountsPool } from '../pool.js';

let kit: AccountsKit;

beforeAll(async () => {
  kit = await openAccounts();
});
afterAll(() => kit.close());

const createText = `mutation ($name: String!, $scopes: [String!]!) {
  createDeveloperKey(name: $name, scopes: $scopes) { id prefix key name scopes expiresAt rateLimit }
}`;

interface Created {
  readonly id: string;
  readonly prefix: string;
  readonly key: string;
}

const create = (principal: Principal, scopes = ['webhooks:read'], name = 'key') =>
  kit.run(createText, { name, scopes }, { principal });
const created = ({ data }: Outcome) => data?.['createDeveloperKey'] as Created;
const revoke = (principal: Principal, id: string) =>
  kit.run('mutation ($id: ID!) { revokeDeveloperKey(id: $id) }', { id }, { principal });
const authenticate = (apiKey: string) => kit.accounts.authenticator.authenticate({ apiKey });

describe("a developer's key", () => {
  test('is svc_dev_<random>, shown once, and kept as its SHA-256 alone', async () => {
    const { principal } = await kit.member('ana@casa.example');
    const key = created(await create(principal, ['webhooks:write', 'contracts:read', 'contracts:read'], ' Painel '));
    expect(key).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      prefix: key.key.slice(0, 19),
      key: expect.stringMatching(/^svc_dev_[0-9A-Za-z]{44}$/),
      name: 'Painel',
      scopes: ['contracts:read', 'webhooks:write'],
      expiresAt: '2027-11-20T15:00:00.000Z',
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
    const { principal, id: ownerId } = await kit.member('caller@casa.example');
    const { id, key } = created(await create(principal, ['webhooks:read', 'webhooks:write']));
    const caller = {
      kind: 'DEVELOPER_KEY',
      id,
      ownerId,
      scopes: ['webhooks:read', 'webhooks:write'],
      expiresAt: new Date('2027-11-20T15:00:00Z'),
    };
    expect(await authenticate(key)).toEqual(caller);
    expect(await kit.accounts.authenticator.authenticate({ bearer: key })).toEqual(caller);
  });

  test('that was mistyped in any one character is nobody’s', async () => {
    const { principal } = await kit.member('typo@casa.example');
    const { key } = created(await create(principal));
    for (let position = 0; position < key.length; position += 1) {
      const typed = key.slice(0, position) + (key[position] === 'x' ? 'y' : 'x') + key.slice(position + 1);
      expect(await authenticate(typed)).toBeUndefined();
    }
  });

  test('that was revoked is refused here at once, and on another instance within 1 second; again changes nothing', async () => {
    const { principal } = await kit.member('revoked@casa.example');
    const { id, key } = created(await create(principal));
    const pool = openAccountsPool(kit.database.url, quietLog);
    const elsewhere = createAuthenticator({ pool, keyRing: testKeyRing, clock: kit.clock, log: quietLog });
    expect(await authenticate(key)).toBeDefined();
    expect(await elsewhere.authenticate({ apiKey: key })).toBeDefined();
    expect((await revoke(principal, id)).data).toEqual({ revokeDeveloperKey: true });
    expect(await authenticate(key)).toBeUndefined();
    await delay(1_000);
    expect(await elsewhere.authenticate({ apiKey: key })).toBeUndefined();
    expect((await revoke(principal, id)).data).toEqual({ revokeDeveloperKey: true });
    await elsewhere.close();
    await pool.end();
  });

  test('of someone else cannot be revoked: 404, as for one that does not exist', async () => {
    const owner = await kit.member('owner@casa.example');
    const thief = await kit.member('thief@casa.example');
    const { id, key } = created(await create(owner.principal));
    for (const wanted of [id, 'nonsense']) expect((await revoke(thief.principal, wanted)).error?.statusCode).toBe(404);
    expect(await authenticate(key)).toBeDefined();
  });

  test('needs a session and a confirmed e-mail', async () => {
    await kit.register('waiting@casa.example');
    const waiting = await kit.session('waiting@casa.example');
    expect((await create(waiting)).error?.statusCode).toBe(403);
    expect((await create({ ...waiting, scopes: ['confirmed'] })).error?.statusCode).toBe(403);
    expect((await create(anonymous('203.0.113.7'))).error?.statusCode).toBe(401);
    const key: Principal = { kind: 'DEVELOPER_KEY', id: 'k', ownerId: waiting.ownerId, scopes: ['webhooks:write'] };
    expect((await create(key)).error?.statusCode).toBe(403);
  });

  test('with scopes that are none, or no scope, is refused with all errors at once', async () => {
    const { principal } = await kit.member('scopes@casa.example');
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
    const { principal } = await kit.member('many@casa.example');
    const outcomes = await Promise.all(Array.from({ length: 25 }, () => create(principal)));
    expect(outcomes.filter(({ error }) => error === undefined)).toHaveLength(20);
    expect(outcomes.filter(({ error }) => error?.statusCode === 409)).toHaveLength(5);
  });
});
