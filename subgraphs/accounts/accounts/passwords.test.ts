import { afterAll, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../shared/kernel/context.js';
import { stepsLeaseMs } from '../../../shared/graphql/in-steps.js';
import { openAccounts, password } from '../../../tests/accounts/kit.js';
import { savePortalAccount } from './account.store.js';

const kit = await openAccounts();
afterAll(() => kit.close());
const next = 'ponte-nova-1966';
const changeText = `mutation ($currentPassword: String!, $newPassword: String!, $keepSessions: Boolean) {
  changePassword(currentPassword: $currentPassword, newPassword: $newPassword, keepSessions: $keepSessions)
}`;
const change = (principal: Principal, currentPassword: string, newPassword: string, keepSessions?: boolean) =>
  kit.run(
    changeText,
    { currentPassword, newPassword, ...(keepSessions === undefined ? {} : { keepSessions }) },
    { principal },
  );
const statusOf = async (email: string, given: string) => (await kit.login(email, given)).error?.statusCode ?? 200;
const sessions = async (principal: Principal) =>
  (await kit.run('{ sessions { id } }', {}, { principal })).data?.['sessions'] as { id: string }[];

describe('changing the password', () => {
  test('lets the new one in and the old one not, ends the other sessions, and informs the owner by mail', async () => {
    const email = 'ana@casa.example';
    const { principal } = await kit.member(email);
    const other = await kit.session(email);
    const { data } = await kit.run('mutation { createApiKey(name: "k") { key } }', {}, { principal });
    expect((await change(principal, password, next)).data).toEqual({ changePassword: true });
    expect([await statusOf(email, password), await statusOf(email, next)]).toEqual([401, 200]);
    expect((await sessions(principal)).map(({ id }) => id)).not.toContain(other.id);
    expect((await sessions(principal)).map(({ id }) => id)).toContain(principal.id);
    const [mail] = await kit.mailbox(email);
    expect(mail?.subject).toBe('Sua senha foi trocada');
    expect(mail?.text).not.toContain(next);
    const { key } = data?.['createApiKey'] as { key: string };
    expect(await kit.accounts.authenticator.authenticate({ apiKey: key })).toBeDefined();
  });

  test('leaves the other sessions alone when that is requested', async () => {
    const email = 'keep@casa.example';
    const { principal } = await kit.member(email);
    await kit.session(email);
    expect((await change(principal, password, next, true)).data).toEqual({ changePassword: true });
    expect(await sessions(principal)).toHaveLength(2);
  });

  test('uses up the reset links that were mailed before', async () => {
    const email = 'links@casa.example';
    const { principal } = await kit.member(email);
    await kit.run(`mutation { forgotPassword(email: "${email}") { message } }`);
    const token = await kit.tokenFor(email);
    await change(principal, password, next);
    const reset = 'mutation ($token: String!) { resetPassword(token: $token, password: "other-pass-1") { message } }';
    expect((await kit.run(reset, { token })).error?.statusCode).toBe(422);
  });

  test('refuses a wrong present password with 422, and counts it as a failed login', async () => {
    const email = 'guess@casa.example';
    const { principal } = await kit.member(email);
    const outcomes = await Promise.all(
      Array.from({ length: 14 }, (_, n) => change(principal, `guess number ${n}`, next)),
    );
    const statuses = outcomes.map(({ error }) => error?.statusCode).toSorted();
    expect(statuses).toEqual([...Array<number>(10).fill(422), ...Array<number>(4).fill(429)]);
    expect(outcomes.find(({ error }) => error?.statusCode === 422)?.error?.details).toMatchObject([
      { path: 'currentPassword', message: 'is not the password of the account' },
    ]);
    expect(await statusOf(email, password)).toBe(429);
  });

  test('refuses a new password outside of the rule with 400, naming both at once', async () => {
    const { principal } = await kit.member('rule@casa.example');
    expect((await change(principal, '', 'short')).error).toMatchObject({
      statusCode: 400,
      details: [{ path: 'currentPassword' }, { path: 'newPassword' }],
    });
  });

  test('of two at once one is done, and the other gets an error that says so', async () => {
    const email = 'two@casa.example';
    const { principal } = await kit.member(email);
    const passwords = ['first-pass-1', 'other-pass-1'];
    const outcomes = await Promise.all(passwords.map((one) => change(principal, password, one)));
    const won = outcomes.findIndex(({ error }) => error === undefined);
    expect([409, 422]).toContain(outcomes[1 - won]?.error?.statusCode);
    expect(await statusOf(email, passwords[won] ?? '')).toBe(200);
  });

  test('that was interrupted before its result was stored happens once: the same request gets its result later', async () => {
    const email = 'cut@casa.example';
    const { principal } = await kit.member(email);
    const ask = () => {
      const digest = Buffer.from('body');
      const named = { key: 'change', owner: `SESSION:${principal.id}`, operation: 'POST /graphql', digest };
      const idempotency = { ...named, replayed: false };
      const variables = { currentPassword: password, newPassword: next };
      return kit.run(changeText, variables, { principal, idempotency });
    };
    // The first update of what is stored belongs to the change itself.
    await kit.database.asOwner(`
      CREATE SEQUENCE shared.updates;
      GRANT USAGE ON SEQUENCE shared.updates TO lastro_app;
      CREATE FUNCTION shared.cut() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF nextval('shared.updates') = 2 THEN RAISE EXCEPTION 'cut off'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER cut BEFORE UPDATE ON shared.idempotent_answers FOR EACH ROW EXECUTE FUNCTION shared.cut()`);
    expect((await ask()).error?.statusCode).toBe(500);
    await kit.database.asOwner('DROP FUNCTION shared.cut() CASCADE; DROP SEQUENCE shared.updates');
    expect((await ask()).error?.statusCode).toBe(409);
    kit.clock.advance(stepsLeaseMs);
    expect(await ask()).toEqual({ data: { changePassword: true } });
    expect(await statusOf(email, next)).toBe(200);
    const notices = (await kit.mailbox(email)).filter(({ subject }) => subject === 'Sua senha foi trocada');
    expect(notices).toHaveLength(1);
  });
});

describe('one of the commonest passwords', () => {
  test.each(['PassWord1', 'ｐａｓｓｗｏｒｄ１', 'senha123'])(
    'is refused with 422 that names it, wherever a password is set: %s',
    async (common) => {
      const error = (path: string) => ({
        statusCode: 422,
        details: [{ path, message: expect.stringContaining('very common password') }],
      });
      const email = `${Buffer.from(common).toString('hex')}@casa.example`;
      expect((await kit.register(email, { password: common })).error).toMatchObject(error('password'));
      expect(await kit.mailbox(email)).toEqual([]);
      const { principal } = await kit.member(email);
      expect((await change(principal, password, common)).error).toMatchObject(error('newPassword'));
      await kit.run(`mutation { forgotPassword(email: "${email}") { message } }`);
      const token = await kit.tokenFor(email);
      const reset = (given: string) =>
        kit.run('mutation ($t: String!, $p: String!) { resetPassword(token: $t, password: $p) { message } }', {
          t: token,
          p: given,
        });
      expect((await reset(common)).error).toMatchObject(error('password'));
      expect((await reset(next)).error).toBeUndefined();
    },
  );

  test('that an account has from before still logs in', async () => {
    const email = 'before@casa.example';
    await kit.member(email);
    const { hashPassword } = await import('./password.js');
    await kit.database.dataSource.query('UPDATE accounts.accounts SET password_hash = $2 WHERE email = $1', [
      email,
      await hashPassword('password1'),
    ]);
    expect(await statusOf(email, 'password1')).toBe(200);
  });
});

describe('a reset', () => {
  const resetText = `mutation ($token: String!, $password: String!, $revokeKeys: Boolean) {
    resetPassword(token: $token, password: $password, revokeKeys: $revokeKeys) { message }
  }`;
  const reset = async (email: string, variables: Record<string, unknown> = {}) => {
    await kit.run(`mutation { forgotPassword(email: "${email}") { message } }`);
    return kit.run(resetText, { token: await kit.tokenFor(email), password: next, ...variables });
  };
  const working = async (keys: readonly string[]) => {
    const found = await Promise.all(keys.map((apiKey) => kit.accounts.authenticator.authenticate({ apiKey })));
    return found.filter((one) => one !== undefined).length;
  };

  test('leaves the keys alone unless their revocation is requested, and says in its mail which it was', async () => {
    const email = 'kept@casa.example';
    const keys = await kit.newKeys((await kit.member(email)).principal);
    await reset(email);
    expect(await working(keys)).toBe(2);
    const [mail] = await kit.mailbox(email);
    expect(mail).toMatchObject({ subject: 'Sua senha foi redefinida', links: [] });
    expect(mail?.text).toContain('As chaves de API continuam valendo');
    expect(mail?.text).not.toContain(next);
  });

  test('revokes the keys of both kinds with it, at once', async () => {
    const email = 'gone@casa.example';
    const keys = await kit.newKeys((await kit.member(email)).principal);
    expect(await working(keys)).toBe(2);
    await reset(email, { revokeKeys: true });
    expect(await working(keys)).toBe(0);
    expect((await kit.mailbox(email))[0]?.text).toContain('foram revogadas: 2');
  });

  test('while someone logs in with the old password leaves no session of that login', async () => {
    for (let round = 0; round < 6; round += 1) {
      const email = `race-${round}@casa.example`;
      await kit.member(email);
      const [logins] = await Promise.all([
        Promise.all([kit.login(email), kit.login(email), kit.login(email)]),
        reset(email),
      ]);
      for (const { data, error } of logins) {
        expect([undefined, 401]).toContain(error?.statusCode);
        const session = data?.['login'] as { accessToken: string } | null;
        if (session == null) continue;
        expect(await kit.accounts.authenticator.authenticate({ bearer: session.accessToken })).toBeUndefined();
      }
    }
  });
});

test('a new key is reported by mail, with its visible part and without its secret, five times an hour at most', async () => {
  const email = 'keys@casa.example';
  const { principal } = await kit.member(email);
  const { data } = await kit.run(
    'mutation { createApiKey(name: "see evil.example") { prefix key } }',
    {},
    { principal },
  );
  const { prefix, key } = data?.['createApiKey'] as { prefix: string; key: string };
  const notices = async () => (await kit.mailbox(email)).filter(({ subject }) => subject === 'Nova chave na sua conta');
  const [mail] = await notices();
  expect(mail?.text).toContain(prefix);
  expect(mail?.text).not.toContain(key.slice(prefix.length));
  expect(mail?.text).not.toContain('evil.example');
  expect(mail?.text).toContain('Se não foi, revogue a chave');
  for (let n = 0; n < 8; n += 1) {
    await kit.run('mutation { createDeveloperKey(name: "k", scopes: ["webhooks:read"]) { id } }', {}, { principal });
  }
  expect(await notices()).toHaveLength(5);
  // Notices about the password are sent all the same.
  await change(principal, password, next);
  expect((await kit.mailbox(email))[0]?.subject).toBe('Sua senha foi trocada');
});

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
    await kit.member('known@reset.example');
    const timed = async (email: string) => {
      const begun = performance.now();
      const outcome = await forgot(email);
      return { outcome, ms: performance.now() - begun };
    };
    const known = await timed('known@reset.example');
    const unknown = await timed('unknown@reset.example');
    expect(unknown.outcome).toEqual(known.outcome);
    expect(known.outcome.error).toBeUndefined();
    for (const { ms } of [known, unknown]) expect(ms).toBeGreaterThan(245);
    expect(await kit.mailbox('unknown@reset.example')).toEqual([]);
    expect((await kit.mailbox('known@reset.example'))[0]?.links[0]).toMatch(
      /^https:\/\/lastro\.test\/redefinir-senha\?token=/,
    );
  });

  test('mails nothing to users of the issuer portal, who reset theirs there', async () => {
    await savePortalAccount(kit.context, { id: 'p-9', email: 'agent@portal.example', name: 'Agente' });
    expect((await forgot('agent@portal.example')).error).toBeUndefined();
    expect(await kit.mailbox('agent@portal.example')).toEqual([]);
  });
});

describe('reset-password', () => {
  test('ends every session of the account, here at once, and no session of another', async () => {
    const { accessToken } = await kit.member('sessions@reset.example');
    const other = await kit.member('other@reset.example');
    const second = (await kit.login('sessions@reset.example')).data?.['login'] as { accessToken: string };
    expect(await authenticate(accessToken)).toBeDefined();
    expect(await authenticate(second.accessToken)).toBeDefined();
    expect(await authenticate(other.accessToken)).toBeDefined();
    await reset(await resetToken('sessions@reset.example'), 'a new password 1');
    expect(await authenticate(accessToken)).toBeUndefined();
    expect(await authenticate(second.accessToken)).toBeUndefined();
    expect(await authenticate(other.accessToken)).toBeDefined();
    const fresh = (await kit.login('sessions@reset.example', 'a new password 1')).data?.['login'] as typeof second;
    expect(await authenticate(fresh.accessToken)).toBeDefined();
  });

  test('takes a link once, and with it the other reset links of the account', async () => {
    await kit.member('links@reset.example');
    const first = await resetToken('links@reset.example');
    const second = await resetToken('links@reset.example');
    expect((await reset(first, 'a new password 1')).error).toBeUndefined();
    expect((await reset(first, 'a new password 2')).error).toMatchObject(useless);
    expect((await reset(second, 'a new password 3')).error).toMatchObject(useless);
    expect((await kit.login('links@reset.example', 'a new password 1')).error).toBeUndefined();
  });

  test('takes one of twenty requests with one link at the same moment', async () => {
    await kit.member('race@reset.example');
    const token = await resetToken('race@reset.example');
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => reset(token, `new password ${index}`)));
    expect(outcomes.filter((outcome) => outcome.error === undefined)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.error?.statusCode === 422)).toHaveLength(19);
  });

  test('takes a link for 1 hour and not longer', async () => {
    await kit.member('early@reset.example');
    await kit.member('late@reset.example');
    const [early, late] = [await resetToken('early@reset.example'), await resetToken('late@reset.example')];
    kit.clock.advance(3_600_000 - 1);
    expect((await reset(early, 'a new password 1')).error).toBeUndefined();
    kit.clock.advance(1);
    expect((await reset(late, 'a new password 1')).error).toMatchObject(useless);
  });

  test('refuses a password outside the rule with 400, and the link stays good', async () => {
    await kit.member('rule@reset.example');
    const token = await resetToken('rule@reset.example');
    expect((await reset(token, 'short')).error).toMatchObject({ statusCode: 400, details: [{ path: 'password' }] });
    expect((await reset(token, 'a new password 1')).error).toBeUndefined();
  });

  test('does not take the token of a confirmation link', async () => {
    await kit.register('confirm@reset.example');
    expect((await reset(await kit.tokenFor('confirm@reset.example'), 'a new password 1')).error).toMatchObject(useless);
  });

  test('does not confirm the e-mail', async () => {
    await kit.register('still@reset.example');
    await reset(await resetToken('still@reset.example'), password);
    const rows: unknown = await kit.database.dataSource.query(
      `SELECT confirmed_at FROM accounts.accounts WHERE email = 'still@reset.example'`,
    );
    expect(rows).toEqual([{ confirmed_at: null }]);
  });

  test('clears the failed logins of the e-mail', async () => {
    await kit.member('locked@reset.example');
    for (let round = 0; round < 10; round += 1) await kit.login('locked@reset.example', 'wrong 1');
    expect((await kit.login('locked@reset.example')).error?.statusCode).toBe(429);
    await reset(await resetToken('locked@reset.example'), 'a new password 1');
    expect((await kit.login('locked@reset.example', 'a new password 1')).error).toBeUndefined();
  });
});
