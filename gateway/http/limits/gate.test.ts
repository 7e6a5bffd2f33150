import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { edgesOfFile } from '../../../tests/kit/edges.js';
import { until } from '../../../tests/kit/until.js';

const { start: startEdge, say } = edgesOfFile();

/** Starts a server with few places, and a path whose requests end when the test says so. */
async function start(requests: { maxInFlight: number; maxWaiting: number; maxWaitMs?: number }) {
  const ends: (() => void)[] = [];
  const names: string[] = [];
  const routes = (app: FastifyInstance) => {
    app.all('/slow/:name', async (request, reply) => {
      const { name } = request.params as { name: string };
      names.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (name === 'last') reply.header('connection', 'close');
      return { done: true };
    });
    app.get('/free', () => ({ ok: true }));
    app.get('/raw', (_request, reply) => {
      reply.hijack();
      reply.raw.end('{}');
    });
    app.post('/free', (request) => ({ body: request.body ?? null }));
  };
  const { base, port, logged } = await startEdge(routes, {
    requests: { maxWaitMs: 600_000, ...requests },
    trustProxy: ['127.0.0.0/8'],
  });
  const get = (path: string, from = '192.0.2.1', more: Record<string, string> = {}) =>
    fetch(base + path, { headers: { 'x-forwarded-for': from, ...more } });
  const metric = async (name: string) => {
    const text = await (await get('/metrics')).text();
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  return { port, get, metric, names, end: () => ends.shift()?.(), logged };
}

describe('a server without a place', () => {
  test('answers 503 in the form of the house, says when to come again, and takes no points for it', async () => {
    const { get, names, end } = await start({ maxInFlight: 1, maxWaiting: 0 });
    const slow = get('/slow/a', '198.51.100.1');
    await until('the slow request to begin', () => names.length === 1);
    const answer = await get('/free', '192.0.2.1', { 'x-request-id': 'mine' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('1000');
    expect(await answer.json()).toEqual({
      statusCode: 503,
      message: 'The service is at its limit: send the request again in 1 second',
      error: 'Service Unavailable',
      requestId: 'mine',
    });
    end();
    expect((await slow).status).toBe(200);
    expect((await get('/free')).status).toBe(200);
  });

  test('is counted in the metrics, and logged once for all that were shed since the last line', async () => {
    const { get, names, end, metric, logged } = await start({ maxInFlight: 1, maxWaiting: 1 });
    const slow = get('/slow/a');
    await until('the slow request to begin', () => names.length === 1);
    const waiting = get('/slow/b');
    await until('the second request to wait', async () => (await metric('http_requests_waiting')) === 1);
    const shed = await Promise.all([get('/free'), get('/free')]);
    expect(shed.map(({ status }) => status)).toEqual([503, 503]);
    expect(await metric('http_requests_in_flight')).toBe(1);
    expect(await metric('http_requests_shed_total')).toBe(2);
    expect(await metric('http_requests_shed_total')).toBe(2);
    await until('the line in the log', () => logged().includes('Requests were shed'));
    expect(logged()).toMatch(/"shed":2,"inFlight":1,"waiting":1,"msg":"Requests were shed"/);
    expect(logged().match(/Requests were shed/g)).toHaveLength(1);
    const more = await Promise.all([get('/free'), get('/free'), get('/free')]);
    expect(more.map(({ status }) => status)).toEqual([503, 503, 503]);
    await until('the second line in the log', () => logged().match(/Requests were shed/g)?.length === 2);
    expect(logged()).toMatch(/"shed":3,"inFlight":1,"waiting":1,"msg":"Requests were shed"/);
    expect(await metric('http_requests_shed_total')).toBe(5);
    end();
    await until('the second request to begin', () => names.length === 2);
    end();
    expect([(await slow).status, (await waiting).status]).toEqual([200, 200]);
  });

  test('answers probes all the same, fifty in a second of one network', async () => {
    const { get, names, end } = await start({ maxInFlight: 1, maxWaiting: 0 });
    const slow = get('/slow/a', '198.51.100.1');
    await until('the slow request to begin', () => names.length === 1);
    for (const path of ['/healthz', '/readyz', '/metrics?x=1']) expect((await get(path)).status).toBe(200);
    expect((await get('/healthz/x')).status).toBe(503);
    // On a busy machine 120 requests may take longer than the second in which they count.
    const statuses = await until('a probe to be refused', async () => {
      const many = await Promise.all(Array.from({ length: 120 }, () => get('/healthz', '203.0.113.1')));
      return many.some(({ status }) => status === 503) && many.map(({ status }) => status);
    });
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    end();
    await slow;
  });
});

describe('a place', () => {
  test('is not held by a request whose body is still to come', async () => {
    const { get, port } = await start({ maxInFlight: 1, maxWaiting: 0 });
    const head = 'POST /free HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const announced = say(port, `${head}Content-Length: 2\r\n\r\n`);
    const chunked = say(port, `${head}Transfer-Encoding: chunked\r\n\r\n`);
    await sleep(50);
    expect((await get('/free')).status).toBe(200);
    announced.socket.write('{}');
    await until('the response to the announced body', () => announced.heard().includes('{"body":{}}'));
    chunked.socket.write('2\r\n{}\r\n0\r\n\r\n');
    await until('the response to the chunked body', () => chunked.heard().includes('{"body":{}}'));
    expect((await get('/free')).status).toBe(200);
  });

  test('is kept by work whose caller has left until it is done; one that left while it waited takes none', async () => {
    const { get, port, names, end, metric } = await start({ maxInFlight: 1, maxWaiting: 9 });
    const first = say(port, 'GET /slow/first HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the first request to begin', () => names.length === 1);
    const second = say(port, 'GET /slow/second HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the second request to wait', async () => (await metric('http_requests_waiting')) === 1);
    second.socket.destroy();
    first.socket.destroy();
    await sleep(50);
    expect(await metric('http_requests_in_flight')).toBe(1);
    end();
    await until('the place to be given back', async () => (await metric('http_requests_in_flight')) === 0);
    expect((await get('/free')).status).toBe(200);
    expect(names).toEqual(['first']);
  });

  test('is given back by a route that writes its response itself, when that is sent', async () => {
    const { get, metric } = await start({ maxInFlight: 1, maxWaiting: 0 });
    expect((await get('/raw')).status).toBe(200);
    await until('the place to be given back', async () => (await metric('http_requests_in_flight')) === 0);
    expect((await get('/free')).status).toBe(200);
  });

  test('is of the network for which a trusted proxy speaks: one of them leaves a place to another', async () => {
    const { get, names, end } = await start({ maxInFlight: 4, maxWaiting: 9 });
    const slow = ['a', 'b', 'c', 'd'].map((name) => get(`/slow/${name}`, 'spoofed, 192.0.2.1, 127.0.0.9'));
    await until('three requests to begin', () => names.length === 3);
    expect((await get('/free', '198.51.100.1')).status).toBe(200);
    expect(names).toHaveLength(3);
    for (let ended = 0; ended < 4; ended += 1) {
      await until('the next request to begin', () => names.length > ended);
      end();
    }
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe('a connection', () => {
  const get = (name: string) => `GET /slow/${name} HTTP/1.1\r\nHost: x\r\n\r\n`;

  test('has its writes begun one after the other, and none after a response that closes it', async () => {
    const { port, get: ask, names, end } = await start({ maxInFlight: 99, maxWaiting: 9 });
    const write = (name: string) => `POST /slow/${name} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`;
    const { socket, heard } = say(port, [get('a'), get('b'), write('c'), get('last'), write('e')].join(''));
    for (const begun of [
      ['a', 'b'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c', 'last'],
    ]) {
      await until('the next request to begin', () => names.length === begun.length);
      expect((await ask('/free')).status).toBe(200);
      expect(names).toEqual(begun);
      end();
      if (begun.length === 2) end();
    }
    await until('the connection to be closed', () => socket.destroyed);
    expect(heard().split('{"done":true}')).toHaveLength(5);
    expect(names).toEqual(['a', 'b', 'c', 'last']);
  });

  test('that sends one more is closed, and what had not begun holds no place', async () => {
    const { port, names, metric, end } = await start({ maxInFlight: 9, maxWaiting: 9 });
    const { socket, heard } = say(port, get('r').repeat(17));
    await until('the connection to be closed', () => socket.destroyed);
    expect(heard()).toBe('');
    expect(names.length).toBeLessThanOrEqual(1);
    expect(await metric('http_requests_in_flight')).toBeLessThanOrEqual(1);
    end();
    await until('the place to be given back', async () => (await metric('http_requests_in_flight')) === 0);
    expect(await metric('http_requests_waiting')).toBe(0);
  });

  test('that sends one more stays open for the time of a refusal, so that its client does not come again at once', async () => {
    const { port, get: ask } = await start({ maxInFlight: 9, maxWaiting: 9 });
    const { socket, heard } = say(port, get('r').repeat(17));
    await sleep(1_000);
    expect(socket.destroyed).toBe(false);
    // Nothing more is read of it, and others are served.
    socket.write(get('late').repeat(100));
    expect((await ask('/free')).status).toBe(200);
    await until('the connection to be closed', () => socket.destroyed);
    expect(heard()).toBe('');
  });
});
