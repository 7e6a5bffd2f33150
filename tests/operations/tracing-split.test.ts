import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountsEntities } from '../../subgraphs/accounts/rows.js';
import { testContext, testKeyRing, testMasterKey } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { openTestRedis, redisMissing, type TestRedis } from '../kit/redis.js';
import { build, killGroup, startProgram, type Program } from '../start/program.js';
import { openReceiver, type Receiver } from '../webhooks/receiver.js';
import { addTracedSender, openTraceReceiver, type ReceivedSpan, type TraceReceiver } from './trace-kit.js';

if (redisMissing !== undefined) console.warn(`Skipped: traces over several processes (${redisMissing})`);
const apart = redisMissing === undefined ? describe : describe.skip;

apart('gateway, subgraph and worker as processes of their own', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let traces: TraceReceiver;
  let webhook: Receiver;
  const programs: Program[] = [];

  const boot = (role: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
    const shared = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      MASTER_KEY: testMasterKey.toString('base64'),
      DATABASE_POOL: '4',
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW_INSECURE: 'true',
      PROCESSING_GRACE: '3600',
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '20',
    };
    const program = startProgram({ env: { ROLE: role, ...shared, ...env } });
    programs.push(program);
    return program.ready;
  };

  beforeAll(async () => {
    await build();
    [traces, webhook, redis] = await Promise.all([openTraceReceiver(), openReceiver(), openTestRedis()]);
    database = await openTestDatabase({ entities: accountsEntities });
  });

  afterAll(async () => {
    await Promise.all(programs.map(killGroup));
    await redis.close();
    await database.close();
    await webhook.close();
    await traces.close();
  });

  test('continue one trace from the gateway through the subgraph, to which relay and delivery of the worker are linked', async () => {
    const [subgraph] = await Promise.all([boot('subgraph:credit-assignment'), boot('worker')]);
    // Nothing is asked of the other subgraphs.
    const nowhere = ['accounts', 'issuances', 'tokenization', 'trading', 'webhooks'].map(
      (name) => `${name}=http://127.0.0.1:9/graphql`,
    );
    const gateway = await boot('gateway', {
      SUBGRAPH_URLS: [`credit-assignment=${subgraph}/graphql`, ...nowhere].join(),
    });
    const sender = await addTracedSender(
      testContext({ manager: database.dataSource.manager }),
      testKeyRing,
      webhook.url,
    );
    await sender.submitBatch(gateway);
    const [received] = await webhook.until(1);

    const below = (parent: ReceivedSpan) => (span: ReceivedSpan) =>
      span.traceId === parent.traceId && span.parentSpanId === parent.spanId;
    const request = await traces.until(({ name }) => name === 'POST /tidc/v1/credit-batches/:id/submit');
    const operation = await traces.until(below(request));
    const fetched = await traces.until(below(operation));
    expect([request, operation, fetched].map(({ role }) => role)).toEqual(['gateway', 'gateway', 'gateway']);
    expect(fetched).toMatchObject({ name: 'subgraph credit-assignment', kind: 3 });
    const served = await traces.until(below(fetched));
    expect(served).toMatchObject({ role: 'subgraph:credit-assignment', name: 'POST /graphql', kind: 2 });
    const statement = await traces.until(
      (span) => below(served)(span) && span.attributes['db.query.text']?.includes('INSERT INTO shared.outbox') === true,
    );
    expect(statement.role).toBe('subgraph:credit-assignment');

    const isCaused = ({ links }: ReceivedSpan) => links.some(({ spanId }) => spanId === served.spanId);
    const relay = await traces.until((span) => span.name === 'outbox relay' && isCaused(span));
    const delivery = await traces.until((span) => span.name === 'webhook delivery' && isCaused(span));
    expect([relay.role, delivery.role]).toEqual(['worker', 'worker']);
    expect(received?.headers['traceparent']).toBe(`00-${delivery.traceId}-${delivery.spanId}-01`);
  });

  test('send what they have recorded before they end', async () => {
    const program = startProgram({
      env: {
        ROLE: 'gateway',
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        MASTER_KEY: testMasterKey.toString('base64'),
        SUBGRAPH_URLS: ['accounts', 'issuances', 'tokenization', 'credit-assignment', 'trading', 'webhooks']
          .map((name) => `${name}=http://127.0.0.1:9/graphql`)
          .join(),
        OTEL_EXPORTER_OTLP_ENDPOINT: traces.endpoint,
        OTEL_BSP_SCHEDULE_DELAY: '60000',
        OTEL_SERVICE_NAME: 'casa',
      },
    });
    programs.push(program);
    const url = await program.ready;
    expect((await fetch(`${url}/nowhere`, { headers: { accept: 'application/json' } })).status).toBe(404);
    program.child.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0 });
    const request = traces.spans.find(({ name }) => name === 'GET unmatched');
    expect(request?.attributes).not.toHaveProperty('url.path');
    expect(program.output()).toContain(`"traceId":"${request?.traceId ?? 'none'}"`);
    expect(traces.bytes()).toContain('"casa"');
  });
});
