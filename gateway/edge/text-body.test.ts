import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { createTestEdge, open } from '../../tests/rest/edge-kit.js';

const mebibyte = 1_048_576;
const opened: FastifyInstance[] = [];

afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

/** A path that takes packed texts, at an address that has so many points a minute. */
async function start(points: number) {
  const { app } = createTestEdge({
    rateLimits: { public: points, accounts: 9, session: 9, apiKey: 9, client: 9, graphql: 9 },
  });
  app.post('/files', { config: { textProfile: 'test' } }, (request) => ({ length: String(request.body).length }));
  opened.push(app);
  const base = await open(app);
  const send = async (body: Buffer, charset = '') => {
    const response = await fetch(`${base}/files`, {
      method: 'POST',
      headers: { 'content-type': `text/plain; profile=test${charset}`, 'content-encoding': 'gzip' },
      body: new Uint8Array(body),
    });
    await response.text();
    return { status: response.status, left: Number(response.headers.get('x-ratelimit-remaining')) };
  };
  return { app, send };
}

const packed = (length: number, byte = ' ') => gzipSync(Buffer.alloc(length, byte, 'latin1'));

describe('what is unpacked of a packed text is paid for', () => {
  test('where the text is taken', async () => {
    const { send } = await start(1_000);
    expect(await send(packed(4 * mebibyte))).toEqual({ status: 200, left: 1_000 - 65 });
  });

  test('where it is longer than may be, up to the limit', async () => {
    const { send } = await start(1_000);
    expect(await send(packed(64 * mebibyte + 1))).toEqual({ status: 413, left: 500 });
  });

  test('where it is cut short', async () => {
    const { send } = await start(1_000);
    const { status, left } = await send(packed(4 * mebibyte).subarray(0, -9));
    expect(status).toBe(400);
    expect(left).toBeLessThanOrEqual(1_000 - 48);
  });

  test('where it is not in its charset, and for each charset that is tried', async () => {
    const { send } = await start(1_000);
    const late = gzipSync(Buffer.concat([Buffer.alloc(4 * mebibyte - 1, 'x'), Buffer.from([0xff])]));
    expect(await send(late, '; charset=utf-8')).toEqual({ status: 400, left: 1_000 - 65 });
    expect(await send(late)).toEqual({ status: 200, left: 1_000 - 65 - 129 });
  });

  test('where there is no room for it', async () => {
    const { app, send } = await start(1_000);
    const held = app.bodyRoom.unpack('another');
    held.reach(62 * mebibyte);
    const more = app.bodyRoom.unpack('a third');
    more.reach(32 * mebibyte);
    const { status, left } = await send(packed(4 * mebibyte));
    expect(status).toBe(503);
    expect(left).toBeLessThanOrEqual(1_000 - 32);
  });
});

test('who cannot pay is told so, and nothing more is unpacked', async () => {
  const { send } = await start(30);
  const bomb = packed(64 * mebibyte + 1);
  expect(await send(bomb)).toEqual({ status: 413, left: 15 });
  expect(await send(packed(1))).toEqual({ status: 200, left: 14 });
  // Not 413: its end was not reached.
  expect(await send(bomb)).toMatchObject({ status: 429 });
});
