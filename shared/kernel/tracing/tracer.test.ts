import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { quietLog } from '../../../tests/kit/context.js';
import { openTraceReceiver, type TraceReceiver } from '../../../tests/operations/trace-kit.js';
import { createTracer } from './tracer.js';

const received = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function open(endpoint: string, ratio = 1, delayMs = 60_000) {
  const settings = { endpoint, headers: {}, serviceName: 'casa', ratio, delayMs, trustIncoming: [] };
  const tracer = createTracer({ settings, role: 'all', registry: new Registry(), log: quietLog });
  const request = (headers = {}, trusted = false) => tracer.beginRequest('GET /a', headers, { trusted });
  return { tracer, request };
}

async function openReceiver(): Promise<TraceReceiver> {
  const receiver = await openTraceReceiver();
  closers.push(() => receiver.close());
  return receiver;
}

/** A receiver that takes what it is sent and does not respond before the end of the test. */
async function openSilence(): Promise<{ endpoint: string; asked: Promise<unknown> }> {
  const held: ServerResponse[] = [];
  const server = createServer((_request, response) => void held.push(response));
  const asked = once(server, 'request');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    for (const response of held) response.writeHead(200, { connection: 'close' }).end('{}');
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return { endpoint: `http://127.0.0.1:${address.port}`, asked };
}

test('neither what is traced nor a stop waits for a silent receiver, however many spans there are', async () => {
  const silence = await openSilence();
  const { tracer, request } = open(silence.endpoint);
  for (let begun = 0; begun < 5_000; begun += 1) request()?.end();
  await silence.asked;
  await tracer.close();
  request()?.end();
});

test('a span has short values, few links, and no error but its code', async () => {
  const receiver = await openReceiver();
  const { tracer } = open(receiver.endpoint);
  const causes = Array.from({ length: 40 }, (_, index) =>
    received.replace('00f067aa0ba902b7', String(index + 1).padStart(16, '0')),
  );
  const span = tracer.beginAfter('work', [...causes, ...causes, null, undefined, 'nonsense'], {
    attributes: { 'db.query.text': 'x'.repeat(5_000) },
  });
  span?.end('23505');
  await tracer.close();
  expect(receiver.spans).toMatchObject([{ name: 'work', attributes: { 'error.type': '23505' } }]);
  expect(receiver.spans[0]?.links).toHaveLength(32);
  expect(receiver.spans[0]?.attributes['db.query.text']).toHaveLength(2_000);
});

test('later work is recorded exactly where its cause was, whatever the share of requests is', async () => {
  const { tracer, request } = open((await openReceiver()).endpoint, 0);
  expect(request()).toBeUndefined();
  expect(tracer.beginAfter('work', [null, undefined])).toBeUndefined();
  expect(tracer.beginAfter('work', [received])).toBeDefined();
  await tracer.close();
});

test('a caller’s decision to record counts only where the caller is trusted', async () => {
  const receiver = await openReceiver();
  const none = open(receiver.endpoint, 0);
  const all = open(receiver.endpoint);
  const unsampled = received.replace(/01$/, '00');
  expect(none.request({ traceparent: received })).toBeUndefined();
  expect(none.request({ traceparent: received }, true)?.traceId).toBe(received.split('-')[1]);
  expect(all.request({ traceparent: unsampled })).toBeDefined();
  expect(all.request({ traceparent: unsampled }, true)).toBeUndefined();
  expect(all.tracer.join('POST /graphql', {})).toBeUndefined();
  await Promise.all([none.tracer.close(), all.tracer.close()]);
});

test('the state of a trusted caller’s trace is handed on, unless it is longer than 512 characters', async () => {
  const { tracer, request } = open((await openReceiver()).endpoint);
  const stateOf = (tracestate: unknown) => request({ traceparent: received, tracestate }, true)?.headers.tracestate;
  expect(stateOf('a=1,b=2')).toBe('a=1,b=2');
  for (const refused of [`a=${'x'.repeat(511)}`, ['a=1', 'b=2'], '\u0000', undefined]) {
    expect(stateOf(refused)).toBeUndefined();
  }
  await tracer.close();
});
