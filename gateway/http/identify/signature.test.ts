import { createHash, createPublicKey, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  newPair,
  newSigner,
  sendRaw,
  sendSigned,
  signatureOf,
  signedHeaders,
  type SignedResponse,
} from '../../../tests/credit-assignment/signing-kit.js';
import { quietLog } from '../../../tests/kit/context.js';
import { rateLimitsOf } from '../../../tests/kit/rate-limits.js';
import { until } from '../../../tests/kit/until.js';
import { edgesOfFile } from '../../../tests/kit/edges.js';
import { goodKey, testCallers } from '../../../tests/rest/edge-kit.js';
import { createLocalBus } from '../../../shared/events/bus.js';
import { fixedClock } from '../../../tests/kit/clock.js';
import { Database } from '../../../shared/database/database.js';
import { contextOf } from './context.js';
import type { Client } from './signature.js';

const alice = newSigner();
const secondKey = newPair().privateKey;
const bob = newSigner(newPair(4096).privateKey);
const clients: Record<string, Client> = {
  [alice.clientId]: {
    id: alice.clientId,
    keys: [
      { id: 'alice-2', key: createPublicKey(secondKey) },
      { id: 'alice-1', key: createPublicKey(alice.key) },
    ],
  },
  [bob.clientId]: { id: bob.clientId, rateLimit: 2, keys: [{ id: 'bob-1', key: createPublicKey(bob.key) }] },
};
const now = 1_795_186_800;
const edges = edgesOfFile();

async function start(
  limits: Partial<Record<'public' | 'client' | 'graphql', number>> = {},
  config: { readonly requireHttps?: boolean } = {},
) {
  const clock = fixedClock(new Date(now * 1000).toISOString());
  const asked: string[] = [];
  const callers = {
    ...testCallers(),
    findClient: (id: string) => {
      asked.push(id);
      return Promise.resolve(clients[id]);
    },
  };
  const manager = new Database({ type: 'postgres' }).manager;
  const parsed: unknown[] = [];
  const signed = { credential: 'signature', bucket: 'client', idempotent: true } as const;
  const optional = { credential: 'optional', bucket: 'graphql' } as const;
  const { base, port } = await edges.start(
    (app) => {
      app.get('/batches', { config: { edge: signed } }, (request) => request.edge.principal);
      app.post('/batches', { config: { edge: signed } }, (request) => {
        parsed.push(request.body);
        const { idempotency } = contextOf(request);
        return { principal: request.edge.principal, body: request.body ?? null, idempotency };
      });
      for (const method of ['GET', 'POST'])
        app.route({
          method,
          url: '/graph',
          config: { edge: optional },
          handler: (request) => request.edge.principal,
        });
    },
    { rateLimits: rateLimitsOf(1000, limits), ...config },
    { callers, parts: { clock, log: quietLog, manager, bus: createLocalBus() } },
  );
  return { base, port, asked, parsed };
}

const at = (init: Parameters<typeof sendSigned>[3] = {}) => ({ timestamp: now, ...init });
const codeOf = ({ status, body }: SignedResponse) => [status, body['code']];

test('a signature is by a key of its client, and has one form: Base64 with its padding, without anything after it, and as long as the key', async () => {
  const { base } = await start();
  const body = '{"a":1}';
  const good = signedHeaders(alice, '/batches', at({ method: 'POST', body }))['x-signature'] ?? '';
  const byBob = signedHeaders({ ...alice, key: bob.key }, '/batches', at({ method: 'POST', body }))['x-signature'];
  const bytes = Buffer.from(good, 'base64');
  const lastBits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const last = good.at(-3) ?? '';
  const sameBytes = `${good.slice(0, -3)}${lastBits[lastBits.indexOf(last) + 1] ?? ''}==`;
  expect(Buffer.from(sameBytes, 'base64').equals(bytes)).toBe(true);
  const others: (string | undefined)[] = [
    (good.startsWith('A') ? 'B' : 'A') + good.slice(1),
    undefined,
    byBob,
    `${good}garbage`,
    `${good}\t`,
    `${good}====`,
    good.replace(/=+$/, ''),
    sameBytes,
    bytes.toString('base64url'),
    `=${good}`,
    Buffer.concat([bytes, Buffer.from([0])]).toString('base64'),
    Buffer.concat([Buffer.from([0]), bytes]).toString('base64'),
    bytes.subarray(1).toString('base64'),
    '',
  ];
  for (const signature of others) {
    const headers = signedHeaders(
      alice,
      '/batches',
      at({ method: 'POST', body, headers: { 'x-signature': signature } }),
    );
    const answer = await sendRaw(base, '/batches', { method: 'POST', headers, body });
    // White space at the end of a header is not part of its value.
    const same = signature?.trim() === good;
    expect([signature, ...codeOf(answer)]).toEqual(same ? [signature, 200, undefined] : [signature, 401, 1001]);
  }
});

describe('a signed request', () => {
  test('is let in as its client, by any key of it', async () => {
    const { base } = await start();
    const caller = { kind: 'CLIENT', ownerId: alice.clientId, scopes: [] };
    expect((await sendSigned(base, alice, '/batches', at())).body).toEqual({ ...caller, id: 'alice-1' });
    const bySecond = await sendSigned(base, { ...alice, key: secondKey }, '/batches', at());
    expect(bySecond.body).toEqual({ ...caller, id: 'alice-2' });
    expect((await sendSigned(base, bob, '/batches', at())).body).toMatchObject({ id: 'bob-1', rateLimit: 2 });
  });

  test('is signed over the method and the path with its query, to the byte', async () => {
    const { base } = await start();
    for (const target of ['/batches?page=2&limit=20', '/batches?a=%7e&a=~&b=S%C3%A3o', '/batches?']) {
      expect([target, (await sendSigned(base, alice, target, at())).status]).toEqual([target, 200]);
    }
    const headers = signedHeaders(alice, '/batches?page=2', at());
    for (const [method, target] of [
      ['GET', '/batches?page=3'],
      ['GET', '/batches'],
      ['POST', '/batches?page=2'],
    ] as const)
      expect([target, ...codeOf(await sendRaw(base, target, { method, headers }))]).toEqual([target, 401, 1001]);
  });

  test('is signed over the bytes of the body: UTF-8 in names and values, spaces and order as they are', async () => {
    const { base } = await start();
    const body = '{ "observação" : "São João \u{1F4B0}", "a":1 }';
    const answer = await sendSigned(base, alice, '/batches', at({ method: 'POST', body }));
    expect(answer.body).toMatchObject({ body: { observação: 'São João \u{1F4B0}', a: 1 } });
    const headers = signedHeaders(alice, '/batches', at({ method: 'POST', body }));
    const respelled = JSON.stringify(JSON.parse(body));
    expect(codeOf(await sendRaw(base, '/batches', { method: 'POST', headers, body: respelled }))).toEqual([401, 1001]);
  });

  test('may have no body, with Content-Type or without', async () => {
    const { base } = await start();
    for (const contentType of ['application/json', undefined]) {
      const init = at({ method: 'POST', headers: { 'content-type': contentType } });
      const answer = await sendSigned(base, alice, '/batches', init);
      expect([contentType, answer.status, answer.body['body']]).toEqual([contentType, 200, null]);
    }
  });

  test('that does not fit is answered with the digest of what was verified', async () => {
    const { base } = await start();
    const body = '{"a":"ação"}';
    const headers = { 'x-signature': Buffer.alloc(256, 1).toString('base64') };
    const { body: answer } = await sendSigned(base, alice, '/batches?x=1', at({ method: 'POST', body, headers }));
    const digest = createHash('sha256')
      .update(`POST\n/batches?x=1\n${String(now)}\n${body}`)
      .digest('hex');
    expect(answer['message']).toBe(
      `X-Signature is not a valid signature of this request: the text that was verified has the SHA-256 ${digest}`,
    );
  });

  test.each([
    [-300, 200, undefined],
    [-301, 401, 1002],
    [300, 200, undefined],
    [301, 401, 1002],
  ])('of %i seconds from the clock is answered %i', async (offset, status, code) => {
    const { base } = await start();
    expect(codeOf(await sendSigned(base, alice, '/batches', { timestamp: now + offset }))).toEqual([status, code]);
  });

  test.each(['', 'soon', '1795186800.5', '-1', '1795186800000', '0x1', undefined])(
    'with the timestamp %j is 1002',
    async (timestamp) => {
      const { base } = await start();
      const answer = await sendSigned(base, alice, '/batches', at({ headers: { 'x-timestamp': timestamp } }));
      expect(codeOf(answer)).toEqual([401, 1002]);
    },
  );

  test.each([
    ['a client that nobody knows', { 'x-client-id': randomUUID() }],
    ['no client', { 'x-client-id': undefined }],
    ['something else than a client id', { 'x-client-id': goodKey }],
    ['two clients', { 'x-client-id': alice.clientId, 'x-api-key': bob.clientId }],
  ])('of %s is 1003', async (_name, headers) => {
    const { base } = await start();
    expect(codeOf(await sendSigned(base, alice, '/batches', at({ headers })))).toEqual([401, 1003]);
  });

  test('may name its client by either header, the other one being empty or alike, in any case', async () => {
    const { base } = await start();
    const both = [
      { 'x-client-id': undefined, 'x-api-key': alice.clientId },
      { 'x-client-id': alice.clientId, 'x-api-key': alice.clientId.toUpperCase() },
      { 'x-client-id': alice.clientId, 'x-api-key': '' },
      { 'x-client-id': '', 'x-api-key': alice.clientId },
    ];
    for (const headers of both) expect((await sendSigned(base, alice, '/batches', at({ headers }))).status).toBe(200);
  });

  test('is refused for its client first, then its timestamp, then its signature; an id of another form is not looked up', async () => {
    const { base, asked } = await start();
    const bad = { 'x-signature': 'x', 'x-timestamp': '1' };
    const unknown = await sendSigned(base, alice, '/batches', at({ headers: { ...bad, 'x-client-id': randomUUID() } }));
    expect(codeOf(unknown)).toEqual([401, 1003]);
    expect(codeOf(await sendSigned(base, alice, '/batches', at({ headers: bad })))).toEqual([401, 1002]);
    expect(asked).toHaveLength(2);
    await sendSigned(base, alice, '/batches', at({ headers: { 'x-client-id': "' OR 1=1" } }));
    expect(asked).toHaveLength(2);
  });

  test('is answered with WWW-Authenticate, which says what is required', async () => {
    const { base } = await start();
    const { headers, body } = await sendRaw(base, '/batches', { method: 'GET', headers: {} });
    expect(headers['www-authenticate']).toMatch(/^Signature /);
    expect(body).toMatchObject({ statusCode: 401, error: 'Unauthorized', code: 1003 });
  });
});

describe('what nobody signed', () => {
  test('is never parsed', async () => {
    const { base, parsed } = await start();
    const init = { method: 'POST', body: '{"__proto__":1' };
    const forged = at({
      ...init,
      headers: { 'x-signature': signatureOf(bob.key, { ...init, target: '/batches', timestamp: String(now) }) },
    });
    expect(codeOf(await sendSigned(base, alice, '/batches', forged))).toEqual([401, 1001]);
    expect((await sendSigned(base, alice, '/batches', at(init))).status).toBe(400);
    expect(parsed).toEqual([]);
  });

  test('of a stranger is refused before its body has come', async () => {
    const { port } = await start();
    const { heard } = edges.say(
      port,
      `POST /batches HTTP/1.1\r\nHost: x\r\nX-Client-Id: ${randomUUID()}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`,
    );
    await until('the response', () => heard().startsWith('HTTP/1.1 401 '));
  });

  test('spends from the bucket of its network, whatever is wrong with it, until that is empty', async () => {
    const { base } = await start({ public: 6 });
    const post = (over: Parameters<typeof sendSigned>[3]) =>
      sendSigned(base, alice, '/batches', at({ method: 'POST', body: '{}', ...over }));
    const answers = [
      await post({ headers: { 'x-client-id': randomUUID() } }),
      await post({ timestamp: now - 900 }),
      await post({ headers: { 'x-signature': 'AAAA' } }),
      await post({ headers: { 'content-type': 'application/xml' } }),
      await post({ headers: { 'content-encoding': 'gzip' } }),
      await post({ body: 'x'.repeat(1_100_000) }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers['x-ratelimit-remaining']])).toEqual([
      [401, '5'],
      [401, '4'],
      [401, '3'],
      [415, '2'],
      [415, '1'],
      [413, '0'],
    ]);
    expect((await post({ headers: { 'x-signature': 'AAAA' } })).status).toBe(429);
    // A client that signs is not kept out by other callers at the same address.
    expect((await post({})).status).toBe(200);
  });
});

test('where HTTPS is required a signed request over plain HTTP is redirected, and nobody is looked up', async () => {
  const { base, asked } = await start({}, { requireHttps: true });
  const { status, headers } = await sendSigned(base, alice, '/batches?page=2', at());
  expect([status, headers['location']]).toEqual([301, expect.stringMatching(/^https:.*\/batches\?page=2$/)]);
  expect(asked).toEqual([]);
});

describe('the limit of a client', () => {
  test('is the number stored with it, else that of the configuration, whichever key signs', async () => {
    const { base } = await start({ client: 3 });
    const ask = async (signer: typeof alice) => {
      const { status, headers } = await sendSigned(base, signer, '/batches', at());
      return [status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']];
    };
    expect(await ask(bob)).toEqual([200, '2', '1']);
    expect(await ask(bob)).toEqual([200, '2', '0']);
    expect(await ask(bob)).toEqual([429, '2', '0']);
    expect(await ask(alice)).toEqual([200, '3', '2']);
    expect(await ask({ ...alice, key: secondKey })).toEqual([200, '3', '1']);
  });

  test('is not spent by what somebody else sends in its name', async () => {
    const { base } = await start();
    for (let count = 0; count < 3; count += 1) await sendSigned(base, { ...bob, key: alice.key }, '/batches', at());
    expect((await sendSigned(base, bob, '/batches', at())).headers['x-ratelimit-remaining']).toBe('1');
  });
});

describe('where a credential is optional', () => {
  test('a signature on POST must be good, and makes the caller a client', async () => {
    const { base } = await start();
    const init = at({ method: 'POST', body: '{}' });
    expect((await sendSigned(base, alice, '/graph', init)).body).toMatchObject({
      kind: 'CLIENT',
      ownerId: alice.clientId,
    });
    expect(codeOf(await sendSigned(base, { ...alice, key: bob.key }, '/graph', init))).toEqual([401, 1001]);
    const beside = { ...init, headers: { authorization: 'Bearer header.session.signature', 'x-signature': 'AAAA' } };
    expect(codeOf(await sendSigned(base, alice, '/graph', beside))).toEqual([401, 1001]);
  });

  test('a signature on GET is no credential', async () => {
    const { base } = await start();
    expect((await sendSigned(base, alice, '/graph', at())).status).toBe(401);
  });

  test('other credentials, and none, are as they were', async () => {
    const { base } = await start();
    const ask = (headers: Record<string, string>) => sendRaw(base, '/graph', { method: 'POST', headers });
    expect((await ask({ 'x-api-key': goodKey })).body).toMatchObject({ kind: 'API_KEY' });
    expect((await ask({})).body).toMatchObject({ kind: 'ANONYMOUS' });
    expect((await ask({ 'x-client-id': alice.clientId })).body).toMatchObject({ kind: 'ANONYMOUS' });
  });
});

test('the answer of a signed POST is bound to its signature, besides the key that the caller chose', async () => {
  const { base } = await start();
  const post = async (headers: Record<string, string> = {}, over: { timestamp?: number } = {}) => {
    const answer = await sendSigned(base, alice, '/batches', at({ method: 'POST', body: '{}', headers, ...over }));
    return answer.body['idempotency'] as { key: string; owner: string; also?: { key: string; owner: string } };
  };
  const bare = await post();
  expect(bare.owner).toBe(`SIGNATURE:${alice.clientId}`);
  const keyed = await post({ 'x-idempotency-key': 'k1' });
  expect(keyed).toMatchObject({
    key: 'k1',
    owner: `CLIENT:${alice.clientId}`,
    also: { key: bare.key, owner: bare.owner },
  });
  expect((await post({}, { timestamp: now + 1 })).key).not.toBe(bare.key);
});
