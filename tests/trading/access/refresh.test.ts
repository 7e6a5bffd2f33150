import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { fixedClock } from '../../../shared/kernel/clock.js';
import { forgetEndedFamilies } from '../../../subgraphs/trading/access/access.store.js';
import { openTestPlatform } from '../../kit/platform.js';
import { until } from '../../kit/until.js';
import { newTrader, plenty, tradingCallerOf, type Tokens, type TradingCaller } from '../kit.js';

const clock = fixedClock('2026-11-20T15:00:00Z');

const platform = await openTestPlatform(plenty, { background: false, clock });
/** Another instance on the same database, behind a proxy that tells addresses. */
const second = await openTestPlatform(
  {
    ...plenty,
    DATABASE_URL: platform.infrastructure.databaseUrl,
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT_ACCOUNTS: '1000',
  },
  { background: false, clock },
);
const caller = tradingCallerOf(platform);
const elsewhere = tradingCallerOf(second);
const context = platform.infrastructure.context;
const trader = await newTrader(context);
afterAll(async () => {
  await second.close();
  await platform.close();
});

const bearer = ({ accessToken }: Tokens) => ({ authorization: `Bearer ${accessToken}` });
const read = (tokens: Tokens, by = caller) =>
  by.send('GET', '/v1/account/fetchProfiles', undefined, bearer(tokens)).then(({ status }) => status);
const refused = { status: 401, body: { code: 'CAAS_AUTH_001', message: expect.stringContaining('refresh token') } };
const dayMs = 86_400_000;
/** When a second use of a token is no repetition any more. */
const later = 10_001;

async function tokensOf(reply: Promise<{ status: number; body: unknown }>): Promise<Tokens> {
  const { status, body } = await reply;
  expect(status).toBe(200);
  return body as Tokens;
}

/** Calls until the token is refused: what is believed of a login is read again within a second. */
const untilRefused = (tokens: Tokens, by = caller) =>
  until('the token to be refused', async () => (await read(tokens, by)) === 401);

describe('PUT /v1/auth/refresh', () => {
  test('answers as a login, and the access token of before goes on to its end', async () => {
    const { tokens } = await caller.session(trader);
    const next = await tokensOf(caller.refresh(tokens.refreshToken));
    expect(next).toEqual({ accessToken: expect.any(String), refreshToken: expect.any(String), expiresIn: 3600 });
    expect(next.refreshToken).not.toBe(tokens.refreshToken);
    expect([await read(tokens), await read(next)]).toEqual([200, 200]);
  });

  test('goes on for as long as each token is used within seven days, and no longer', async () => {
    let { tokens } = await caller.session(trader);
    for (let week = 0; week < 5; week += 1) {
      clock.advance(7 * dayMs - 1);
      tokens = await tokensOf(caller.refresh(tokens.refreshToken));
      await forgetEndedFamilies(context);
    }
    clock.advance(7 * dayMs);
    expect(await caller.refresh(tokens.refreshToken)).toMatchObject(refused);
  });

  test('of a token that was used ends the whole login: on every instance its access tokens stop, and no token refreshes', async () => {
    const { tokens: first } = await caller.session(trader);
    const { tokens: untouched } = await caller.session(trader);
    const next = await tokensOf(caller.refresh(first.refreshToken));
    const last = await tokensOf(elsewhere.refresh(next.refreshToken));
    expect([await read(first, elsewhere), await read(last)]).toEqual([200, 200]);
    clock.advance(later);
    expect(await caller.refresh(first.refreshToken)).toMatchObject(refused);
    expect(await read(last)).toBe(401);
    await untilRefused(last, elsewhere);
    await untilRefused(first, elsewhere);
    expect(await elsewhere.refresh(last.refreshToken)).toMatchObject(refused);
    // Other logins of the credential go on.
    expect(await read(untouched)).toBe(200);
    await tokensOf(caller.refresh(untouched.refreshToken));
    await platform.infrastructure.audit.flush();
    const [note] = await context.manager.query<object[]>(
      `SELECT reason FROM shared.audit_log WHERE action = 'refreshTradingTokens' ORDER BY id DESC LIMIT 1`,
    );
    expect(note).toMatchObject({ reason: expect.stringContaining('its login has ended') });
  });

  test('of a token that was used is answered by the same tokens for ten seconds, to its client, and by the end of the login after them', async () => {
    const { tokens: first } = await caller.session(trader);
    const next = await tokensOf(caller.refresh(first.refreshToken));
    clock.advance(10_000);
    expect(await tokensOf(elsewhere.refresh(first.refreshToken))).toEqual(next);
    const last = await tokensOf(caller.refresh(next.refreshToken));
    expect(await tokensOf(caller.refresh(first.refreshToken))).toEqual(next);
    expect(await read(last)).toBe(200);
    clock.advance(1);
    expect(await caller.refresh(first.refreshToken)).toMatchObject(refused);
    await untilRefused(last);
    expect(await caller.refresh(next.refreshToken)).toMatchObject(refused);
  });

  test.each([
    ['another client', { 'user-agent': 'thief/1.0', 'x-forwarded-for': '203.0.113.9' }],
    ['another address', { 'user-agent': 'own/1.0', 'x-forwarded-for': '203.0.113.10' }],
  ])('of a token that was used, by %s, ends the login at once', async (_who, headers) => {
    const { tokens } = await caller.session(trader);
    const own = { 'user-agent': 'own/1.0', 'x-forwarded-for': '203.0.113.9' };
    const next = await tokensOf(elsewhere.refresh(tokens.refreshToken, own));
    expect(await tokensOf(elsewhere.refresh(tokens.refreshToken, own))).toEqual(next);
    expect(await elsewhere.refresh(tokens.refreshToken, headers)).toMatchObject(refused);
    expect(await elsewhere.refresh(tokens.refreshToken, own)).toMatchObject(refused);
    await untilRefused(next);
  });

  test('twenty times at once, over two instances, gives the same tokens to all, and the login goes on', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { tokens } = await caller.session(trader);
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? caller : elsewhere).refresh(tokens.refreshToken)),
      );
      expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
      const pair = replies[0]?.body as Tokens;
      expect(await read(pair)).toBe(200);
      await tokensOf(caller.refresh(pair.refreshToken));
    }
  });

  test('and a login give a refresh token that is a JWT of its own type for seven days, stored as its hash alone', async () => {
    const { tokens } = await caller.session(trader);
    const next = await tokensOf(caller.refresh(tokens.refreshToken));
    const access = decodeJwt(next.accessToken);
    for (const token of [tokens.refreshToken, next.refreshToken]) {
      expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'EdDSA', typ: 'rt+jwt' });
      const { jti, iat = 0, exp, sub, sid } = decodeJwt(token);
      expect([exp, sub, sid]).toEqual([iat + 7 * 86_400, access.sub, access['sid']]);
      expect(jti).toMatch(/^[0-9a-f-]{36}$/);
      expect(await read({ ...next, accessToken: token })).toBe(401);
    }
    expect(await caller.refresh(next.accessToken)).toMatchObject(refused);
    const rows = await context.manager.rows('SELECT t::text FROM trading.refresh_tokens t');
    expect(JSON.stringify(rows)).not.toContain(next.refreshToken.slice(-20));
  });

  test('with an idempotency key may be sent again where its response was lost: the same tokens, and nothing ends', async () => {
    const { tokens } = await caller.session(trader);
    const key = { 'x-idempotency-key': 'refresh-1' };
    const once = await caller.refresh(tokens.refreshToken, key);
    const again = await elsewhere.refresh(tokens.refreshToken, key);
    expect([again.status, again.body, again.headers.get('x-idempotent-replayed')]).toEqual([200, once.body, 'true']);
    expect(await read(again.body as Tokens)).toBe(200);
    await tokensOf(caller.refresh((again.body as Tokens).refreshToken));
  });

  test('with one idempotency key twenty times at once gives the same tokens to all who wait as the response says', async () => {
    const { tokens } = await caller.session(trader);
    const patient = (by: TradingCaller) =>
      until('a response other than 409', async () => {
        const { status, body } = await by.refresh(tokens.refreshToken, { 'x-idempotency-key': 'refresh-2' });
        return status !== 409 && [status, body];
      });
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => patient(index % 2 === 0 ? caller : elsewhere)),
    );
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(replies[0]).toEqual([200, expect.objectContaining({ expiresIn: 3600 })]);
  });

  test('that is refused under an idempotency key has ended the login nevertheless', async () => {
    const { tokens } = await caller.session(trader);
    const next = await tokensOf(caller.refresh(tokens.refreshToken));
    clock.advance(later);
    expect(await caller.refresh(tokens.refreshToken, { 'x-idempotency-key': 'refresh-3' })).toMatchObject(refused);
    await untilRefused(next);
    expect(await caller.refresh(next.refreshToken)).toMatchObject(refused);
  });

  test('of what is no refresh token is 401, and 400 where it is missing', async () => {
    const { tokens } = await caller.session(trader);
    const { secretKey } = trader.credential;
    for (const wrong of ['x', tokens.accessToken.slice(0, 200), secretKey, `${tokens.refreshToken}x`]) {
      expect(await caller.refresh(wrong)).toMatchObject(refused);
    }
    expect(await caller.send('PUT', '/v1/auth/refresh', {})).toMatchObject({
      status: 400,
      body: { details: [{ path: 'refreshToken' }] },
    });
    expect((await caller.post('/v1/auth/refresh', {})).status).toBe(405);
  });
});

test('a source address logs in and refreshes as often in a minute as it may, whatever the credential and the interface', async () => {
  const from = { 'x-forwarded-for': '198.51.100.20' };
  const logins = Array.from(
    { length: 30 },
    (_, index) => `a${index}: tradingLogin(apiKey: "k${index}", secretKey: "s") { accessToken }`,
  );
  const byGraph = async (count: number) => {
    const { body } = await elsewhere.graphql(`mutation { ${logins.slice(0, count).join(' ')} }`, {}, from);
    return (body as { errors: { extensions: { statusCode: number } }[] }).errors[0]?.extensions.statusCode;
  };
  for (let round = 0; round < 33; round += 1) expect(await byGraph(30)).toBe(401);
  expect(await byGraph(8)).toBe(401);
  const byRest = [
    await elsewhere.post('/v1/auth/login', { apiKey: 'k', secretKey: 's' }, from),
    await elsewhere.refresh('x', from),
    await elsewhere.login(trader, from),
  ];
  expect([...byRest.map(({ status }) => status), await byGraph(1)]).toEqual([401, 401, 429, 429]);
});

test('logins and refreshes of one credential beyond its hundred logins, all at once, wait for nobody in a circle', async () => {
  const busy = await newTrader(context);
  const sessions = [];
  for (let round = 0; round < 100; round += 1) sessions.push(await caller.session(busy));
  const oldest = sessions.slice(0, 30);
  const replies = await Promise.all([
    ...oldest.map(({ tokens }) => elsewhere.refresh(tokens.refreshToken)),
    ...oldest.map(() => caller.login(busy)),
  ]);
  // On a busy machine some wait longer than they may, and are told to come again.
  for (const { status } of replies.slice(30)) expect([200, 503]).toContain(status);
  for (const { status } of replies.slice(0, 30)) expect([200, 401, 503]).toContain(status);
  expect(replies.some(({ status }) => status === 200)).toBe(true);
  // PostgreSQL counts within a second.
  await delay(1_500);
  const deadlocks = 'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()';
  expect(await context.manager.value<number>(deadlocks)).toBe(0);
});

test('tokens and logins are forgotten a while after their time, in an order that their references allow', async () => {
  const { tokens } = await caller.session(trader);
  const { tokens: used } = await caller.session(trader);
  await caller.refresh(used.refreshToken);
  const counts = () =>
    context.manager.query(
      `SELECT (SELECT count(*)::integer FROM trading.refresh_tokens) AS tokens,
         (SELECT count(*)::integer FROM trading.token_families) AS families`,
    );
  clock.advance(7 * dayMs);
  await forgetEndedFamilies(context);
  expect(await caller.refresh(tokens.refreshToken)).toMatchObject(refused);
  clock.advance(1 * dayMs + 1);
  await forgetEndedFamilies(context);
  expect(await counts()).toMatchObject([{ tokens: 0, families: expect.any(Number) }]);
  clock.advance(7 * dayMs);
  await forgetEndedFamilies(context);
  expect(await counts()).toEqual([{ tokens: 0, families: 0 }]);
});
