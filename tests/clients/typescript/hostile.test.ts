import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { LastroError, LastroNetworkError } from '../../../clients/typescript/src/index.js';
import { clientOf, openServer } from './kit.js';

const mebibyte = 1024 * 1024;
const reasonOf = (work: PromiseLike<unknown>) => work.then(undefined, (reason: unknown) => reason);

test.each([200, 500])('a body without an end (status %d) is read up to the limit', async (status) => {
  const server = await openServer((response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
    };
    response.on('drain', more);
    more();
  });
  const error = await reasonOf(clientOf(server.url, { maxResponseBytes: mebibyte }).GET('/public/patrimonies'));
  await server.close();
  expect(error).toBeInstanceOf(LastroError);
  expect(error).toMatchObject({ status, code: 'RESPONSE_TOO_LARGE' });
  expect(server.seen.length).toBe(1);
});

test('a compressed body counts as long as it is decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * mebibyte, ' '));
  const server = await openServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
  });
  const error = await reasonOf(clientOf(server.url, { maxResponseBytes: mebibyte }).GET('/public/patrimonies'));
  await server.close();
  expect(bomb.length).toBeLessThan(mebibyte);
  expect(error).toMatchObject({ status: 200, code: 'RESPONSE_TOO_LARGE' });
});

test('a body that comes byte by byte ends with the time of the attempt', async () => {
  const server = await openServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => {
      clearInterval(timer);
    });
  });
  const options = { timeoutMs: 200, retry: { maxRetries: 0 } };
  const error = await reasonOf(clientOf(server.url, options).GET('/public/patrimonies'));
  await server.close();
  expect(error).toBeInstanceOf(LastroNetworkError);
  expect(error).toMatchObject({ code: 'TIMEOUT' });
});

test.each(['svcpub_a.top secret\n', 'svcpub_a.top\r\nX-Role: secret', 'svcpub_a.top–secret'])(
  'a credential that is no header (%j) is an error of the program, without the credential and without a request',
  async (apiKey) => {
    const server = await openServer((response) => response.end('{}'));
    const error = await reasonOf(clientOf(server.url, { apiKey }).GET('/v1/emissoes/operacoes'));
    await server.close();
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain('x-api-key');
    expect(inspect(error, { depth: 9 })).not.toContain('svcpub');
    expect(server.seen).toEqual([]);
  },
);

test('secrets are in no property of a client, and in no error', async () => {
  const server = await openServer((response) => response.writeHead(500).end('no'));
  const client = clientOf(server.url, { apiKey: 'svcpub_x.hidden', developerKey: 'svc_dev_hidden' });
  const failures = await Promise.all([
    reasonOf(client.GET('/v1/emissoes/operacoes')),
    reasonOf(client.GET('/v1/wallet/fetchBalance')),
    reasonOf(client.GET('/developer/webhooks')),
  ]);
  await server.close();
  expect(inspect([client, ...failures], { depth: 9, showHidden: true })).not.toMatch(
    /hidden|svc_trd_secret_test|BEGIN/,
  );
});
