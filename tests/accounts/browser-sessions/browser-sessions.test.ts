import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { base32 } from '@scure/base';
import { WebSocket } from 'ws';
import { sha256 } from '../../../shared/security/crypto.js';
import { createLoginGuard } from '../../../subgraphs/accounts/accounts/login-guard.js';
import { openAccountsPool } from '../../../subgraphs/accounts/pool.js';
import { totpCode, totpStep } from '../../../subgraphs/accounts/second-factors/totp.js';
import { quietLog } from '../../kit/context.js';
import { until } from '../../kit/until.js';
import { openBrowser, openBrowserPlatform, ownPage, site, stateOf, type Browser } from '../browser.js';
import { password } from '../http.js';

const minute = 60_000;
let browser: Browser;
let email: string;

const opened = await openBrowserPlatform({ TRUST_PROXY: '127.0.0.1' });
const { platform, clock } = opened;
afterAll(() => platform.close());
beforeEach(async () => {
  ({ browser, email } = await opened.newVisitor());
});

const logIn = (of: Browser, given = password) => of.post('/web/session', { email, password: given });
const query = <Row>(text: string, values?: unknown[]) => opened.query<Row>(text, values);
const sessionsOf = async (of: Browser) =>
  ((await of.graphql('{ sessions { id current browser } }')).body as { data: { sessions: object[] } }).data.sessions;

describe('the cookie', () => {
  test('is set by a log-in with every protection, is in no body, and is stored as its hash alone', async () => {
    const reply = await logIn(browser);
    expect(reply).toMatchObject({ status: 204, body: undefined });
    const [, value = ''] = /^__Host-lastro=([A-Za-z0-9_-]{43});/.exec(browser.setCookie ?? '') ?? [];
    expect(browser.setCookie).toBe(`__Host-lastro=${value}; Path=/; Max-Age=43200; Secure; HttpOnly; SameSite=Strict`);
    expect(JSON.stringify(await stateOf(browser))).not.toContain(value);
    const [row] = await query<{ text: string; hash: Buffer }>(
      `SELECT s::text AS text, cookie_hash AS hash FROM accounts.sessions AS s WHERE id = $1`,
      [(await stateOf(browser))['id']],
    );
    expect(row?.hash).toEqual(sha256(value));
    expect(row?.text).not.toContain(value);
  });

  test('authenticates GraphQL and the documented paths as the same principal as a token', async () => {
    await logIn(browser);
    const me = { data: { me: { email, ownerType: 'EMISSOES_USER' } } };
    expect((await browser.graphql('{ me { email ownerType } }')).body).toEqual(me);
    expect(await browser.send('GET', '/v1/emissoes/auth/me')).toMatchObject({ status: 200, body: { email } });
    const key = await browser.post('/v1/emissoes/keys', { name: 'planilha' });
    expect(key.status).toBe(201);
    expect(await sessionsOf(browser)).toEqual([
      expect.objectContaining({ current: true, browser: true }),
      expect.objectContaining({ current: false, browser: false }),
    ]);
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['another site of an old browser', { origin: 'https://evil.example' }],
    ['a program that says nothing', {}],
    ['a page that claims our origin beside what the browser says', { origin: site, 'sec-fetch-site': 'cross-site' }],
  ])('does not count for a request of %s, which can neither log in', async (_who, headers) => {
    await logIn(browser);
    const query = { query: '{ me { email } }' };
    expect((await browser.post('/graphql', query, headers)).body).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHORIZED' } }],
    });
    expect((await browser.send('GET', '/v1/emissoes/auth/me', undefined, headers)).status).toBe(401);
    expect((await browser.send('DELETE', '/web/session', undefined, headers)).status).toBe(401);
    const before = browser.cookie;
    expect((await browser.post('/web/session', { email, password }, headers)).status).toBe(403);
    expect(browser.cookie).toBe(before);
  });

  test('counts by Origin for a browser that sends no Sec-Fetch-Site', async () => {
    expect((await browser.post('/web/session', { email, password }, { origin: site })).status).toBe(204);
    const me = await browser.post('/graphql', { query: '{ me { email } }' }, { origin: site });
    expect(me.body).toEqual({ data: { me: { email } } });
  });

  test('does not count beside another credential, nor twice, nor in another form', async () => {
    await logIn(browser);
    const cookie = browser.cookie ?? '';
    const other = openBrowser(platform);
    const ask = (headers: Record<string, string>) =>
      other.post('/graphql', { query: '{ me { email } }' }, { ...ownPage, ...headers });
    expect((await ask({ cookie: `__Host-lastro=${cookie}` })).body).toEqual({ data: { me: { email } } });
    expect((await ask({ cookie: `__Host-lastro=${cookie}`, authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await ask({ cookie: `__Host-lastro=${cookie}`, 'x-api-key': 'svcpub_wrong' })).status).toBe(401);
    for (const text of [
      `__Host-lastro=${cookie}; __Host-lastro=${cookie}`,
      `__Host-lastro=${cookie}x`,
      `lastro=${cookie}`,
      `__Host-lastro="${cookie}"`,
      '__Host-lastro=',
    ])
      expect((await ask({ cookie: text })).body).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHORIZED' } }] });
  });

  test('of a session that has ended does not keep its browser from what is public', async () => {
    await logIn(browser);
    const { cookie } = browser;
    await browser.send('DELETE', '/web/session');
    expect(browser).toMatchObject({ cookie: undefined });
    expect(browser.setCookie).toContain('__Host-lastro=; Path=/; Max-Age=0;');
    browser.cookie = cookie;
    expect(await browser.errorOf('{ tranches { totalCount } }')).toBeUndefined();
    expect(await browser.errorOf('{ me { email } }')).toBe('UNAUTHORIZED');
    expect((await browser.send('GET', '/web/session')).status).toBe(204);
  });
});

describe('a log-in', () => {
  test('takes JSON alone, names every error of it, and refuses a wrong password', async () => {
    const form = await fetch(`${platform.url}/web/session`, {
      method: 'POST',
      headers: { ...ownPage, 'content-type': 'application/x-www-form-urlencoded' },
      body: `email=${email}&password=${password}`,
    });
    expect(form.status).toBe(415);
    expect((await browser.post('/web/session', { email: 1, password: '', more: true })).body).toMatchObject({
      statusCode: 400,
      details: [{ path: 'email' }, { path: 'password' }, { path: '' }],
    });
    expect((await browser.post('/web/session', {})).status).toBe(400);
    expect((await logIn(browser, 'wrong-password-1')).status).toBe(401);
    expect(browser.cookie).toBeUndefined();
  });

  test('makes a new session each time, and ends that of the cookie that the browser had', async () => {
    await logIn(browser);
    const first = browser.cookie;
    await logIn(browser);
    expect(browser.cookie).not.toBe(first);
    const old = openBrowser(platform);
    old.cookie = first;
    expect((await old.send('GET', '/web/session')).status).toBe(204);
    // A cookie that somebody else put into the browser becomes no session.
    const fixed = openBrowser(platform);
    fixed.cookie = 'A'.repeat(43);
    await logIn(fixed);
    expect(fixed.cookie).not.toBe('A'.repeat(43));
  });

  test('is in the audit log, with who and from where, and without a secret', async () => {
    await logIn(browser);
    const { id } = await stateOf(browser);
    const rows = await query<{ text: string; action: string; source: string }>(
      `SELECT action, source, to_jsonb(entry)::text AS text FROM shared.audit_log AS entry WHERE subject_id = $1`,
      [id],
    );
    expect(rows).toMatchObject([
      { action: 'browserLogin', source: expect.stringMatching(/127\.0\.0\.1|::1/) as unknown },
    ]);
    expect(rows[0]?.text).not.toContain(browser.cookie ?? '');
    expect(rows[0]?.text).not.toContain(password);
  });
});

describe('the end of a session', () => {
  test('comes after 30 minutes without a request, by the clock that all instances share; reading it does not prolong it', async () => {
    await logIn(browser);
    clock.advance(30 * minute - 1);
    expect(await stateOf(browser)).toMatchObject({ kind: 'ACCOUNT', due: null });
    clock.advance(1);
    expect((await browser.send('GET', '/web/session')).status).toBe(204);
    expect(await browser.errorOf('{ me { email } }')).toBe('UNAUTHORIZED');
  });

  test('is put off by requests, but not beyond 12 hours', async () => {
    await logIn(browser);
    const { id, endsAt } = await stateOf(browser);
    const seen = async () =>
      (
        await query<{ at: Date }>('SELECT last_seen_at AS at FROM accounts.sessions WHERE id = $1', [id])
      )[0]?.at.getTime();
    clock.advance(29 * minute);
    expect(await browser.errorOf('{ me { email } }')).toBeUndefined();
    const now = clock.now().getTime();
    await until('the request to be noted in the session', async () => (await seen()) === now);
    await delay(1_000);
    clock.advance(29 * minute);
    expect(await browser.errorOf('{ me { email } }')).toBeUndefined();
    await query(`UPDATE accounts.sessions SET last_seen_at = expires_at - interval '1 second' WHERE id = $1`, [id]);
    await delay(1_000);
    clock.set(new Date(new Date(String(endsAt)).getTime() - 1));
    expect(await browser.errorOf('{ me { email } }')).toBeUndefined();
    clock.advance(1);
    expect(await browser.errorOf('{ me { email } }')).toBe('UNAUTHORIZED');
  });

  test('can be made by its owner from another session, by a new password, and by an operator’s ban', async () => {
    const own = openBrowser(platform);
    await logIn(own);
    await logIn(browser);
    expect((await own.graphql('mutation { endOtherSessions }')).body).toEqual({ data: { endOtherSessions: 2 } });
    expect((await browser.send('GET', '/web/session')).status).toBe(204);
    await logIn(browser);
    const change = `mutation { changePassword(currentPassword: "${password}", newPassword: "ponte-nova-1966") }`;
    expect(await own.errorOf(change)).toBeUndefined();
    expect((await browser.send('GET', '/web/session')).status).toBe(204);
    expect(await own.errorOf('{ me { email } }')).toBeUndefined();
    await query('UPDATE accounts.accounts SET disabled_at = $2, disabled_reason = $3 WHERE email = $1', [
      email,
      clock.now(),
      'test',
    ]);
    await delay(1_000);
    expect(await own.errorOf('{ me { email } }')).toBe('UNAUTHORIZED');
  });
});

async function open(headers: Record<string, string>) {
  const socket = new WebSocket(`${platform.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
  const frames: { type: string; payload?: unknown }[] = [];
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  socket.on('message', (data: Buffer) => void frames.push(JSON.parse(data.toString()) as (typeof frames)[number]));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const come = (count: number) => until(`frame ${count}`, () => frames.length >= count);
  socket.send(JSON.stringify({ type: 'connection_init' }));
  await come(1);
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: '{ me { email } }' } }));
  await come(2);
  return { socket, closed, result: frames[1] };
}

test('a WebSocket has the session by Origin, ends with it, and has none from a page of another origin', async () => {
  await logIn(browser);
  const cookie = `__Host-lastro=${browser.cookie ?? ''}`;
  const own = await open({ origin: site, cookie });
  expect(own.result).toMatchObject({ type: 'next', payload: { data: { me: { email } } } });
  for (const headers of [
    { cookie, origin: 'https://evil.example' },
    { cookie, 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    { cookie },
  ]) {
    const { socket, result } = await open(headers);
    expect(JSON.stringify(result)).toContain('UNAUTHORIZED');
    socket.terminate();
  }
  await browser.send('DELETE', '/web/session');
  expect(await own.closed).toBe(4401);
});

describe('wrong passwords', () => {
  const home = { ...ownPage, 'x-forwarded-for': '192.0.2.7' };
  const atHome = (path: string, body: object) => browser.post(path, body, home);
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const login = async (given: string, address: string) =>
    (await opened.caller.post('/v1/emissoes/auth/login', { email, password: given }, from(address))).status;

  async function guess(times: number, address: string): Promise<number[]> {
    const statuses = [];
    for (let turn = 0; turn < times; turn += 1) statuses.push(await login('wrong-password-1', address));
    return statuses;
  }

  /** A browser in which the owner has logged in, and logged out. */
  beforeEach(async () => {
    await atHome('/web/session', { email, password });
    await browser.send('DELETE', '/web/session');
  });

  describe('ten wrong passwords', () => {
    test('lock out their own network, and nobody elsewhere', async () => {
      expect(await guess(11, '203.0.113.9')).toEqual([...Array<number>(10).fill(401), 429]);
      expect(await login(password, '203.0.113.10')).toBe(429);
      expect(await login(password, '198.51.100.1')).toBe(200);
    });

    test('in its own network do not lock out a browser that logged in before, which has ten of its own', async () => {
      await guess(10, '192.0.2.9');
      expect(await login(password, '192.0.2.7')).toBe(429);
      expect((await atHome('/web/session', { email, password })).status).toBe(204);
      const wrong = () => atHome('/web/session', { email, password: 'wrong-password-1' });
      for (let turn = 0; turn < 10; turn += 1) expect((await wrong()).status).toBe(401);
      expect((await atHome('/web/session', { email, password })).status).toBe(429);
    });

    test('are counted by the network for a browser of somebody else, and for a cookie that was made up', async () => {
      await guess(10, '192.0.2.9');
      const { browser: strange, email: other } = await opened.newVisitor();
      await strange.post('/web/session', { email: other, password }, home);
      const [id = ''] = (browser.device ?? '').split('.');
      for (const device of [strange.device, id, `${id}.${'A'.repeat(22)}`, 'x']) {
        browser.device = device;
        expect((await atHome('/web/session', { email, password })).status).toBe(429);
      }
    });
  });

  test('a hundred wrong passwords from many networks lock out those that are not known, and neither a known network nor a known browser', async () => {
    expect(await login(password, '198.51.100.1')).toBe(200);
    // As ten wrong passwords from each of ten networks are counted, without the work of verifying them.
    const { databaseUrl, keyRing } = platform.infrastructure;
    const pool = openAccountsPool(databaseUrl, quietLog);
    const guard = createLoginGuard({ pool, keyRing, clock });
    for (let failures = 0; failures < 100; failures += 1) {
      const id = `network 203.0.${failures % 10}.0/24`;
      await (await guard.begin(email, { id, isKnown: false })).fail();
    }
    await pool.end();
    expect(await guess(1, '203.0.200.1')).toEqual([429]);
    expect(await login(password, '203.0.201.1')).toBe(429);
    expect(await login(password, '198.51.100.77')).toBe(200);
    expect((await atHome('/web/session', { email, password })).status).toBe(204);
    clock.advance(15 * 60_000);
    expect(await login(password, '203.0.201.1')).toBe(200);
  });

  test('wrong codes of somebody who knows the password lock out neither the owner’s browser nor go on in further sessions', async () => {
    await atHome('/web/session', { email, password });
    const begun = await browser.graphql('mutation { beginTotp { secret } }');
    const { secret } = (begun.body as { data: { beginTotp: { secret: string } } }).data.beginTotp;
    const code = () =>
      totpCode(base32.decode(secret.padEnd(Math.ceil(secret.length / 8) * 8, '=')), totpStep(clock.now()));
    await browser.graphql('mutation ($code: String!) { confirmTotp(code: $code) { recoveryCodes } }', { code: code() });
    await browser.send('DELETE', '/web/session');
    clock.advance(30_000);

    const statuses = [];
    for (let session = 0; session < 4; session += 1) {
      const thief = openBrowser(platform);
      const headers = { ...ownPage, 'x-forwarded-for': '192.0.2.66' };
      expect((await thief.post('/web/session', { email, password }, headers)).status).toBe(204);
      expect(thief.device).toBeUndefined();
      for (let turn = 0; turn < 3; turn += 1)
        statuses.push((await thief.post('/web/session/step-up', { totp: '000000' }, headers)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429, 429]);
    expect((await atHome('/web/session', { email, password })).status).toBe(204);
    expect((await atHome('/web/session/step-up', { totp: code() })).status).toBe(204);
  });
});
