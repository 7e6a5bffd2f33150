import { afterAll, expect, test } from '@jest/globals';
import { until } from '../kit/until.js';
import { each, openAwayTarget, unavailable } from './away-kit.js';

const target = await openAwayTarget();
afterAll(() => target.close());

function allOf(requests: Readonly<Record<string, unknown>>, expected: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.keys(requests).map((name) => [name, expected]));
}

async function expectHealed(): Promise<void> {
  await until('the instance to be ready again', async () => (await target.ready()).status === 200);
  const { reads, writes } = target;
  const healed = { ...(await each(reads)), ...(await each(writes)) };
  const refused = Object.entries(healed).filter(([, { status }]) => status < 200 || status >= 300);
  expect(refused).toEqual([]);
}

async function expectAway(): Promise<void> {
  const { reads, writes } = target;
  expect(await each(reads)).toEqual(allOf(reads, unavailable));
  expect(await each(writes)).toEqual(allOf(writes, unavailable));
  // A readiness response holds for a second.
  await until('the instance to be not ready', async () => (await target.ready()).status === 503);
  expect(await target.ready()).toEqual(unavailable);
  expect((await fetch(`${target.url}/healthz`)).status).toBe(200);
}

test('a server that is there serves everyone', expectHealed);

test('a server that was stopped: 503 with Retry-After on every interface, and all is well when it is back', async () => {
  await target.postgres.stop();
  await expectAway();
  await target.postgres.start();
  await expectHealed();
});

test('a server that is frozen: statements end by their deadline, and all is well when it goes on', async () => {
  target.postgres.freeze();
  const begun = Date.now();
  await expectAway();
  expect(Date.now() - begun).toBeLessThan(45_000);
  target.postgres.thaw();
  await expectHealed();
});
