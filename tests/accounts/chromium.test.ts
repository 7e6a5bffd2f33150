import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../kit/free-port.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { until } from '../kit/until.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { chromium, openChromium, type ChromiumPage } from './chromium.js';
import { callerOf, password } from './http.js';

/** A page of the program, which may call it. */
const somePage = '/verificar-email';
const email = 'ana@casa.example';

/** In the page: a request as a panel makes it; the result is its status and body. */
const kit = `
  const ask = async (method, path, body) => {
    const response = await fetch(path, {
      method, ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
  const graphql = async (query, variables) => (await ask('POST', '/graphql', { query, variables })).body;
  const signed = async (path) => {
    const { body } = await ask('POST', path, {});
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(body);
    return (await navigator.credentials.get({ publicKey })).toJSON();
  };`;

const suite = chromium === undefined ? describe.skip : describe;
suite(chromium === undefined ? 'Chromium: skipped, install chromium to run it' : 'Chromium', () => {
  let platform: TestPlatform;
  let page: ChromiumPage;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://localhost:${port}`;
    platform = await openTestPlatform({ PORT: String(port), PUBLIC_URL: url, ...rateLimitVariables(100_000) });
    await callerOf(platform).member(email);
    page = await openChromium(chromium ?? '');
    await page.call('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true };
    const verifying = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
    await page.call('WebAuthn.addVirtualAuthenticator', { options: { ...options, ...verifying } });
    await page.open(`${url}${somePage}`);
  });
  afterAll(async () => {
    await page.close();
    await platform.close();
  });

  const run = (body: string) => page.run(`${kit} ${body}`);
  const credentials = JSON.stringify({ email, password });

  test('a person who confirms an e-mail leaves no session behind', async () => {
    const caller = callerOf(platform);
    const person = { name: 'Bia', email: 'bia@casa.example', password, company: 'Casa' };
    await caller.post('/v1/emissoes/auth/register', person);
    await page.open(`${url}${somePage}?token=${await caller.tokenFor(person.email)}`);
    await page.run("document.querySelector('form button').click(); return true");
    await until('the session to end', async () => {
      const rows = await platform.infrastructure.dataSource.query<object[]>(
        `SELECT confirmed_at IS NOT NULL AS confirmed, (SELECT count(*)::int FROM accounts.sessions WHERE account_id = a.id AND ended_at IS NULL) AS sessions
         FROM accounts.accounts a WHERE email = $1`,
        [person.email],
      );
      expect(rows).toEqual([{ confirmed: true, sessions: 0 }]);
      return true;
    });
    await page.open(`${url}${somePage}`);
  });

  test('keeps the cookie on plain http://localhost, where no script can read it', async () => {
    expect(await run(`return ask('POST', '/web/session', ${credentials})`)).toMatchObject({ status: 204 });
    expect(await run('return document.cookie')).toBe('');
    expect(await run(`return graphql('{ me { email } }')`)).toEqual({ data: { me: { email } } });
    const { cookies } = (await page.call('Network.getCookies', { urls: [url] })) as {
      cookies: { readonly name: string }[];
    };
    const guarded = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict', domain: 'localhost' };
    expect(cookies.toSorted((one, other) => one.name.localeCompare(other.name))).toMatchObject([
      { name: '__Host-lastro', ...guarded },
      { name: '__Host-lastro-device', ...guarded },
    ]);
  });

  test('registers a passkey, logs in by it without a name, and steps up by it', async () => {
    const added = await run(`
      const { data } = await graphql('mutation { beginPasskey }');
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(data.beginPasskey));
      const credential = JSON.stringify((await navigator.credentials.create({ publicKey })).toJSON());
      return graphql('mutation ($credential: String!) { addPasskey(name: "Chromium", credential: $credential) { recoveryCodes factors { passkeys { name } } } }', { credential });`);
    expect(added).toMatchObject({ data: { addPasskey: { factors: { passkeys: [{ name: 'Chromium' }] } } } });
    expect(await run(`return ask('DELETE', '/web/session')`)).toMatchObject({ status: 204 });
    expect(await run(`return ask('GET', '/web/session')`)).toMatchObject({ status: 204 });
    const loggedIn = await run(
      `return ask('POST', '/web/session', { passkey: await signed('/web/session/passkey-request') })`,
    );
    expect(loggedIn).toMatchObject({ status: 204 });
    expect(await run(`return ask('GET', '/web/session')`)).toMatchObject({ body: { email, due: null } });
    const steppedUp = await run(
      `return ask('POST', '/web/session/step-up', { passkey: await signed('/web/session/step-up/passkey-request') })`,
    );
    expect(steppedUp).toMatchObject({ status: 204 });
    expect(await run(`return graphql('{ me { email } }')`)).toEqual({ data: { me: { email } } });
  });

  test('opens a WebSocket with the session of its page', async () => {
    const data = await run(`
      const socket = new WebSocket(location.origin.replace('http', 'ws') + '/graphql', 'graphql-transport-ws');
      const frames = [];
      await new Promise((resolve) => { socket.onopen = resolve; });
      socket.send(JSON.stringify({ type: 'connection_init' }));
      return new Promise((resolve) => {
        socket.onmessage = ({ data }) => {
          const frame = JSON.parse(data);
          if (frame.type === 'connection_ack')
            socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: '{ me { email } }' } }));
          if (frame.type === 'next') { socket.close(); resolve(frame.payload); }
        };
      });`);
    expect(data).toEqual({ data: { me: { email } } });
  });
});
