import { expect, test, describe } from '@jest/globals';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { fixedClock } from '../../../tests/kit/clock.js';
import { createLog } from '../../../shared/kernel/log.js';
import { testKeyRing } from '../../../tests/kit/context.js';
import { mintSecret, sealedSecret } from '../subscriptions/secret.js';
import { attempt, documentedSignature, standardSignature, signatureHeaders } from './attempt.js';
import type { Claimed } from './claim.store.js';
import type { Outgoing, SendResult } from './send.js';

const [current] = [mintSecret(), mintSecret()];
const startedAt = new Date('2026-11-20T14:59:59.900Z');
const claimed: Claimed = {
  eventId: '0190b1a0-0000-7000-8000-000000000001',
  subscriptionId: '0190b1a0-0000-7000-8000-000000000002',
  number: 1,
  failures: 0,
  byPrevious: false,
  begunAt: startedAt,
  startedAt,
  url: 'http://127.0.0.1:9/hooks',
  secret: testKeyRing.seal(sealedSecret, current),
  previousSecret: null,
  traceparent: null,
  body: '{"type":"payment.completed"}',
};
const message = { id: claimed.eventId, timestamp: Math.floor(startedAt.getTime() / 1000), body: claimed.body };

/** Makes an attempt with a receiver that responds in the given way; returns its result, the request, and the log. */
async function made(over: Partial<Claimed>, answer: () => Promise<SendResult>) {
  const lines: string[] = [];
  const sent: Outgoing[] = [];
  const context = {
    clock: fixedClock('2026-11-20T15:00:00Z'),
    log: createLog('error', { write: (line) => void lines.push(line) }),
  };
  const sender = {
    send: (outgoing: Outgoing) => {
      sent.push(outgoing);
      return answer();
    },
    close: () => Promise.resolve(),
  };
  const parts = { keyRing: testKeyRing, sender, retryDelaysMs: [1000, 60_000], chance: () => 0.5 };
  const ended = await attempt(context, parts, { ...claimed, ...over }, 'the lease');
  return { ended, sent, lines };
}

const answers = (status: number) => () => Promise.resolve({ status, durationMs: 7 });

test('an attempt is signed and judged, and belongs to the lease that it was claimed under', async () => {
  const { ended, sent, lines } = await made({}, answers(200));
  expect(ended).toEqual({
    claimed,
    lease: 'the lease',
    result: { status: 200, durationMs: 7 },
    verdict: { status: 'delivered', failures: 0, byPrevious: false },
    endedAt: new Date('2026-11-20T15:00:00Z'),
  });
  expect(sent).toEqual([
    {
      url: claimed.url,
      body: claimed.body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Lastro-Webhooks/1',
        'x-webhook-id': claimed.eventId,
        'x-webhook-timestamp': String(message.timestamp),
        'x-webhook-signature': documentedSignature(current, message),
        'webhook-id': claimed.eventId,
        'webhook-timestamp': String(message.timestamp),
        'webhook-signature': standardSignature(current, message),
      },
    },
  ]);
  expect(lines).toEqual([]);
});

test('a request that cannot be made at all counts as a failed attempt, and is said in the log', async () => {
  const { ended, lines } = await made({}, () => Promise.reject(new Error('no such method')));
  expect(ended).toMatchObject({
    lease: 'the lease',
    result: { error: 'The delivery could not be sent', durationMs: 0 },
    verdict: { status: 'pending', failures: 1, waitMs: 1050 },
  });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { event: claimed.eventId, err: { message: 'no such method' } },
  ]);
});

describe('a signature', () => {
  const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => mintSecret(() => Buffer.from(bytes)));
  const now = () => Math.floor(Date.now() / 1000);
  const message = fc.record({ id: fc.uuid(), body: fc.json() });

  test('is what the contract and a verifier of the Standard Webhooks compute, for every secret and body', () => {
    fc.assert(
      fc.property(secret, message, (current, { id, body }) => {
        const timestamp = now();
        const headers = signatureHeaders({ current }, { id, timestamp, body }, false);
        const expected = createHmac('sha256', current).update(`${id}.${timestamp}.${body}`).digest('hex');
        expect(headers['x-webhook-signature']).toBe(expected);
        expect(new Webhook(current).verify(body, headers)).toEqual(JSON.parse(body));
        expect(() => new Webhook(current).verify(`${body} `, headers)).toThrow();
      }),
    );
  });
});
