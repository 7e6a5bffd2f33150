import { afterAll, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry } from '../../../shared/security/audit/entry.js';
import { anonymous, type Context, type Principal } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import { openAccounts, password } from '../../../tests/accounts/kit.js';
import { operator } from '../../../tests/kit/context.js';

const kit = await openAccounts();
afterAll(() => kit.close());
const fields = '{ id email ownerType confirmedAt disabledAt disabledReason }';
const disable = (variables: Record<string, unknown>, principal = operator, parts: Partial<Context> = {}) =>
  kit.run(
    `mutation ($id: ID, $email: String, $reason: String!) { disableAccount(id: $id, email: $email, reason: $reason) ${fields} }`,
    { reason: 'asked for by the police', ...variables },
    { principal, ...parts },
  );
const enable = (variables: Record<string, unknown>, principal: Principal = operator) =>
  kit.run(`mutation ($id: ID, $email: String) { enableAccount(id: $id, email: $email) ${fields} }`, variables, {
    principal,
  });
const endSessions = (variables: Record<string, unknown>, principal = operator, parts: Partial<Context> = {}) =>
  kit.run('mutation ($id: ID, $email: String) { endAccountSessions(id: $id, email: $email) }', variables, {
    principal,
    ...parts,
  });
const statusOf = async (email: string, given = password) => (await kit.login(email, given)).error?.statusCode ?? 200;
const authenticate = (credential: { apiKey: string } | { bearer: string }) =>
  kit.accounts.authenticator.authenticate(credential);

async function memberWithKeys(email: string) {
  const member = await kit.member(email);
  return { ...member, keys: await kit.newKeys(member.principal) };
}

/** Waits until the caches of all instances have expired. */
const aSecond = () => delay(1_000);

describe('an account that an operator disabled', () => {
  test('is let in by nothing: sessions and keys are refused within a second, the right password with 403', async () => {
    const email = 'ana@casa.example';
    const { id, accessToken, principal, keys } = await memberWithKeys(email);
    for (const apiKey of keys) expect(await authenticate({ apiKey })).toBeDefined();
    expect((await disable({ email: ' ANA@casa.example ' })).data?.['disableAccount']).toEqual([
      {
        id,
        email,
        ownerType: 'EMISSOES_USER',
        confirmedAt: expect.any(String),
        disabledAt: kit.clock.now().toISOString(),
        disabledReason: 'asked for by the police',
      },
    ]);
    expect(await authenticate({ bearer: accessToken })).toBeUndefined();
    await aSecond();
    for (const apiKey of keys) expect(await authenticate({ apiKey })).toBeUndefined();
    expect((await kit.login(email)).error).toMatchObject({
      statusCode: 403,
      message: expect.stringContaining('This account is disabled'),
    });
    // Even an instance that still caches the session lets it change nothing.
    expect((await kit.run('mutation { createApiKey(name: "k") { id } }', {}, { principal })).error?.statusCode).toBe(
      401,
    );
  });

  test('looks like any other to who does not know the password', async () => {
    const email = 'quiet@casa.example';
    await kit.member(email);
    await disable({ email });
    const wrong = await kit.login(email, 'wrong password 1');
    const unknown = await kit.login('nobody@casa.example', 'wrong password 1');
    expect({ ...wrong.error, requestId: '' }).toEqual({ ...unknown.error, requestId: '' });
  });

  test('stays disabled when its password is reset', async () => {
    const email = 'reset@casa.example';
    await kit.member(email);
    await disable({ email });
    await kit.run(`mutation { forgotPassword(email: "${email}") { message } }`);
    await kit.run('mutation ($t: String!) { resetPassword(token: $t, password: "new password 1") { message } }', {
      t: await kit.tokenFor(email),
    });
    expect(await statusOf(email, 'new password 1')).toBe(403);
  });

  test('works again once it is enabled, keys too; sessions that ended stay ended', async () => {
    const email = 'back@casa.example';
    const { id, accessToken, keys } = await memberWithKeys(email);
    await disable({ id });
    await aSecond();
    for (const apiKey of keys) expect(await authenticate({ apiKey })).toBeUndefined();
    expect((await enable({ id })).data?.['enableAccount']).toMatchObject([
      { id, disabledAt: null, disabledReason: null },
    ]);
    await aSecond();
    for (const apiKey of keys) expect(await authenticate({ apiKey })).toBeDefined();
    expect(await authenticate({ bearer: accessToken })).toBeUndefined();
    expect(await statusOf(email)).toBe(200);
  });

  test('keeps the first moment and reason when it is disabled again', async () => {
    const email = 'again@casa.example';
    await kit.member(email);
    const first = await disable({ email });
    kit.clock.advance(1_000);
    expect((await disable({ email, reason: 'another' })).data).toEqual(first.data);
  });

  test('is not confirmed by its link, which stays good for when it is enabled', async () => {
    const email = 'waiting@casa.example';
    await kit.register(email);
    await disable({ email });
    const verify = async () =>
      kit.run('mutation ($t: String!) { verifyEmail(token: $t) { accessToken } }', { t: await kit.tokenFor(email) });
    expect((await verify()).error?.statusCode).toBe(403);
    await enable({ email });
    expect((await verify()).error).toBeUndefined();
  });
});

test('ending the sessions of an account ends all of them, says how many, and leaves keys and login alone', async () => {
  const email = 'sessions@casa.example';
  const { accessToken, keys } = await memberWithKeys(email);
  await kit.session(email);
  expect((await endSessions({ email })).data).toEqual({ endAccountSessions: 2 });
  expect(await authenticate({ bearer: accessToken })).toBeUndefined();
  for (const apiKey of keys) expect(await authenticate({ apiKey })).toBeDefined();
  expect(await statusOf(email)).toBe(200);
});

describe('of the acts of operators on accounts', () => {
  test('each refuses an account that does not exist with 404, and what names none or two with 400', async () => {
    for (const act of [disable, enable, endSessions]) {
      expect((await act({ email: 'nobody@casa.example' })).error?.statusCode).toBe(404);
      for (const id of [newId(), 'nonsense']) expect((await act({ id })).error?.statusCode).toBe(404);
      expect((await act({})).error?.statusCode).toBe(400);
      expect((await act({ id: newId(), email: 'a@casa.example' })).error?.statusCode).toBe(400);
      expect((await act({ email: 'nonsense' })).error?.statusCode).toBe(400);
    }
  });

  test('those that are refused leave no e-mail in the audit log', async () => {
    const entries: AuditEntry[] = [];
    const done = () => Promise.resolve();
    const audit = { note: (entry: AuditEntry) => void entries.push(entry), flush: done, close: done };
    const email = 'nobody@casa.example';
    await disable({ email, reason: `asked for by ${email}` }, operator, { audit });
    await endSessions({ email }, operator, { audit });
    expect(entries).toMatchObject([
      {
        action: 'disableAccount',
        outcome: 'REFUSED',
        after: { email: '[e-mail]', reason: 'asked for by [e-mail]' },
        reason: 'NOT_FOUND: No account has the e-mail [e-mail]',
      },
      { action: 'endAccountSessions', after: { email: '[e-mail]' } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(email);
  });

  test.each(['', '  ', 'x'.repeat(501)])('disabling asks for a reason (%#)', async (reason) => {
    expect((await disable({ id: newId(), reason })).error).toMatchObject({
      statusCode: 400,
      details: [{ path: 'reason' }],
    });
  });

  test('none is open to a person, a key or nobody', async () => {
    const { principal } = await kit.member('person@casa.example');
    const key: Principal = { kind: 'DEVELOPER_KEY', id: newId(), ownerId: newId(), scopes: ['webhooks:write'] };
    for (const act of [disable, enable, endSessions]) {
      expect((await act({ email: 'person@casa.example' }, principal)).error?.statusCode).toBe(403);
      expect((await act({ email: 'person@casa.example' }, key)).error?.statusCode).toBe(403);
      expect((await act({ email: 'person@casa.example' }, anonymous('203.0.113.7'))).error?.statusCode).toBe(401);
    }
    expect(await statusOf('person@casa.example')).toBe(200);
  });
});

const text = `query ($find: String!) { managedAccounts(find: $find) { id email confirmedAt disabledAt disabledReason
  keys { prefix name rateLimit followsConfiguration revokedAt } } }`;
const find = (wanted: string, principal: Principal = operator) => kit.run(text, { find: wanted }, { principal });
const member = await kit.member('ana@managed.example');
const { id } = member;
await kit.member('bia@managed.example');

const created = async (name: string) => {
  const { data } = await kit.run(
    'mutation ($name: String!) { createApiKey(name: $name) { id prefix } }',
    { name },
    { principal: member.principal },
  );
  return data?.['createApiKey'] as { id: string; prefix: string };
};
const [first, second] = [await created('produção'), await created('teste')];
const prefixes: string[] = [first.prefix, second.prefix];
await kit.run('mutation ($id: ID!) { revokeApiKey(id: $id) }', { id: second.id }, { principal: member.principal });
await kit.run(
  'mutation ($prefix: String!) { limitKey(prefix: $prefix, rateLimit: 7) { rateLimit } }',
  { prefix: first.prefix },
  { principal: operator },
);

test('an account is found by its e-mail and by a key, with its state, its keys and the limit that each has now', async () => {
  const byEmail = await find(' ANA@managed.example ');
  expect(byEmail.data?.['managedAccounts']).toEqual([
    {
      id,
      email: 'ana@managed.example',
      confirmedAt: expect.any(String),
      disabledAt: null,
      disabledReason: null,
      keys: [
        { prefix: prefixes[0], name: 'produção', rateLimit: 7, followsConfiguration: false, revokedAt: null },
        expect.objectContaining({
          prefix: prefixes[1],
          followsConfiguration: true,
          revokedAt: expect.any(String) as unknown,
        }),
      ],
    },
  ]);
  for (const prefix of prefixes) expect((await find(prefix)).data).toEqual(byEmail.data);
});

test('what nothing has finds nothing', async () => {
  for (const wanted of ['nobody@managed.example', 'svcpub_00000000000', '', '\0'])
    expect((await find(wanted)).data).toEqual({ managedAccounts: [] });
});

test('accounts are found by operators who administer alone: 403', async () => {
  const others: Principal[] = [
    { ...operator, scopes: ['read', 'originate', 'trade', 'publish'] },
    { kind: 'SESSION', id: newId(), ownerId: id, scopes: ['confirmed'] },
  ];
  for (const other of others) expect((await find('ana@managed.example', other)).error?.statusCode).toBe(403);
});
