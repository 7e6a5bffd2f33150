import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { documentedSignature } from '../../subgraphs/webhooks/engine/attempt.js';
import { until } from '../kit/until.js';
import { openWebhooks, paid } from './kit.js';

const file = fileURLToPath(new URL('../../examples/webhook-receiver/receiver.mjs', import.meta.url));
const oldSecret = 'whsec_b2xkIHNlY3JldCBvZiB0aGUgcmVjZWl2ZXI=';
const printed: string[] = [];

const kit = await openWebhooks({ environment: { WEBHOOK_RETRIES: '100ms' } });
// The receiver needs the secret to start, and the webhook its address to be made: the address comes after.
const { id, secret: made } = await kit.subscribe('http://127.0.0.1:9/');
const secret = made;
const child = spawn(process.execPath, [file], {
  env: { PORT: '0', WEBHOOK_SECRET: `${oldSecret},${secret}` },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const lines = createInterface({ input: child.stdout });
const [first] = (await once(lines, 'line')) as [string];
lines.on('line', (line) => printed.push(line));
const url = first.replace('Listening on ', '');
await kit.run('mutation ($id: ID!, $url: String!) { updateWebhook(id: $id, url: $url) { id } }', { id, url });
afterAll(async () => {
  child.kill();
  await once(child, 'close');
  await kit.close();
});

const body = '{"type":"payment.completed","id":"e1","createdAt":"2026-11-20T15:00:00.000Z","data":{}}';
async function post(over: { secret?: string; timestamp?: number; body?: string; signature?: string } = {}) {
  const timestamp = over.timestamp ?? Math.floor(Date.now() / 1000);
  const signature = over.signature ?? documentedSignature(over.secret ?? secret, { id: 'e1', timestamp, body });
  const headers = {
    'x-webhook-id': 'e1',
    'x-webhook-timestamp': String(timestamp),
    'x-webhook-signature': signature,
  };
  return (await fetch(url, { method: 'POST', headers, body: over.body ?? body })).status;
}

test('the example takes a delivery of the house', async () => {
  const [{ id } = { id: '' }] = (
    (await kit.run('{ webhooks { items { id } } }')).data?.['webhooks'] as {
      items: { id: string }[];
    }
  ).items;
  await kit.announce(paid(7));
  await kit.openEngine();
  const [delivery] = await kit.untilDeliveries(id, ([one]) => one?.status === 'DELIVERED');
  await until('the line about the delivery', () => printed.some((line) => line.includes(delivery?.eventId ?? '?')));
});

test('the example handles an event once, and takes either of its secrets', async () => {
  const seen = () => printed.filter((line) => line.includes(' e1 ')).length;
  expect(await post()).toBe(200);
  expect(await post({ secret: oldSecret })).toBe(200);
  await until('the line about e1', seen);
  expect(seen()).toBe(1);
});

test('the example refuses what is not signed by its secret, was altered, or is older than five minutes', async () => {
  const now = Math.floor(Date.now() / 1000);
  expect(await post({ secret: 'whsec_c29tZW9uZSBlbHNl' })).toBe(401);
  expect(await post({ body: body.replace('e1', 'e2') })).toBe(401);
  expect(await post({ signature: '' })).toBe(401);
  expect(await post({ signature: createHmac('sha256', secret).update(body).digest('hex') })).toBe(401);
  expect(await post({ timestamp: now - 301 })).toBe(401);
  expect(await post({ timestamp: now + 310 })).toBe(401);
  expect(await post({ timestamp: now - 290 })).toBe(200);
});
