import { afterAll, expect, test } from '@jest/globals';
import { fixedClock } from '../../shared/kernel/clock.js';
import { forgetDeliveries, addUpAllTallies } from '../../subgraphs/webhooks/deliveries/delivery.jobs.js';
import { openWebhooks, paid } from './kit.js';

const kit = await openWebhooks();
afterAll(() => kit.close());

const dayMs = 86_400_000;
const inDays = (days: number) => fixedClock(new Date(Date.now() + days * dayMs).toISOString());

const countOf = async (id: string, status = '') => {
  const { data } = await kit.run(`{ webhookDeliveries(id: "${id}"${status}) { count } }`);
  return (data as { webhookDeliveries: { count: number } }).webhookDeliveries.count;
};
const rowsOf = (table: string) =>
  kit.context.manager.countRows(`SELECT count(*)::integer AS count FROM webhooks.${table}`);
const settle = () =>
  kit.context.manager.execute(`UPDATE webhooks.deliveries SET status = 'delivered', next_attempt_at = NULL`);

test('numbers of deliveries are exact while they are added up, and when others write at the same time', async () => {
  const [one, other] = [await kit.subscribe('http://127.0.0.1:9/'), await kit.subscribe('http://127.0.0.1:9/')];
  const counts = async () => [await countOf(one.id), await countOf(other.id)];
  await kit.announce(paid(1), paid(2));
  expect(await counts()).toEqual([2, 2]);
  await Promise.all([addUpAllTallies(kit.context), addUpAllTallies(kit.context), kit.announce(paid(3))]);
  expect(await counts()).toEqual([3, 3]);
  await addUpAllTallies(kit.context);
  expect(await counts()).toEqual([3, 3]);
  expect(await countOf(one.id, ', status: DELIVERED')).toBe(0);
  await settle();
  expect(await countOf(one.id, ', status: DELIVERED')).toBe(3);
});

test('deliveries past their retention are dropped with events and attempts, and are no longer counted; a pending one keeps its week', async () => {
  const { id } = await kit.subscribe('http://127.0.0.1:9/');
  await kit.announce(paid(4));
  const before = await rowsOf('deliveries');
  expect(before).toBeGreaterThan(0);
  const later = { ...kit.context, clock: inDays(29) };
  await forgetDeliveries(later);
  expect(await rowsOf('deliveries')).toBe(before);
  // Within the week after.
  await forgetDeliveries({ ...kit.context, clock: inDays(38) });
  expect(await countOf(id)).toBe(1);
  await settle();
  await addUpAllTallies(kit.context);
  await forgetDeliveries({ ...kit.context, clock: inDays(38) });
  expect([await rowsOf('deliveries'), await rowsOf('events'), await rowsOf('attempts')]).toEqual([0, 0, 0]);
  expect(await countOf(id)).toBe(0);
  await addUpAllTallies(kit.context);
  expect(await countOf(id)).toBe(0);
  // What comes next finds its place.
  await kit.announce(paid(5));
  expect(await countOf(id)).toBe(1);
});
