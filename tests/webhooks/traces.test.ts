import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../shared/kernel/ids.js';
import { openWebhooks, type WebhooksKit } from './kit.js';

let kit: WebhooksKit;

beforeAll(async () => {
  kit = await openWebhooks();
});
afterAll(() => kit.close());

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

  test('the same of a form', async () => {
    const { data } = await kit.run(
      'mutation ($url: String!) { createWebhookResult(url: $url, events: ["payment.completed"]) { ... on WebhookWithSecret { id } } }',
      { url },
    );
    const { id } = data?.['createWebhookResult'] as { id: string };
    expect(await audited(id)).toEqual([{ ...entry, action: 'createWebhook', before: null, after: first }]);
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
