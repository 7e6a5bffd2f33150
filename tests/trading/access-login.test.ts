import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fixedClock } from '../../shared/kernel/clock.js';
import type { Context } from '../../shared/kernel/context.js';
import { addCredential, changeCredential, revokeCredential } from '../../subgraphs/trading/access/credentials.acts.js';
import { changeCompany } from '../../subgraphs/trading/access/companies.acts.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { until } from '../kit/until.js';
import { newTrader, plenty, tradingCallerOf, type Tokens, type TradingCaller } from './kit.js';

let platform: TestPlatform;
let caller: TradingCaller;
let context: Context;
const clock = fixedClock('2026-11-20T15:00:00Z');

beforeAll(async () => {
  platform = await openTestPlatform({ ...plenty, TRUST_PROXY: '127.0.0.1' }, { background: false, clock });
  caller = tradingCallerOf(platform);
  context = platform.infrastructure.context;
});
afterAll(() => platform.close());

const profiles = '/v1/account/fetchProfiles';
const read = (headers: Record<string, string>) => caller.send('GET', profiles, undefined, headers);
const badToken = { statusCode: 401, code: 'CAAS_AUTH_001', error: 'Unauthorized' };
const badPair = { statusCode: 401, code: 'CAAS_AUTH_002', error: 'Unauthorized' };

/** Calls until the answer is of a status: what is believed of a login is read again within a second. */
const replyOf = (status: number, headers: Record<string, string>) =>
  until(`the status ${status}`, async () => {
    const reply = await read(headers);
    expect(reply.status).toBe(status);
    return reply;
  });

/** The newest notes of the audit log on an action, with their reasons. */
async function notes(action: string): Promise<{ outcome: string; reason: string | null; after: unknown }[]> {
  await platform.infrastructure.audit.flush();
  return context.manager.query(
    'SELECT outcome, reason, "after" FROM shared.audit_log WHERE action = $1 ORDER BY id DESC LIMIT 3',
    [action],
  );
}

describe('POST /v1/auth/login', () => {
  test('answers the tokens as documented, and they open the paths of trading', async () => {
    const trader = await newTrader(context);
    const reply = await caller.login(trader);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ accessToken: expect.any(String), refreshToken: expect.any(String), expiresIn: 3600 });
    const { accessToken } = reply.body as Tokens;
    expect(await read({ authorization: `Bearer ${accessToken}` })).toMatchObject({
      status: 200,
      body: { profiles: [] },
    });
    expect(await notes('tradingLogin')).toMatchObject([{ outcome: 'DONE' }]);
  });

  test('keeps neither the secret nor a token', async () => {
    const trader = await newTrader(context);
    const { tokens } = await caller.session(trader);
    await platform.infrastructure.audit.flush();
    const [{ text = '' } = {}] = await context.manager.query<{ text?: string }[]>(
      `SELECT coalesce(string_agg(r::text, E'\\n'), '') AS text FROM (
         SELECT c::text AS r FROM trading.credentials c UNION ALL SELECT t::text FROM trading.refresh_tokens t
         UNION ALL SELECT f::text FROM trading.token_families f UNION ALL SELECT a::text FROM shared.audit_log a) AS rows`,
    );
    expect(text).toContain(trader.credential.id);
    for (const secret of [trader.credential.secretKey, tokens.accessToken, tokens.refreshToken]) {
      expect(text).not.toContain(secret);
    }
  });

  test('answers 401 CAAS_AUTH_002 for every pair that is none, and does not say which half is wrong', async () => {
    const [one, other] = [await newTrader(context), await newTrader(context)];
    const { apiKey, secretKey } = one.credential;
    const pairs = [
      { apiKey, secretKey: other.credential.secretKey },
      { apiKey: other.credential.apiKey, secretKey },
      { apiKey, secretKey: apiKey },
      { apiKey: secretKey, secretKey },
      { apiKey: `${apiKey}0`, secretKey },
      { apiKey: apiKey.toLowerCase(), secretKey },
      { apiKey: "' OR true --", secretKey },
      { apiKey: 'x', secretKey: 'y' },
    ];
    for (const pair of pairs) {
      const { status, body, headers } = await caller.post('/v1/auth/login', pair);
      expect([status, body]).toEqual([401, { ...badPair, message: expect.any(String), requestId: expect.any(String) }]);
      expect(headers.get('www-authenticate')).toContain('Bearer');
    }
    expect(await notes('tradingLogin')).toContainEqual(
      expect.objectContaining({ outcome: 'REFUSED', reason: expect.stringContaining('INVALID_CREDENTIALS') }),
    );
  });

  test('answers 400 that names both halves where they are missing or of no form', async () => {
    for (const body of [{}, { apiKey: '', secretKey: 'x'.repeat(201) }, { apiKey: 5, secretKey: null }]) {
      const reply = await caller.post('/v1/auth/login', body);
      expect(reply).toMatchObject({ status: 400, body: { details: [{ path: 'apiKey' }, { path: 'secretKey' }] } });
    }
  });

  test('is limited to 20 a minute by source address, whatever the credential', async () => {
    const narrow = await openTestPlatform(
      { ...plenty, RATE_LIMIT_ACCOUNTS: '20', DATABASE_URL: platform.infrastructure.databaseUrl },
      { background: false },
    );
    const strict = tradingCallerOf(narrow);
    const statuses: number[] = [];
    for (let round = 0; round < 19; round += 1) {
      statuses.push((await strict.post('/v1/auth/login', { apiKey: `k${round}`, secretKey: 's' })).status);
    }
    statuses.push((await strict.refresh('x')).status, (await strict.login(await newTrader(context))).status);
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429]);
    // The mutation is the same interface.
    const text = 'mutation { tradingLogin(apiKey: "a", secretKey: "b") { accessToken } }';
    expect((await strict.graphql(text)).body).toMatchObject({ errors: [{ extensions: { statusCode: 429 } }] });
    await narrow.close();
  }, 300_000);

  test('of more than a hundred logins that are alive ends the one that was not refreshed for the longest', async () => {
    const trader = await newTrader(context);
    const first = await caller.session(trader);
    const second = await caller.session(trader);
    clock.advance(1000);
    const renewed = (await caller.refresh(first.tokens.refreshToken)).body as Tokens;
    for (let round = 0; round < 98; round += 1) await caller.login(trader);
    expect((await read(second.headers)).status).toBe(200);
    await caller.login(trader);
    expect(await read(second.headers)).toMatchObject({ status: 401, body: badToken });
    expect((await read({ authorization: `Bearer ${renewed.accessToken}` })).status).toBe(200);
  });
});

describe('a credential', () => {
  test('that is revoked loses its tokens, and can neither log in nor refresh', async () => {
    const trader = await newTrader(context);
    const { headers, tokens } = await caller.session(trader);
    expect((await read(headers)).status).toBe(200);
    await revokeCredential(context, trader.credential.id);
    expect(await replyOf(401, headers)).toMatchObject({ body: badToken });
    expect(await caller.login(trader)).toMatchObject({ status: 401, body: badPair });
    expect(await caller.refresh(tokens.refreshToken)).toMatchObject({ status: 401, body: badToken });
    // Another credential of the company goes on: that is what rotation is.
    const input = { companyId: trader.companyId, scopes: ['read'], allowedNetworks: null, expiresAt: null };
    const next = await addCredential(context, input);
    expect((await caller.login({ credential: next })).status).toBe(200);
  });

  test('that expires loses its tokens at that moment', async () => {
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    const trader = await newTrader(context, { expiresAt });
    const { headers, tokens } = await caller.session(trader);
    clock.advance(59_999);
    expect((await read(headers)).status).toBe(200);
    clock.advance(1);
    expect((await read(headers)).status).toBe(401);
    expect((await caller.login(trader)).status).toBe(401);
    expect((await caller.refresh(tokens.refreshToken)).status).toBe(401);
  });

  test('without a scope gets 403 that names it, also for a token from before the scope was taken', async () => {
    const trader = await newTrader(context, { scopes: ['trade', 'read'] });
    const { headers } = await caller.session(trader);
    expect((await read(headers)).status).toBe(200);
    await changeCredential(context, trader.credential.id, { scopes: ['trade'] });
    expect((await replyOf(403, headers)).body).toMatchObject({
      statusCode: 403,
      message: expect.stringContaining('scope read'),
    });
    const reader = await newTrader(context, { scopes: ['read'] });
    const { headers: reading } = await caller.session(reader);
    const refused = await caller.post('/v1/account/createProfile', '{', reading);
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('scope trade') } });
    const { body } = await caller.graphql('mutation { suspendProfile(id: "x") }', {}, reading);
    expect(body).toMatchObject({
      errors: [{ message: expect.stringContaining('scope trade'), extensions: { statusCode: 403 } }],
    });
  });

  test('with an allow-list is good from there alone, as the trusted proxy says: at login, refresh and every request', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const trader = await newTrader(context, { allowedNetworks: ['203.0.113.0/24', '2001:db8::1'] });
    for (const outside of ['203.0.114.1', '2001:db8::2', '127.0.0.1']) {
      expect(await caller.login(trader, from(outside))).toMatchObject({ status: 401, body: badPair });
    }
    // Who claims to come from there through a proxy that is not trusted does not.
    expect((await caller.login(trader, from('203.0.113.9, 198.51.100.7'))).status).toBe(401);
    expect((await caller.login(trader, from('2001:db8::1'))).status).toBe(200);
    const { accessToken, refreshToken } = (await caller.login(trader, from('203.0.113.9'))).body as Tokens;
    const bearer = { authorization: `Bearer ${accessToken}` };
    expect((await read({ ...bearer, ...from('203.0.113.200') })).status).toBe(200);
    expect(await read({ ...bearer, ...from('203.0.114.1') })).toMatchObject({ status: 401, body: badToken });
    expect((await read(bearer)).status).toBe(401);
    expect(await caller.refresh(refreshToken, from('203.0.114.1'))).toMatchObject({ status: 401, body: badToken });
    // That was no use of the token: it still works from where it may.
    expect((await caller.refresh(refreshToken, from('203.0.113.9'))).status).toBe(200);
    expect(await notes('trading')).toContainEqual(
      expect.objectContaining({ outcome: 'REFUSED', reason: expect.stringContaining('address') }),
    );
    await changeCredential(context, trader.credential.id, { allowedNetworks: null });
    await replyOf(200, bearer);
  });
});

describe('a bad access token', () => {
  test('gets 401 CAAS_AUTH_001 on every path of trading, and on the graph where it looks like one', async () => {
    const { headers } = await caller.session(await newTrader(context));
    const broken = `${headers.authorization.slice(0, -4)}AAAA`;
    for (const authorization of [broken, 'Bearer x', 'Bearer', 'Basic eDp5', 'Bearer svc_dev_x']) {
      const reply = await read({ authorization });
      expect(reply).toMatchObject({ status: 401, body: badToken });
      expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="lastro", error="invalid_token"');
    }
    expect(await read({})).toMatchObject({ status: 401, body: badToken });
    const onGraph = (authorization?: string) =>
      caller.graphql('{ currencies { code } }', {}, authorization === undefined ? {} : { authorization });
    const catalogueOf = async (authorization: string) => {
      const { status, body } = await onGraph(authorization);
      const [error] = (body as { errors: { extensions: { catalogue?: unknown } }[] }).errors;
      return [status, error?.extensions.catalogue];
    };
    expect(await catalogueOf(broken)).toEqual([401, badToken.code]);
    expect(await catalogueOf('Bearer x')).toEqual([401, undefined]);
    expect((await onGraph()).body).toMatchObject({ errors: [{ extensions: { code: 'INVALID_ACCESS_TOKEN' } }] });
    expect((await onGraph(headers.authorization)).body).toMatchObject({ data: { currencies: expect.any(Array) } });
  });

  test('is one that has expired', async () => {
    const { headers } = await caller.session(await newTrader(context));
    clock.advance(3_599_000);
    expect((await read(headers)).status).toBe(200);
    clock.advance(1_000);
    expect(await read(headers)).toMatchObject({ status: 401, body: badToken });
  });

  test('is a session of a person on the paths of trading; and an access token is no session', async () => {
    const session = await caller.member('ana@casa.example');
    expect(await read(session)).toMatchObject({ status: 401, body: badToken });
    const { headers } = await caller.session(await newTrader(context));
    const me = await caller.send('GET', '/v1/emissoes/auth/me', undefined, headers);
    expect(me.status).toBe(401);
    expect(me.body).not.toHaveProperty('code');
  });
});

test('the rate is that of the company, whichever of its credentials calls, else that of the configuration', async () => {
  const trader = await newTrader(context, { rateLimit: 5 });
  const input = { companyId: trader.companyId, scopes: ['read'], allowedNetworks: null, expiresAt: null };
  const other = { credential: await addCredential(context, input) };
  const [one, two] = [await caller.session(trader), await caller.session(other)];
  const replies = [];
  for (const { headers } of [one, two, one, two, one, two]) replies.push(await read(headers));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(replies[0]?.headers.get('x-ratelimit-limit')).toBe('5');
  const usual = await caller.session(await newTrader(context));
  expect((await read(usual.headers)).headers.get('x-ratelimit-limit')).toBe('100000');
});

test('a company that is suspended can log in and read', async () => {
  const trader = await newTrader(context);
  await changeCompany(context, trader.companyId, { status: 'SUSPENDED' });
  const { headers } = await caller.session(trader);
  expect((await read(headers)).status).toBe(200);
});
