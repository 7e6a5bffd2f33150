import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { inTransaction } from '../../shared/database/transaction.js';
import { announceAll } from '../../shared/outbox/outbox.js';
import { createDemo } from '../../subgraphs/accounts/demo/demo.js';
import { accountsEntities } from '../../subgraphs/accounts/subgraph.js';
import { testContext, testKeyRing, testMasterKey } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { openOwnRedis, ownRedisMissing, type OwnRedis } from '../kit/redis.js';
import { build, killGroup, startProgram, type Program } from '../start/program.js';
import { openWebhooks, paid, type WebhooksKit } from '../webhooks/kit.js';
import { openReceiver, type Receiver } from '../webhooks/receiver.js';

if (ownRedisMissing !== undefined) console.warn(`Skipped: Redis is away (${ownRedisMissing})`);
const withRedis = ownRedisMissing === undefined ? describe : describe.skip;

const full = process.env['HOSTILE_FULL'] === '1';
const events = full ? 2_000 : 100;
const requests = full ? 20_000 : 600;
/** Few enough that a machine that is busy with other things need not shed them. */
const atOnce = 20;

withRedis('two instances whose Redis is away', () => {
  let database: TestDatabase;
  let redis: OwnRedis;
  let kit: WebhooksKit;
  let receiver: Receiver;
  let key = '';
  let programs: Program[] = [];

  beforeAll(async () => {
    await build();
    database = await openTestDatabase({ template: 'demo', entities: accountsEntities });
    kit = await openWebhooks({ database });
    receiver = await openReceiver();
    await kit.subscribe(receiver.url);
    key =
      (await createDemo(testContext({ manager: database.dataSource.manager }), testKeyRing, 1000))?.publicApiKey ?? '';
    redis = await openOwnRedis();
    await redis.kill();
    programs = [1, 2].map(() =>
      startProgram({
        env: {
          DATABASE_URL: database.url,
          DATABASE_POOL: '6',
          REDIS_URL: redis.url,
          MASTER_KEY: testMasterKey.toString('base64'),
          WEBHOOK_ALLOW_INSECURE: 'true',
          RATE_LIMIT_PUBLIC: '1000000',
        },
      }),
    );
  });
  afterAll(async () => {
    await Promise.all(programs.map(killGroup));
    await redis.close();
    await receiver.close();
    await kit.close();
  });

  const urls = () => Promise.all(programs.map(({ ready }) => ready));

  /** Every event is delivered, each once. */
  const deliverAll = async () => {
    const before = receiver.received.length;
    for (let from = 0; from < events; from += 50) {
      const batch = Array.from({ length: Math.min(50, events - from) }, (_, index) => paid(from + index));
      await inTransaction(kit.context, (tx) => announceAll(tx, batch));
    }
    await receiver.until(before + events);
    // Whatever would come twice has time to.
    await sleep(1_500);
    const ids = receiver.received.slice(before).map(({ event }) => event.id);
    expect([ids.length, new Set(ids).size]).toEqual([events, events]);
  };

  /** Other paths answer meanwhile, on both instances; the limiter has to do without Redis. */
  const askAll = async () => {
    let shed = 0;
    const ask = async (url: string): Promise<void> => {
      for (;;) {
        const response = await fetch(`${url}/public/patrimonies`, { signal: AbortSignal.timeout(10_000) });
        await response.arrayBuffer();
        if (response.status === 200) return;
        // Those who wait with the first one that asks a silent Redis may wait too long; a busy machine does the rest.
        expect([response.status, response.headers.has('retry-after')]).toEqual([503, true]);
        shed += 1;
        await sleep(100);
      }
    };
    for (const url of await urls()) {
      for (let from = 0; from < requests / 2; from += atOnce) {
        await Promise.all(Array.from({ length: atOnce }, () => ask(url)));
      }
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    }
    expect(shed).toBeLessThan(requests / 4);
  };

  /** Resolves when a reader of each instance has heard one and the same event, which one of them alone relayed. */
  const heardByBoth = async (readers: readonly Reader[]) => {
    const [operation]: { id: string; ticker: string }[] = await database.dataSource.query(
      'SELECT id, ticker FROM issuances.operations WHERE is_public ORDER BY ticker LIMIT 1',
    );
    for (let count = 0; ; count += 1) {
      const [one, other] = readers;
      if ([...(one?.heard ?? [])].some((reference) => other?.heard.has(reference))) return;
      const reference = `${Date.now()}-${count}`;
      const { id: operationId = '', ticker = '' } = operation ?? {};
      const payload = { operationId, ticker, kind: 'PU', reference, occurredAt: new Date().toISOString() };
      const event = { topic: 'operation.updated', key: operationId, payload };
      await inTransaction(kit.context, (tx) => announceAll(tx, [event]));
      await sleep(100);
    }
  };

  interface Reader {
    readonly heard: Set<string>;
    close(): void;
  }

  const openReaders = async (): Promise<Reader[]> => {
    const [operation]: { ticker: string }[] = await database.dataSource.query(
      'SELECT ticker FROM issuances.operations WHERE is_public ORDER BY ticker LIMIT 1',
    );
    return (await urls()).map((url) => {
      const heard = new Set<string>();
      const client = createClient({
        url: `${url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { 'X-API-Key': key },
      });
      client.subscribe<{ operationUpdated: { reference: string } }>(
        {
          query: 'subscription ($ticker: String!) { operationUpdated(ticker: $ticker) { reference } }',
          variables: { ticker: operation?.ticker },
        },
        {
          next: ({ data }) => {
            if (data?.operationUpdated !== undefined) heard.add(data.operationUpdated.reference);
          },
          error: () => undefined,
          complete: () => undefined,
        },
      );
      return { heard, close: () => void client.dispose() };
    });
  };

  test('start, answer and deliver everything without it; readers that came meanwhile receive both once it is there', async () => {
    await askAll();
    await deliverAll();
    const readers = await openReaders();
    redis = await openOwnRedis(redis.port);
    await heardByBoth(readers);
    for (const reader of readers) reader.close();
  });

  test('answer and deliver everything while it is frozen, and after it was killed; the same readers receive events again when it is back', async () => {
    const readers = await openReaders();
    await heardByBoth(readers);
    redis.freeze();
    await Promise.all([askAll(), deliverAll()]);
    redis.wake();
    for (const { heard } of readers) heard.clear();
    await heardByBoth(readers);

    await redis.kill();
    await Promise.all([askAll(), deliverAll()]);
    redis = await openOwnRedis(redis.port);
    for (const { heard } of readers) heard.clear();
    await heardByBoth(readers);
    for (const reader of readers) reader.close();
  });

  test('end in good order while it is frozen', async () => {
    redis.freeze();
    for (const { child } of programs) child.kill('SIGTERM');
    for (const { ended } of programs) expect(await ended).toEqual({ code: 0, signal: null });
  });
});
