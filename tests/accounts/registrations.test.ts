import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { callerOf, type Caller, type Reply } from './http.js';

let platform: TestPlatform;
let caller: Caller;

beforeAll(async () => {
  platform = await openTestPlatform({ RATE_LIMIT_ACCOUNTS: '100000', RATE_LIMIT_SESSION: '100000' });
  caller = callerOf(platform);
});

afterAll(() => platform.close());

const auth = (name: string) => `/v1/emissoes/auth/${name}`;
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
    const email = `${which.slice(0, 5).replace(' ', '-')}@casa.example`;
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
    const email = `${name}@casa.example`;
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
    const email = 'kept-reset@casa.example';
    await register(email, owner);
    await caller.post(auth('forgot-password'), { email });
    const token = await caller.tokenFor(email);
    await register(email, stranger);
    expect((await caller.post(auth('reset-password'), { token, password: owner.password })).status).toBe(200);
    expect((await login(email, stranger)).status).toBe(401);
    expect((await login(email, owner)).status).toBe(200);
  });

  test('ends the sessions of the first, which make no key', async () => {
    const email = 'session@casa.example';
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
    const email = 'goes-on@casa.example';
    const token = await tokenOf(email, owner);
    const authorization = authorizationOf(await login(email, owner));
    await verify(token);
    expect((await caller.post('/v1/emissoes/keys', { name: 'mine' }, { authorization })).status).toBe(201);
  });

  test('the mail names the moment of its registration', async () => {
    const email = 'moment@casa.example';
    await register(email, stranger);
    await register(email, owner);
    const mails = await caller.mailbox(email);
    expect(mails.map(({ text }) => text.split('\n')[0])).toEqual(['Olá, Ana Souza.', 'Olá, Mallory.']);
    for (const { text } of mails) expect(text).toMatch(/cadastro pedido em \d\d\/\d\d\/\d{4}, às \d\d:\d\d/);
  });
});

describe('a password that was reset before the e-mail was confirmed', () => {
  test('is the one that the link confirms', async () => {
    const email = 'reset@casa.example';
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
    for (let round = 0; round < 8; round += 1) {
      const email = `again-${round}@casa.example`;
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
    const email = 'busy@casa.example';
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
    const email = 'twenty@casa.example';
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
