import { expect, test } from '@jest/globals';
import { createLog } from '../../../shared/kernel/log.js';
import { fixedClock } from '../../../tests/kit/clock.js';
import { testKeyRing } from '../../../tests/kit/context.js';
import { mintSecret, sealedSecret } from '../subscriptions/secret.js';
import { attempt } from './attempt.js';

test('a request that cannot be made at all counts as a failed attempt, and is said in the log', async () => {
  const lines: string[] = [];
  const clock = fixedClock('2026-11-20T15:00:00Z');
  const log = createLog('error', { write: (line) => void lines.push(line) });
  const sender = { send: () => Promise.reject(new Error('no such method')), close: () => Promise.resolve() };
  const parts = { keyRing: testKeyRing, sender, retryDelaysMs: [1000, 60_000], chance: () => 0.5 };
  const claimed = {
    eventId: '0190b1a0-0000-7000-8000-000000000001',
    subscriptionId: '0190b1a0-0000-7000-8000-000000000002',
    number: 1,
    failures: 0,
    byPrevious: false,
    begunAt: clock.now(),
    startedAt: clock.now(),
    url: 'http://127.0.0.1:9/hooks',
    secret: testKeyRing.seal(sealedSecret, mintSecret()),
    previousSecret: null,
    traceparent: null,
    body: '{}',
  };
  expect(await attempt({ clock, log, tracer: undefined }, parts, claimed, 'the lease')).toMatchObject({
    lease: 'the lease',
    result: { error: 'The delivery could not be sent', durationMs: 0 },
    verdict: { status: 'pending', failures: 1, waitMs: 1050 },
  });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ event: claimed.eventId }]);
});
