import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { inTransaction } from '../../shared/database/transaction.js';
import { announce } from '../../shared/events/outbox/outbox.js';
import { createDemo } from '../../subgraphs/accounts/demo/demo.js';
import { accountsEntities } from '../../subgraphs/accounts/rows.js';
import { testContext, testKeyRing, testMasterKey } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { openTestRedis, redisMissing, type TestRedis } from '../kit/redis.js';
import { until } from '../kit/until.js';
import { addOriginator } from '../../subgraphs/credit-assignment/originators/originators.acts.js';
import { newPair, pemOf, sendRaw, sendSigned, signedHeaders } from '../credit-assignment/signing-kit.js';
import { announcing, ask, follow, measure, untilHeard, type FollowedOperation } from '../operations/follow-kit.js';
import { build, killGroup, startProgram, type Program } from './program.js';

if (redisMissing !== undefined) console.warn(`Skipped: the parts run apart (${redisMissing})`);
const together = redisMissing === undefined ? describe : describe.skip;

together('the parts of the house as processes of their own', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let url: string;
  let key: string;
  const programs: Program[] = [];

  const boot = async (role: string, env: Record<string, string> = {}): Promise<string> => {
    const shared = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      MASTER_KEY: testMasterKey.toString('base64'),
      DATABASE_POOL: '4',
      LOG_LEVEL: 'warn',
    };
    const program = startProgram({ env: { ROLE: role, ...shared, ...env } });
    programs.push(program);
    return program.ready;
  };

  beforeAll(async () => {
    await build();
    database = await openTestDatabase({ template: 'demo', entities: accountsEntities });
    redis = await openTestRedis();
    const context = testContext({ manager: database.dataSource.manager });
    key = (await createDemo(context, testKeyRing, 1000))?.publicApiKey ?? '';
    const names = ['accounts', 'issuances', 'tokenization', 'credit-assignment', 'trading', 'webhooks'];
    const urls = await Promise.all([...names.map((name) => boot(`subgraph:${name}`)), boot('worker')]);
    const SUBGRAPH_URLS = names.map((name, index) => `${name}=${urls[index] ?? ''}/graphql`).join();
    url = await boot('gateway', { SUBGRAPH_URLS });
  });

  afterAll(async () => {
    await Promise.all(programs.map(killGroup));
    await redis.close();
    await database.close();
  });

  test('a query reaches into both subgraphs', async () => {
    expect(await ask(url, key, '{ operations(first: 2) { edges { node { ticker followedByMe } } } }')).toMatchObject({
      operations: { edges: [{ node: { followedByMe: false } }, { node: { followedByMe: false } }] },
    });
  });

  test('the documented paths answer, with the account of a session', async () => {
    const list = await fetch(`${url}/v1/emissoes/operacoes`, { headers: { 'x-api-key': key } });
    expect(list.status).toBe(200);
    expect((await fetch(`${url}/v1/emissoes/operacoes`)).status).toBe(401);
  });

  test('a subgraph opens to the gateway alone', async () => {
    const response = await fetch(`${await programs[0]?.ready}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: '{"query":"{ __typename }"}',
    });
    expect(response.status).toBe(401);
  });

  test('a signed request is let in by the gateway, travels as its client, and its replay does not run again', async () => {
    const { privateKey, publicKey } = newPair();
    const { id: clientId } = await addOriginator(testContext({ manager: database.dataSource.manager }), {
      name: 'Banco',
      publicKey: pemOf(publicKey),
      rateLimit: null,
      accountId: null,
    });
    const signer = { clientId, key: privateKey };
    const post = (query: string) => {
      const body = JSON.stringify({ query });
      const headers = signedHeaders(signer, '/graphql', { method: 'POST', body });
      return () => sendRaw(url, '/graphql', { method: 'POST', headers, body });
    };
    expect((await post('{ originators { id } }')()).body).toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN' }, message: expect.stringContaining('operator') }],
    });
    const create = post('mutation { resendVerification(email: "ana@example.com") { message } }');
    const answers = [await create(), await create()];
    expect(answers.map(({ headers }) => headers['x-idempotent-replayed'])).toEqual([undefined, 'true']);
    const forged = await sendSigned(url, { ...signer, key: newPair().privateKey }, '/graphql', { method: 'POST' });
    expect(forged).toMatchObject({ status: 401, body: { errors: [{ extensions: { catalogue: 1001 } }] } });
  });

  test('an event of the worker reaches a subscriber of the gateway, joined with the other subgraph', async () => {
    const [operation]: { id: string; ticker: string }[] = await database.dataSource.query(
      'SELECT id, ticker FROM issuances.operations WHERE is_public ORDER BY ticker LIMIT 1',
    );
    if (operation === undefined) throw new Error('The demo has no operation');
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'X-API-Key': key },
    });
    const stream = client.iterate({
      query:
        'subscription ($ticker: String!) { operationUpdated(ticker: $ticker) { kind operation { ticker followedByMe } } }',
      variables: { ticker: operation.ticker },
    });
    const first = stream.next();
    // Announced again and again until it is heard: nothing tells from outside when a subscription has begun.
    const announcing = setInterval(() => {
      void inTransaction(testContext({ manager: database.dataSource.manager }), (tx) =>
        announce(tx, {
          topic: 'operation.updated',
          key: operation.id,
          payload: {
            operationId: operation.id,
            ticker: operation.ticker,
            kind: 'PU',
            reference: 'x',
            occurredAt: new Date().toISOString(),
          },
        }),
      );
    }, 300);
    const heard: unknown = (await first).value;
    clearInterval(announcing);
    expect(heard).toMatchObject({
      data: { operationUpdated: { kind: 'PU', operation: { ticker: operation.ticker, followedByMe: false } } },
    });
    await client.dispose();
  });

  test('a subgraph is killed and started again: open subscriptions go on, with every event once and in order', async () => {
    const [operation] = await database.dataSource.query<FollowedOperation[]>(
      'SELECT id, ticker FROM issuances.operations WHERE is_public ORDER BY ticker LIMIT 1',
    );
    if (operation === undefined) throw new Error('The demo has no operation');
    const { ticker } = operation;
    const [, issuances] = programs;
    if (issuances === undefined) throw new Error('The subgraph does not run');
    const address = await issuances.ready;
    const to = { url: () => url, key, ticker };
    const equal = await Promise.all(Array.from({ length: 3 }, () => follow({ ...to, from: 'begin' })));
    await until('the readers', async () => (await measure(url, 'subscription_readers')) >= equal.length);
    await until('the subgraph to share one run', async () => (await measure(address, 'subscription_runs')) <= 1);
    expect([await measure(url, 'subscription_runs'), await measure(address, 'subscription_runs')]).toEqual([1, 1]);
    // One is resolved by the subgraph itself, the other is joined with another one.
    const resumed = await Promise.all(['', 'operation { followedByMe }'].map((also) => follow({ ...to, also })));
    const readers = [...equal, ...resumed];
    const events = announcing(testContext({ manager: database.dataSource.manager }), operation);
    await Promise.all(readers.map((reader) => untilHeard(reader, 'event 10')));
    const { port } = new URL(address);
    const killedAt = performance.now();
    await killGroup(issuances);
    await sleep(1_000);
    await boot('subgraph:issuances', { PORT: port });
    const isWithinPatience = performance.now() - killedAt < 50_000;
    await sleep(2_000);
    const committed = await events.stop();
    await Promise.all(readers.map((reader) => untilHeard(reader, committed.at(-1))));
    for (const reader of readers) reader.close();
    // The events of other tests may be on their way still.
    const own = readers.map(({ heard }) => heard.filter((reference) => reference.startsWith('event ')));
    expect(own).toEqual(readers.map(() => committed));
    // They noticed nothing, unless this machine took so long for the start that they were told to come back.
    if (isWithinPatience) expect(readers.map(({ ends }) => ends)).toEqual(readers.map(() => []));
  });
});
