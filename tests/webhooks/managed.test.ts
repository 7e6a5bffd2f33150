import { afterAll, expect, test } from '@jest/globals';
import { countQueries } from '../kit/count-queries.js';
import { operator } from '../kit/context.js';
import { until } from '../kit/until.js';
import { openWebhooks, paid } from './kit.js';
import type { Page } from '../kit/pages.js';

const kit = await openWebhooks({ environment: { WEBHOOK_RETRIES: '1h' } });
const engine = await kit.openEngine();
afterAll(() => kit.close());

const fields = `nodes { id ownerId host state deactivatedAt deactivationReason pendingDeliveries
  health { attempts successShare lastFailure { responseStatus } } } totalCount pageInfo { hasNextPage endCursor }`;
const list = async (given = '', principal = operator) => {
  const { data, error } = await kit.run(`{ managedWebhooks${given} { ${fields} } }`, {}, principal);
  if (principal === operator) expect(error).toBeUndefined();
  return { page: data?.['managedWebhooks'] as Page<{ readonly id: string; readonly state: string }>, error };
};
const account = (name: string) => kit.developer(name);
async function webhook(owner: string, status: number, path = '/secret-path?token=abc') {
  const receiver = await kit.openReceiver((response) => {
    response.writeHead(status).end();
  });
  const { id } = await kit.subscribe(`${receiver.url}${path}`, {}, account(owner));
  return { id, host: new URL(receiver.url).host };
}

test('operators see the webhooks of all accounts, the worst first, with the host alone', async () => {
  const [healthy, failing, gone] = [await webhook('good', 200), await webhook('bad', 500), await webhook('gone', 410)];
  await kit.announce(paid(1, 'good'), paid(2, 'bad'), paid(3, 'gone'));
  await kit.untilDeliveries(healthy.id, ([one]) => one?.status === 'DELIVERED', account('good'));
  await kit.untilDeliveries(failing.id, ([one]) => one?.attempts[0]?.responseStatus === 500, account('bad'));
  await kit.untilDeliveries(gone.id, ([one]) => one?.status === 'FAILED', account('gone'));
  const seen = async () => (await list()).page.nodes.map(({ state }) => state);
  await until('the states of the webhooks', async () => (await seen()).join() === 'DEACTIVATED,FAILING,HEALTHY');

  const { page } = await list();
  expect(page).toMatchObject({
    totalCount: 3,
    nodes: [
      {
        id: gone.id,
        ownerId: 'gone',
        host: gone.host,
        deactivationReason: 'GONE',
        deactivatedAt: expect.any(String),
        pendingDeliveries: 0,
      },
      {
        id: failing.id,
        host: failing.host,
        deactivatedAt: null,
        deactivationReason: null,
        pendingDeliveries: 1,
        health: { attempts: 1, successShare: 0, lastFailure: { responseStatus: 500 } },
      },
      { id: healthy.id, state: 'HEALTHY', pendingDeliveries: 0, health: { successShare: 1, lastFailure: null } },
    ],
  });
  expect(JSON.stringify(page)).not.toContain('secret-path');
  // What the queue counts it lists, too.
  const [delivery] = await kit.deliveries(failing.id, account('bad'));
  expect(await kit.run('{ webhookWorkQueues { failing items { id state attempts } } }', {}, operator)).toMatchObject({
    data: { webhookWorkQueues: [{ failing: 1, items: [{ id: delivery?.id, state: 'WAITING', attempts: 1 }] }] },
  });

  expect((await list('(state: FAILING)')).page).toMatchObject({ totalCount: 1, nodes: [{ id: failing.id }] });
  const ids: string[] = [];
  for (let after: string | null = null, more = true; more;) {
    const { page: next } = await list(`(first: 1${after === null ? '' : `, after: "${after}"`})`);
    ids.push(...next.nodes.map(({ id }) => id));
    ({ hasNextPage: more, endCursor: after } = next.pageInfo);
  }
  expect(ids).toEqual([gone.id, failing.id, healthy.id]);

  await kit.run('mutation ($id: ID!) { activateWebhook(id: $id) { id } }', { id: gone.id }, account('gone'));
  expect((await list('(state: DEACTIVATED)')).page.nodes).toEqual([]);
});

test('a page takes as many statements as one webhook', async () => {
  // Engines read, too.
  await engine.stop();
  const one = await countQueries(kit.database.dataSource, () => list('(first: 1)'));
  expect(await countQueries(kit.database.dataSource, () => list('(first: 50)'))).toBe(one);
});

test('accounts do not see the webhooks of others', async () => {
  expect((await list('', account('good'))).error).toMatchObject({ code: 'FORBIDDEN' });
});
