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

describe('a link confirms the registration that it was mailed for, and nothing of another', () => {
  test.each([
    ['before', [stranger, owner]],
    ['after', [owner, stranger]],
  ])("a stranger's registration %s the owner's leaves nothing in the owner's account", async (when, people) => {
    const email = `${when}@casa.example`;
    const tokens = new Map<typeof owner, string>();
    for (const person of people) tokens.set(person, await tokenOf(email, person));

    const confirmed = await verify(tokens.get(owner) ?? '');
    expect([confirmed.status, userOf(confirmed)]).toEqual([
      200,
      expect.objectContaining({ email, name: owner.name, company: owner.company }),
    ]);
    expect((await login(email, stranger)).status).toBe(401);
    expect(userOf(await login(email, owner)).id).toBe(userOf(confirmed).id);
    expect((await verify(tokens.get(stranger) ?? '')).status).toBe(422);
    expect(await rows(email)).toEqual({ confirmed: 1, waiting: 0 });
  });

  test('a session of a registration that was discarded ends, and makes no key', async () => {
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

describe('while several registrations of an e-mail wait', () => {
  test('the first logs in, to itself, and no later one replaces its password', async () => {
    const email = 'first@casa.example';
    await register(email, owner);
    await register(email, stranger);
    const first = await login(email, owner);
    expect([first.status, userOf(first)]).toEqual([200, expect.objectContaining({ name: owner.name })]);
    expect((await login(email, stranger)).status).toBe(401);
  });

  test.each(['resend-verification', 'forgot-password'])(
    '%s answers as ever, and mails no link: it cannot know whose it would be',
    async (name) => {
      const email = `${name}@casa.example`;
      const unknown = await caller.post(auth(name), { email });
      await register(email, stranger);
      await register(email, owner);
      const { status, body } = await caller.post(auth(name), { email });
      expect([status, body]).toEqual([unknown.status, unknown.body]);
      const [mail] = await caller.mailbox(email);
      expect(mail).toMatchObject({ subject: 'Há mais de um cadastro com seu e-mail', links: [] });

      const confirmed = await verify(await tokenOf(email, owner));
      expect(userOf(confirmed).name).toBe(owner.name);
    },
  );
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
  test('of the links of two registrations one confirms, and what it confirms is its own', async () => {
    for (let round = 0; round < 8; round += 1) {
      const email = `two-links-${round}@casa.example`;
      const links = [
        { person: stranger, token: await tokenOf(email, stranger) },
        { person: owner, token: await tokenOf(email, owner) },
      ];
      const outcomes = await Promise.all(
        [...links, ...links].map(async ({ person, token }) => ({ person, reply: await verify(token) })),
      );
      expect(outcomes.map(({ reply }) => reply.status).toSorted()).toEqual([200, 422, 422, 422]);
      for (const { person, reply } of outcomes) {
        if (reply.status === 200) expect(userOf(reply).name).toBe(person.name);
      }
      const confirmed = outcomes.find(({ reply }) => reply.status === 200)?.person;
      const statuses = await Promise.all([stranger, owner].map((person) => login(email, person)));
      expect(statuses.map(({ status }) => status)).toEqual(
        [stranger, owner].map((person) => (person === confirmed ? 200 : 401)),
      );
      expect(await rows(email)).toEqual({ confirmed: 1, waiting: 0 });
    }
  });

  test('a registration and a confirmation leave the confirmed account alone, as it was', async () => {
    for (let round = 0; round < 8; round += 1) {
      const email = `again-${round}@casa.example`;
      const token = await tokenOf(email, owner);
      const [confirmed, ...registered] = await Promise.all([
        verify(token),
        ...Array.from({ length: 3 }, () => register(email, stranger)),
      ]);
      expect([confirmed.status, ...registered.map(({ status }) => status)]).toEqual([200, 200, 200, 200]);
      expect(userOf(confirmed).name).toBe(owner.name);
      for (const link of (await caller.mailbox(email)).flatMap(({ links }) => links)) {
        expect((await verify(new URL(link).searchParams.get('token') ?? '')).status).toBe(422);
      }
      expect((await login(email, stranger)).status).toBe(401);
      expect((await login(email, owner)).status).toBe(200);
      expect(await rows(email)).toEqual({ confirmed: 1, waiting: 0 });
    }
  });

  test('logins to a registration that is discarded stand in no confirmation’s way, and none of their sessions lives on', async () => {
    const email = 'busy@casa.example';
    await register(email, stranger);
    const token = await tokenOf(email, owner);
    const logins = Array.from({ length: 12 }, () => login(email, stranger));
    const [confirmed, ...answers] = await Promise.all([verify(token), ...logins]);
    expect(confirmed.status).toBe(200);
    for (const reply of answers) {
      expect([200, 401]).toContain(reply.status);
      if (reply.status === 401) continue;
      const authorization = authorizationOf(reply);
      expect((await caller.send('GET', auth('me'), undefined, { authorization })).status).toBe(401);
    }
    expect(await rows(email)).toEqual({ confirmed: 1, waiting: 0 });
  });

  test('twenty registrations send seven mails, and any one of their links confirms its own', async () => {
    const email = 'twenty@casa.example';
    const people = Array.from({ length: 20 }, (_, index) => ({
      ...owner,
      name: `Ana ${'ABCDEFGHIJKLMNOPQRST'[index] ?? ''}`,
    }));
    const outcomes = await Promise.all(people.map((person) => register(email, person)));
    expect(new Set(outcomes.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    const mails = await caller.mailbox(email);
    expect(mails).toHaveLength(7);
    expect(await rows(email)).toEqual({ confirmed: 0, waiting: 7 });
    const [mail] = mails;
    const confirmed = await verify(new URL(mail?.links[0] ?? '').searchParams.get('token') ?? '');
    expect(mail?.text).toContain(`Olá, ${userOf(confirmed).name}.`);
    expect(await rows(email)).toEqual({ confirmed: 1, waiting: 0 });
  });
});
