import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { openWebhooks, paid, type WebhooksKit } from './kit.js';
import { openReceiver, type Received } from './receiver.js';

let kit: WebhooksKit;

beforeAll(async () => {
  kit = await openWebhooks({ environment: { WEBHOOK_RETRIES: '100ms,100ms,100ms' } });
  await kit.openEngine();
});
afterAll(() => kit.close());

const hex = (secret: string, { headers, body }: Received) =>
  createHmac('sha256', secret)
    .update(`${String(headers['x-webhook-id'])}.${String(headers['x-webhook-timestamp'])}.${body}`)
    .digest('hex');

const standard = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

describe('a delivery', () => {
  test('is a POST of the envelope, signed as documented and as the Standard Webhooks want it', async () => {
    const receiver = await openReceiver();
    const { id, secret } = await kit.subscribe(receiver.url);
    await kit.announce(paid(1));
    const [request] = await receiver.until(1);
    if (request === undefined) throw new Error('Nothing came');
    const { headers, event } = request;
    expect(event).toEqual({
      type: 'payment.completed',
      id: headers['x-webhook-id'],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: (paid(1).payload as { data: unknown }).data,
    });
    expect(headers['content-type']).toBe('application/json');
    expect(Math.abs(Number(headers['x-webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
    expect(headers['x-webhook-signature']).toBe(hex(secret, request));
    expect(standard(secret, request)).toEqual(event);
    expect(() => standard(secret, { ...request, body: `${request.body} ` })).toThrow();

    const [delivery] = await kit.untilDeliveries(id, ([one]) => one?.status === 'delivered');
    expect(delivery).toMatchObject({
      id: event.id,
      type: 'payment.completed',
      requestBody: request.body,
      nextAttemptAt: null,
      attempts: [{ number: 1, responseStatus: 200, responseBody: 'ok', error: null }],
    });
    await receiver.close();
  });
});
