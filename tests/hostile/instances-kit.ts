import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { inTransaction } from '../../shared/database/transaction.js';
import { announceAll } from '../../shared/events/outbox/outbox.js';
import { createDemo } from '../../subgraphs/accounts/demo/demo.js';
import { accountsEntities } from '../../subgraphs/accounts/rows.js';
import { testContext, testKeyRing, testMasterKey } from '../kit/context.js';
import { openTestDatabase } from '../kit/database.js';
import { until } from '../kit/until.js';
import { killGroup, startProgram, type Program } from '../start/program.js';
import { openWebhooks, paid } from '../webhooks/kit.js';
import { openReceiver, type Received } from '../webhooks/receiver.js';

const full = process.env['HOSTILE_FULL'] === '1';
const events = full ? 2_000 : 100;
const requests = full ? 20_000 : 600;
/** Few enough that a machine that is busy with other things need not shed them. */
const atOnce = 20;

export type Reader = ReturnType<typeof openReader>;

/** Two instances on one database and one Redis, with a receiver of webhooks. */
export type Instances = Awaited<ReturnType<typeof openInstances>>;

/** Whether an event is one that `paid` makes. */
function isAnnounced({ data }: Received['event']): boolean {
  return (data as { readonly trancheTicker?: string }).trancheTicker === 'CRI-1';
}

export async function openInstances(redisUrl: string, more: Readonly<Record<string, string>> = {}) {
  const database = await openTestDatabase({ template: 'demo', entities: accountsEntities });
  const kit = await openWebhooks({ database });
  const receiver = await openReceiver();
  await kit.subscribe(receiver.url);
  const context = testContext({ manager: database.dataSource.manager });
  const key = (await createDemo(context, testKeyRing, 1000))?.publicApiKey ?? '';
  const [operation]: { id: string; ticker: string }[] = await database.dataSource.query(
    'SELECT id, ticker FROM issuances.operations WHERE is_public ORDER BY ticker LIMIT 1',
  );
  const { id: operationId = '', ticker = '' } = operation ?? {};
  const programs: Program[] = [];
  const start = (env: Readonly<Record<string, string>> = {}): Program => {
    const program = startProgram({
      env: {
        DATABASE_URL: database.url,
        DATABASE_POOL: '6',
        REDIS_URL: redisUrl,
        MASTER_KEY: testMasterKey.toString('base64'),
        WEBHOOK_ALLOW_INSECURE: 'true',
        RATE_LIMIT_PUBLIC: '1000000',
        ...more,
        ...env,
      },
    });
    programs.push(program);
    return program;
  };
  start();
  start();
  const urls = () => Promise.all(programs.slice(0, 2).map(({ ready }) => ready));

  return {
    programs,
    /** Starts one more, such as a worker. */
    start,
    /** Announces events; every one of them is delivered, each once. */
    deliverAll: async () => {
      const before = receiver.received.length;
      for (let from = 0; from < events; from += 50) {
        const batch = Array.from({ length: Math.min(50, events - from) }, (_, index) => paid(from + index));
        await inTransaction(kit.context, (tx) => announceAll(tx, batch));
      }
      // The instances have instalments of their own, which are paid on some days.
      const ids = () => receiver.received.slice(before).flatMap(({ event }) => (isAnnounced(event) ? [event.id] : []));
      await until('all deliveries', () => ids().length >= events, { within: 240_000 });
      // Whatever would come twice has time to.
      await sleep(1_500);
      expect([ids().length, new Set(ids()).size]).toEqual([events, events]);
    },
    /** Asks both instances while something goes on: they answer, and are ready. */
    askAll: async () => {
      const shed: string[] = [];
      // The limiter has to do without Redis.
      const ask = (url: string) =>
        until('a response with the list', async () => {
          const response = await fetch(`${url}/public/patrimonies`, { signal: AbortSignal.timeout(10_000) });
          await response.arrayBuffer();
          if (response.status === 200) return true;
          // Those who wait with the first one that asks a silent Redis may wait too long; a busy machine does the rest.
          shed.push(`${response.status} ${response.headers.has('retry-after') ? 'asks to come back' : ''}`);
          return false;
        });
      for (const url of await urls()) {
        for (let from = 0; from < requests / 2; from += atOnce) {
          await Promise.all(Array.from({ length: atOnce }, () => ask(url)));
        }
        expect((await fetch(`${url}/readyz`)).status).toBe(200);
      }
      expect(shed.filter((one) => one !== '503 asks to come back')).toEqual([]);
      expect(shed.length).toBeLessThan(requests / 4);
    },
    openReaders: async () => (await urls()).map((url) => openReader(url, key, ticker)),
    /** Resolves when a reader of each instance has heard one and the same event, which only one of them relayed. */
    heardByBoth: async (readers: readonly Reader[]) => {
      const [one, other] = readers;
      await until('an event that both readers have', async () => {
        if ([...(one?.heard ?? [])].some((reference) => other?.heard.has(reference))) return true;
        const reference = randomUUID();
        const payload = { operationId, ticker, kind: 'PU', reference, occurredAt: new Date().toISOString() };
        const event = { topic: 'operation.updated', key: operationId, payload };
        await inTransaction(kit.context, (tx) => announceAll(tx, [event]));
        return false;
      });
    },
    close: async () => {
      await Promise.all(programs.map(killGroup));
      await receiver.close();
      await kit.close();
    },
  };
}

function openReader(url: string, key: string, ticker: string) {
  const heard = new Set<string>();
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { 'X-API-Key': key },
  });
  client.subscribe<{ operationUpdated: { reference: string } }>(
    {
      query: 'subscription ($ticker: String!) { operationUpdated(ticker: $ticker) { reference } }',
      variables: { ticker },
    },
    {
      next: ({ data }) => {
        if (data?.operationUpdated !== undefined) heard.add(data.operationUpdated.reference);
      },
      error: () => undefined,
      complete: () => undefined,
    },
  );
  return {
    /** The references of the events that it received. */
    heard,
    close: () => void client.dispose(),
  };
}
