import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { callerOf, password, type Caller } from './http.js';

let platform: TestPlatform;
let caller: Caller;

beforeAll(async () => {
  platform = await openTestPlatform({ RATE_LIMIT_ACCOUNTS: '100000', RATE_LIMIT_SESSION: '100000' });
  caller = callerOf(platform);
});

afterAll(() => platform.close());

const auth = (name: string) => `/v1/emissoes/auth/${name}`;
const user = (email: string) => ({
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  email,
  name: 'Ana Souza',
  company: 'Casa',
  ownerType: 'EMISSOES_USER',
});
const session = (email: string) => ({
  accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  user: user(email),
});
const message = { message: expect.any(String) };
const registration = (email: string) => ({ name: 'Ana Souza', email, password, company: 'Casa' });
const envelope = (statusCode: number, error: string) => ({ statusCode, error, message: expect.any(String) });

describe('the development mailbox', () => {
  const ask = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${platform.url}/dev/mailbox?to=ana@casa.example`, { headers }, (response) => {
        response.resume().once('end', () => {
          resolve(response.statusCode);
        });
      })
        .once('error', reject)
        .end();
    });

  test('answers this machine, and no page of a site whose name was made to lead here', async () => {
    expect(await ask({ host: 'localhost:4000' })).toBe(200);
    expect(await ask({ host: '127.0.0.1' })).toBe(200);
    expect(await ask({ host: 'evil.example' })).toBe(403);
    expect(await ask({ host: 'localhost:4000', origin: 'https://evil.example' })).toBe(403);
  });
});

describe('from registering to a key, by the documented paths', () => {
  test('each step answers its documented status and shape', async () => {
    const email = 'ana@casa.example';
    const registered = await caller.post(auth('register'), registration(email));
    expect([registered.status, registered.body]).toEqual([200, message]);

    const [mail] = await caller.mailbox(email);
    expect(mail?.links[0]).toContain(`/verificar-email?token=`);
    const page = await fetch(mail?.links[0]?.replace(/^https?:\/\/[^/]+/, platform.url) ?? '');
    expect(page.status).toBe(200);

    const verified = await caller.post(auth('verify-email'), { token: await caller.tokenFor(email) });
    expect([verified.status, verified.body]).toEqual([200, session(email)]);

    const loggedIn = await caller.post(auth('login'), { email, password });
    expect([loggedIn.status, loggedIn.body]).toEqual([200, session(email)]);
    const authorization = `Bearer ${(loggedIn.body as { accessToken: string }).accessToken}`;

    const me = await caller.send('GET', auth('me'), undefined, { authorization });
    expect([me.status, me.body]).toEqual([200, user(email)]);

    const created = await caller.post('/v1/emissoes/keys', { name: 'Painel' }, { authorization });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      prefix: expect.stringMatching(/^svcpub_[0-9A-Za-z]+$/),
      key: expect.stringMatching(/^svcpub_[0-9A-Za-z]+\.[0-9A-Za-z]+$/),
      name: 'Painel',
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      rateLimit: 60,
    });

    const listed = await caller.send('GET', '/v1/emissoes/keys', undefined, { authorization });
    expect(listed.status).toBe(200);
    expect(listed.body).toEqual([
      {
        id: (created.body as { id: string }).id,
        prefix: (created.body as { prefix: string }).prefix,
        name: 'Painel',
        status: 'ACTIVE',
        rateLimit: 60,
        expiresAt: expect.any(String),
        lastUsedAt: null,
        requestCount: 0,
        createdAt: expect.any(String),
        revokedAt: null,
      },
    ]);
  });

  test('forgotten, reset, and logged in with the new password; the old session has ended', async () => {
    const email = 'reset@casa.example';
    const { authorization } = await caller.member(email);
    const forgot = await caller.post(auth('forgot-password'), { email });
    expect([forgot.status, forgot.body]).toEqual([200, message]);
    const token = await caller.tokenFor(email);
    const reset = await caller.post(auth('reset-password'), { token, password: 'ponte-nova-1966' });
    expect([reset.status, reset.body]).toEqual([200, message]);
    expect((await caller.post(auth('login'), { email, password })).status).toBe(401);
    expect((await caller.post(auth('login'), { email, password: 'ponte-nova-1966' })).status).toBe(200);
    expect((await caller.send('GET', auth('me'), undefined, { authorization })).status).toBe(401);
    expect((await caller.post(auth('reset-password'), { token, password: 'ponte-nova-1967' })).status).toBe(422);
  });

  test.each(['verify-email', 'reset-password'])(
    '%s says of a token of another length where the right one is',
    async (path) => {
      for (const token of ['', 'x'.repeat(1001)]) {
        const refused = await caller.post(auth(path), { token, password: 'ponte-nova-1966' });
        const details = [{ path: 'token', message: 'must have 1 to 1,000 characters: copy the token of the link' }];
        expect(refused).toMatchObject({ status: 400, body: { details } });
      }
    },
  );

  test('resend-verification answers 200 with a message', async () => {
    const { status, body } = await caller.post(auth('resend-verification'), { email: 'nobody@casa.example' });
    expect([status, body]).toEqual([200, message]);
  });
});

describe('errors of the account paths come in the envelope', () => {
  test('400 with every error of the body at once', async () => {
    const { status, body } = await caller.post(auth('register'), {
      name: '',
      email: 'x',
      password: 'short',
      company: 7,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject(envelope(400, 'Bad Request'));
    const paths = (body as { details: { path: string }[] }).details.map(({ path }) => path);
    expect(paths.toSorted()).toEqual(['company', 'email', 'name', 'password']);
  });

  test.each([
    ['register', ['company', 'email', 'name', 'password']],
    ['verify-email', ['token']],
    ['resend-verification', ['email']],
    ['login', ['email', 'password']],
    ['forgot-password', ['email']],
    ['reset-password', ['password', 'token']],
  ])('400 names what %s lacks', async (name, lacking) => {
    const { status, body } = await caller.post(auth(name), {});
    expect(status).toBe(400);
    expect((body as { details: { path: string }[] }).details.map(({ path }) => path).toSorted()).toEqual(lacking);
  });

  test('400 for JSON that is malformed, 415 for what is not JSON', async () => {
    expect((await caller.post(auth('login'), '{"email":')).status).toBe(400);
    expect((await caller.post(auth('login'), 'email=x', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('401 for a bad pair, and for me without, with a wrong and with an altered session', async () => {
    const bad = await caller.post(auth('login'), { email: 'nobody@casa.example', password });
    expect([bad.status, bad.body]).toEqual([401, expect.objectContaining(envelope(401, 'Unauthorized'))]);
    const { authorization } = await caller.member('session@casa.example');
    for (const headers of [{}, { authorization: 'Bearer nonsense' }, { authorization: `${authorization}x` }]) {
      const { status, body } = await caller.send('GET', auth('me'), undefined, headers);
      expect([status, body]).toEqual([401, expect.objectContaining(envelope(401, 'Unauthorized'))]);
    }
  });

  test('422 for a link that does not work', async () => {
    const { status, body } = await caller.post(auth('verify-email'), { token: 'nonsense' });
    expect([status, body]).toEqual([422, expect.objectContaining(envelope(422, 'Unprocessable Entity'))]);
    expect((body as { details: unknown[] }).details).toMatchObject([{ path: 'token' }]);
  });

  test('401 leaves the idempotency key free: the same request is answered when the pair is right', async () => {
    const body = { email: 'late@casa.example', password };
    const ask = () => caller.post(auth('login'), body, { 'x-idempotency-key': 'late-login' });
    expect((await ask()).status).toBe(401);
    await caller.member(body.email);
    const first = await ask();
    expect(first.status).toBe(200);
    expect((await ask()).body).toEqual(first.body);
  });

  test('429 with Retry-After after ten failed logins for one e-mail', async () => {
    const failures = await Promise.all(
      Array.from({ length: 10 }, () => caller.post(auth('login'), { email: 'ten@casa.example', password })),
    );
    expect(failures.map(({ status }) => status)).toEqual(Array(10).fill(401));
    const { status, headers, body } = await caller.post(auth('login'), { email: 'TEN@casa.example', password });
    expect([status, body]).toEqual([429, expect.objectContaining(envelope(429, 'Too Many Requests'))]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(890);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(900);
  });

  test('none of them says whether an e-mail has an account', async () => {
    await caller.member('known@casa.example');
    for (const name of ['resend-verification', 'forgot-password']) {
      const known = await caller.post(auth(name), { email: 'known@casa.example' });
      const unknown = await caller.post(auth(name), { email: 'unknown@casa.example' });
      expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    }
    const again = await caller.post(auth('register'), registration('known@casa.example'));
    const fresh = await caller.post(auth('register'), registration('fresh@casa.example'));
    expect([again.status, again.body]).toEqual([fresh.status, fresh.body]);
  });
});

describe('idempotency', () => {
  test('registering twice with one key sends one mail; another body is a conflict', async () => {
    const headers = { 'x-idempotency-key': 'register-1' };
    const first = await caller.post(auth('register'), registration('idem@casa.example'), headers);
    const again = await caller.post(auth('register'), registration('idem@casa.example'), headers);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(again.headers.get('x-idempotent-replayed')).toBe('true');
    expect(await caller.mailbox('idem@casa.example')).toHaveLength(1);
    expect((await caller.post(auth('register'), registration('other@casa.example'), headers)).status).toBe(409);
  });

  test('a key with an idempotency key is made once and shown again', async () => {
    const { authorization } = await caller.member('idemkey@casa.example');
    const headers = { authorization, 'x-idempotency-key': 'key-1' };
    const first = await caller.post('/v1/emissoes/keys', { name: 'k' }, headers);
    const again = await caller.post('/v1/emissoes/keys', { name: 'k' }, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await caller.send('GET', '/v1/emissoes/keys', undefined, { authorization })).body).toHaveLength(1);
  });

  test('forty guesses at once, each with a key of its own, get ten looks at the password', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        caller.post(
          auth('login'),
          { email: 'guessed@casa.example', password: `guess ${index}` },
          { 'x-idempotency-key': `guess-${index}` },
        ),
      ),
    );
    const statuses = outcomes.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(30).fill(429)]);
  });
});
