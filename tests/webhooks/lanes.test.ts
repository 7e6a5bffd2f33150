import { afterAll, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { countQueries } from '../kit/count-queries.js';
import { until } from '../kit/until.js';
import { openWebhooks, paid } from './kit.js';

const kit = await openWebhooks({
  environment: { WEBHOOK_CONCURRENCY: '16', WEBHOOK_CONCURRENCY_PER_SUBSCRIPTION: '4', WEBHOOK_RETRIES: '1s,1m' },
});
afterAll(() => kit.close());

test('receivers that do not answer delay no one else, however much waits for them', async () => {
  // On one host, as many customers of one service are.
  const host = await kit.openReceiver((response, { path }) => {
    if (path === '/alive') response.end();
  });
  const deadSeen = () => host.received.filter(({ path }) => path !== '/alive').length;
  // Six dead ones with 100 events each ask for more than all the slots.
  for (let index = 0; index < 6; index += 1) await kit.subscribe(host.url);
  const engine = await kit.openEngine();
  await kit.announce(...Array.from({ length: 100 }, (_, index) => paid(index)));
  // Until every dead receiver is known as failing: their attempts of five seconds, once.
  const failing = async () => {
    const rows = await kit.database.dataSource.query<{ count: number }[]>(
      'SELECT count(*)::integer AS count FROM webhooks.subscriptions WHERE failing',
    );
    return rows[0]?.count;
  };
  await until('the six receivers to be known as failing', async () => (await failing()) === 6);
  const { id } = await kit.subscribe(host.url.replace('/hook', '/alive'), { events: ['order.filled'] });
  const before = deadSeen();
  await kit.announce(...Array.from({ length: 50 }, (_, index) => ({ ...paid(index), topic: 'order.filled' })));
  await kit.untilDeliveries(id, (found) => found.length === 50 && found.every(({ status }) => status === 'DELIVERED'));
  // Attempts to the dead ones last five seconds each: had the living one waited for them, more would have been made.
  expect(deadSeen() - before).toBeLessThanOrEqual(16);
  await engine.stop();
});

test('webhooks of an account that never answer leave slots to those that do, however many they are', async () => {
  const many = await openWebhooks({ environment: { WEBHOOK_CONCURRENCY: '128' } });
  const open = new Set<ServerResponse>();
  let most = 0;
  const host = await many.openReceiver((response, { path }) => {
    if (path === '/alive') return void response.end();
    open.add(response.on('close', () => open.delete(response)));
    most = Math.max(most, open.size);
  });
  try {
    for (let index = 0; index < 30; index += 1) await many.subscribe(host.url);
    const { id } = await many.subscribe(host.url.replace('/hook', '/alive'), { events: ['order.filled'] });
    await many.openEngine();
    await many.announce(...Array.from({ length: 20 }, (_, index) => paid(index)));
    const failing = () =>
      many.context.manager.countRows('SELECT count(*)::integer AS count FROM webhooks.subscriptions WHERE failing');
    await until('thirty failing webhooks', async () => (await failing()) === 30 && open.size <= 16);
    most = 0;
    await many.announce(...Array.from({ length: 50 }, (_, index) => ({ ...paid(index), topic: 'order.filled' })));
    await many.untilDeliveries(
      id,
      (found) => found.length === 50 && found.every(({ status }) => status === 'DELIVERED'),
    );
    // The account has a quarter of the slots, and those that fail half of them.
    expect(most).toBeLessThanOrEqual(16);
  } finally {
    await many.close();
  }
});

test('the webhooks of one account take a quarter of the slots at most, however many there are', async () => {
  let [open, most] = [0, 0];
  const slow = await kit.openReceiver((response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.end();
    }, 200);
  });
  const greedy = kit.developer('account of many');
  const ids: string[] = [];
  for (let index = 0; index < 10; index += 1) {
    ids.push((await kit.subscribe(slow.url, { events: ['order.cancelled'] }, greedy)).id);
  }
  const engine = await kit.openEngine();
  await kit.announce(...Array.from({ length: 3 }, (_, index) => ({ ...paid(index), topic: 'order.cancelled' })));
  for (const id of ids) {
    const right = (found: readonly { status: string }[]) =>
      found.length === 3 && found.every(({ status }) => status === 'DELIVERED');
    await kit.untilDeliveries(id, right, greedy);
  }
  await engine.stop();
  // Four of sixteen.
  expect(most).toBe(4);
});

test('a stop ends with what is under way: each attempt that was made has its outcome written', async () => {
  let answered = 0;
  const slow = await kit.openReceiver((response) => {
    setTimeout(() => {
      answered += 1;
      response.end();
    }, 300);
  });
  const { id } = await kit.subscribe(slow.url, { events: ['deposit.confirmed'] });
  const engine = await kit.openEngine();
  await kit.announce(...Array.from({ length: 20 }, (_, index) => ({ ...paid(index), topic: 'deposit.confirmed' })));
  await slow.until(2);
  await engine.stop();
  const found = await kit.deliveries(id);
  const made = found.filter(({ attempts }) => attempts.length > 0);
  expect(made.length).toBe(answered);
  expect(made.every(({ status, attempts }) => status === 'DELIVERED' && attempts[0]?.responseStatus === 200)).toBe(
    true,
  );
  expect(found.filter(({ status }) => status === 'PENDING').length).toBe(20 - made.length);
  expect(made.length).toBeLessThan(20);
});

test('a delivery costs far fewer than six statements', async () => {
  const receiver = await kit.openReceiver();
  const { id } = await kit.subscribe(receiver.url, { events: ['withdrawal.completed'] });
  const events = Array.from({ length: 100 }, (_, index) => ({ ...paid(index), topic: 'withdrawal.completed' }));
  const taken = await countQueries(kit.database.dataSource, async () => {
    const engine = await kit.openEngine();
    await kit.announce(...events);
    await receiver.until(100);
    await engine.stop();
  });
  const found = await kit.deliveries(id);
  expect(found.filter(({ status }) => status === 'DELIVERED')).toHaveLength(100);
  expect(taken / 100).toBeLessThan(6);
});
