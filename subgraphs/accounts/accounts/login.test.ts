import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { openAccounts, password, type AccountsKit } from '../../../tests/accounts/kit.js';
import type { Outcome } from '../../../tests/kit/run-on.js';
import { quietLog, testKeyRing } from '../../../tests/kit/context.js';
import { openAccountsPool } from '../pool.js';
import { createLoginGuard } from './login-guard.js';

const kit = await openAccounts();

afterAll(() => kit.close());

const statusOf = ({ error }: Outcome) => error?.statusCode ?? 200;
const tally = (outcomes: Outcome[]) => {
  const counts: Record<number, number> = {};
  for (const outcome of outcomes) counts[statusOf(outcome)] = (counts[statusOf(outcome)] ?? 0) + 1;
  return counts;
};

describe('login', () => {
  test('answers a session of 12 hours for a right pair, whatever the case of the e-mail', async () => {
    await kit.member('ana@casa.example');
    const { data } = await kit.login(' ANA@casa.example ');
    const { accessToken, user } = data?.['login'] as { accessToken: string; user: Record<string, unknown> };
    expect(user).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'ana@casa.example',
      name: 'Ana Souza',
      company: 'Casa & Filhos',
      ownerType: 'EMISSOES_USER',
    });
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      number
    >;
    expect((claims['exp'] ?? 0) - (claims['iat'] ?? 0)).toBe(12 * 3600);
  });

  test('answers 401, and the same, for a wrong password and for an unknown e-mail', async () => {
    const wrong = await kit.login('ana@casa.example', 'wrong password 1');
    const unknown = await kit.login('nobody@casa.example');
    expect(wrong.error).toMatchObject({ code: 'UNAUTHORIZED', statusCode: 401 });
    expect({ ...unknown.error, requestId: '' }).toEqual({ ...wrong.error, requestId: '' });
  });

  test('does the work of a password hash for an unknown e-mail too', async () => {
    // Processor time of all threads of this process: unlike the time on the wall, other processes do not add to it.
    const work = async (email: string) => {
      const before = process.cpuUsage();
      await kit.login(email, 'wrong password 1');
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const least = async (email: (round: number) => string) => {
      const works: number[] = [];
      for (let round = 0; round < 8; round += 1) works.push(await work(email(round)));
      return Math.min(...works);
    };
    await kit.member('timed@casa.example');
    const known = await least(() => 'timed@casa.example');
    const unknown = await least((round) => `nobody-${round}@casa.example`);
    expect(unknown / known).toBeGreaterThan(0.6);
    expect(unknown / known).toBeLessThan(1.7);
  });

  test('refuses what is no e-mail and no password with 400, both at once', async () => {
    const { error } = await kit.login('nobody', '');
    expect(error).toMatchObject({ statusCode: 400, details: [{ path: 'email' }, { path: 'password' }] });
    expect((await kit.login('ana@casa.example', 'x'.repeat(1025))).error).toMatchObject({ statusCode: 400 });
  });
});

describe('ten failures for one e-mail in 15 minutes', () => {
  test('are answered 401, further attempts 429 with the time to wait, even with the right password', async () => {
    await kit.member('ten@casa.example');
    for (let round = 0; round < 10; round += 1) {
      expect(statusOf(await kit.login('ten@casa.example', 'wrong password 1'))).toBe(401);
      kit.clock.advance(10_000);
    }
    // Waits until each attempt has ended, so that the next one does not have to wait for their results.
    const undecided = await kit.database.dataSource.query<{ undecided: number }[]>(
      'SELECT undecided FROM accounts.login_failures WHERE cardinality(attempts) = 10',
    );
    expect(undecided).toEqual([{ undecided: 0 }]);
    // The first failure is 100 seconds old.
    const { error } = await kit.login('TEN@casa.example');
    expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS', statusCode: 429, retryAfterSeconds: 800 });
    expect(error?.message).toMatch(/^Too Many Requests.* 800 seconds/);
    expect(statusOf(await kit.login('ana@casa.example'))).toBe(200);
  });

  test('are forgotten one by one as they turn 15 minutes old', async () => {
    kit.clock.advance(800_000 - 1);
    expect(statusOf(await kit.login('ten@casa.example'))).toBe(429);
    kit.clock.advance(1);
    expect(statusOf(await kit.login('ten@casa.example', 'wrong password 1'))).toBe(401);
    expect(statusOf(await kit.login('ten@casa.example'))).toBe(429);
    kit.clock.advance(10_000);
    expect(statusOf(await kit.login('ten@casa.example'))).toBe(200);
  });

  test('count anew after a right password', async () => {
    for (let round = 0; round < 9; round += 1) await kit.login('ten@casa.example', 'wrong password 1');
    expect(statusOf(await kit.login('ten@casa.example'))).toBe(200);
    for (let round = 0; round < 10; round += 1) {
      expect(statusOf(await kit.login('ten@casa.example', 'wrong password 1'))).toBe(401);
    }
    expect(statusOf(await kit.login('ten@casa.example'))).toBe(429);
  });

  test('hold for an e-mail that has no account, which is like any other', async () => {
    for (let round = 0; round < 10; round += 1) expect(statusOf(await kit.login('ghost@casa.example'))).toBe(401);
    expect(statusOf(await kit.login('ghost@casa.example'))).toBe(429);
  });

  test('do not stand in the way of thirty right logins at once', async () => {
    await kit.member('crowd@casa.example');
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => kit.login('crowd@casa.example')));
    expect(tally(outcomes)).toEqual({ 200: 30 });
  });

  test('are counted across instances', async () => {
    await kit.member('instances@casa.example');
    const pool = openAccountsPool(kit.database.url, quietLog);
    const guard = createLoginGuard({ pool, keyRing: testKeyRing, clock: kit.clock });
    for (let round = 0; round < 10; round += 1) {
      const attempt = await guard.begin('instances@casa.example', { id: 'network 127.0.0.0/24', isKnown: false });
      await attempt.fail();
    }
    expect(statusOf(await kit.login('instances@casa.example'))).toBe(429);
    await pool.end();
  });

  test('leave nothing behind once they are old', async () => {
    const count = async () =>
      (await kit.database.dataSource.query<{ count: string }[]>('SELECT count(*) FROM accounts.login_failures'))[0]
        ?.count;
    await kit.forget();
    expect(await count()).not.toBe('0');
    kit.clock.advance(15 * 60_000 + 1);
    await kit.forget();
    expect(await count()).toBe('0');
  });
});

interface Portal {
  readonly url: string;
  readonly seen: { method: string | undefined; body: unknown }[];
  answer: (body: { email?: string; password?: string }) => { status: number; body: string };
  close(): Promise<void>;
}

async function openPortal(): Promise<Portal> {
  const seen: Portal['seen'] = [];
  const portal: Portal = {
    url: '',
    seen,
    answer: () => ({ status: 401, body: '{}' }),
    close: async () => Promise.resolve(),
  };
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const body = JSON.parse(text) as { email?: string; password?: string };
      seen.push({ method: request.method, body });
      const answer = portal.answer(body);
      response.writeHead(answer.status, { 'content-type': 'application/json', location: 'http://127.0.0.1:1/' });
      response.end(answer.body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return Object.assign(portal, {
    url: `http://127.0.0.1:${address.port}/auth`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

describe("an account of the issuer's portal", () => {
  let portal: Portal;
  let withPortal: AccountsKit;
  const known = { id: 'agent-7', email: 'Bruno@Portal.example', name: 'Bruno Lima' };

  beforeAll(async () => {
    portal = await openPortal();
    portal.answer = ({ email, password: given }) =>
      email?.toLowerCase() === 'bruno@portal.example' && given === 'portal-secret'
        ? { status: 200, body: JSON.stringify(known) }
        : { status: 401, body: '{}' };
    withPortal = await openAccounts({ portalAuthUrl: portal.url });
  });
  afterAll(async () => {
    await withPortal.close();
    await portal.close();
  });

  const userOf = ({ data }: Outcome) => (data?.['login'] as { user: Record<string, unknown> }).user;

  test('logs in with the same password, without registering: AGENT_USER, company null', async () => {
    const outcome = await withPortal.login('bruno@portal.example', 'portal-secret');
    expect(userOf(outcome)).toMatchObject({
      email: 'Bruno@Portal.example',
      name: 'Bruno Lima',
      company: null,
      ownerType: 'AGENT_USER',
    });
    expect(portal.seen.at(-1)).toEqual({
      method: 'POST',
      body: { email: 'bruno@portal.example', password: 'portal-secret' },
    });
  });

  test('is one account however often it logs in, and carries what the portal says now', async () => {
    const first = userOf(await withPortal.login('bruno@portal.example', 'portal-secret'));
    known.name = 'Bruno Lima Filho';
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => withPortal.login('bruno@portal.example', 'portal-secret')),
    );
    for (const outcome of outcomes)
      expect(userOf(outcome)).toMatchObject({ id: first['id'], name: 'Bruno Lima Filho' });
  });

  test('may create keys at once: the portal vouches for its e-mail', async () => {
    const principal = await withPortal.session('bruno@portal.example', 'portal-secret');
    const { error } = await withPortal.run('mutation { createApiKey(name: "k") { key } }', {}, { principal });
    expect(error).toBeUndefined();
  });

  test('changes its password at the portal', async () => {
    const principal = await withPortal.session('bruno@portal.example', 'portal-secret');
    const text = 'mutation { changePassword(currentPassword: "portal-secret", newPassword: "ponte-nova-1966") }';
    expect((await withPortal.run(text, {}, { principal })).error).toMatchObject({
      statusCode: 422,
      message: expect.stringContaining('portal manages the password of this account: change it there'),
    });
  });

  test('is reported by mail when its e-mail is registered here, and no second account is made', async () => {
    expect((await withPortal.register('bruno@portal.example')).error).toBeUndefined();
    const [mail] = await withPortal.mailbox('bruno@portal.example');
    expect(mail).toMatchObject({ subject: 'Você já tem uma conta', links: [] });
    expect(mail?.text).toContain('portal');
    expect((await withPortal.login('bruno@portal.example', password)).error?.statusCode).toBe(401);
  });

  test('gets 401 for a wrong password, and 429 after ten', async () => {
    for (let round = 0; round < 10; round += 1) {
      expect(statusOf(await withPortal.login('other@portal.example', 'wrong'))).toBe(401);
    }
    expect(statusOf(await withPortal.login('other@portal.example', 'wrong'))).toBe(429);
  });

  test('does not take over the account of another user whose e-mail the portal passed on', async () => {
    const first = userOf(await withPortal.login('bruno@portal.example', 'portal-secret'));
    known.id = 'agent-8';
    const second = userOf(await withPortal.login('bruno@portal.example', 'portal-secret'));
    expect(second['id']).not.toBe(first['id']);
    known.id = 'agent-7';
  });

  test('never reaches the portal with the password of an account made here', async () => {
    await withPortal.member('local@casa.example');
    const before = portal.seen.length;
    expect(statusOf(await withPortal.login('local@casa.example'))).toBe(200);
    expect(portal.seen).toHaveLength(before);
  });

  test.each([
    ['fails', { status: 500, body: 'oops' }],
    ['redirects', { status: 302, body: '' }],
  ])('gets 503 while the portal %s, which counts as no failure; accounts made here log in', async (_what, answer) => {
    const before = portal.answer;
    portal.answer = () => answer;
    for (let round = 0; round < 12; round += 1) {
      const { error } = await withPortal.login('agent@portal.example', 'portal-secret');
      expect(error).toMatchObject({ code: 'UNAVAILABLE', statusCode: 503 });
    }
    expect(statusOf(await withPortal.login('local@casa.example'))).toBe(200);
    portal.answer = before;
    expect(statusOf(await withPortal.login('agent@portal.example', 'portal-secret'))).toBe(401);
  });
});
