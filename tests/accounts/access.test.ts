import { afterAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { isObjectType } from 'graphql';
import { openDomains } from '../../bootstrap/subgraphs.js';
import { readSupergraph } from '../../bootstrap/supergraph.js';
import { localDataSource } from '../../gateway/graph/data-source.js';
import { createGraph } from '../../gateway/graph/graph.js';
import { declaredAccess } from '../../shared/graphql/access.js';
import { openTestPlatform } from '../kit/platform.js';
import { documentFor } from '../kit/root-document.js';
import { callerOf, password, type Reply } from './http.js';

const platform = await openTestPlatform({ RATE_LIMIT_ACCOUNTS: '100000', RATE_LIMIT_SESSION: '100000' });
const caller = callerOf(platform);
afterAll(() => platform.close());
const auth = (name: string) => `/v1/emissoes/auth/${name}`;

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

test('a login of a wrong pair leaves the idempotency key free: the same request is answered when the pair is right', async () => {
  const body = { email: 'late@casa.example', password };
  const ask = () => caller.post(auth('login'), body, { 'x-idempotency-key': 'late-login' });
  expect((await ask()).status).toBe(401);
  await caller.member(body.email);
  const first = await ask();
  expect(first.status).toBe(200);
  expect((await ask()).body).toEqual(first.body);
});

describe('idempotency', () => {
  test('a key that was made comes again to the credential that made it, and to no other of its owner', async () => {
    const email = 'two-sessions@casa.example';
    await caller.member(email);
    const session = async () => {
      const { body } = await caller.post(auth('login'), { email, password });
      return `Bearer ${(body as { readonly accessToken: string }).accessToken}`;
    };
    const [own, other] = [await session(), await session()];
    const ask = (authorization: string) =>
      caller.post('/v1/emissoes/keys', { name: 'Site' }, { authorization, 'x-idempotency-key': 'one-key' });
    const made = await ask(own);
    expect(made.status).toBe(201);
    expect(await ask(other)).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/another credential, which alone gets the secret again/) },
    });
    expect((await ask(own)).body).toEqual(made.body);
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

test('a password that was reset before the e-mail was confirmed is the one that the link confirms', async () => {
  const email = 'reset@again.example';
  const token = await tokenOf(email, stranger);
  await caller.post(auth('forgot-password'), { email });
  await caller.post(auth('reset-password'), { token: await caller.tokenFor(email), password: owner.password });
  expect((await verify(token)).status).toBe(200);
  expect((await login(email, stranger)).status).toBe(401);
  expect((await login(email, owner)).status).toBe(200);
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

const email = 'waiting@casa.example';
const domains = await openDomains(platform.infrastructure);

const sources = Object.fromEntries(
  domains.all.map(({ name, schema }) => [name, localDataSource(schema, platform.infrastructure.keyRing)]),
);

const graph = await createGraph({ supergraphSdl: await readSupergraph(), sources });
await caller.post('/v1/emissoes/auth/register', { name: 'Ana', email, password, company: 'Casa' });
const loggedIn = await caller.post('/v1/emissoes/auth/login', { email, password });
const { accessToken } = loggedIn.body as { accessToken: string };
const session: { readonly authorization: string } = { authorization: `Bearer ${accessToken}` };
const found = await domains.accounts.authenticator.authenticate({ bearer: accessToken });
if (found === undefined) throw new Error('The session does not work');
const principal = found;

afterAll(() => domains.close());

const open = new Set(['me', 'logout', 'verifyEmail', 'resendVerification']);

async function statusOf(kind: string, text: string): Promise<number> {
  const prepared = graph.prepare(text);
  const context = { ...platform.infrastructure.context, principal, loaders: new Map() };
  const answer = await (kind === 'subscription'
    ? graph.subscribe(prepared, {}, context)
    : graph.run(prepared, {}, context));
  if ('next' in answer) {
    await answer.return?.();
    return 200;
  }
  return Number(answer.errors?.[0]?.extensions['statusCode'] ?? 200);
}

describe('the session of an account whose e-mail is not confirmed', () => {
  test('is refused every root field of the graph but me, logout and what confirms it', async () => {
    const { apiSchema } = graph;
    const roots = {
      query: apiSchema.getQueryType(),
      mutation: apiSchema.getMutationType(),
      subscription: apiSchema.getSubscriptionType(),
    };
    const outcomes: string[] = [];
    let refused = 0;
    for (const [kind, root] of Object.entries(roots)) {
      if (!isObjectType(root)) throw new Error(`The graph has no ${kind}`);
      for (const field of Object.values(root.getFields())) {
        if (open.has(field.name)) continue;
        const status = await statusOf(kind, documentFor(kind, field));
        if (status === 403) refused += 1;
        else outcomes.push(`${kind} ${field.name}: ${status}`);
      }
    }
    expect(outcomes).toEqual([]);
    expect(refused).toBeGreaterThan(60);
  });

  test('gets the reason in a sentence, over HTTP', async () => {
    const { body } = await caller.graphql('{ patrimonies(first: 1) { nodes { id } } }', {}, session);
    expect((body as { errors: object[] }).errors[0]).toMatchObject({
      message: expect.stringContaining('Confirm the e-mail of the account'),
      extensions: { statusCode: 403 },
    });
  });

  test('sees me by REST and by the graph, and nothing else there', async () => {
    expect(await caller.send('GET', '/v1/emissoes/auth/me', undefined, session)).toMatchObject({
      status: 200,
      body: { email },
    });
    expect((await caller.graphql('{ me { email } }', {}, session)).body).toEqual({ data: { me: { email } } });
    for (const [method, path, body] of [
      ['GET', '/v1/emissoes/keys', undefined],
      ['POST', '/v1/emissoes/keys', { name: 'k' }],
      ['DELETE', '/v1/emissoes/keys/00000000-0000-4000-8000-000000000000', undefined],
    ] as const) {
      expect((await caller.send(method, path, body, session)).status).toBe(403);
    }
  });

  test('opens neither operation data nor the endpoint of agents', async () => {
    expect((await caller.send('GET', '/v1/emissoes/operacoes', undefined, session)).status).toBe(401);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const accept = { accept: 'application/json, text/event-stream' };
    expect((await caller.post('/v1/emissoes/mcp', call, { ...session, ...accept })).status).toBe(401);
  });

  test('may be sent beside a public path, which asks nobody who they are', async () => {
    expect((await caller.send('GET', '/public/patrimonies', undefined, session)).status).toBe(200);
  });

  test('does more once the e-mail is confirmed, at once', async () => {
    await caller.post('/v1/emissoes/auth/verify-email', { token: await caller.tokenFor(email) });
    expect((await caller.post('/v1/emissoes/keys', { name: 'k' }, session)).status).toBe(201);
  });
});

const isForm = (name: string, names: readonly string[]) =>
  name.endsWith('Result') && names.includes(name.slice(0, -'Result'.length));

/** Fields of the graph that need no proof of the last minutes, by the reason. Every other mutation needs one. */
const without = {
  'no session of a browser has them': [
    ...['register', 'login', 'verifyEmail', 'resendVerification', 'forgotPassword', 'resetPassword'],
    ...['tradingLogin', 'refreshTradingTokens', 'fetchOperatorKey'],
  ],
  'they ask for the password themselves': ['changePassword', 'deleteMyAccount'],
  'they only take access away, or give back what was taken': [
    ...['logout', 'endSession', 'endOtherSessions', 'endSessionsOf', 'endAccountSessions', 'disableAccount'],
    ...[
      'suspendProfile',
      'activateProfile',
      'suspendTradingProfile',
      'activateTradingProfile',
      'withdrawOriginatorPermit',
    ],
    ...['deleteWebhook', 'activateWebhook'],
  ],
  'they trade within the wallets of the company': [
    ...['createOrder', 'cancelOrder', 'cancelAllOrders', 'cancelAllAfter', 'createQuote', 'executeQuote'],
    ...['createProfile', 'updateProfile'],
  ],
  'they change a draft, which is submitted with a proof': [
    ...['createCreditBatch', 'createCreditBatchFromFile', 'takeInAssignmentFile'],
    ...['addContracts', 'remakeCreditBatch', 'removeContract', 'replaceContracts', 'takeInSettlementFile'],
    ...['createSettlementBatch', 'createSettlementBatchFromFile'],
    ...['addImportFilePiece', 'checkImport'],
  ],
  'they send what was approved to addresses that were proved': [
    ...['testWebhook', 'redeliverWebhook', 'redeliverWebhookDeliveries', 'replayWebhook'],
  ],
  'they change settings of the reader': ['followOperation', 'unfollowOperation', 'changeMailSettings'],
  'they change what imports can replace, and no balance': [
    ...['changeTrancheStatus', 'generateSchedule', 'reprice', 'registerCollection', 'rereadCollection'],
  ],
  'they run the house': [
    ...['addCurrency', 'addMarket', 'changeMarket', 'haltMarket', 'haltTrading'],
    ...['reconcileLedger', 'resolveReconciliationFinding', 'runJob'],
    ...['quarantinePlatformWork', 'releasePlatformWork', 'retryPlatformWork', 'retryTradingWork'],
    ...['quarantineCreditAssignmentWork', 'releaseCreditAssignmentWork'],
    ...['quarantineTokenizationWork', 'releaseTokenizationWork', 'retryTokenizationWork'],
  ],
  'they work in development alone': ['simulateDeposit'],
};

interface Root {
  readonly name: string;
  readonly needsProof: boolean;
}

/** The fields of a root type over all domains; the second mutation of a form is as the first. */
function rootsOf(kind: 'Query' | 'Mutation'): Root[] {
  const fields = domains.all.flatMap(({ schema }) => {
    const type = kind === 'Query' ? schema.getQueryType() : schema.getMutationType();
    return Object.values(type?.getFields() ?? {});
  });
  const all = fields.map(({ name, extensions }) => ({
    name,
    needsProof: declaredAccess(extensions)?.stepUp === true,
  }));
  const names = all.map(({ name }) => name);
  const proofOf = new Map(all.map(({ name, needsProof }) => [name, needsProof]));
  for (const { name, needsProof } of all)
    if (isForm(name, names)) expect([name, needsProof]).toEqual([name, proofOf.get(name.slice(0, -'Result'.length))]);
  return all.filter(({ name }) => !isForm(name, names));
}

test('every mutation needs a proof of the last minutes from a browser’s session, but those that are named here with a reason', () => {
  const free = rootsOf('Mutation').filter(({ needsProof }) => !needsProof);
  expect(free.map(({ name }) => name).sort()).toEqual(Object.values(without).flat().sort());
});

test('the contract names the fields that need a proof of the last minutes', () => {
  const text = readFileSync('docs/contract/browser-sessions.md', 'utf8');
  const section = /### 4\.2 [^]*?(?=\n## )/.exec(text)?.[0] ?? '';
  const listed = [...section.matchAll(/`([a-z]\w+)`/g)].map(([, name]) => name);
  const needing = [...rootsOf('Query'), ...rootsOf('Mutation')].filter(({ needsProof }) => needsProof);
  expect(listed.sort()).toEqual(needing.map(({ name }) => name).sort());
});
