import { afterAll, describe, expect, test } from '@jest/globals';
import { callerOf, password } from '../accounts/http.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { until } from '../kit/until.js';
import { openReceiver } from '../webhooks/receiver.js';
import { addTracedSender, debtorDocument, openTraceReceiver, type ReceivedSpan } from './trace-kit.js';

const submitRoute = 'POST /tidc/v1/credit-batches/:id/submit';
const caller = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const [, callerTrace = '', callerSpan = ''] = caller.split('-');
const opened: TestPlatform[] = [];

const traces = await openTraceReceiver();
const webhook = await openReceiver();
const platform = await open({
  OTEL_EXPORTER_OTLP_ENDPOINT: traces.endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-receiver',
});
afterAll(async () => {
  for (const one of opened) await one.close();
  await webhook.close();
  await traces.close();
});

async function open(environment: Readonly<Record<string, string>> = {}): Promise<TestPlatform> {
  const one = await openTestPlatform({
    WEBHOOK_ALLOW_INSECURE: 'true',
    PROCESSING_GRACE: '3600',
    OTEL_BSP_SCHEDULE_DELAY: '20',
    ...environment,
  });
  opened.push(one);
  return one;
}

const senderOf = ({ infrastructure: { context, keyRing } }: TestPlatform) =>
  addTracedSender(context, keyRing, webhook.url);
const below = (parent: ReceivedSpan) => (span: ReceivedSpan) =>
  span.traceId === parent.traceId && span.parentSpanId === parent.spanId;
const metrics = async ({ url }: TestPlatform) => (await fetch(`${url}/metrics`)).text();

test('a write, its statements, the relay and the delivery of its event are one picture, in which nothing is personal', async () => {
  const people = callerOf(platform);
  const session = await people.member('ana.traco@casa.example');
  const key = await people.post('/v1/emissoes/keys', { name: 'Planilha da Ana' }, session);
  await people.send('GET', '/v1/emissoes/operacoes?busca=valor-da-consulta', undefined, session);
  const sender = await senderOf(platform);
  const before = webhook.received.length;
  await sender.submitBatch(platform.url);
  const received = (await webhook.until(before + 1)).at(-1);

  const request = await traces.until(({ name }) => name === submitRoute);
  expect(request).toMatchObject({ kind: 2, links: [] });
  expect(request.parentSpanId).toBeUndefined();
  expect(request.attributes).toMatchObject({ 'http.route': submitRoute.slice(5), 'http.response.status_code': '200' });
  const operation = await traces.until(below(request));
  expect(operation.name).toMatch(/^mutation \w+$/);
  const fetched = await traces.until(below(operation));
  expect(fetched.name).toBe('subgraph credit-assignment');
  const insert = await traces.until(
    (span) => below(fetched)(span) && span.attributes['db.query.text']?.includes('INSERT INTO shared.outbox') === true,
  );
  expect(insert.attributes['db.system.name']).toBe('postgresql');
  await traces.until((span) => below(fetched)(span) && span.name === 'COMMIT');

  const cause = { traceId: request.traceId, spanId: fetched.spanId };
  const isCaused = ({ links }: ReceivedSpan) => links.some(({ spanId }) => spanId === cause.spanId);
  const relay = await traces.until((span) => span.name === 'outbox relay' && isCaused(span));
  const delivery = await traces.until((span) => span.name === 'webhook delivery' && isCaused(span));
  for (const span of [relay, delivery]) {
    expect(span.links).toMatchObject([cause]);
    expect(span.traceId).not.toBe(request.traceId);
    expect(span.parentSpanId).toBeUndefined();
  }
  expect(delivery.attributes).toMatchObject({ 'http.response.status_code': '200', 'lastro.webhook.attempt': '1' });
  expect(received?.headers['traceparent']).toBe(`00-${delivery.traceId}-${delivery.spanId}-01`);
  expect(received?.headers['tracestate']).toBeUndefined();

  await traces.until(({ name }) => name === 'GET /v1/emissoes/operacoes');
  const secrets = [
    'ana.traco',
    password,
    'Ana Souza',
    'Planilha da Ana',
    'valor-da-consulta',
    session.authorization.slice('Bearer '.length),
    (key.body as { key: string }).key,
    debtorDocument,
    'SEGREDO-1',
    sender.signer.clientId,
    '127.0.0.1',
    webhook.url,
    'whsec_',
  ];
  expect(secrets.filter((secret) => traces.bytes().includes(secret))).toEqual([]);
  expect(traces.headers()['authorization']).toBe('Bearer of-the-receiver');
  expect(await metrics(platform)).toMatch(/^trace_spans_sent_total [1-9]/m);
});

test('a receiver that is away costs nothing but its spans, which are counted, and a stop does not wait for it', async () => {
  const lonely = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  const sender = await senderOf(lonely);
  const before = webhook.received.length;
  await sender.submitBatch(lonely.url);
  await webhook.until(before + 1);
  for (let asked = 0; asked < 3; asked += 1) expect((await fetch(`${lonely.url}/public/tranches`)).status).toBe(200);
  await until('spans that the receiver did not take', async () =>
    /^trace_spans_dropped_total [1-9]/m.test(await metrics(lonely)),
  );
  await lonely.infrastructure.tracer?.close();
});

describe('the trace of a caller', () => {
  test('is linked and not continued, and its flag decides nothing, where its address is not trusted', async () => {
    await fetch(`${platform.url}/public/tranches?limit=1`, { headers: { traceparent: caller, tracestate: 'a=b' } });
    const request = await traces.until(({ name, links }) => name === 'GET /public/tranches' && links.length > 0);
    expect(request.traceId).not.toBe(callerTrace);
    expect(request.parentSpanId).toBeUndefined();
    expect(request.links).toMatchObject([{ traceId: callerTrace, spanId: callerSpan }]);

    const none = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
    const unsampled = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: traces.endpoint, ...none });
    const sofar = traces.spans.length;
    await fetch(`${unsampled.url}/public/tranches?limit=1`, { headers: { traceparent: caller } });
    await unsampled.infrastructure.tracer?.close();
    expect(traces.spans.slice(sofar)).toEqual([]);
  });

  test('is continued where its address is trusted, unless the headers are malformed', async () => {
    const trusted = { OTEL_TRUST_INCOMING: '127.0.0.0/8,::1', OTEL_TRACES_SAMPLER: 'parentbased_always_off' };
    const trusting = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: traces.endpoint, ...trusted });
    const sofar = traces.spans.length;
    const ask = (headers: Record<string, string>) => fetch(`${trusting.url}/public/tranches?limit=1`, { headers });
    for (const wrong of ['', 'x', `${caller}-more`, caller.replace('00-', 'ff-'), caller.replace('-01', '-00')]) {
      await ask({ traceparent: wrong });
    }
    await ask({ traceparent: `${caller}, ${caller}` });
    await ask({ traceparent: caller, tracestate: 'v=1' });
    const request = await traces.until(({ parentSpanId }) => parentSpanId === callerSpan);
    expect(request).toMatchObject({ name: 'GET /public/tranches', traceId: callerTrace, links: [] });
    const names = traces.spans.slice(sofar).map(({ name }) => name);
    expect(names.filter((name) => name === 'GET /public/tranches')).toHaveLength(1);
  });
});

test('without an endpoint no trace is begun, stored or sent on', async () => {
  const untraced = await open();
  const sender = await senderOf(untraced);
  const before = webhook.received.length;
  await sender.submitBatch(untraced.url, { traceparent: caller });
  const received = (await webhook.until(before + 1)).at(-1);
  expect(received?.headers['traceparent']).toBeUndefined();
  const { manager } = untraced.infrastructure.context;
  expect(await manager.countRows('SELECT count(traceparent)::int FROM shared.outbox')).toBe(0);
  expect(await manager.countRows('SELECT count(traceparent)::int FROM webhooks.events')).toBe(0);
  expect(untraced.infrastructure.tracer).toBeUndefined();
  expect(await metrics(untraced)).not.toContain('trace_spans');
});
