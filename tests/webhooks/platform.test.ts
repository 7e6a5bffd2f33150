import { afterAll, describe, expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import { announceAll } from '../../shared/events/outbox/outbox.js';
import { callerOf } from '../accounts/http.js';
import { newOperator } from '../kit/operator.js';
import { openTestPlatform } from '../kit/platform.js';
import { until } from '../kit/until.js';
import { paid } from './kit.js';
import { openReceiver } from './receiver.js';

let answer = 200;

const platform = await openTestPlatform({
  DEMO: 'true',
  WEBHOOK_ALLOW_INSECURE: 'true',
  WEBHOOK_RETRIES: '50ms',
  RATE_LIMIT_ACCOUNTS: '1000',
  RATE_LIMIT_API_KEY: '1000',
});
const caller = callerOf(platform);
const receiver = await openReceiver((response) => response.writeHead(answer).end());
afterAll(async () => {
  await platform.close();
  await receiver.close();
});

const path = '/developer/webhooks';
type Headers = Record<string, string>;

async function developer(email: string, scopes = ['webhooks:read', 'webhooks:write']) {
  const session = await caller.member(email);
  const text = 'mutation ($s: [String!]!) { createDeveloperKey(name: "k", scopes: $s) { id key } }';
  const { body } = await caller.graphql(text, { s: scopes }, session);
  const { id, key } = (body as { data: { createDeveloperKey: { id: string; key: string } } }).data.createDeveloperKey;
  return { session, id, key: { 'x-api-key': key } satisfies Headers };
}

const subscribe = (headers: Headers, over: Record<string, unknown> = {}) =>
  caller.post(path, { url: receiver.url, events: ['payment.completed'], ...over }, headers);

describe('the developer paths', () => {
  test('are opened by a developer’s key in X-API-Key and by nothing else', async () => {
    const { key, session } = await developer('paths@casa.example');
    const { developerApiKey, publicApiKey } = platform.demo();
    expect((await caller.send('GET', path, undefined, key)).body).toEqual({ items: [], count: 0 });
    expect((await caller.send('GET', path, undefined, { 'x-api-key': developerApiKey })).status).toBe(200);
    const refused: Headers[] = [
      {},
      session,
      { 'x-api-key': publicApiKey },
      { authorization: `Bearer ${key['x-api-key']}` },
      { 'x-api-key': `${key['x-api-key']}x` },
    ];
    for (const headers of refused) expect((await caller.send('GET', path, undefined, headers)).status).toBe(401);
    expect((await caller.send('GET', '/v1/emissoes/operacoes', undefined, key)).status).toBe(401);
  });

  test('spend from the bucket of the key, also where there is no path or no such method', async () => {
    const { key } = await developer('strays@casa.example');
    const left = async (method: string, of: string, headers: Headers) => {
      const reply = await caller.send(method, of, undefined, headers);
      return [reply.status, reply.headers.get('x-ratelimit-limit'), Number(reply.headers.get('x-ratelimit-remaining'))];
    };
    const [, limit, first] = await left('GET', path, key);
    expect(limit).toBe('1000');
    expect(await left('GET', `${path}/`, key)).toEqual([404, limit, Number(first) - 1]);
    expect(await left('GET', '/developer/none', key)).toEqual([404, limit, Number(first) - 2]);
    expect(await left('PUT', path, key)).toEqual([405, limit, Number(first) - 3]);
    for (const headers of [{}, { 'x-api-key': `${key['x-api-key']}x` }]) {
      expect(await left('GET', '/developer/none', headers)).toEqual([404, '100', expect.any(Number)]);
    }
    expect(await left('GET', '/elsewhere', key)).toEqual([404, '100', expect.any(Number)]);
  });

  test('show in the use of the key', async () => {
    const { key, session, id } = await developer('used@casa.example');
    const use = async () => {
      const { body } = await caller.graphql('{ developerKeys { id lastUsedAt requestCount } }', {}, session);
      const { developerKeys } = (body as { data: { developerKeys: { id: string; requestCount: number }[] } }).data;
      return developerKeys.find((one) => one.id === id);
    };
    expect(await use()).toEqual({ id, lastUsedAt: null, requestCount: 0 });
    for (let index = 0; index < 3; index += 1) await caller.send('GET', path, undefined, key);
    const used = { id, lastUsedAt: expect.any(String), requestCount: 3 };
    await until('the three uses of the key', async () => (await use())?.requestCount === 3);
    expect(await use()).toEqual(used);
  });

  test('refuse a change to null, instead of changing nothing', async () => {
    const { key } = await developer('nothing@casa.example');
    const { id } = (await subscribe(key)).body as { id: string };
    const nothing = { url: null, events: null, description: null };
    expect(await caller.send('PATCH', `${path}/${id}`, nothing, key)).toMatchObject({
      status: 400,
      body: {
        details: expect.arrayContaining(Object.keys(nothing).map((name) => expect.objectContaining({ path: name }))),
      },
    });
    expect((await caller.send('PATCH', `${path}/${id}`, { unknown: 1 }, key)).status).toBe(200);
    const status = await caller.send('PATCH', `${path}/${id}`, { status: 'inactive', description: 'no' }, key);
    const way = expect.stringContaining('POST /developer/webhooks/{id}/activate');
    expect(status).toMatchObject({ status: 400, body: { details: [{ path: 'status', message: way }] } });
    expect((await caller.send('GET', `${path}/${id}`, undefined, key)).body).not.toMatchObject({ description: 'no' });
  });
});

test('in the graph a secret that is shown once is shown, whatever else in the document is refused', async () => {
  const { session } = await developer('secrets@casa.example');
  const fields = [
    `made: createWebhook(url: "${receiver.url}", events: ["payment.completed"]) { secret }`,
    `refused: createWebhook(url: "ftp://x", events: ["payment.completed"]) { secret }`,
    `gone: deleteWebhook(id: "none")`,
    `key: createApiKey(name: "k") { key }`,
    `developer: createDeveloperKey(name: "k", scopes: ["webhooks:read"]) { key }`,
    `unknown: createDeveloperKey(name: "k", scopes: ["x"]) { key }`,
    `other: rotateWebhookSecret(id: "none") { secret }`,
  ];
  const { body } = await caller.graphql(`mutation { ${fields.join('\n')} }`, {}, session);
  expect(body).toMatchObject({
    data: {
      made: { secret: expect.stringMatching(/^whsec_/) },
      refused: null,
      gone: null,
      key: { key: expect.stringMatching(/^svcpub_/) },
      developer: { key: expect.stringMatching(/^svc_dev_/) },
      unknown: null,
      other: null,
    },
  });
  expect((body as { errors: unknown[] }).errors).toHaveLength(4);
});

test.each([
  ['who administers accounts sees whose a webhook is, unless the account is gone', ['administer'], true],
  ['without that role sees the ids alone', ['read', 'publish', 'originate', 'trade'], false],
])('an operator %s', async (_who, roles, sees) => {
  const email = `${crypto.randomUUID()}@casa.example`;
  const gone = crypto.randomUUID();
  const { manager } = platform.infrastructure.context;
  await subscribe((await developer(email)).key);
  const owner = (await manager.one<{ id: string }>('SELECT id FROM accounts.accounts WHERE email = $1', [email])).id;
  await manager.execute(
    `INSERT INTO webhooks.subscriptions (id, owner_id, url, events, secret, status, failing, created_at)
     SELECT gen_random_uuid(), $1, 'https://receiver.example/hook', '{payment.completed}', '', 'active', false, now()`,
    [gone],
  );
  const { headers } = await newOperator(platform.infrastructure.context, roles);
  const text = '{ managedWebhooks(first: 100) { nodes { ownerId owner { id email } } } }';
  const { body } = await caller.graphql(text, {}, headers);
  expect(body).toEqual({ data: { managedWebhooks: { nodes: expect.any(Array) } } });
  const { nodes } = (body as { data: { managedWebhooks: { nodes: object[] } } }).data.managedWebhooks;
  expect(nodes).toContainEqual({ ownerId: owner, owner: { id: owner, email: sees ? email : null } });
  expect(nodes).toContainEqual({ ownerId: gone, owner: { id: gone, email: null } });
});

test('the house delivers what a domain announces, and mails the owner of a receiver that is gone, once', async () => {
  const { key } = await developer('owner@casa.example');
  const { id } = (await subscribe(key)).body as { id: string };
  const before = receiver.received.length;
  const { context } = platform.infrastructure;
  await inTransaction(context, (tx) => announceAll(tx, [paid(42)]));
  const received = await receiver.until(before + 1);
  expect(received.at(-1)?.event).toMatchObject({ type: 'payment.completed', data: { installmentNumber: 42 } });

  answer = 410;
  await inTransaction(context, (tx) => announceAll(tx, [paid(43)]));
  const told = await until('the mail about the webhook', async () => {
    const mails = await caller.mailbox('owner@casa.example');
    const found = mails.filter(({ subject }) => subject === 'Um webhook seu foi desativado');
    return found.length > 0 && found;
  });
  answer = 200;
  expect(told).toHaveLength(1);
  expect(told[0]?.text).toContain(receiver.url);
  expect((await caller.send('GET', `${path}/${id}`, undefined, key)).body).toMatchObject({ status: 'deactivated' });
  const metrics = await (await fetch(`${platform.url}/metrics`)).text();
  expect(metrics).toContain('webhook_attempt_duration_seconds_count{status="410"}');
});
