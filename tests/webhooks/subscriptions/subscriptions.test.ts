import { afterAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { anonymous, type Principal } from '../../../shared/kernel/context.js';
import { eventNames } from '../../../subgraphs/webhooks/events/event.js';
import { openWebhooks } from '../kit.js';
import { newId } from '../../../shared/kernel/ids.js';

const kit = await openWebhooks();
const strict = await openWebhooks({ environment: { WEBHOOK_ALLOW_INSECURE: 'false' } });

afterAll(async () => {
  await kit.close();
  await strict.close();
});

const url = 'https://receiver.example/hook';
const createText = `mutation ($url: String!, $events: [String!]!, $description: String) {
  createWebhook(url: $url, events: $events, description: $description) { id url events description secret status createdAt } }`;
const create = (over: Record<string, unknown> = {}, principal?: Principal, on = kit) =>
  on.run(createText, { url, events: ['payment.completed'], ...over }, principal);
const update = (id: string, change: string, principal?: Principal) =>
  kit.run(`mutation ($id: ID!) { updateWebhook(id: $id, ${change}) { url events description } }`, { id }, principal);
const list = async (principal?: Principal) =>
  (await kit.run('{ webhooks { items { id status } count } }', {}, principal)).data?.['webhooks'] as {
    items: { id: string; status: string }[];
    count: number;
  };

describe('creating a webhook', () => {
  test('answers it with its secret, which no other answer shows and no table holds', async () => {
    const owner = kit.developer('creator');
    const { data } = await create({ events: ['payment.overdue', 'payment.completed'], description: ' Conta ' }, owner);
    const made = data?.['createWebhook'] as { id: string; secret: string };
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url,
      events: ['payment.completed', 'payment.overdue'],
      description: 'Conta',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      status: 'ACTIVE',
      createdAt: expect.stringMatching(/Z$/),
    });
    const { data: shown } = await kit.run('query ($id: ID!) { webhook(id: $id) { id url status } }', made, owner);
    expect(shown).toEqual({ webhook: { id: made.id, url, status: 'ACTIVE' } });
    const rows = await kit.database.dataSource.query<{ secret: Buffer }[]>('SELECT secret FROM webhooks.subscriptions');
    expect(rows[0]?.secret.toString('latin1')).not.toContain(made.secret.slice(6, 20));
  });

  test('needs webhooks:write alone, whatever reading its events by request needs', async () => {
    const { data } = await create({ events: eventNames }, kit.developer('one scope', ['webhooks:write']));
    expect(data?.['createWebhook']).toMatchObject({ events: eventNames });
    const { error } = await create({}, kit.developer('one scope', ['webhooks:read', 'credit:read']));
    expect(error?.statusCode).toBe(403);
  });

  test.each([
    'http://receiver.example/',
    'receiver.example',
    'https://user:secret@receiver.example/',
    'https://receiver.example/#part',
    'https://receiver.example:0/',
    ' https://receiver.example/',
    'https://receiver.example/a\nb',
    'https://receiver.example/\u0000',
    'https://localhost/',
    'https://169.254.169.254/latest/meta-data',
    `https://receiver.example/${'x'.repeat(2048)}`,
  ])('at %s is refused', async (wrong) => {
    const { error } = await create({ url: wrong }, undefined, strict);
    expect(error).toMatchObject({ statusCode: 400, details: [{ path: 'url' }] });
  });

  test('keeps its address as it is sent to', async () => {
    const kept = async (given: string) =>
      ((await create({ url: given })).data?.['createWebhook'] as { url: string }).url;
    expect(await kept('HTTPS://Receiver.Example:443/á')).toBe('https://receiver.example/%C3%A1');
    const { id } = await kit.subscribe(url);
    expect((await update(id, 'url: "https://Other.example"')).data).toMatchObject({
      updateWebhook: { url: 'https://other.example/' },
    });
  });

  test('without TLS is for loopback alone, where the house allows it', async () => {
    expect((await create({ url: 'http://127.0.0.1:9/' })).error).toBeUndefined();
    expect((await create({ url: 'http://localhost:9/' })).error).toBeUndefined();
    expect((await create({ url: 'http://receiver.example/' })).error?.statusCode).toBe(400);
    expect((await create({ url: 'http://10.0.0.1/' })).error?.statusCode).toBe(400);
  });

  test('a hundred times is the most, also when many come at once', async () => {
    const owner = kit.developer('many');
    for (let count = 0; count < 95; count += 1) await create({}, owner);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => create({}, owner)));
    expect(outcomes.filter(({ error }) => error === undefined)).toHaveLength(5);
    expect(outcomes.filter(({ error }) => error?.statusCode === 409)).toHaveLength(5);
    expect((await list(owner)).count).toBe(100);
  });
});

describe('who may', () => {
  test('a key needs the scope, which the refusal names; a session of the account needs its e-mail confirmed', async () => {
    const reader = kit.developer('owner', ['webhooks:read']);
    const writer = kit.developer('owner', ['webhooks:write']);
    expect((await create({}, reader)).error).toMatchObject({
      statusCode: 403,
      message: expect.stringContaining('webhooks:write'),
    });
    expect((await kit.run('{ webhooks { count } }', {}, writer)).error).toMatchObject({
      statusCode: 403,
      message: expect.stringContaining('webhooks:read'),
    });
    const session: Principal = { kind: 'SESSION', id: 's', ownerId: 'owner', scopes: ['confirmed'] };
    expect((await create({}, session)).error).toBeUndefined();
    expect((await create({}, { ...session, scopes: [] })).error).toMatchObject({
      statusCode: 403,
      message: expect.stringContaining('Confirm the e-mail'),
    });
    expect((await create({}, anonymous('203.0.113.7'))).error?.statusCode).toBe(401);
    const data: Principal = { kind: 'API_KEY', id: 'k', ownerId: 'owner', scopes: [] };
    expect((await create({}, data)).error?.statusCode).toBe(403);
  });

  test("someone else's webhook answers like one that does not exist, whatever is asked of it", async () => {
    const { id } = await kit.subscribe(url, {}, kit.developer('mine'));
    const thief = kit.developer('thief');
    const acts = (of: string) => [
      `{ webhook(id: "${of}") { id } }`,
      `{ webhookDeliveries(id: "${of}") { count } }`,
      `mutation { updateWebhook(id: "${of}", description: "x") { id } }`,
      `mutation { deleteWebhook(id: "${of}") }`,
      `mutation { rotateWebhookSecret(id: "${of}") { id } }`,
      `mutation { testWebhook(id: "${of}") { id } }`,
      `mutation { activateWebhook(id: "${of}") { id } }`,
      `mutation { redeliverWebhook(id: "${of}", deliveryId: "${id}") { id } }`,
      `mutation { replayWebhook(id: "${of}", since: "${new Date().toISOString()}") { count } }`,
    ];
    const answers = async (of: string) =>
      Promise.all(acts(of).map(async (text) => (await kit.run(text, {}, thief)).error));
    const foreign = await answers(id);
    expect(foreign.map((error) => error?.statusCode)).toEqual(foreign.map(() => 404));
    expect(foreign.map((error) => error?.message)).toEqual((await answers('nonsense')).map((error) => error?.message));
  });
});

describe('changing a webhook', () => {
  test('changes what is given, and the rest stays; an empty description takes it away', async () => {
    const { id } = await kit.subscribe(url, { description: 'Conta' });
    const changed = async (change: string) => (await update(id, change)).data?.['updateWebhook'];
    expect(await changed('events: ["order.filled"]')).toEqual({ url, events: ['order.filled'], description: 'Conta' });
    expect(await changed('url: "https://other.example/", description: ""')).toEqual({
      url: 'https://other.example/',
      events: ['order.filled'],
      description: null,
    });
    expect(await changed('description: "Outra"')).toMatchObject({ description: 'Outra' });
    expect(await changed('description: null')).toMatchObject({ events: ['order.filled'], description: null });
    const wrong = (await update(id, 'url: "http://other.example/", events: ["x"]')).error?.details;
    const known = expect.stringContaining('credit_batch.approved');
    expect(wrong).toMatchObject([{ path: 'url' }, { path: 'events[0]', message: known }]);
    expect((await update(id, 'url: null, events: null')).error).toMatchObject({
      statusCode: 400,
      details: [{ path: 'url' }, { path: 'events' }],
    });
  });

  test('deleting it takes it away, for good', async () => {
    const owner = kit.developer('deleter');
    const { id } = await kit.subscribe(url, {}, owner);
    const remove = () => kit.run('mutation ($id: ID!) { deleteWebhook(id: $id) }', { id }, owner);
    expect((await remove()).data).toEqual({ deleteWebhook: true });
    expect((await remove()).error?.statusCode).toBe(404);
    expect(await list(owner)).toEqual({ items: [], count: 0 });
  });
});

test('the documented events are served, each with a JSON Schema of its data', async () => {
  const { data } = await kit.run('{ webhookEvents { name meaning surface dataSchema } }', {}, anonymous('203.0.113.7'));
  const events = data?.['webhookEvents'] as { name: string; dataSchema: string }[];
  const contract = readFileSync(new URL('../../../docs/contract/webhooks.md', import.meta.url), 'utf8');
  const rows = contract.split('\n').filter((line) => line.startsWith('| `'));
  const firstCells = rows.map((line) => line.split(' | ')[0] ?? '');
  const documented = firstCells.flatMap((cell) => [...cell.matchAll(/`(\w+\.\w+)`/g)].map(([, name]) => name));
  expect(events.map(({ name }) => name)).toEqual(eventNames);
  expect(documented.sort()).toEqual([...eventNames].sort());
  const completed = JSON.parse(events[0]?.dataSchema ?? '') as { required: string[] };
  expect(completed.required).toEqual([
    'trancheTicker',
    'installmentNumber',
    'dueDate',
    'interestValue',
    'principalValue',
    'totalValue',
    'status',
  ]);
});

describe('what changes of webhooks leave behind', () => {
  const url = 'https://receiver.example:8443/secret-path?token=hidden';
  const audited = (id: string) =>
    kit.database.dataSource.query<unknown[]>(
      `SELECT action, actor_id, subject_type, outcome, before, after FROM shared.audit_log WHERE subject_id = $1 ORDER BY id`,
      [id],
    );
  const announced = (id: string) =>
    kit.database.dataSource.query<unknown[]>(
      `SELECT payload, internal FROM shared.outbox WHERE topic = 'webhook.changed' AND key = $1 ORDER BY id`,
      [id],
    );
  const update = async (id: string, change: string): Promise<void> => {
    const { error } = await kit.run(`mutation ($id: ID!) { updateWebhook(id: $id, ${change}) { id } }`, { id });
    expect(error).toBeUndefined();
  };

  describe('the audit log has', () => {
    const entry = { actor_id: 'owner', subject_type: 'webhook', outcome: 'DONE' };
    const first = { host: 'receiver.example:8443', events: ['payment.completed'] };

    test('who made, changed and deleted a webhook, with its host and events, and no path, description or secret', async () => {
      const { id } = await kit.subscribe(url, { description: 'Conta da Maria' });
      await update(id, 'events: ["order.filled"], description: "Outra"');
      await update(id, 'url: "https://receiver.example:8443/elsewhere"');
      expect((await kit.run('mutation ($id: ID!) { deleteWebhook(id: $id) }', { id })).error).toBeUndefined();
      const second = { ...first, events: ['order.filled'] };
      const entries = await audited(id);
      expect(entries).toEqual([
        { ...entry, action: 'createWebhook', before: null, after: first },
        { ...entry, action: 'updateWebhook', before: first, after: { ...second, urlChanged: false } },
        { ...entry, action: 'updateWebhook', before: second, after: { ...second, urlChanged: true } },
        { ...entry, action: 'deleteWebhook', before: second, after: null },
      ]);
      expect(JSON.stringify(entries)).not.toMatch(/secret-path|hidden|elsewhere|Maria|Outra|whsec/);
    });

    test('nothing of a change of neither the address nor the events, however often it is repeated', async () => {
      const { id } = await kit.subscribe(url);
      for (const change of [`url: "${url}"`, 'events: ["payment.completed"]', 'description: "x"', 'description: "x"'])
        await update(id, change);
      expect(await audited(id)).toHaveLength(1);
    });

    test('nothing of a change that was refused', async () => {
      const { id } = await kit.subscribe(url);
      const stranger = kit.developer('stranger');
      for (const act of ['deleteWebhook(id: $id)', 'updateWebhook(id: $id, description: "x") { id }'])
        expect((await kit.run(`mutation ($id: ID!) { ${act} }`, { id }, stranger)).error?.statusCode).toBe(404);
      expect(await audited(id)).toHaveLength(1);
    });
  });

  test('a new webhook and a new address are announced for the mail to the owner, and to no subscriber; other changes are not', async () => {
    const ownerId = newId();
    const { id } = await kit.subscribe(url, {}, kit.developer(ownerId));
    const event = (change: string) => ({
      internal: true,
      payload: { ownerId, data: { webhookId: id, change, at: expect.any(String) } },
    });
    const act = (change: string) =>
      kit.run(`mutation ($id: ID!) { updateWebhook(id: $id, ${change}) { id } }`, { id }, kit.developer(ownerId));
    await act(`url: "${url}", events: ["order.filled"], description: "x"`);
    expect(await announced(id)).toEqual([event('CREATED')]);
    await act('url: "https://other.example/"');
    expect(await announced(id)).toEqual([event('CREATED'), event('MOVED')]);
  });
});
