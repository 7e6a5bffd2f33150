import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { openTestPlatform } from '../kit/platform.js';
import { callerOf, password, type Reply } from './http.js';

const platform = await openTestPlatform({ RATE_LIMIT_ACCOUNTS: '100000', RATE_LIMIT_SESSION: '100000' });
const caller = callerOf(platform);
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

    const created = await caller.post('/v1/emissoes/keys', { name: '  Painel  ' }, { authorization });
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

  test('401 for a bad pair, and for me without, with a wrong and with an altered session', async () => {
    const bad = await caller.post(auth('login'), { email: 'nobody@casa.example', password });
    expect([bad.status, bad.body]).toEqual([401, expect.objectContaining(envelope(401, 'Unauthorized'))]);
    const { authorization } = await caller.member('session@casa.example');
    for (const headers of [{}, { authorization: 'Bearer nonsense' }, { authorization: `${authorization}x` }]) {
      const { status, body } = await caller.send('GET', auth('me'), undefined, headers);
      expect([status, body]).toEqual([401, expect.objectContaining(envelope(401, 'Unauthorized'))]);
    }
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

  test('none of them says whether an e-mail has an account', async () => {
    await caller.member('known@casa.example');
    for (const name of ['resend-verification', 'forgot-password']) {
      const known = await caller.post(auth(name), { email: 'known@casa.example' });
      const unknown = await caller.post(auth(name), { email: 'unknown@casa.example' });
      for (const { status, body } of [known, unknown]) expect([status, body]).toEqual([200, message]);
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

const registrationForm = `mutation ($email: String!, $password: String!) {
  registerResult(name: "Ana Souza", email: $email, password: $password, company: "Casa") {
    __typename ... on Message { message } ... on InputErrors { code details { path message } } } }`;
const keyForm = `mutation ($name: String!) { createApiKeyResult(name: $name) {
  __typename ... on CreatedApiKey { key } ... on InputErrors { code details { path message } } } }`;

describe('the mutations of forms', () => {
  test('return the errors of every field as data, with status 200', async () => {
    const { status, body } = await caller.graphql(registrationForm, { email: 'ana', password: 'curta' });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        registerResult: {
          __typename: 'InputErrors',
          code: 'BAD_REQUEST',
          details: [
            { path: 'email', message: expect.any(String) },
            { path: 'password', message: expect.any(String) },
          ],
        },
      },
    });
  });

  test('act as the mutations beside them', async () => {
    const { body } = await caller.graphql(registrationForm, { email: 'form@casa.example', password });
    expect(body).toMatchObject({ data: { registerResult: { __typename: 'Message' } } });
    expect(await caller.mailbox('form@casa.example')).toHaveLength(1);
  });

  test('run once with an idempotency key, whether the input was accepted or rejected', async () => {
    const authorization = await caller.member('bia@casa.example');
    for (const [name, typename] of [
      ['planilha', 'CreatedApiKey'],
      ['', 'InputErrors'],
    ]) {
      const headers = { ...authorization, 'x-idempotency-key': randomUUID() };
      const first = await caller.graphql(keyForm, { name }, headers);
      const second = await caller.graphql(keyForm, { name }, headers);
      expect(first.body).toMatchObject({ data: { createApiKeyResult: { __typename: typename } } });
      expect(second.body).toEqual(first.body);
    }
  });
});

const owner = { name: 'Ana Souza', company: 'Casa', password: 'ponte-velha-1965' };
const stranger = { name: 'Mallory', company: 'Rua', password: 'stranger-pass-1' };
const register = (email: string, person: typeof owner) => caller.post(auth('register'), { email, ...person });
const login = (email: string, { password }: Pick<typeof owner, 'password'>) =>
  caller.post(auth('login'), { email, password });
const verify = (token: string) => caller.post(auth('verify-email'), { token });
const userOf = ({ body }: Reply) => (body as { user: { id: string; name: string; company: string } }).user;
const authorizationOf = ({ body }: Reply) => `Bearer ${(body as { accessToken: string }).accessToken}`;

/** Registers and answers the token that this very registration was mailed. */
async function tokenOf(email: string, person: typeof owner): Promise<string> {
  await register(email, person);
  return caller.tokenFor(email);
}

const rows = async (email: string) => {
  const [counts] = await platform.infrastructure.context.manager.query<{ confirmed: number; waiting: number }[]>(
    `SELECT count(confirmed_at)::int AS confirmed, (count(*) - count(confirmed_at))::int AS waiting
     FROM accounts.accounts WHERE lower(email) = lower($1)`,
    [email],
  );
  return counts;
};

describe('a second registration of an e-mail that waits', () => {
  test.each([
    ['another', [stranger, owner]],
    ['a stranger’s', [owner, stranger]],
  ])('replaces the first: %s link is the one that works, with its own name and password', async (which, people) => {
    const email = `${which.slice(0, 5).replace(' ', '-')}@again.example`;
    const [first, second] = people;
    const old = await tokenOf(email, first ?? owner);
    const token = await tokenOf(email.toUpperCase(), second ?? owner);
    expect((await verify(old)).status).toBe(422);
    expect((await login(email, first ?? owner)).status).toBe(401);
    expect((await login(email, second ?? owner)).status).toBe(200);
    const confirmed = await verify(token);
    expect([confirmed.status, userOf(confirmed).name]).toEqual([200, second?.name]);
    expect((await login(email, first ?? owner)).status).toBe(401);
    expect(await rows(email)).toEqual({ confirmed: 1, waiting: 0 });
    expect((await caller.mailbox(email.toUpperCase())).map(({ text }) => text.includes('este substitui'))).toContain(
      true,
    );
  });

  test.each(['resend-verification', 'forgot-password'])('is what %s mails a link for', async (name) => {
    const email = `${name}@again.example`;
    await register(email, stranger);
    await register(email, owner);
    const unknown = await caller.post(auth(name), { email: `no-${email}` });
    const { status, body } = await caller.post(auth(name), { email });
    expect([status, body]).toEqual([unknown.status, unknown.body]);
    const token = await caller.tokenFor(email);
    if (name === 'forgot-password') await caller.post(auth('reset-password'), { token, password: 'another-pass-22' });
    else expect(userOf(await verify(token)).name).toBe(owner.name);
    const password = name === 'forgot-password' ? 'another-pass-22' : owner.password;
    expect((await login(email, { password })).status).toBe(200);
  });

  test('leaves a reset link of the mailbox in force', async () => {
    const email = 'kept-reset@again.example';
    await register(email, owner);
    await caller.post(auth('forgot-password'), { email });
    const token = await caller.tokenFor(email);
    await register(email, stranger);
    expect((await caller.post(auth('reset-password'), { token, password: owner.password })).status).toBe(200);
    expect((await login(email, stranger)).status).toBe(401);
    expect((await login(email, owner)).status).toBe(200);
  });

  test('ends the sessions of the first, which make no key', async () => {
    const email = 'session@again.example';
    await register(email, stranger);
    const authorization = authorizationOf(await login(email, stranger));
    expect((await caller.send('GET', auth('me'), undefined, { authorization })).status).toBe(200);

    const confirmed = await verify(await tokenOf(email, owner));
    const key = await caller.post('/v1/emissoes/keys', { name: 'mine' }, { authorization });
    expect(key.status).toBe(401);
    expect((await caller.send('GET', auth('me'), undefined, { authorization })).status).toBe(401);
    const mine = await caller.graphql(
      '{ followedOperations { ticker } }',
      {},
      {
        authorization: authorizationOf(confirmed),
      },
    );
    expect(mine.body).toEqual({ data: { followedOperations: [] } });
  });

  test('a session of the registration that was confirmed goes on', async () => {
    const email = 'goes-on@again.example';
    const token = await tokenOf(email, owner);
    const authorization = authorizationOf(await login(email, owner));
    await verify(token);
    expect((await caller.post('/v1/emissoes/keys', { name: 'mine' }, { authorization })).status).toBe(201);
  });

  test('the mail names the moment of its registration', async () => {
    const email = 'moment@again.example';
    await register(email, stranger);
    await register(email, owner);
    const mails = await caller.mailbox(email);
    expect(mails.map(({ text }) => text.split('\n')[0])).toEqual(['Olá, Ana Souza.', 'Olá, Mallory.']);
    for (const { text } of mails) expect(text).toMatch(/cadastro pedido em \d\d\/\d\d\/\d{4}, às \d\d:\d\d/);
  });
});

describe('a password that was reset before the e-mail was confirmed', () => {
  test('is the one that the link confirms', async () => {
    const email = 'reset@again.example';
    const token = await tokenOf(email, stranger);
    await caller.post(auth('forgot-password'), { email });
    await caller.post(auth('reset-password'), { token: await caller.tokenFor(email), password: owner.password });
    expect((await verify(token)).status).toBe(200);
    expect((await login(email, stranger)).status).toBe(401);
    expect((await login(email, owner)).status).toBe(200);
  });
});

describe('at the same moment', () => {
  test('a confirmation and registrations leave one account, with the password of one of them', async () => {
    for (let round = 0; round < 4; round += 1) {
      const email = `again-${round}@again.example`;
      const token = await tokenOf(email, owner);
      const [confirmed, ...registered] = await Promise.all([
        verify(token),
        ...Array.from({ length: 3 }, () => register(email, stranger)),
      ]);
      expect(registered.map(({ status }) => status)).toEqual([200, 200, 200]);
      // Whoever came first: a confirmed account stays as it was, and a registration before it has replaced the owner's.
      const isOwners = confirmed.status === 200;
      if (!isOwners) expect(confirmed.status).toBe(422);
      expect(await rows(email)).toEqual(isOwners ? { confirmed: 1, waiting: 0 } : { confirmed: 0, waiting: 1 });
      expect((await login(email, stranger)).status).toBe(isOwners ? 401 : 200);
      expect((await login(email, owner)).status).toBe(isOwners ? 200 : 401);
    }
  });

  test('logins to a registration that is replaced stand in no way of it, and none of their sessions lives on', async () => {
    const email = 'busy@again.example';
    await register(email, stranger);
    const logins = Array.from({ length: 12 }, () => login(email, stranger));
    const [, ...answers] = await Promise.all([register(email, owner), ...logins]);
    const confirmed = await verify(await caller.tokenFor(email));
    expect([confirmed.status, userOf(confirmed).name]).toEqual([200, owner.name]);
    for (const reply of answers) {
      expect([200, 401]).toContain(reply.status);
      if (reply.status === 401) continue;
      const authorization = authorizationOf(reply);
      expect((await caller.send('GET', auth('me'), undefined, { authorization })).status).toBe(401);
    }
    expect(await rows(email)).toEqual({ confirmed: 1, waiting: 0 });
  });

  test('twenty registrations send seven mails, and the newest of their links alone confirms its own', async () => {
    const email = 'twenty@again.example';
    const people = Array.from({ length: 20 }, (_, index) => ({
      ...owner,
      name: `Ana ${'ABCDEFGHIJKLMNOPQRST'[index] ?? ''}`,
    }));
    const outcomes = await Promise.all(people.map((person) => register(email, person)));
    expect(new Set(outcomes.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    const mails = await caller.mailbox(email);
    expect(mails).toHaveLength(7);
    expect(await rows(email)).toEqual({ confirmed: 0, waiting: 1 });
    const [mail, ...older] = mails;
    for (const { links } of older)
      expect((await verify(new URL(links[0] ?? '').searchParams.get('token') ?? '')).status).toBe(422);
    const confirmed = await verify(new URL(mail?.links[0] ?? '').searchParams.get('token') ?? '');
    expect(mail?.text).toContain(`Olá, ${userOf(confirmed).name}.`);
    expect(await rows(email)).toEqual({ confirmed: 1, waiting: 0 });
  });
});
