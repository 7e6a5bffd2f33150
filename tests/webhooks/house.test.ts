import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import { announceAll } from '../../shared/outbox/outbox.js';
import { callerOf, type Caller } from '../accounts/http.js';
import { openTestHouse, type TestHouse } from '../kit/house.js';
import { paid } from './kit.js';
import { openReceiver, type Receiver } from './receiver.js';

let house: TestHouse;
let caller: Caller;
let receiver: Receiver;
let answer = 200;

const environment = {
  DEMO: 'true',
  WEBHOOK_ALLOW_INSECURE: 'true',
  WEBHOOK_RETRIES: '50ms',
  RATE_LIMIT_ACCOUNTS: '1000',
  RATE_LIMIT_API_KEY: '1000',
};

beforeAll(async () => {
  house = await openTestHouse(environment);
  caller = callerOf(house);
  receiver = await openReceiver((response) => response.writeHead(answer).end());
}, 120_000);
afterAll(async () => {
  await house.close();
  await receiver.close();
});

const path = '/developer/webhooks';
type Headers = Record<string, string>;

/** A member with a session and a developer's key. */
async function developer(email: string, scopes = ['webhooks:read', 'webhooks:write']) {
  const session = await caller.member(email);
  const text = 'mutation ($s: [String!]!) { createDeveloperKey(name: "k", scopes: $s) { id key } }';
  const { body } = await caller.graphql(text, { s: scopes }, session);
  const { id, key } = (body as { data: { createDeveloperKey: { id: string; key: string } } }).data.createDeveloperKey;
  return { session, id, key: { 'x-api-key': key } satisfies Headers };
}

const subscribe = (headers: Headers, over: Record<string, unknown> = {}) =>
  caller.post(path, { url: receiver.url, events: ['payment.completed'], ...over }, headers);

const demo = async () =>
  JSON.parse(await readFile(join(house.dataDir, 'demo-credentials.json'), 'utf8')) as {
    publicApiKey: string;
    developerApiKey: string;
  };

describe('the developer paths', () => {
  test('are opened by a developer’s key in X-API-Key and by nothing else', async () => {
    const { key, session } = await developer('paths@casa.example');
    const { developerApiKey, publicApiKey } = await demo();
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

  test('name the scope that a key lacks', async () => {
    const { key } = await developer('reader@casa.example', ['webhooks:read']);
    expect((await caller.send('GET', path, undefined, key)).status).toBe(200);
    const { status, body } = await subscribe(key);
    expect([status, body]).toEqual([
      403,
      expect.objectContaining({ error: 'Forbidden', message: expect.stringContaining('webhooks:write') }),
    ]);
  });

  test('refuse a key within a second of its revocation', async () => {
    const { key, session, id } = await developer('revoker@casa.example');
    await caller.graphql('mutation ($id: ID!) { revokeDeveloperKey(id: $id) }', { id }, session);
    expect((await caller.send('GET', path, undefined, key)).status).toBe(401);
  });

  test('are in the graph too, with the same key', async () => {
    const { key } = await developer('graph@casa.example');
    await subscribe(key);
    const { body } = await caller.graphql('{ webhooks { count } }', {}, key);
    expect(body).toEqual({ data: { webhooks: { count: 1 } } });
  });

  test('answer every fault of a body at once, and unknown events with the known ones', async () => {
    const { key } = await developer('faults@casa.example');
    const missing = await caller.post(path, {}, key);
    expect(missing).toMatchObject({ status: 400, body: { details: [{ path: 'url' }, { path: 'events' }] } });
    const unknown = await subscribe(key, { url: 'http://receiver.example', events: ['x'] });
    expect(unknown).toMatchObject({ status: 400, body: { details: [{ path: 'url' }, { path: 'events[0]' }] } });
    expect(JSON.stringify(unknown.body)).toContain('credit_batch.approved');
    expect((await subscribe(key, { events: 'payment.completed' })).status).toBe(400);
  });

  test('run a POST or PATCH once for its idempotency key', async () => {
    const { key } = await developer('twice@casa.example');
    const once = { ...key, 'x-idempotency-key': 'first' };
    const [made, again] = [await subscribe(once), await subscribe(once)];
    expect(again.headers.get('x-idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(made.body);
    expect((await subscribe(once, { description: 'other' })).status).toBe(409);
    const { id } = made.body as { id: string };
    const change = { ...key, 'x-idempotency-key': 'change' };
    const patched = await caller.send('PATCH', `${path}/${id}`, { description: 'Conta' }, change);
    expect(patched.body).toMatchObject({ id, description: 'Conta', events: ['payment.completed'] });
    const repeated = await caller.send('PATCH', `${path}/${id}`, { description: 'Conta' }, change);
    expect(repeated.headers.get('x-idempotent-replayed')).toBe('true');
    expect((await caller.send('GET', path, undefined, key)).body).toMatchObject({ count: 1 });
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
  });
});

test('the house delivers what a domain announces, and mails the owner of a receiver that is gone, once', async () => {
  const { key } = await developer('owner@casa.example');
  const { id } = (await subscribe(key)).body as { id: string };
  const before = receiver.received.length;
  const { context } = house.floor;
  await inTransaction(context, (tx) => announceAll(tx, [paid(42)]));
  const received = await receiver.until(before + 1);
  expect(received.at(-1)?.event).toMatchObject({ type: 'payment.completed', data: { installmentNumber: 42 } });

  answer = 410;
  await inTransaction(context, (tx) => announceAll(tx, [paid(43)]));
  let mails: readonly { subject: string; text: string }[] = [];
  while (!mails.some(({ subject }) => subject === 'Um webhook seu foi desativado')) {
    mails = await caller.mailbox('owner@casa.example');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  answer = 200;
  const told = mails.filter(({ subject }) => subject === 'Um webhook seu foi desativado');
  expect(told).toHaveLength(1);
  expect(told[0]?.text).toContain(receiver.url);
  expect((await caller.send('GET', `${path}/${id}`, undefined, key)).body).toMatchObject({ status: 'deactivated' });
  const metrics = await (await fetch(`${house.url}/metrics`)).text();
  expect(metrics).toContain('webhook_attempt_duration_seconds_count{status="410"}');
});
