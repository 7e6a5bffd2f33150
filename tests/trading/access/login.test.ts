import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { createClient, type Client } from 'graphql-ws';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { WebSocket } from 'ws';
import { fixedClock } from '../../kit/clock.js';
import { newId } from '../../../shared/kernel/ids.js';
import {
  addCredential,
  changeCredential,
  revokeCredential,
} from '../../../subgraphs/trading/access/credentials.acts.js';
import { forgetEndedFamilies } from '../../../subgraphs/trading/access/access.store.js';
import { changeCompany } from '../../../subgraphs/trading/access/companies.acts.js';
import { openTestPlatform } from '../../kit/platform.js';
import { until } from '../../kit/until.js';
import { newTrader, plenty, type TestTrader, type Tokens, tradingCallerOf } from '../kit.js';

const clock = fixedClock('2026-11-20T15:00:00Z');

const plain = await openTestPlatform(plenty, { background: false, clock });
/** Another instance on the same database, behind a proxy that tells addresses. */
const platform = await openTestPlatform(
  {
    ...plenty,
    DATABASE_URL: plain.infrastructure.databaseUrl,
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT_ACCOUNTS: '1000',
  },
  { background: false, clock },
);
const caller = tradingCallerOf(platform);
const context = platform.infrastructure.context;
afterAll(async () => {
  await platform.close();
  await plain.close();
});
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
});

const profiles = '/v1/account/fetchProfiles';
const read = (headers: Record<string, string>) => caller.send('GET', profiles, undefined, headers);
const badToken = { statusCode: 401, code: 'CAAS_AUTH_001', error: 'Unauthorized' };
const badPair = { statusCode: 401, code: 'CAAS_AUTH_002', error: 'Unauthorized' };

const reading = ({ companyId }: TestTrader, scopes = ['read']) =>
  addCredential(context, { companyId, scopes, allowedNetworks: null, expiresAt: null });

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
    const next = await reading(trader);
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
  const other = { credential: await reading(trader) };
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

/** Each costs what an order costs, and finds nothing. */
const cancels = (count: number) =>
  `mutation { ${Array.from({ length: count }, (_, index) => `a${index}: cancelOrder(orderId: "${newId()}") { orderId }`).join(' ')} }`;

type Headers = Record<string, string>;

async function byGraph(headers: Headers, text = cancels(1)): Promise<number | undefined> {
  const { body } = await caller.graphql(text, {}, headers);
  const { errors } = body as { errors?: { extensions: { statusCode: number } }[] };
  return errors?.[0]?.extensions.statusCode;
}
const byRest = async (headers: Headers) =>
  (await caller.post('/v1/orders/cancelOrder', { orderId: newId() }, headers)).status;

async function bySocket({ authorization }: { readonly authorization: string }): Promise<unknown> {
  const url = `${platform.url.replace('http', 'ws')}/graphql`;
  const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams: { authorization } });
  try {
    return (await client.iterate({ query: cancels(1) }).next()).value;
  } catch (errors) {
    return { errors };
  } finally {
    await client.dispose();
  }
}

test('the rate of a company bounds its orders by REST, by the graph and by graphql-ws in one count, whichever credential sends them', async () => {
  const trader = await newTrader(context, { rateLimit: 6 });
  const other = { credential: await reading(trader, ['read', 'trade']) };
  const [one, two] = [await caller.session(trader), await caller.session(other)];
  expect(await byRest(one.headers)).toBe(404);
  expect(await byGraph(two.headers)).toBe(404);
  expect(await bySocket(one.headers)).toMatchObject({ errors: [{ extensions: { statusCode: 404 } }] });
  // Each alias is one, in a fragment too.
  const inFragment = cancels(2).replace('mutation {', 'mutation { ...F } fragment F on Mutation {');
  expect(await byGraph(two.headers, inFragment)).toBe(404);
  expect(await byRest(two.headers)).toBe(404);
  expect([await byGraph(one.headers), await byGraph(two.headers), await byRest(one.headers)]).toEqual([429, 429, 429]);
  expect(await bySocket(two.headers)).toMatchObject({
    errors: [{ extensions: { code: 'TOO_MANY_REQUESTS', statusCode: 429 } }],
  });
  const { body } = await caller.graphql(cancels(1), {}, one.headers);
  expect(body).toMatchObject({
    errors: [{ extensions: { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: expect.any(Number) } }],
  });
  clock.advance(60_000);
  expect(await byGraph(one.headers)).toBe(404);
});

test('what a company reads on the graph does not count against its rate, and others pay for their mutations as before', async () => {
  const trader = await newTrader(context, { rateLimit: 2 });
  const { headers } = await caller.session(trader);
  for (let index = 0; index < 5; index += 1)
    expect(await byGraph(headers, '{ walletBalances { wallets { currency } } }')).toBeUndefined();
  expect([await byGraph(headers), await byRest(headers), await byGraph(headers)]).toEqual([404, 404, 429]);
  expect(await byGraph(headers, '{ currencies { code } }')).toBeUndefined();
  const bia = await caller.member('bia@casa.example');
  for (let index = 0; index < 3; index += 1) expect(await byGraph(bia, 'mutation { __typename }')).toBeUndefined();
});

/** A client of graphql-ws that says who it is in its first message; `closed` resolves when it is sent away. */
function connect(authorization: string): { client: Client; closed: Promise<unknown> } {
  let resolve: (event: unknown) => void = () => undefined;
  const closed = new Promise<unknown>((done) => {
    resolve = done;
  });
  const client = createClient({
    url: `${platform.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: false,
    connectionParams: { authorization },
    onNonLazyError: () => undefined,
    on: {
      closed: (event) => {
        resolve(event);
      },
    },
  });
  clients.push(client);
  return { client, closed };
}

const ask = async (client: Client): Promise<unknown> =>
  (await client.iterate({ query: '{ currencies { code } }' }).next()).value;

test('a socket takes an access token in its first message, and is closed with 4401 for a bad one', async () => {
  const { headers } = await caller.session(await newTrader(context));
  expect(await ask(connect(headers.authorization).client)).toMatchObject({ data: { currencies: expect.any(Array) } });
  expect(await connect(`${headers.authorization.slice(0, -4)}AAAA`).closed).toMatchObject({ code: 4401 });
});

const trader = await newTrader(context);

describe('the refresh of a login', () => {
  const caller = tradingCallerOf(plain);
  const elsewhere = tradingCallerOf(platform);
  const { context, audit } = plain.infrastructure;
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
      await audit.flush();
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
});
