import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { openWebhooks, paid } from './kit.js';
import { startWorker } from './start-worker.js';

const fixture = (name: string) => fileURLToPath(new URL(`../rest/fixtures/localhost.${name}.pem`, import.meta.url));

const kit = await openWebhooks();
const tls = { key: await readFile(fixture('key'), 'utf8'), cert: await readFile(fixture('cert'), 'utf8') };
const receiver = await kit.openReceiver(undefined, { tls });
afterAll(() => kit.close());

test('a delivery goes out over TLS to a receiver whose certificate someone vouches for, by its name', async () => {
  const { id } = await kit.subscribe(receiver.url.replace('127.0.0.1', 'localhost'));
  await kit.announce(paid(1));
  const worker = await startWorker(kit.database.url, { NODE_EXTRA_CA_CERTS: fixture('cert') });
  const [delivery] = await kit.untilDeliveries(id, ([one]) => one !== undefined && one.status !== 'PENDING');
  await worker.kill();
  expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: [{ responseStatus: 200, error: null }] });
  expect(receiver.received).toHaveLength(1);
}, 300_000);
