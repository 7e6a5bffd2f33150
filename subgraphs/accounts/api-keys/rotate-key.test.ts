import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anonymous, type Principal } from '../../../shared/kernel/context.js';
import { openAccounts, type AccountsKit } from '../../../tests/accounts/kit.js';

let kit: AccountsKit;

beforeAll(async () => {
  kit = await openAccounts();
});
afterAll(() => kit.close());

interface Key {
  readonly id: string;
  readonly prefix: string;
  readonly key: string;
}

const dayMs = 86_400_000;
const createFields = 'id prefix key name expiresAt rateLimit';

async function create(principal: Principal, name = 'Painel'): Promise<Key> {
  const { data, error } = await kit.run(
    `mutation ($name: String!) { createApiKey(name: $name) { ${createFields} } }`,
    { name },
    { principal },
  );
  if (error !== undefined) throw new Error(error.message);
  return data?.['createApiKey'] as Key;
}

const rotate = (principal: Principal, id: string, graceDays: number) =>
  kit.run(
    `mutation ($id: ID!, $graceDays: Int!) { rotateApiKey(id: $id, graceDays: $graceDays) {
      newKey { ${createFields} } oldKey { id status expiresAt revokedAt replacedBy }
    } }`,
    { id, graceDays },
    { principal },
  );
const rotated = async (principal: Principal, id: string, graceDays: number) => {
  const { data, error } = await rotate(principal, id, graceDays);
  if (error !== undefined) throw new Error(error.message);
  return data?.['rotateApiKey'] as { readonly newKey: Key; readonly oldKey: Record<string, unknown> };
};
const revoke = (principal: Principal, id: string) =>
  kit.run('mutation ($id: ID!) { revokeApiKey(id: $id) }', { id }, { principal });
const works = async (key: Key) => (await kit.accounts.authenticator.authenticate({ apiKey: key.key })) !== undefined;
const daysFromNow = (days: number) => new Date(kit.clock.now().getTime() + days * dayMs).toISOString();

describe('rotating a key', () => {
  test('makes a new one with its name and limit; both work until the grace period ends, and are listed as a pair', async () => {
    const { principal } = await kit.member('pair@casa.example');
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
    const { principal } = await kit.member('now@casa.example');
    const old = await create(principal);
    expect(await works(old)).toBe(true);
    const { newKey, oldKey } = await rotated(principal, old.id, 0);
    expect(oldKey).toMatchObject({ status: 'REVOKED', revokedAt: daysFromNow(0), replacedBy: newKey.id });
    expect(await Promise.all([works(old), works(newKey)])).toEqual([false, true]);
  });

  test('never makes the old one work longer than before', async () => {
    const { principal } = await kit.member('ending@casa.example');
    const old = await create(principal);
    await kit.database.dataSource.query('UPDATE accounts.api_keys SET expires_at = $2 WHERE id = $1', [
      old.id,
      daysFromNow(2),
    ]);
    expect((await rotated(principal, old.id, 30)).oldKey).toMatchObject({ expiresAt: daysFromNow(2) });
  });

  test('tells the owner by mail, and the audit log, without either secret', async () => {
    const { principal, id } = await kit.member('told@casa.example');
    const old = await create(principal);
    const { newKey } = await rotated(principal, old.id, 1);
    const [mail] = await kit.mailbox('told@casa.example');
    expect(mail?.subject).toBe('Uma chave sua foi trocada');
    expect(mail?.text).toContain(old.prefix);
    expect(mail?.text).toContain(newKey.prefix);
    const entries = await kit.database.dataSource.query<object[]>(
      `SELECT before, after FROM shared.audit_log WHERE action = 'rotateApiKey' AND subject_id = $1 AND actor_id = $2`,
      [old.id, id],
    );
    expect(entries).toEqual([expect.objectContaining({ after: expect.objectContaining({ graceDays: 1 }) as unknown })]);
    for (const { key } of [old, newKey]) expect(JSON.stringify([mail, entries])).not.toContain(key.slice(19));
  });

  test('is no sixth key: five can be rotated, and a replaced one counts again once its replacement is revoked', async () => {
    const { principal } = await kit.member('five@casa.example');
    const keys: Key[] = [];
    for (let round = 0; round < 5; round += 1) keys.push(await create(principal, `key ${round}`));
    const { newKey } = await rotated(principal, keys[0]?.id ?? '', 30);
    await expect(create(principal)).rejects.toThrow('already has 5 active keys');
    await revoke(principal, newKey.id);
    await expect(create(principal)).rejects.toThrow('already has 5 active keys');
  });

  test('is refused with 409 for a key that was rotated, revoked or has expired, and while its predecessor works', async () => {
    const { principal } = await kit.member('refused@casa.example');
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
    const { principal } = await kit.member('race@casa.example');
    const old = await create(principal);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => rotate(principal, old.id, 30)));
    expect(outcomes.filter(({ error }) => error === undefined)).toHaveLength(1);
    expect(outcomes.filter(({ error }) => error?.statusCode === 409)).toHaveLength(9);
  });

  test('takes 0 to 30 days; a form gets the error as data', async () => {
    const { principal } = await kit.member('days@casa.example');
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
    const owner = await kit.member('owner@casa.example');
    const thief = await kit.member('thief@casa.example');
    const old = await create(owner.principal);
    for (const id of [old.id, 'nonsense']) expect((await rotate(thief.principal, id, 1)).error?.statusCode).toBe(404);
    expect((await rotate(anonymous('203.0.113.7'), old.id, 1)).error?.statusCode).toBe(401);
    expect(await works(old)).toBe(true);
  });

  test('of a browser needs a step-up', async () => {
    const { principal } = await kit.member('browser@casa.example');
    const old = await create(principal);
    const browser = { id: principal.id, provedAtMs: kit.clock.now().getTime() - 6 * 60_000 };
    expect((await rotate({ ...principal, browser }, old.id, 1)).error?.code).toBe('STEP_UP_REQUIRED');
  });
});

test('an account makes thirty keys of a kind in an hour, new or by rotation, so that its limits cannot be had anew without end', async () => {
  const { principal } = await kit.member('restless@casa.example');
  const start = kit.clock.now();
  let { id } = await create(principal);
  for (let made = 1; made < 30; made++) ({ id } = (await rotated(principal, id, 0)).newKey);
  const refused = await rotate(principal, id, 0);
  expect(refused.error).toMatchObject({ statusCode: 429, retryAfterSeconds: 3600 });
  expect((await kit.run('mutation { createApiKey(name: "n") { id } }', {}, { principal })).error?.statusCode).toBe(429);
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
    const { principal } = await kit.member('developer@casa.example');
    const { data: made } = await kit.run(createText, {}, { principal });
    const old = made?.['createDeveloperKey'] as Key;
    const { data } = await kit.run(rotateText, { id: old.id }, { principal });
    const { newKey, oldKey } = data?.['rotateDeveloperKey'] as { newKey: Key; oldKey: object };
    const scopes = ['credit:read', 'webhooks:read'];
    expect(newKey).toMatchObject({ scopes });
    expect(oldKey).toEqual({ id: old.id, replacedBy: newKey.id, scopes });
    expect(await kit.accounts.authenticator.authenticate({ apiKey: newKey.key })).toMatchObject({ scopes });
    expect(await works(old)).toBe(true);
  });
});
