import { afterAll, expect, test } from '@jest/globals';
import { createLog } from '../../shared/kernel/log.js';
import { unsignedDeliveries } from '../../subgraphs/webhooks/engine/engine.js';
import { until } from '../kit/until.js';
import { openWebhooks, paid } from './kit.js';

const lines: string[] = [];

const log = createLog('error', { write: (line) => void lines.push(line) });
const kit = await openWebhooks({ log, environment: { WEBHOOK_RETRIES: '50ms' } });
const receiver = await kit.openReceiver();
afterAll(() => kit.close());

test('a secret that this process cannot open is its own error: said once, and whoever can open it delivers', async () => {
  const { id } = await kit.subscribe(receiver.url);
  const { dataSource } = kit.database;
  const [{ secret } = { secret: Buffer.of() }] = await dataSource.query<{ secret: Buffer }[]>(
    'SELECT secret FROM webhooks.subscriptions WHERE id = $1',
    [id],
  );
  const setSecret = (sealed: Buffer) =>
    dataSource.query('UPDATE webhooks.subscriptions SET secret = $2 WHERE id = $1', [id, sealed]);
  await setSecret(Buffer.from('sealed by another master key'));
  await kit.openEngine();
  await kit.announce(...Array.from({ length: 60 }, (_, index) => paid(index)));
  const unsigned = async () => (await unsignedDeliveries.get()).values[0]?.value ?? 0;
  await until('the failed signature to be counted', async () => (await unsigned()) !== 0);
  const waiting = (found: readonly { status: string; attempts: readonly unknown[] }[]) =>
    found.length === 60 && found.every(({ status, attempts }) => status === 'PENDING' && attempts.length === 0);
  await kit.untilDeliveries(id, waiting);
  expect(await kit.statusOf(id)).toBe('ACTIVE');
  expect(lines.filter((line) => line.includes(id))).toHaveLength(1);
  expect(receiver.received).toEqual([]);

  await setSecret(secret);
  await kit.openEngine();
  const delivered = await kit.untilDeliveries(
    id,
    (found) => found.length === 60 && found.every(({ status }) => status === 'DELIVERED'),
  );
  expect(delivered.every(({ attempts }) => attempts.length === 1)).toBe(true);
  expect(lines.filter((line) => line.includes(id))).toHaveLength(1);
});
