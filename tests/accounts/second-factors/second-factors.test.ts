import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { base32 } from '@scure/base';
import { totpCode, totpStep } from '../../../subgraphs/accounts/second-factors/totp.js';
import { untilBlocked } from '../../kit/database.js';
import { newOperator } from '../../kit/operator.js';
import { until } from '../../kit/until.js';
import { newTrader } from '../../trading/kit.js';
import { newAuthenticator, type Authenticator, type Deviation } from '../authenticator.js';
import { openBrowser, openBrowserPlatform, ownPage, site, stateOf, type Browser } from '../browser.js';
import { password, type Reply } from '../http.js';

const minute = 60_000;
let browser: Browser;
let email: string;

const opened = await openBrowserPlatform();
const { platform, caller, clock } = opened;
afterAll(() => platform.close());
beforeEach(async () => {
  ({ browser, email } = await opened.newVisitor());
});

const logIn = async (of = browser) => (await of.post('/web/session', { email, password })).status;
const stepUp = (proof: object, of = browser) => of.post('/web/session/step-up', proof);
const createKey = 'mutation { createApiKey(name: "k") { id } }';
const query = <Row>(text: string, values?: unknown[]) => opened.query<Row>(text, values);

async function dataOf<T>(text: string, variables?: Record<string, unknown>, of = browser): Promise<T> {
  const { data, errors } = (await of.graphql(text, variables)).body as { data: T; errors?: object[] };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

const codeAt = (secret: string, moment = clock.now()) => {
  const padded = secret.padEnd(Math.ceil(secret.length / 8) * 8, '=');
  return totpCode(base32.decode(padded), totpStep(moment));
};

async function addTotp(of = browser): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { beginTotp } = await dataOf<{ beginTotp: { secret: string } }>('mutation { beginTotp { secret } }', {}, of);
  const { confirmTotp } = await dataOf<{ confirmTotp: { recoveryCodes: string[] } }>(
    'mutation ($code: String!) { confirmTotp(code: $code) { recoveryCodes } }',
    { code: codeAt(beginTotp.secret) },
    of,
  );
  clock.advance(30_000);
  return { secret: beginTotp.secret, recoveryCodes: confirmTotp.recoveryCodes };
}

const addPasskeyText = `mutation ($name: String!, $credential: String!) {
  addPasskey(name: $name, credential: $credential) { recoveryCodes factors { passkeys { id name } recoveryCodesLeft } } }`;

async function openToken(): Promise<{ authorization: string }> {
  const { body } = await caller.post('/v1/emissoes/auth/login', { email, password });
  return { authorization: `Bearer ${(body as { accessToken: string }).accessToken}` };
}

async function addPasskey(authenticator: Authenticator, of = browser, deviation?: Deviation): Promise<Reply> {
  const { beginPasskey } = await dataOf<{ beginPasskey: string }>('mutation { beginPasskey }', {}, of);
  const options = JSON.parse(beginPasskey) as { challenge: string };
  const credential = JSON.stringify(authenticator.create(options, deviation));
  return of.graphql(addPasskeyText, { name: 'Notebook', credential });
}

async function challengeOf(path: string, of = browser): Promise<{ challenge: string }> {
  return (await of.post(path, {})).body as { challenge: string };
}

async function byPasskey(authenticator: Authenticator, of = browser, deviation?: Deviation): Promise<Reply> {
  const passkey = authenticator.get(await challengeOf('/web/session/step-up/passkey-request', of), deviation);
  return stepUp({ passkey }, of);
}

test('of two sessions that add a first factor at the same time, the second one has to prove that of the first', async () => {
  const other = openBrowser(platform);
  await logIn();
  await logIn(other);
  const { beginTotp } = await dataOf<{ beginTotp: { secret: string } }>('mutation { beginTotp { secret } }');
  const { beginPasskey } = await dataOf<{ beginPasskey: string }>('mutation { beginPasskey }', {}, other);
  const credential = JSON.stringify(newAuthenticator(site).create(JSON.parse(beginPasskey) as { challenge: string }));
  const confirmText = 'mutation ($code: String!) { confirmTotp(code: $code) { recoveryCodes } }';
  // Both are past the check of their sessions when the first of them commits.
  const outcomes = await platform.infrastructure.dataSource.transaction(async (manager) => {
    await manager.query('SELECT FROM accounts.accounts WHERE email = $1 FOR UPDATE', [email]);
    const both = Promise.all([
      browser.errorOf(confirmText, { code: codeAt(beginTotp.secret) }),
      other.errorOf(addPasskeyText, { name: 'Notebook', credential }),
    ]);
    await untilBlocked(platform.infrastructure.dataSource, 2);
    return { both };
  });
  expect((await outcomes.both).sort()).toEqual(['SECOND_FACTOR_REQUIRED', undefined]);
});

describe('an authenticator application', () => {
  test('is asked for at the next log-in, and each of its codes works once', async () => {
    await logIn();
    const { secret, recoveryCodes } = await addTotp();
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await stateOf(browser)).toMatchObject({ due: null, accepts: ['TOTP', 'RECOVERY_CODE'] });
    const other = openBrowser(platform);
    expect(await logIn(other)).toBe(204);
    expect(await stateOf(other)).toMatchObject({ due: 'SECOND_FACTOR' });
    for (const text of ['{ me { email } }', '{ secondFactors { required } }', '{ tranches { totalCount } }'])
      expect(await other.errorOf(text)).toBe('SECOND_FACTOR_REQUIRED');
    expect((await stepUp({ totp: '000000' }, other)).status).toBe(422);
    expect((await stepUp({ password }, other)).status).toBe(422);
    const [code, before] = [codeAt(secret), other.cookie];
    expect((await stepUp({ totp: code }, other)).status).toBe(204);
    expect(other.cookie).not.toBe(before);
    expect(await other.errorOf('{ me { email } }')).toBeUndefined();
    expect((await stepUp({ totp: code }, other)).status).toBe(422);
    const stale = openBrowser(platform);
    stale.cookie = before;
    expect((await stale.send('GET', '/web/session')).status).toBe(204);
  });

  test('has recovery codes, however they are typed, each of which works once and is reported by mail', async () => {
    await logIn();
    const { recoveryCodes } = await addTotp();
    const [first = ''] = recoveryCodes;
    const code = recoveryCodes.find((one) => /[01]/.test(one)) ?? first;
    const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    const other = openBrowser(platform);
    await logIn(other);
    expect((await stepUp({ recoveryCode: typed }, other)).status).toBe(204);
    expect((await stepUp({ recoveryCode: code }, other)).status).toBe(422);
    const left = await dataOf<{ secondFactors: object }>('{ secondFactors { recoveryCodesLeft } }', {}, other);
    expect(left.secondFactors).toEqual({ recoveryCodesLeft: 9 });
    const subjects = (await caller.mailbox(email)).map(({ subject }) => subject);
    expect(subjects).toEqual(
      expect.arrayContaining(['Um código de recuperação foi usado', 'Aplicativo de códigos cadastrado na sua conta']),
    );
  });

  test('once added makes other sessions of browsers prove it, and a password alone opens no token session', async () => {
    const other = openBrowser(platform);
    await logIn(other);
    await logIn();
    await addTotp();
    await until(
      'the other session to be asked for it',
      async () => (await other.errorOf('{ me { email } }')) === 'SECOND_FACTOR_REQUIRED',
    );
    const reply = await caller.post('/v1/emissoes/auth/login', { email, password });
    expect(reply).toMatchObject({ status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } });
  });

  test('once added as the first factor ends the sessions by token that the password alone had opened, and says so by mail', async () => {
    const bearers = await Promise.all([openToken(), openToken()]);
    await logIn();
    expect((await caller.graphql('{ me { email } }', {}, bearers[0])).body).toMatchObject({ data: { me: { email } } });
    const { secret } = await addTotp();
    for (const bearer of bearers) {
      expect((await caller.post('/v1/emissoes/keys', { name: 'k' }, bearer)).status).toBe(401);
      expect((await caller.graphql(createKey, {}, bearer)).body).toMatchObject({
        errors: [{ extensions: { code: 'UNAUTHORIZED' } }],
      });
    }
    const [mail] = await caller.mailbox(email);
    expect(mail?.text).toContain('As sessões por token, que só a senha tinha aberto, foram encerradas: 3.');
    expect(await stateOf(browser)).toMatchObject({ due: null });
    await addPasskey(newAuthenticator(site));
    expect((await caller.mailbox(email))[0]?.text).not.toContain('por token');
    expect((await stepUp({ totp: codeAt(secret) })).status).toBe(204);
  });

  test('once added lets no log-in by password that was under way open a token', async () => {
    await logIn();
    const { beginTotp } = await dataOf<{ beginTotp: { secret: string } }>('mutation { beginTotp { secret } }');
    const text = 'mutation ($code: String!) { confirmTotp(code: $code) { recoveryCodes } }';
    const { both } = await platform.infrastructure.dataSource.transaction(async (manager) => {
      await manager.query('SELECT FROM accounts.accounts WHERE email = $1 FOR UPDATE', [email]);
      const confirmed = browser.errorOf(text, { code: codeAt(beginTotp.secret) });
      await untilBlocked(platform.infrastructure.dataSource);
      const opened = caller.post('/v1/emissoes/auth/login', { email, password });
      await untilBlocked(platform.infrastructure.dataSource, 2);
      return { both: Promise.all([confirmed, opened]) };
    });
    const [confirmed, opened] = await both;
    expect(confirmed).toBeUndefined();
    expect(opened).toMatchObject({ status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } });
  });

  test('is locked after ten wrong codes in 15 minutes, also for a right one', async () => {
    await logIn();
    const { secret } = await addTotp();
    for (let count = 0; count < 10; count += 1) expect((await stepUp({ totp: '123456' })).status).toBe(422);
    const locked = await stepUp({ totp: codeAt(secret) });
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(60);
    clock.advance(15 * minute);
    expect((await stepUp({ totp: codeAt(secret) })).status).toBe(204);
  });

  test('removed takes the recovery codes with it, and needs a proof of the last five minutes', async () => {
    await logIn();
    const { secret } = await addTotp();
    clock.advance(5 * minute + 1);
    const remove = 'mutation { removeTotp { totpSince recoveryCodesLeft } }';
    expect(await browser.errorOf(remove)).toBe('STEP_UP_REQUIRED');
    await stepUp({ totp: codeAt(secret) });
    expect(await dataOf<object>(remove)).toEqual({ removeTotp: { totpSince: null, recoveryCodesLeft: 0 } });
    expect((await caller.mailbox(email))[0]?.subject).toBe('Aplicativo de códigos removido da sua conta');
  });
});

describe('a step-up', () => {
  test('is needed five minutes after the last proof for keys and webhook addresses, but not by other credentials', async () => {
    await logIn();
    expect(await browser.errorOf(createKey)).toBeUndefined();
    clock.advance(5 * minute);
    expect(await browser.errorOf(createKey)).toBeUndefined();
    clock.advance(1);
    expect(await browser.errorOf(createKey)).toBe('STEP_UP_REQUIRED');
    expect(await browser.post('/v1/emissoes/keys', { name: 'k' })).toMatchObject({
      status: 403,
      body: { code: 'STEP_UP_REQUIRED' },
    });
    const webhook = 'mutation { createWebhook(url: "https://example.com/h", events: ["batch.processed"]) { id } }';
    expect(await browser.errorOf(webhook)).toBe('STEP_UP_REQUIRED');
    const own = '{ exportMyData }';
    expect(await browser.errorOf(own)).toBe('STEP_UP_REQUIRED');
    expect(await browser.errorOf('{ me { email } }')).toBeUndefined();
    const bearer = await openToken();
    expect((await caller.post('/v1/emissoes/keys', { name: 'k' }, bearer)).status).toBe(201);
    expect((await caller.graphql(own, {}, bearer)).body).not.toHaveProperty('errors');
    expect((await stepUp({ password: 'wrong-password-1' })).status).toBe(422);
    expect((await stepUp({ password })).status).toBe(204);
    expect(await browser.errorOf(createKey)).toBeUndefined();
  });

  test.each([
    ['/graphql', { query: createKey }],
    [
      '/graphql',
      { query: 'mutation { changeMailSettings(language: EN) { language } createApiKey(name: "k") { id } }' },
    ],
    ['/v1/emissoes/keys', { name: 'k' }],
  ])(
    'that %s asks for leaves the idempotency key free: the same request runs after it, and once',
    async (path, body) => {
      await logIn();
      clock.advance(5 * minute + 1);
      const headers = { ...ownPage, 'x-idempotency-key': crypto.randomUUID() };
      const ask = () => browser.post(path, body, headers);
      const refused = await ask();
      expect(JSON.stringify(refused.body)).toContain('STEP_UP_REQUIRED');
      expect((await stepUp({ password })).status).toBe(204);
      const [first, second] = [await ask(), await ask()];
      expect(JSON.stringify(first.body)).toContain('"id":');
      expect(second.body).toEqual(first.body);
      expect([refused, first, second].map(({ headers: of }) => of.get('x-idempotent-replayed'))).toEqual([
        null,
        null,
        'true',
      ]);
    },
  );

  test('in two tabs at once succeeds in one: the other one finds the cookie renewed', async () => {
    await logIn();
    const { secret } = await addTotp();
    const [one, other] = [openBrowser(platform), openBrowser(platform)];
    one.cookie = browser.cookie;
    other.cookie = browser.cookie;
    const statuses = await Promise.all([
      stepUp({ totp: codeAt(secret) }, one),
      stepUp({ totp: codeAt(secret) }, other),
    ]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([204, 401]);
    const winner = statuses[0].status === 204 ? one : other;
    expect(await winner.errorOf(createKey)).toBeUndefined();
  });

  test('with one code in two sessions at once succeeds in one', async () => {
    await logIn();
    const { secret, recoveryCodes } = await addTotp();
    const others = [openBrowser(platform), openBrowser(platform), openBrowser(platform)];
    for (const other of others) await logIn(other);
    const totp = codeAt(secret);
    const byCode = await Promise.all(others.map((other) => stepUp({ totp }, other)));
    expect(byCode.map(({ status }) => status).sort()).toEqual([204, 422, 422]);
    const recoveryCode = recoveryCodes[0];
    const byRecovery = await Promise.all(others.map((other) => stepUp({ recoveryCode }, other)));
    expect(byRecovery.map(({ status }) => status).sort()).toEqual([204, 422, 422]);
  });

  test('whose connection is killed before the commit changes nothing: the old cookie and the code still work', async () => {
    await logIn();
    const { recoveryCodes } = await addTotp();
    const [recoveryCode] = recoveryCodes;
    const { id } = await stateOf(browser);
    const runner = platform.infrastructure.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT FROM accounts.sessions WHERE id = $1 FOR UPDATE', [id]);
    const waiting = stepUp({ recoveryCode });
    const killWaiting = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%cookie_hash%FOR UPDATE%'`;
    expect(await until('the connection to kill', async () => (await query<object>(killWaiting)).length)).toBe(1);
    await runner.rollbackTransaction();
    await runner.release();
    expect((await waiting).status).toBe(503);
    expect((await stepUp({ recoveryCode })).status).toBe(204);
  });
});

describe('a passkey', () => {
  test('logs an account in by itself, with user verification, and proves its owner', async () => {
    await logIn();
    const id = String((await stateOf(browser))['ownerId']);
    const authenticator = newAuthenticator(site, id);
    expect((await addPasskey(authenticator)).body).toMatchObject({
      data: { addPasskey: { factors: { passkeys: [{ name: 'Notebook' }], recoveryCodesLeft: 10 } } },
    });
    const other = openBrowser(platform);
    const passkey = authenticator.get(await challengeOf('/web/session/passkey-request', other));
    expect((await other.post('/web/session', { passkey })).status).toBe(204);
    expect(await stateOf(other)).toMatchObject({ due: null, email, accepts: ['PASSKEY', 'RECOVERY_CODE'] });
    clock.advance(6 * minute);
    expect(await other.errorOf(createKey)).toBe('STEP_UP_REQUIRED');
    expect((await byPasskey(authenticator, other)).status).toBe(204);
    expect(await other.errorOf(createKey)).toBeUndefined();
    expect((await caller.mailbox(email)).map(({ subject }) => subject)).toContain('Nova chave de acesso na sua conta');
  });

  test('signs each challenge once, for its session and its purpose, within five minutes', async () => {
    await logIn();
    const authenticator = newAuthenticator(site);
    await addPasskey(authenticator);
    const other = openBrowser(platform);
    const passkey = authenticator.get(await challengeOf('/web/session/passkey-request', other));
    expect((await other.post('/web/session', { passkey })).status).toBe(204);
    expect((await openBrowser(platform).post('/web/session', { passkey })).status).toBe(401);
    const foreign = authenticator.get(await challengeOf('/web/session/step-up/passkey-request', other));
    expect((await stepUp({ passkey: foreign })).status).toBe(422);
    const forLogin = authenticator.get(await challengeOf('/web/session/passkey-request', other));
    expect((await stepUp({ passkey: forLogin })).status).toBe(422);
    const late = authenticator.get(await challengeOf('/web/session/step-up/passkey-request'));
    clock.advance(5 * minute);
    expect((await stepUp({ passkey: late })).status).toBe(422);
    const invented = authenticator.get({ challenge: Buffer.alloc(32, 1).toString('base64url') });
    expect((await stepUp({ passkey: invented })).status).toBe(422);
    expect((await byPasskey(authenticator)).status).toBe(204);
  });

  test.each<[string, Deviation]>([
    ['does not verify its user', { verifiesUser: false }],
    ['is used on another page', { origin: 'https://lastro.example' }],
    ['is for another site', { rpId: 'lastro.example' }],
  ])('is refused when it %s', async (_what, deviation) => {
    await logIn();
    const authenticator = newAuthenticator(site);
    expect((await addPasskey(authenticator, browser, deviation)).body).toMatchObject({
      errors: [{ extensions: { code: 'UNPROCESSABLE' } }],
    });
    await addPasskey(authenticator);
    expect((await byPasskey(authenticator, browser, deviation)).status).toBe(422);
    const other = newAuthenticator(site);
    expect((await byPasskey(other)).status).toBe(422);
  });

  test('whose counter does not grow is a copy: it is refused, also when two signatures come at once', async () => {
    await logIn();
    const authenticator = newAuthenticator(site);
    await addPasskey(authenticator);
    expect((await byPasskey(authenticator, browser, { counter: 10 })).status).toBe(204);
    expect((await byPasskey(authenticator, browser, { counter: 10 })).status).toBe(422);
    const [one, other] = [openBrowser(platform), openBrowser(platform)];
    await logIn(one);
    await logIn(other);
    const same = { counter: 11 };
    const both = await Promise.all([byPasskey(authenticator, one, same), byPasskey(authenticator, other, same)]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 422]);
  });

  test('of somebody else proves nothing, and is registered once', async () => {
    await logIn();
    const authenticator = newAuthenticator(site);
    await addPasskey(authenticator);
    const [mine, stranger] = [email, openBrowser(platform)];
    email = `${crypto.randomUUID()}@casa.example`;
    await caller.member(email);
    await logIn(stranger);
    expect((await addPasskey(authenticator, stranger)).body).toMatchObject({
      errors: [{ extensions: { code: 'CONFLICT' } }],
    });
    await addPasskey(newAuthenticator(site), stranger);
    expect((await byPasskey(authenticator, stranger)).status).toBe(422);
    email = mine;
  });

  test('is one of several with names, of which one can be removed; two added at once give recovery codes once', async () => {
    await logIn();
    const added = await Promise.all([addPasskey(newAuthenticator(site)), addPasskey(newAuthenticator(site))]);
    const codes = added.map(
      ({ body }) =>
        (body as { data: { addPasskey: { recoveryCodes: string[] } } }).data.addPasskey.recoveryCodes.length,
    );
    expect(codes.sort()).toEqual([0, 10]);
    const { secondFactors } = await dataOf<{ secondFactors: { passkeys: { id: string }[] } }>(
      '{ secondFactors { passkeys { id name } } }',
    );
    expect(secondFactors.passkeys).toHaveLength(2);
    const remove = 'mutation ($id: ID!) { removePasskey(id: $id) { passkeys { id } } }';
    const [first, second] = secondFactors.passkeys;
    expect(await dataOf(remove, { id: first?.id })).toEqual({ removePasskey: { passkeys: [{ id: second?.id }] } });
    expect(await browser.errorOf(remove, { id: first?.id })).toBe('NOT_FOUND');
    expect(await browser.errorOf(remove, { id: second?.id })).toBeUndefined();
  });

  test('with nonsense in place of what a browser sends is an error of the caller', async () => {
    await logIn();
    for (const credential of [
      '',
      '{}',
      'null',
      '[]',
      '{"id":"a"}',
      JSON.stringify({
        id: 'a',
        rawId: 'a',
        type: 'public-key',
        response: { clientDataJSON: 'e30', attestationObject: 'e30' },
      }),
    ]) {
      expect(['BAD_REQUEST', 'UNPROCESSABLE']).toContain(
        await browser.errorOf(addPasskeyText, { name: 'x', credential }),
      );
    }
    expect((await stepUp({ passkey: { id: 'a' } })).status).toBe(400);
    expect((await browser.post('/web/session', { passkey: null })).status).toBe(400);
  });
});

test('a factor of the caller is changed by the session of a browser alone', async () => {
  const bearer = await openToken();
  for (const text of [
    'mutation { beginPasskey }',
    'mutation { beginTotp { secret } }',
    'mutation { removeTotp { required } }',
  ])
    expect((await caller.graphql(text, {}, bearer)).body).toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    });
});

describe('an operator', () => {
  test('logs in with a key, can only add a second factor until there is one, and then has the roles of the key', async () => {
    const { context } = platform.infrastructure;
    const operator = await newOperator(context, ['read', 'administer']);
    expect((await browser.post('/web/session', { operatorKey: operator.key })).status).toBe(204);
    expect(await stateOf(browser)).toMatchObject({
      kind: 'OPERATOR',
      ownerId: operator.id,
      due: 'ENROLMENT',
      accepts: [],
    });
    for (const text of ['{ operators { id } }', '{ sessions { id } }', '{ tranches { totalCount } }'])
      expect(await browser.errorOf(text)).toBe('ENROLMENT_REQUIRED');
    const { secret } = await addTotp();
    expect(await browser.errorOf('{ operators { id } }')).toBeUndefined();
    expect(await browser.errorOf('mutation { addTradingCompany(name: "X") { id } }')).toBe('FORBIDDEN');
    expect((await caller.mailbox(operator.email))[0]?.subject).toBe('Aplicativo de códigos cadastrado na sua conta');
    expect(await browser.errorOf('mutation { removeTotp { required } }')).toBe('CONFLICT');
    clock.advance(5 * minute);
    const add = 'mutation ($o: String!) { addOperatorKey(operator: $o, days: 3) { operator { id } } }';
    expect(await browser.errorOf(add, { o: operator.email })).toBe('STEP_UP_REQUIRED');
    expect((await stepUp({ totp: codeAt(secret) })).status).toBe(204);
    expect(await browser.errorOf(add, { o: operator.email })).toBeUndefined();
    clock.advance(15 * minute);
    expect((await browser.send('GET', '/web/session')).status).toBe(204);
  });

  test('whose key is revoked has no session within a second; another one can end sessions and reset lost factors', async () => {
    const { context } = platform.infrastructure;
    const [one, chief] = [await newOperator(context), await newOperator(context)];
    await browser.post('/web/session', { operatorKey: one.key });
    await addTotp();
    const act = (text: string) => caller.graphql(text, {}, chief.headers);
    const other = openBrowser(platform);
    await other.post('/web/session', { operatorKey: one.key });
    expect((await act(`mutation { endSessionsOf(owner: "${one.id}") }`)).body).toEqual({ data: { endSessionsOf: 2 } });
    expect((await other.send('GET', '/web/session')).status).toBe(204);
    await other.post('/web/session', { operatorKey: one.key });
    expect(await stateOf(other)).toMatchObject({ due: 'SECOND_FACTOR' });
    await act(`mutation { resetSecondFactors(owner: "${one.id}", reason: "telefone perdido") }`);
    await other.post('/web/session', { operatorKey: one.key });
    expect(await stateOf(other)).toMatchObject({ due: 'ENROLMENT' });
    expect((await act(`mutation { revokeOperatorKey(id: "${one.keyId}") }`)).body).not.toHaveProperty('errors');
    await until('its session to end', async () => (await other.send('GET', '/web/session')).status === 204);
    expect((await other.post('/web/session', { operatorKey: one.key })).status).toBe(401);
  });
});

test('a trading credential logs in with its pair, needs a second factor, has its scopes, steps up to withdraw, and ends when it is revoked', async () => {
  const { context } = platform.infrastructure;
  const trader = await newTrader(context, { scopes: ['read', 'withdraw'] });
  const { apiKey, secretKey } = trader.credential;
  expect((await browser.post('/web/session', { apiKey, secretKey: `${secretKey}x` })).status).toBe(401);
  expect((await browser.post('/web/session', { apiKey, secretKey })).status).toBe(204);
  expect(await stateOf(browser)).toMatchObject({
    kind: 'TRADER',
    ownerId: trader.companyId,
    name: 'Corretora Teste',
    email: null,
    due: 'ENROLMENT',
  });
  await addPasskey(newAuthenticator(site));
  expect(await browser.errorOf('{ fetchBalance { currency } }')).not.toBe('ENROLMENT_REQUIRED');
  expect(await stateOf(browser)).toMatchObject({ due: null, scopes: ['read', 'withdraw'] });
  expect((await browser.send('GET', '/v1/account/fetchProfiles')).status).toBe(200);
  clock.advance(6 * minute);
  const withdraw = 'mutation { withdraw(asset: "BRL", amount: "10.00", address: "ana@example.com") { id } }';
  expect(await browser.errorOf(withdraw)).toBe('STEP_UP_REQUIRED');
  await query('UPDATE trading.credentials SET revoked_at = $2 WHERE id = $1', [trader.credential.id, clock.now()]);
  await until('its session to end', async () => (await browser.send('GET', '/web/session')).status === 204);
});

test('an account that is linked with an originator must have a second factor, from the moment on in which it is linked', async () => {
  await logIn();
  const { ownerId } = await stateOf(browser);
  const operator = await newOperator(platform.infrastructure.context);
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = publicKey.export({ type: 'spki', format: 'pem' });
  const add = `mutation ($id: ID!, $key: String!) {
      addOriginator(name: "Fintech", publicKey: $key, accountId: $id) { id } }`;
  const { body } = await caller.graphql(add, { id: ownerId, key }, operator.headers);
  expect(body).not.toHaveProperty('errors');
  await until(
    'the account to be asked for one',
    async () => (await browser.errorOf('{ me { email } }')) === 'ENROLMENT_REQUIRED',
  );
  await addPasskey(newAuthenticator(site));
  expect(await browser.errorOf('{ me { email } }')).toBeUndefined();
  expect(await dataOf('{ secondFactors { required } }')).toEqual({ secondFactors: { required: true } });
});

test('the factors of an account are in the export of its data, without secrets, and go with the account', async () => {
  await logIn();
  const { secret } = await addTotp();
  await addPasskey(newAuthenticator(site));
  const { ownerId } = await stateOf(browser);
  const { exportMyData } = await dataOf<{ exportMyData: string }>('{ exportMyData }');
  expect(JSON.parse(exportMyData)).toMatchObject({ passkeys: [{ name: 'Notebook' }], totpSince: expect.any(String) });
  expect(exportMyData).not.toContain(secret);
  await dataOf(`mutation { deleteMyAccount(password: "${password}") }`);
  expect((await browser.send('GET', '/web/session')).status).toBe(204);
  for (const table of ['passkeys', 'totp_secrets', 'recovery_codes', 'sessions'])
    expect([table, await query(`SELECT FROM accounts.${table} WHERE owner_id = $1`, [ownerId])]).toEqual([table, []]);
});

test('the audit log has every act of factors, before and after, and no secret', async () => {
  await logIn();
  const { secret, recoveryCodes } = await addTotp();
  await stepUp({ totp: codeAt(secret) });
  await addPasskey(newAuthenticator(site));
  await dataOf('mutation { replaceRecoveryCodes { recoveryCodes } }');
  const { ownerId, id } = await stateOf(browser);
  const rows = await query<{ action: string; before: unknown; after: unknown; source: string }>(
    `SELECT action, before, after, source FROM shared.audit_log WHERE subject_id IN ($1, $2) AND action <> 'login' ORDER BY id`,
    [ownerId, id],
  );
  expect(rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['browserLogin', 'confirmTotp', 'stepUp', 'addPasskey', 'replaceRecoveryCodes']),
  );
  expect(rows.find(({ action }) => action === 'confirmTotp')).toMatchObject({
    before: { totp: false, recoveryCodes: 0 },
    after: { totp: true, recoveryCodes: 10 },
  });
  const text = JSON.stringify(rows);
  for (const hidden of [secret, browser.cookie ?? '', ...recoveryCodes]) expect(text).not.toContain(hidden);
});
