import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openAccounts, password, type AccountsKit } from '../../../tests/accounts/kit.js';
import { testKeyRing } from '../../../tests/kit/context.js';
import { savePortalAccount } from './account.store.js';

let kit: AccountsKit;

beforeAll(async () => {
  kit = await openAccounts();
});

afterAll(() => kit.close());

const forgot = (email: string) =>
  kit.run('mutation ($email: String!) { forgotPassword(email: $email) { message } }', { email });
const reset = (token: string, next: string) =>
  kit.run('mutation ($token: String!, $next: String!) { resetPassword(token: $token, password: $next) { message } }', {
    token,
    next,
  });
const useless = { code: 'UNPROCESSABLE', statusCode: 422, details: [{ path: 'token' }] };
const authenticate = (bearer: string) => kit.accounts.authenticator.authenticate({ bearer });

async function resetToken(email: string): Promise<string> {
  await forgot(email);
  return kit.tokenFor(email);
}

describe('forgot-password', () => {
  test('answers the same, in the same time, with and without an account', async () => {
    await kit.member('known@casa.example');
    const timed = async (email: string) => {
      const begun = performance.now();
      const outcome = await forgot(email);
      return { outcome, ms: performance.now() - begun };
    };
    const known = await timed('known@casa.example');
    const unknown = await timed('unknown@casa.example');
    expect(unknown.outcome).toEqual(known.outcome);
    expect(known.outcome.error).toBeUndefined();
    for (const { ms } of [known, unknown]) expect(ms).toBeGreaterThan(245);
    expect(await kit.mailbox('unknown@casa.example')).toEqual([]);
    expect((await kit.mailbox('known@casa.example'))[0]?.links[0]).toMatch(
      /^https:\/\/lastro\.test\/redefinir-senha\?token=/,
    );
  });

  test('mails nothing to users of the issuer portal, who reset theirs there', async () => {
    await savePortalAccount(kit.context, { id: 'p-9', email: 'agent@portal.example', name: 'Agente' });
    expect((await forgot('agent@portal.example')).error).toBeUndefined();
    expect(await kit.mailbox('agent@portal.example')).toEqual([]);
  });

  test('refuses what is no e-mail with 400', async () => {
    expect((await forgot('nobody')).error).toMatchObject({ statusCode: 400, details: [{ path: 'email' }] });
  });
});

describe('reset-password', () => {
  test('sets the password, so that the old one no longer logs in', async () => {
    await kit.member('ana@casa.example');
    const { data } = await reset(await resetToken('ana@casa.example'), 'a new password 1');
    expect(data).toEqual({ resetPassword: { message: expect.any(String) } });
    expect((await kit.login('ana@casa.example')).error?.statusCode).toBe(401);
    expect((await kit.login('ana@casa.example', 'a new password 1')).error).toBeUndefined();
  });

  test('ends every session of the account, here at once, and no session of another', async () => {
    const { accessToken } = await kit.member('sessions@casa.example');
    const other = await kit.member('other@casa.example');
    const second = (await kit.login('sessions@casa.example')).data?.['login'] as { accessToken: string };
    expect(await authenticate(accessToken)).toBeDefined();
    expect(await authenticate(second.accessToken)).toBeDefined();
    expect(await authenticate(other.accessToken)).toBeDefined();
    await reset(await resetToken('sessions@casa.example'), 'a new password 1');
    expect(await authenticate(accessToken)).toBeUndefined();
    expect(await authenticate(second.accessToken)).toBeUndefined();
    expect(await authenticate(other.accessToken)).toBeDefined();
    const fresh = (await kit.login('sessions@casa.example', 'a new password 1')).data?.['login'] as typeof second;
    expect(await authenticate(fresh.accessToken)).toBeDefined();
  });

  test('takes a link once, and with it the other reset links of the account', async () => {
    await kit.member('links@casa.example');
    const first = await resetToken('links@casa.example');
    const second = await resetToken('links@casa.example');
    expect((await reset(first, 'a new password 1')).error).toBeUndefined();
    expect((await reset(first, 'a new password 2')).error).toMatchObject(useless);
    expect((await reset(second, 'a new password 3')).error).toMatchObject(useless);
    expect((await kit.login('links@casa.example', 'a new password 1')).error).toBeUndefined();
  });

  test('takes one of twenty requests with one link at the same moment', async () => {
    await kit.member('race@casa.example');
    const token = await resetToken('race@casa.example');
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => reset(token, `new password ${index}`)));
    expect(outcomes.filter((outcome) => outcome.error === undefined)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.error?.statusCode === 422)).toHaveLength(19);
  });

  test('takes a link for 1 hour and not longer', async () => {
    await kit.member('early@casa.example');
    await kit.member('late@casa.example');
    const [early, late] = [await resetToken('early@casa.example'), await resetToken('late@casa.example')];
    kit.clock.advance(3_600_000 - 1);
    expect((await reset(early, 'a new password 1')).error).toBeUndefined();
    kit.clock.advance(1);
    expect((await reset(late, 'a new password 1')).error).toMatchObject(useless);
  });

  test('refuses a password outside the rule with 400, and the link stays good', async () => {
    await kit.member('rule@casa.example');
    const token = await resetToken('rule@casa.example');
    expect((await reset(token, 'short')).error).toMatchObject({ statusCode: 400, details: [{ path: 'password' }] });
    expect((await reset(token, 'a new password 1')).error).toBeUndefined();
  });

  test('does not take the token of a confirmation link', async () => {
    await kit.register('confirm@casa.example');
    expect((await reset(await kit.tokenFor('confirm@casa.example'), 'a new password 1')).error).toMatchObject(useless);
  });

  test('does not confirm the e-mail', async () => {
    await kit.register('still@casa.example');
    await reset(await resetToken('still@casa.example'), password);
    const rows: unknown = await kit.database.dataSource.query(
      `SELECT confirmed_at FROM accounts.accounts WHERE email = 'still@casa.example'`,
    );
    expect(rows).toEqual([{ confirmed_at: null }]);
  });

  test('clears the failed logins of the e-mail', async () => {
    await kit.member('locked@casa.example');
    for (let round = 0; round < 10; round += 1) await kit.login('locked@casa.example', 'wrong 1');
    expect((await kit.login('locked@casa.example')).error?.statusCode).toBe(429);
    await reset(await resetToken('locked@casa.example'), 'a new password 1');
    expect((await kit.login('locked@casa.example', 'a new password 1')).error).toBeUndefined();
  });

  test('with an idempotency key runs once, and what it promised holds', async () => {
    await kit.member('twice@casa.example');
    const variables = { token: await resetToken('twice@casa.example'), next: 'a new password 1' };
    const text =
      'mutation ($token: String!, $next: String!) { resetPassword(token: $token, password: $next) { message } }';
    const request = () => ({
      idempotency: {
        key: 'reset-1',
        owner: '203.0.113.7',
        operation: 'POST /v1/emissoes/auth/reset-password',
        digest: testKeyRing.hmac('test', 'body'),
        replayed: false,
      },
    });
    const first = await kit.run(text, variables, request());
    const again = await kit.run(text, variables, request());
    expect(first.error).toBeUndefined();
    expect(again).toEqual(first);
  });
});
