import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { until } from '../kit/until.js';
import { openTarget, type Target } from './kit.js';

let target: Target;

beforeAll(async () => {
  target = await openTarget({ template: 'empty', env: { RATE_LIMIT_ACCOUNTS: '1000' } });
});
afterAll(() => target.close());

const password = 'ponte-velha-1965';

async function send(method: string, path: string, body?: unknown, authorization?: string) {
  const response = await fetch(`${target.url}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>) };
}

const auth = (name: string) => `/v1/emissoes/auth/${name}`;
const me = (authorization: string) => send('GET', auth('me'), undefined, authorization);
const graphql = (query: string, authorization: string) => send('POST', '/graphql', { query }, authorization);
const register = (email: string, given = password) =>
  send('POST', auth('register'), { name: 'Ana', email, password: given, company: 'Casa' });

async function login(email: string): Promise<string> {
  const { body } = await send('POST', auth('login'), { email, password });
  return `Bearer ${String(body?.['accessToken'])}`;
}

/** Registers and confirms an account, and answers the credential of its session. */
async function member(email: string): Promise<string> {
  await register(email);
  const mails = (await (await fetch(`${target.url}/dev/mailbox?to=${email}`)).json()) as { links: string[] }[];
  const token = new URL(mails[0]?.links[0] ?? '').searchParams.get('token');
  const { body } = await send('POST', auth('verify-email'), { token });
  return `Bearer ${String(body?.['accessToken'])}`;
}

/** Opens a graphql-ws socket with a credential; its frames so far, and the code that it was closed with. */
async function openSocket(authorization: string) {
  const socket = new WebSocket(`${target.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const frames: Record<string, unknown>[] = [];
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  socket.on('message', (data: Buffer) => void frames.push(JSON.parse(data.toString()) as Record<string, unknown>));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const say = (frame: unknown) => {
    socket.send(JSON.stringify(frame));
  };
  say({ type: 'connection_init', payload: { authorization } });
  const frame = (type: string, id?: string) =>
    until(`the frame ${type}`, () =>
      frames.find((one) => one['type'] === type && (id === undefined || one['id'] === id)),
    );
  await frame('connection_ack');
  return {
    say,
    frame,
    closed,
    end: () => {
      socket.terminate();
    },
  };
}

describe('a session that was logged out', () => {
  test('is refused at once, its socket begins nothing more and is closed; other sessions go on', async () => {
    const session = await member('out@casa.example');
    const other = await login('out@casa.example');
    const socket = await openSocket(session);
    socket.say({ id: '1', type: 'subscribe', payload: { query: '{ me { email } }' } });
    expect(await socket.frame('next')).toMatchObject({ payload: { data: { me: { email: 'out@casa.example' } } } });

    expect((await send('POST', auth('logout'), undefined, session)).status).toBe(204);
    expect((await me(session)).status).toBe(401);
    expect((await send('POST', auth('logout'), undefined, session)).status).toBe(401);
    // Ten seconds are promised; the rest is patience with a busy machine.
    expect(await Promise.race([socket.closed, delay(25_000, 'open still')])).toBe(4401);
    expect((await me(other)).status).toBe(200);
  });

  test('is ended once by two log-outs at the same time', async () => {
    const session = await member('twice@casa.example');
    const outcomes = await Promise.all([1, 2, 3].map(() => send('POST', auth('logout'), undefined, session)));
    const statuses = outcomes.map(({ status }) => status);
    expect(statuses).toContain(204);
    for (const status of statuses) expect([204, 401]).toContain(status);
    expect((await me(session)).status).toBe(401);
  });
});

describe('the session of somebody else', () => {
  test('is a missing one, and goes on', async () => {
    const owner = await member('owner@casa.example');
    const thief = await member('thief@casa.example');
    const { body } = await graphql('{ sessions { id } }', owner);
    const [{ id } = { id: '' }] = (body as { data: { sessions: { id: string }[] } }).data.sessions;
    const end = (by: string, wanted: string) => graphql(`mutation { endSession(id: "${wanted}") }`, by);
    const foreign = JSON.stringify((await end(thief, id)).body).replaceAll(/[0-9a-f-]{36}/g, '');
    const missing = JSON.stringify((await end(thief, '00000000-0000-4000-8000-000000000000')).body);
    expect(foreign).toBe(missing.replaceAll(/[0-9a-f-]{36}/g, ''));
    expect(foreign).toContain('404');
    expect((await me(owner)).status).toBe(200);
  });
});

describe('an unconfirmed session', () => {
  test('sees itself and nothing else over a WebSocket', async () => {
    await register('waiting@casa.example');
    const socket = await openSocket(await login('waiting@casa.example'));
    socket.say({ id: '1', type: 'subscribe', payload: { query: '{ me { email } }' } });
    expect(await socket.frame('next')).toMatchObject({ payload: { data: { me: { email: 'waiting@casa.example' } } } });
    socket.say({
      id: '2',
      type: 'subscribe',
      payload: { query: 'subscription { creditBatchUpdated { __typename } }' },
    });
    expect(JSON.stringify(await socket.frame('next', '2'))).toContain('Confirm the e-mail');
    socket.end();
  });
});

describe('passwords', () => {
  test('that everyone chooses are refused, in whatever case and width', async () => {
    for (const common of ['password1', 'PASSWORD1', 'ｐａｓｓｗｏｒｄ１']) {
      expect((await register('common@casa.example', common)).status).toBe(422);
    }
  });

  test('are guessed through a stolen session ten times and no more', async () => {
    const session = await member('guessed@casa.example');
    const guess = (n: number) =>
      graphql(`mutation { changePassword(currentPassword: "guess ${n}", newPassword: "ponte-nova-1966") }`, session);
    const outcomes = await Promise.all(Array.from({ length: 16 }, (_, n) => guess(n)));
    const texts = outcomes.map(({ body }) => JSON.stringify(body));
    expect(texts.filter((text) => text.includes('UNPROCESSABLE'))).toHaveLength(10);
    expect(texts.filter((text) => text.includes('TOO_MANY_REQUESTS'))).toHaveLength(6);
  });

  test('nothing of all that is an error of the program', () => {
    expect(target.errors()).toEqual([]);
  });
});
