import { describe, expect, test } from '@jest/globals';
import { errorKinds, registered, type ErrorCode } from '../../../shared/registry.js';
import { edgesOfFile } from '../../../tests/kit/edges.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { until } from '../../../tests/kit/until.js';

const { start: startEdge, say } = edgesOfFile();

async function start() {
  const thrown = new Map<string, unknown>([
    ['unforeseen', new RangeError('select secret')],
    ['wrapped', new ApiError('INTERNAL', { cause: new RangeError('select secret') })],
    ['bare', new ApiError('INTERNAL')],
    ['text', 'just a text'],
    ['nothing', null],
    ['numbered', Object.assign(new Error('inner words'), { statusCode: 409 })],
    ['strange', Object.assign(new Error('inner words'), { statusCode: 418 })],
    ['server', Object.assign(new Error('inner words'), { statusCode: 503 })],
  ]);
  for (const code of registered.errors.keys()) thrown.set(code, new ApiError(code as ErrorCode));
  const { base, port, logged } = await startEdge((app) => {
    app.get('/throws/:name', (request) => {
      throw thrown.get((request.params as { name: string }).name);
    });
    app.post('/free', (request) => ({ body: request.body ?? null }));
  });
  return { get: (name: string) => fetch(`${base}/throws/${name}`), port, logged };
}

const failures = (logged: string) =>
  logged
    .split('\n')
    .filter((line) => line.includes('"failed"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('an error', () => {
  test.each([...registered.errors])('%s has its status, its reason and its words', async (code, kind) => {
    const { get } = await start();
    const answer = await get(code);
    expect(answer.status).toBe(kind.status);
    const body = (await answer.json()) as Record<string, unknown>;
    expect(body).toMatchObject({ statusCode: kind.status, message: kind.message });
    expect(body['error']).toMatch(/^[A-Z]/);
    expect(body['code']).toBe(kind.catalogue);
    const wait = kind.retryAfterSeconds === undefined ? null : String(kind.retryAfterSeconds);
    expect(answer.headers.get('retry-after')).toBe(wait);
    expect(answer.headers.get('www-authenticate') !== null).toBe(kind.status === 401);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1000');
  });

  test.each([
    ['numbered', 409, 'The operation conflicts with the state of the resource'],
    ['strange', 500, errorKinds.INTERNAL.message],
    ['server', 500, errorKinds.INTERNAL.message],
    ['text', 500, errorKinds.INTERNAL.message],
    ['nothing', 500, errorKinds.INTERNAL.message],
  ])('of another library (%s) is answered %i in the words of the house', async (name, status, message) => {
    const { get } = await start();
    const answer = await get(name);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ message });
  });

  test.each(['unforeseen', 'wrapped'])('that nobody foresaw (%s) is in the log as it was thrown', async (name) => {
    const { get, logged } = await start();
    const answer = await get(name);
    expect(failures(logged())).toEqual([
      expect.objectContaining({
        requestId: answer.headers.get('x-request-id'),
        method: 'GET',
        route: '/throws/:name',
        err: expect.objectContaining({ type: 'RangeError', message: 'select secret' }) as object,
      }),
    ]);
  });

  test('without a cause is in the log itself; one that is the caller’s has no line of its own', async () => {
    const { get, logged } = await start();
    await get('bare');
    expect(failures(logged())).toEqual([
      expect.objectContaining({ err: expect.objectContaining({ message: errorKinds.INTERNAL.message }) as object }),
    ]);
    await get('CONFLICT');
    await get('UNAVAILABLE');
    expect(failures(logged())).toHaveLength(1);
  });
});

describe('a body that is refused', () => {
  /** Returns the responses to a body of another media type and to the next request on the same connection. */
  const sayTwice = async (port: number, length: number) => {
    const head = `POST /free HTTP/1.1\r\nHost: x\r\nContent-Type: application/xml\r\nContent-Length: ${length}\r\n\r\n`;
    const { socket, ended } = say(port, head);
    socket.write('x'.repeat(length));
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return [...(await ended).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  };

  test('leaves the connection open where it is as short as a body may be', async () => {
    const { port } = await start();
    expect(await sayTwice(port, 1_000)).toEqual([415, 200]);
  });

  test('closes it where it is longer than any path takes', async () => {
    const { port } = await start();
    const headOf = async (length: number) => {
      const { heard } = say(
        port,
        `POST /free HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
      );
      await until('the response', () => heard().endsWith('}'));
      return heard();
    };
    const longest = 10 * 1_048_576;
    const within = await headOf(longest);
    expect(within).toMatch(/^HTTP\/1\.1 413 /);
    expect(within).not.toMatch(/^connection: close/im);
    expect(await headOf(longest + 1)).toMatch(/^HTTP\/1\.1 413 [\s\S]*^connection: close/im);
  });
});
