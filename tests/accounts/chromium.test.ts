import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../kit/free-port.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { until } from '../kit/until.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { callerOf, password } from './http.js';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { z } from 'zod';

/** Where the system's Chromium is; undefined when there is none. */
const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

const message = z.object({
  id: z.number().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});
const evaluated = z.object({
  result: z.object({ value: z.unknown() }),
  exceptionDetails: z.object({ exception: z.object({ description: z.string() }).optional() }).optional(),
});

/** A page of a Chromium without a window, driven by the DevTools protocol. */
type ChromiumPage = Awaited<ReturnType<typeof openChromium>>;

async function openChromium(path: string) {
  const profile = await mkdtemp(join(tmpdir(), 'lastro-chromium-'));
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', '--no-first-run'];
  const child = spawn(path, [...flags, `--user-data-dir=${profile}`, 'about:blank'], { stdio: 'ignore' });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const port = await portOf(profile);
  const targets = z
    .array(z.object({ type: z.string(), webSocketDebuggerUrl: z.string() }))
    .parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json());
  const page = targets.find(({ type }) => type === 'page');
  if (page === undefined) throw new Error('Chromium has no page');
  const socket = new WebSocket(page.webSocketDebuggerUrl, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const waiting = new Map<number, (text: z.output<typeof message>) => void>();
  socket.on('message', (data: Buffer) => {
    const said = message.parse(JSON.parse(data.toString()));
    if (said.id !== undefined) waiting.get(said.id)?.(said);
  });
  let last = 0;
  const call = async (method: string, params: object = {}) => {
    last += 1;
    const id = last;
    const said = new Promise<z.output<typeof message>>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await said;
    waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
  const run = async (body: string) => {
    const expression = `(async () => { ${body} })()`;
    const { result, exceptionDetails } = evaluated.parse(
      await call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, userGesture: true }),
    );
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? 'The page failed');
    return result.value;
  };
  return {
    call,
    /** Runs the body of an asynchronous function in the page, and returns its result. */
    run,
    open: async (address: string) => {
      await call('Page.navigate', { url: address });
      const isComplete = `return location.href === ${JSON.stringify(address)} && document.readyState === 'complete'`;
      await until(`the page ${address}`, () => run(isComplete));
    },
    close: async () => {
      socket.terminate();
      child.kill('SIGKILL');
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const portOf = (profile: string): Promise<string> =>
  until(
    'the port of Chromium',
    async () => (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n')[0],
  );

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
    await page.run("document.querySelector('main form button').click(); return true");
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
