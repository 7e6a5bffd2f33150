import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { edgesOfFile } from '../../../tests/kit/edges.js';
import { rateLimitsOf } from '../../../tests/kit/rate-limits.js';

const mebibyte = 1_048_576;
const { start: startEdge } = edgesOfFile();

/** Starts a path that accepts compressed texts and returns their characters, for an address with the given points a minute. */
async function start(points: number) {
  const { app, base } = await startEdge(
    (one) => one.post('/files', { config: { textProfiles: ['test'] } }, (request) => String(request.body)),
    { rateLimits: rateLimitsOf(9, { public: points }) },
  );
  const send = async (body: Buffer, charset = '') => {
    const response = await fetch(`${base}/files`, {
      method: 'POST',
      headers: { 'content-type': `text/plain; profile=test${charset}`, 'content-encoding': 'gzip' },
      body: new Uint8Array(body),
    });
    await response.text();
    return { status: response.status, left: Number(response.headers.get('x-ratelimit-remaining')) };
  };
  return { app, base, send };
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
    const held = app.bodyBudget.unpack('another');
    held.reach(62 * mebibyte);
    const more = app.bodyBudget.unpack('a third');
    more.reach(32 * mebibyte);
    const { status, left } = await send(packed(4 * mebibyte));
    expect(status).toBe(503);
    expect(left).toBeLessThanOrEqual(1_000 - 32);
  });
});

test('who cannot pay gets an error, and nothing more is unpacked', async () => {
  const { send } = await start(30);
  const bomb = packed(64 * mebibyte + 1);
  expect(await send(bomb)).toEqual({ status: 413, left: 15 });
  expect(await send(packed(1))).toEqual({ status: 200, left: 14 });
  // Not 413: decompression stopped before the limit was reached.
  expect(await send(bomb)).toMatchObject({ status: 429 });
});

test('the parameters of a text are read whatever case their names are written in', async () => {
  const { base } = await start(1_000);
  const headers = { 'content-type': 'Text/Plain; Charset=ISO-8859-1; Profile="test"' };
  const response = await fetch(`${base}/files`, { method: 'POST', headers, body: new Uint8Array([0xe9]) });
  expect(await response.text()).toBe('é');
});

test('a text whose type is longer than any that is used has no profile', async () => {
  const { base } = await start(1_000);
  const send = (blanks: number) =>
    fetch(`${base}/files`, {
      method: 'POST',
      headers: { 'content-type': `text/plain;${' '.repeat(blanks)}profile=test` },
      body: 'x',
    });
  expect((await send(100)).status).toBe(200);
  expect((await send(15_000)).status).toBe(415);
});

describe('a text of several pieces arrives with all its characters', () => {
  const long = (characters: string) => `${'x'.repeat(256 * 1_024 - 1)}${characters}${'y'.repeat(256 * 1_024)}`;
  const codings = [
    { headers: { 'content-encoding': 'gzip' }, bytesOf: (text: Buffer) => gzipSync(text) },
    { headers: {}, bytesOf: (text: Buffer) => text },
  ];

  test.each([
    ['of Latin-1', Buffer.from(long('JOSÉ')), long('JOSÉ')],
    ['beyond it', Buffer.from(long('ŁÓDŹ €')), long('ŁÓDŹ €')],
    ['of two UTF-16 units', Buffer.from(long('𝄞é')), long('𝄞é')],
    ['of Windows-1252', Buffer.from(long('\x80 JOSÉ'), 'latin1'), long('€ JOSÉ')],
  ])('%s', async (_, bytes, text) => {
    const { base } = await start(1_000);
    for (const { headers, bytesOf } of codings) {
      const response = await fetch(`${base}/files`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain; profile=test', ...headers },
        body: new Uint8Array(bytesOf(bytes)),
      });
      expect(response.status).toBe(200);
      expect((await response.text()) === text).toBe(true);
    }
  });

  test('and is refused where its last one is cut short', async () => {
    const { send } = await start(1_000);
    const whole = Buffer.from(long('') + 'É');
    expect(await send(gzipSync(whole), '; charset=utf-8')).toMatchObject({ status: 200 });
    expect(await send(gzipSync(whole.subarray(0, -1)), '; charset=utf-8')).toMatchObject({ status: 400 });
  });
});
