import { afterAll, describe, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { PublishedEvent } from '../../../shared/events/outbox/outbox.js';
import { openWebhooks, paid } from '../kit.js';
import type { Received } from '../receiver.js';

const heard: PublishedEvent[] = [];

const kit = await openWebhooks({
  environment: { WEBHOOK_RETRIES: '100ms,100ms' },
  consumers: [(_tx, events) => Promise.resolve(void heard.push(...events))],
});
await kit.openEngine();
afterAll(() => kit.close());

/** Events of an account of the test's own, so that nobody else's receiver hears of them. */
let accounts = 0;
function account() {
  const owner = `account-${++accounts}`;
  const principal = kit.developer(owner);
  return {
    principal,
    subscribe: (url: string, over: Record<string, unknown> = {}) => kit.subscribe(url, over, principal),
    announce: (...numbers: readonly number[]) => kit.announce(...numbers.map((number) => paid(number, owner))),
    run: (text: string, variables: Record<string, unknown>) => kit.run(text, variables, principal),
    until: (id: string, ...statuses: readonly string[]) =>
      kit.untilDeliveries(
        id,
        (found) =>
          found.length === statuses.length && [...found].reverse().every(({ status }, at) => status === statuses[at]),
        principal,
      ),
    status: (id: string) => kit.statusOf(id, principal),
  };
}

const documented = (secret: string, { headers, body }: Received) =>
  createHmac('sha256', secret)
    .update(`${String(headers['x-webhook-id'])}.${String(headers['x-webhook-timestamp'])}.${body}`)
    .digest('hex');
const standard = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

function signal() {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return {
    given,
    give: () => {
      give();
    },
  };
}

describe('a delivery', () => {
  test('is a POST of the envelope, signed as documented and as the Standard Webhooks want it', async () => {
    const { subscribe, announce, until } = account();
    const receiver = await kit.openReceiver();
    const { id, secret } = await subscribe(receiver.url);
    await announce(1);
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
    expect(headers['x-webhook-signature']).toBe(documented(secret, request));
    expect(standard(secret, request)).toEqual(event);

    const [delivery] = await until(id, 'DELIVERED');
    expect(delivery).toMatchObject({
      id: `${id}_${event.id}`,
      eventId: event.id,
      type: 'payment.completed',
      requestBody: request.body,
      nextAttemptAt: null,
      attempts: [{ number: 1, responseStatus: 200, responseBody: 'ok', error: null }],
    });
  });

  test("goes to those who asked for the event, and of an account's own event only to its own webhooks", async () => {
    const [mine, other] = [account(), account()];
    const receiver = await kit.openReceiver();
    await mine.subscribe(receiver.url.replace('hook', 'mine'));
    await mine.subscribe(receiver.url.replace('hook', 'unasked'), { events: ['order.filled'] });
    await other.subscribe(receiver.url.replace('hook', 'other'));
    await mine.announce(1);
    await kit.announce(paid(2));
    await receiver.until(3);
    const seen = receiver.received.map(({ path, event }) => [
      path,
      (event.data as { installmentNumber: number }).installmentNumber,
    ]);
    expect(seen.sort()).toEqual([
      ['/mine', 1],
      ['/mine', 2],
      ['/other', 2],
    ]);
  });

  test('is made once, however often the relay hands the event on', async () => {
    const { subscribe, announce, until, principal } = account();
    const receiver = await kit.openReceiver();
    const { id } = await subscribe(receiver.url);
    await announce(1);
    await until(id, 'DELIVERED');
    await kit.database.dataSource.query(
      `UPDATE shared.outbox SET published_at = NULL, feed_position = NULL WHERE payload ->> 'ownerId' = $1`,
      [principal.ownerId],
    );
    await announce(2);
    await until(id, 'DELIVERED', 'DELIVERED');
    expect(receiver.received).toHaveLength(2);
  });

  test('that gets anything but 200 is tried again, with the same id and body, and every attempt is on record', async () => {
    const { subscribe, announce, until } = account();
    const statuses = [204, 307, 200];
    const receiver = await kit.openReceiver((response) => {
      response.writeHead(statuses.shift() ?? 500, { location: '/elsewhere' }).end();
    });
    const { id, secret } = await subscribe(receiver.url);
    await announce(1);
    const [delivery] = await until(id, 'DELIVERED');
    expect(delivery?.attempts.map(({ number, responseStatus }) => [number, responseStatus])).toEqual([
      [1, 204],
      [2, 307],
      [3, 200],
    ]);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const request of receiver.received) standard(secret, request);
  });
});

describe('a receiver that fails to the last attempt', () => {
  test('is deactivated with one event to its owner; what comes then is skipped, and comes by a replay', async () => {
    const { subscribe, announce, until, status, run, principal } = account();
    let broken = true;
    const receiver = await kit.openReceiver((response) => response.writeHead(broken ? 500 : 200).end());
    const { id } = await subscribe(receiver.url);
    await announce(1, 2);
    const failed = await kit.untilDeliveries(
      id,
      (found) => found.length === 2 && found.every((one) => one.status !== 'PENDING'),
      principal,
    );
    expect(failed.some(({ status: one, attempts }) => one === 'FAILED' && attempts.length === 3)).toBe(true);
    expect(await status(id)).toBe('DEACTIVATED');

    await announce(3);
    expect((await until(id, failed[1]?.status ?? '', failed[0]?.status ?? '', 'SKIPPED'))[0]?.attempts).toEqual([]);
    const told = () => heard.filter(({ topic, key }) => topic === 'webhook.deactivated' && key === id);
    expect(told().map(({ payload }) => payload)).toEqual([
      { ownerId: principal.ownerId, data: { webhookId: id, url: receiver.url, reason: 'FAILED' } },
    ]);

    const since = new Date(Date.now() - 29 * 86_400_000).toISOString();
    const replay = (from: string) =>
      run('mutation ($id: ID!, $since: DateTime!) { replayWebhook(id: $id, since: $since) { count } }', {
        id,
        since: from,
      });
    expect((await replay(since)).error?.statusCode).toBe(409);
    broken = false;
    const seen = receiver.received.length;
    const { data } = await run('mutation ($id: ID!) { activateWebhook(id: $id) { status } }', { id });
    expect(data).toEqual({ activateWebhook: { status: 'ACTIVE' } });
    expect((await replay(new Date().toISOString())).data).toEqual({ replayWebhook: { count: 0 } });
    expect((await replay(since)).data).toEqual({ replayWebhook: { count: 3 } });
    await until(id, 'DELIVERED', 'DELIVERED', 'DELIVERED');
    expect(receiver.received.length - seen).toBe(3);
    expect(told()).toHaveLength(1);
  });

  test('stays active when another delivery succeeded since that one began', async () => {
    const { subscribe, announce, until, status } = account();
    const [begun, succeeded] = [signal(), signal()];
    let attempts = 0;
    const receiver = await kit.openReceiver((response, { event }) => {
      const { installmentNumber } = event.data as { installmentNumber: number };
      if (installmentNumber === 1) {
        begun.give();
        attempts += 1;
        // The last attempt fails only when the other delivery has succeeded, however slow the machine is.
        void (attempts < 3 ? begun : succeeded).given.then(() => response.writeHead(500).end());
      } else void begun.given.then(() => response.end());
    });
    const { id } = await subscribe(receiver.url);
    await announce(1, 2);
    await until(id, 'PENDING', 'DELIVERED');
    succeeded.give();
    await until(id, 'FAILED', 'DELIVERED');
    expect(await status(id)).toBe('ACTIVE');
  });
});

describe('acts on deliveries', () => {
  test('a test event arrives signed, of a type that nobody can mistake', async () => {
    const { subscribe, run, until } = account();
    const receiver = await kit.openReceiver();
    const { id, secret } = await subscribe(receiver.url, { events: ['order.filled'] });
    const { data } = await run('mutation ($id: ID!) { testWebhook(id: $id) { id eventId type status } }', { id });
    const [request] = await receiver.until(1);
    if (request === undefined) throw new Error('Nothing came');
    expect(standard(secret, request)).toMatchObject({ type: 'webhook.test', data: { webhookId: id } });
    const eventId = request.event.id;
    expect(data).toEqual({
      testWebhook: { id: `${id}_${eventId}`, eventId, type: 'webhook.test', status: 'PENDING' },
    });
    await until(id, 'DELIVERED');
  });

  test('a redelivery sends the same event again, also one that has arrived', async () => {
    const { subscribe, announce, run, until, principal } = account();
    const receiver = await kit.openReceiver();
    const { id } = await subscribe(receiver.url);
    await announce(1);
    const [delivery] = await until(id, 'DELIVERED');
    const text = `mutation ($id: ID!, $deliveryId: ID!) {
      redeliverWebhook(id: $id, deliveryId: $deliveryId) { id status } }`;
    const again = (deliveryId: string | undefined) => run(text, { id, deliveryId });
    for (const [sent, form] of [delivery?.id, delivery?.eventId].entries()) {
      expect((await again(form)).data).toEqual({ redeliverWebhook: { id: delivery?.id, status: 'PENDING' } });
      await receiver.until(sent + 2);
      const right = ([one]: readonly { status: string; attempts: readonly unknown[] }[]) =>
        one?.status === 'DELIVERED' && one.attempts.length === sent + 2;
      await kit.untilDeliveries(id, right, principal);
    }
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const { id: other } = await subscribe(receiver.url);
    for (const unknown of [id, 'nonsense', `${other}_${delivery?.eventId}`, `${id}_${other}`])
      expect((await again(unknown)).error?.statusCode).toBe(404);
  });
});

describe('rotating the secret', () => {
  const rotate = 'mutation ($id: ID!) { rotateWebhookSecret(id: $id) { secret } }';

  test('lets a receiver of the documented signature work with either secret, on the whole way from one to the other', async () => {
    const { subscribe, announce, run, until } = account();
    let known = '';
    const accepted: number[] = [];
    const receiver = await kit.openReceiver((response, request) => {
      const fits = request.headers['x-webhook-signature'] === documented(known, request);
      if (fits) accepted.push((request.event.data as { installmentNumber: number }).installmentNumber);
      response.writeHead(fits ? 200 : 401).end();
    });
    const { id, secret } = await subscribe(receiver.url);
    known = secret;
    await announce(1);
    await until(id, 'DELIVERED');
    const { data } = await run(rotate, { id });
    const { secret: next } = data?.['rotateWebhookSecret'] as { secret: string };
    expect(next).not.toBe(secret);
    await announce(2);
    const [second] = await until(id, 'DELIVERED', 'DELIVERED');
    expect(second?.attempts.map(({ responseStatus }) => responseStatus)).toEqual([401, 200]);
    known = next;
    await announce(3);
    const [third] = await until(id, 'DELIVERED', 'DELIVERED', 'DELIVERED');
    expect(third?.attempts.map(({ responseStatus }) => responseStatus)).toEqual([200]);
    expect(accepted).toEqual([1, 2, 3]);
  });

  test('signs for verifiers of the Standard Webhooks by both secrets for 24 hours, and then by the new one alone', async () => {
    const { subscribe, announce, run } = account();
    const receiver = await kit.openReceiver();
    const { id, secret } = await subscribe(receiver.url);
    const { data } = await run(rotate, { id });
    const { secret: next } = data?.['rotateWebhookSecret'] as { secret: string };
    await announce(1);
    const [during] = await receiver.until(1);
    if (during === undefined) throw new Error('Nothing came');
    for (const one of [secret, next]) standard(one, during);
    await kit.database.dataSource.query(
      `UPDATE webhooks.subscriptions SET previous_until = previous_until - interval '24 hours 1 second' WHERE id = $1`,
      [id],
    );
    await announce(2);
    const after = (await receiver.until(2))[1];
    if (after === undefined) throw new Error('Nothing came');
    standard(next, after);
    expect(() => standard(secret, after)).toThrow();
  });
});
