import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { edgesOfFile, type Line } from '../../../tests/kit/edges.js';
import { until } from '../../../tests/kit/until.js';

const { start: startEdge, say } = edgesOfFile();

interface Peer {
  readonly socket: Line['socket'];
  readonly ask: (path: string) => Promise<string>;
  readonly isOpen: () => boolean;
}

/** Starts a server with a limit on its connections, and a path that responds when the test says so. */
async function start(connections: { max: number; maxPerNetwork: number }, trustProxy: string[] = []) {
  const ends: (() => void)[] = [];
  const routes = (app: FastifyInstance) => {
    app.get('/free', () => ({ ok: true }));
    app.get('/slow', async () => {
      await new Promise<void>((resolve) => ends.push(resolve));
      return { ok: true };
    });
  };
  const { port } = await startEdge(routes, { connections, trustProxy });
  const from = async (localAddress: string): Promise<Peer> => {
    const { socket, heard } = say(port, '', localAddress);
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    return {
      socket,
      isOpen: () => !socket.closed,
      ask: async (path) => {
        const before = heard().length;
        const answer = () => heard().slice(before);
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
        await until('the response', () => socket.closed || answer().endsWith('}'));
        return answer().split('\r\n', 1)[0] ?? '';
      },
    };
  };
  const refused = async (line: Peer, bound: string) => {
    const text = await metrics(line);
    return Number(new RegExp(`^connections_refused_total\\{bound="${bound}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  return { from, refused, end: () => ends.shift()?.(), isSlow: () => ends.length > 0 };
}

async function metrics({ socket }: Peer): Promise<string> {
  let text = '';
  const onData = (chunk: Buffer) => (text += chunk.toString('latin1'));
  socket.on('data', onData);
  socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until('the metrics', () => /^connections_open \d+\n/m.test(text));
  socket.off('data', onData);
  return text;
}

const ok = 'HTTP/1.1 200 OK';
const intervals = ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const;

test('connections of a proxy that is trusted have no bound of their own; those that are refused are counted from nothing on', async () => {
  const { from, refused } = await start({ max: 100, maxPerNetwork: 1 }, ['127.0.0.1']);
  const proxy = await from('127.0.0.1');
  expect(await refused(proxy, 'network')).toBe(0);
  for (let count = 0; count < 3; count += 1) expect(await (await from('127.0.0.1')).ask('/free')).toBe(ok);
  expect(await (await from('127.0.0.2')).ask('/free')).toBe(ok);
  expect(await (await from('127.0.0.2')).ask('/free')).toBe('');
  expect(await refused(proxy, 'network')).toBe(1);
});

describe('where connections are crowded', () => {
  // The clock for making room stops unless a test moves it; all other timers run.
  beforeEach(() => {
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate', ...intervals],
    });
    jest.advanceTimersByTime(1_000);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('idle ones are closed for a new one, and what is being worked on is not', async () => {
    const { from, end, isSlow } = await start({ max: 4, maxPerNetwork: 100 });
    const slow = await from('127.0.0.1');
    const response = slow.ask('/slow');
    await until('the slow request to begin', isSlow);
    const idle = [await from('127.0.0.1'), await from('127.0.0.1'), await from('127.0.0.1')];
    for (const line of idle) expect(await line.ask('/free')).toBe(ok);
    // The one that finds all places taken is closed; the idle ones are closed for those after it.
    expect(await (await from('127.0.0.1')).ask('/free')).toBe('');
    for (const { isOpen } of idle) await until('an idle connection to be closed', () => !isOpen());
    for (let count = 0; count < 3; count += 1) expect(await (await from('127.0.0.1')).ask('/free')).toBe(ok);
    end();
    expect(await response).toBe(ok);
  });

  test('room is made once a second: those who come meanwhile are not closed for others', async () => {
    const { from, refused } = await start({ max: 2, maxPerNetwork: 100 });
    const fill = async () => {
      const lines = [await from('127.0.0.1'), await from('127.0.0.1')];
      for (const line of lines) expect(await line.ask('/free')).toBe(ok);
      return lines;
    };
    const early = await fill();
    expect(await (await from('127.0.0.1')).ask('/free')).toBe('');
    for (const { isOpen } of early) await until('an early connection to be closed', () => !isOpen());
    const [stays, other] = await fill();
    jest.advanceTimersByTime(999);
    expect(await (await from('127.0.0.1')).ask('/free')).toBe('');
    expect([await stays?.ask('/free'), await other?.ask('/free')]).toEqual([ok, ok]);
    if (stays !== undefined) expect(await refused(stays, 'process')).toBe(2);
    jest.advanceTimersByTime(1);
    expect(await (await from('127.0.0.1')).ask('/free')).toBe('');
    for (const line of [stays, other])
      await until('a connection to be closed for the next ones', () => line?.isOpen() !== true);
  });
});
