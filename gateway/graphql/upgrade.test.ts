import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { testPlugin } from '../../tests/graph/kit.js';
import { open } from '../../tests/rest/edge-kit.js';

const opened: { app?: FastifyInstance } = {};

afterEach(async () => {
  await opened.app?.close();
  delete opened.app;
});

const body = '{"query":"{ __typename }"}';
const offer = ['Host: localhost', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'];
const json = ['Content-Type: application/json', `Content-Length: ${body.length}`];

/** Returns the bytes that the server writes to a client that sends these pieces one after the other. */
async function told(pieces: readonly string[]): Promise<string> {
  const app = await testPlugin();
  opened.app = app;
  const { port } = new URL(await open(app));
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  let text = '';
  const answered = new Promise<string>((resolve, reject) => {
    socket.once('error', reject).on('data', (data: string) => {
      text += data;
      if (text.trimEnd().endsWith('}')) resolve(text);
    });
    socket.once('close', () => {
      resolve(text);
    });
  });
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
  const answer = await answered;
  socket.destroy();
  return answer;
}

test.each([
  ['with its body at once', [`POST /graphql HTTP/1.1\r\n${[...offer, ...json].join('\r\n')}\r\n\r\n${body}`]],
  ['with its body later', [`POST /graphql HTTP/1.1\r\n${[...offer, ...json].join('\r\n')}\r\n\r\n`, body]],
  [
    'with its body in chunks',
    [
      `POST /graphql HTTP/1.1\r\n${[...offer, 'Content-Type: application/json', 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`,
      `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ],
  ],
])('a client that offers HTTP/2 on a plain connection is answered in HTTP/1.1: %s', async (_name, pieces) => {
  const answer = await told(pieces);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toContain('{"data":{"__typename":"Query"}}');
});
