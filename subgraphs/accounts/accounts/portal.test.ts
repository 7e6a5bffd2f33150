import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { portalOverHttp } from './portal.js';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function openPortal(answer: RequestListener, timeoutMs?: number) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    return closed;
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const verify = portalOverHttp(`http://127.0.0.1:${port}/authenticate`, timeoutMs);
  return () => verify('ana@casa.example', 'correct horse 9');
}

const says = (body: unknown, status = 200) =>
  openPortal((_request, response) => {
    response.writeHead(status, { location: '/elsewhere' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });

const user = { id: 'u-1', email: 'ana@casa.example', name: 'Ana' };
const longEmail = `${'a'.repeat(254 - '@casa.example'.length)}@casa.example`;
const unavailable = { code: 'UNAVAILABLE', message: expect.stringContaining('portal') };

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

test('the portal is asked with JSON by POST at its address', async () => {
  let heard: unknown;
  const ask = await openPortal((request, response) => {
    void textOf(request).then((text) => {
      const { method, url, headers } = request;
      heard = { method, url, type: headers['content-type'], accept: headers.accept, body: JSON.parse(text) as unknown };
      response.end(JSON.stringify(user));
    });
  });
  expect(await ask()).toEqual(user);
  expect(heard).toEqual({
    method: 'POST',
    url: '/authenticate',
    type: 'application/json',
    accept: 'application/json',
    body: { email: 'ana@casa.example', password: 'correct horse 9' },
  });
});

describe('whom the portal names', () => {
  test.each([
    ['with a number as id', { ...user, id: 17 }, { ...user, id: '17' }],
    ['with the longest id', { ...user, id: 'x'.repeat(200) }, { ...user, id: 'x'.repeat(200) }],
    ['with spaces around', { ...user, email: ' a@b ', name: ' A ' }, { ...user, email: 'a@b', name: 'A' }],
    ['with the longest e-mail', { ...user, email: longEmail }, { ...user, email: longEmail }],
    ['with the longest name', { ...user, name: 'x'.repeat(200) }, { ...user, name: 'x'.repeat(200) }],
    ['with more than was asked', { ...user, more: 1 }, user],
  ])('is read: %s', async (_what, answer, expected) => {
    expect(await (await says(answer))()).toEqual(expected);
  });

  test.each([
    ['an empty id', { ...user, id: '' }],
    ['an id that is too long', { ...user, id: 'x'.repeat(201) }],
    ['an id that is no whole number', { ...user, id: 1.5 }],
    ['no e-mail', { ...user, email: undefined }],
    ['an e-mail that is too short', { ...user, email: ' a@ ' }],
    ['an e-mail that is too long', { ...user, email: `a${longEmail}` }],
    ['an empty name', { ...user, name: '  ' }],
    ['a name that is too long', { ...user, name: 'x'.repeat(201) }],
    ['no JSON', '<html>'],
    ['more than 64 KiB', JSON.stringify({ ...user, more: 'x'.repeat(65_536) })],
  ])('is not believed: %s', async (_what, answer) => {
    await expect((await says(answer))()).rejects.toMatchObject(unavailable);
  });

  test.each([401, 403, 404])('is nobody where it answers %d', async (status) => {
    expect(await (await says('{}', status))()).toBeUndefined();
  });

  test.each([201, 204, 301, 307, 400, 429, 500, 503])('is not known where it answers %d', async (status) => {
    await expect((await says(status === 204 ? '' : user, status))()).rejects.toMatchObject(unavailable);
  });

  test('is not waited for longer than it may take', async () => {
    const ask = await openPortal(() => undefined, 50);
    await expect(ask()).rejects.toMatchObject(unavailable);
  });

  test('is not known while nothing listens at its address', async () => {
    await expect(portalOverHttp('http://127.0.0.1:1/')('ana@casa.example', 'x')).rejects.toMatchObject(unavailable);
  });
});
