import { afterAll, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import { openAccounts } from '../../../tests/accounts/kit.js';

const kit = await openAccounts();
afterAll(() => kit.close());

interface Listed {
  readonly id: string;
  readonly current: boolean;
  readonly network: string;
  readonly userAgent: string | null;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
}

const fields = 'id current network userAgent createdAt lastSeenAt expiresAt';
const list = async (principal: Principal) =>
  (await kit.run(`{ sessions { ${fields} } }`, {}, { principal })).data?.['sessions'] as Listed[];
const logout = (principal: Principal) => kit.run('mutation { logout }', {}, { principal });
const end = (principal: Principal, id: string) =>
  kit.run('mutation ($id: ID!) { endSession(id: $id) }', { id }, { principal });
const endOthers = (principal: Principal) => kit.run('mutation { endOtherSessions }', {}, { principal });
const tokenOf = async (email: string) => {
  const { data } = await kit.login(email);
  return (data?.['login'] as { accessToken: string }).accessToken;
};
const authenticate = (bearer: string) => kit.accounts.authenticator.authenticate({ bearer });

describe('the sessions of an account', () => {
  test('are listed with network, program and moments, the newest first, the one that asks marked', async () => {
    const { principal } = await kit.member('ana@casa.example');
    const other = await kit.session('ana@casa.example', undefined, {
      ip: '::ffff:198.51.100.77',
      userAgent: `Firefox/140 ${'x'.repeat(300)}\u0007é`,
    });
    await kit.session('ana@casa.example', undefined, { ip: '2001:db8:1:2:3:4:5:6' });
    const [newest, second, first, ...more] = await list(principal);
    expect(more).toEqual([]);
    const now = kit.clock.now().toISOString();
    expect(first).toEqual({
      id: principal.id,
      current: true,
      network: '127.0.0.0/24',
      userAgent: null,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(kit.clock.now().getTime() + 12 * 3_600_000).toISOString(),
    });
    expect(second).toMatchObject({ id: other.id, current: false, network: '198.51.100.0/24' });
    expect(second?.userAgent).toBe(`Firefox/140 ${'x'.repeat(108)}`);
    expect(newest).toMatchObject({ network: '2001:db8:1:2::/64' });
  });

  test('are at most fifty: one more ends the oldest, however many are opened at once', async () => {
    const { principal, accessToken } = await kit.member('fifty@casa.example');
    await Promise.all(Array.from({ length: 60 }, () => kit.login('fifty@casa.example')));
    expect(await authenticate(accessToken)).toBeUndefined();
    expect(await list({ ...principal, id: newId() })).toHaveLength(50);
  });

  test('that expired are not listed, and all that are over are forgotten a week later', async () => {
    const { principal } = await kit.member('over@casa.example');
    const rows = async () =>
      (
        await kit.database.dataSource.query<object[]>('SELECT FROM accounts.sessions WHERE account_id = $1', [
          principal.ownerId,
        ])
      ).length;
    const ended = await kit.session('over@casa.example');
    await logout(ended);
    kit.clock.advance(12 * 3_600_000);
    expect(await list(principal)).toEqual([]);
    kit.clock.advance(6.5 * 86_400_000);
    await kit.forget();
    expect(await rows()).toBe(2);
    kit.clock.advance(1);
    await kit.forget();
    expect(await rows()).toBe(1);
    kit.clock.advance(43_200_000);
    await kit.forget();
    expect(await rows()).toBe(0);
  });

  test('are seen when they are used, which is written once a minute at most', async () => {
    const { principal } = await kit.member('seen@casa.example');
    const { authenticator } = kit.accounts;
    const begun = kit.clock.now();
    const lastSeen = async () => (await list(principal))[0]?.lastSeenAt;
    kit.clock.advance(60_000);
    authenticator.touch(principal);
    await authenticator.flush();
    expect(await lastSeen()).toBe(begun.toISOString());
    kit.clock.advance(1);
    authenticator.touch(principal);
    await authenticator.flush();
    expect(await lastSeen()).toBe(kit.clock.now().toISOString());
  });
});

describe('logging out', () => {
  test('ends the session and no other', async () => {
    const { principal, accessToken } = await kit.member('out@casa.example');
    const other = await tokenOf('out@casa.example');
    expect((await logout(principal)).data).toEqual({ logout: true });
    expect(await authenticate(accessToken)).toBeUndefined();
    expect(await authenticate(other)).toBeDefined();
  });

  test('is open to a session whose e-mail is not confirmed', async () => {
    await kit.register('waiting@casa.example');
    const token = await tokenOf('waiting@casa.example');
    const principal = await authenticate(token);
    if (principal === undefined) throw new Error('The session does not work');
    expect((await logout(principal)).data).toEqual({ logout: true });
    expect(await authenticate(token)).toBeUndefined();
  });
});

describe('ending a session by its id', () => {
  test('ends that one; again, or for one of somebody else, it is a missing one', async () => {
    const { principal, accessToken } = await kit.member('owner@casa.example');
    const thief = (await kit.member('thief@casa.example')).principal;
    const lost = await kit.session('owner@casa.example');
    for (const id of [lost.id, newId(), 'nonsense']) {
      expect((await end(thief, id)).error).toMatchObject({
        statusCode: 404,
        message: 'The account has no such session',
      });
    }
    expect((await end(principal, lost.id)).data).toEqual({ endSession: true });
    expect((await list(principal)).map(({ id }) => id)).toEqual([principal.id]);
    expect((await end(principal, lost.id)).error?.statusCode).toBe(404);
    expect((await end(principal, principal.id)).data).toEqual({ endSession: true });
    expect(await authenticate(accessToken)).toBeUndefined();
  });

  test('all others end at once, and the one that asks goes on; of two that end each other one is left', async () => {
    const { principal, accessToken } = await kit.member('others@casa.example');
    const tokens = await Promise.all(Array.from({ length: 4 }, () => tokenOf('others@casa.example')));
    const rival = await authenticate(tokens[0] ?? '');
    if (rival === undefined) throw new Error('The session does not work');
    const outcomes = await Promise.all([endOthers(principal), endOthers(rival)]);
    const [won] = outcomes.filter(({ error }) => error === undefined);
    expect(won?.data).toEqual({ endOtherSessions: 4 });
    expect(outcomes.filter(({ error }) => error?.statusCode === 401)).toHaveLength(1);
    const left = await Promise.all([accessToken, ...tokens].map(authenticate));
    expect(left.filter((one) => one !== undefined)).toHaveLength(1);
  });
});

describe('a session that was ended while its request was under way', () => {
  test('makes no key and ends no session, though this instance believed in it', async () => {
    const { principal } = await kit.member('belief@casa.example');
    const other = await kit.session('belief@casa.example');
    await logout(principal);
    for (const text of [
      'mutation { createApiKey(name: "k") { id } }',
      'mutation { createDeveloperKey(name: "k", scopes: ["webhooks:read"]) { id } }',
      'mutation { followOperation(ticker: "CRI1") { ticker } }',
      'mutation { endOtherSessions }',
    ]) {
      expect((await kit.run(text, {}, { principal })).error).toMatchObject({ code: 'UNAUTHORIZED', statusCode: 401 });
    }
    expect((await list(other)).map(({ id }) => id)).toEqual([other.id]);
  });

  test('leaves no key behind the end: of keys that race with it, those that were made were made before', async () => {
    const { principal } = await kit.member('race@casa.example');
    const make = () => kit.run('mutation { createApiKey(name: "k") { createdAt: expiresAt } }', {}, { principal });
    const outcomes = await Promise.all([make(), make(), logout(principal), make(), make()]);
    for (const { error } of outcomes) expect([undefined, 401]).toContain(error?.statusCode);
    expect((await make()).error?.statusCode).toBe(401);
  });
});

describe('a session from a network that the account was not used from', () => {
  const notices = async (email: string) =>
    (await kit.mailbox(email)).filter(({ subject }) => subject === 'Nova sessão, de uma rede nova');
  const from = (email: string, ip: string) =>
    kit.session(email, undefined, { ip, userAgent: 'see http://evil.example' });

  test('is reported once, with the network and what to do; the first login of all is not', async () => {
    const email = 'network@casa.example';
    await kit.member(email);
    await from(email, '127.0.0.200');
    expect(await notices(email)).toEqual([]);
    await Promise.all([from(email, '198.51.100.7'), from(email, '198.51.100.8')]);
    const [mail, ...more] = await notices(email);
    expect(more).toEqual([]);
    expect(mail?.text).toContain('198.51.100.0/24');
    expect(mail?.text).toContain('Se não foi você, peça uma nova senha');
    expect(mail?.text).not.toContain('evil');
    expect(mail?.links).toEqual([]);
  });

  test('is not reported before the e-mail is confirmed: whoever logs in need not read the mail', async () => {
    const email = 'unproved@casa.example';
    await kit.register(email);
    await from(email, '198.51.100.7');
    await from(email, '203.0.113.7');
    expect(await kit.mailbox(email)).toHaveLength(1);
  });

  test('mails five times an hour at most, and keeps nobody from a reset mail', async () => {
    const email = 'flood@casa.example';
    await kit.member(email);
    for (let net = 1; net <= 12; net += 1) await from(email, `198.51.${net}.1`);
    expect(await notices(email)).toHaveLength(5);
    await kit.run(`mutation { forgotPassword(email: "${email}") { message } }`);
    expect((await kit.mailbox(email))[0]?.subject).toBe('Redefina sua senha');
    kit.clock.advance(3_600_000);
    await from(email, '192.0.2.1');
    expect(await notices(email)).toHaveLength(6);
  });

  test('is forgotten when it was not used for 180 days, and the 101st takes the place of the oldest', async () => {
    const email = 'many@casa.example';
    const { id } = await kit.member(email);
    const known = async () =>
      (
        await kit.database.dataSource.query<{ network: string }[]>(
          'SELECT network FROM accounts.networks WHERE account_id = $1 ORDER BY network',
          [id],
        )
      ).map(({ network }) => network);
    await kit.database.dataSource.query(
      `INSERT INTO accounts.networks SELECT $1, '198.18.' || n || '.0/24', $2::timestamptz + n * interval '1 second'
       FROM generate_series(1, 99) n`,
      [id, kit.clock.now()],
    );
    kit.clock.advance(3_600_000);
    await from(email, '192.0.2.1');
    const networks = await known();
    expect(networks).toHaveLength(100);
    expect(networks).not.toContain('127.0.0.0/24');
    kit.clock.advance(180 * 86_400_000);
    await kit.forget();
    expect(await known()).toEqual(['192.0.2.0/24']);
  });
});
