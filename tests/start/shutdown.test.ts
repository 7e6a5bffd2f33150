import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { openTestDatabase } from '../kit/database.js';
import { build, killGroup, newDataFolder, startProgram, type Program } from './program.js';

/** Which of the connections it is that keeps the program from ending: a program for each costs a start. */
const eachAlone = process.env['STARTS_FULL'] === '1';
beforeAll(build);

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const fixture = (name: string) => fileURLToPath(new URL(`../rest/fixtures/localhost.${name}.pem`, import.meta.url));

async function start(): Promise<{ program: Program; plain: number; secure: number }> {
  const database = await openTestDatabase();
  cleanups.push(() => database.close());
  const folder = await newDataFolder();
  cleanups.push(() => folder.remove());
  const program = startProgram({
    env: {
      DATA_DIR: folder.dataDir,
      DATABASE_URL: database.url,
      TLS_CERT_FILE: fixture('cert'),
      TLS_KEY_FILE: fixture('key'),
      TLS_PORT: '0',
    },
  });
  cleanups.push(() => killGroup(program));
  const plain = Number(new URL(await program.ready).port);
  const secure = Number(/GraphQL +https:\S+:(\d+)\//.exec(program.output())?.[1]);
  return { program, plain, secure };
}

async function opened(socket: Socket, event = 'connect'): Promise<Socket> {
  cleanups.push(() => Promise.resolve(socket.destroy()));
  await once(socket, event);
  return socket.on('error', () => undefined).on('data', () => undefined);
}

const tcp = (port: number) => opened(connectTcp(port, '127.0.0.1'));
const tls = (port: number) =>
  opened(connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }), 'secureConnect');

async function webSocket(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, 'graphql-transport-ws', { rejectUnauthorized: false });
  cleanups.push(async () => {
    socket.terminate();
    await Promise.resolve();
  });
  await once(socket, 'open');
  socket.send('{"type":"connection_init"}');
  await once(socket, 'message');
  socket.on('error', () => undefined);
  return socket;
}

type Attack = (ports: { plain: number; secure: number }) => Promise<unknown>;

const attacks: readonly [string, Attack][] = [
  ['a silent connection', ({ plain }) => tcp(plain)],
  ['half the head of a request', async ({ plain }) => (await tcp(plain)).write('GET / HTTP/1.1\r\nHo')],
  [
    'half the body of a request',
    async ({ plain }) =>
      (await tcp(plain)).write(
        'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      ),
  ],
  ['a silent connection to the port of TLS', ({ secure }) => tcp(secure)],
  [
    'half a handshake of TLS',
    async ({ secure }) => (await tcp(secure)).write(Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1])),
  ],
  ['a silent connection over TLS', ({ secure }) => tls(secure)],
  [
    'half the body of a request over TLS',
    async ({ secure }) =>
      (await tls(secure)).write(
        'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{',
      ),
  ],
  ['an idle WebSocket over TLS', ({ secure }) => webSocket(`wss://127.0.0.1:${secure}/graphql`)],
  [
    'a WebSocket over TLS whose client reads nothing any more',
    async ({ secure }) => {
      (await webSocket(`wss://127.0.0.1:${secure}/graphql`)).pause();
    },
  ],
];

const allAtOnce: [string, Attack] = [
  attacks.map(([name]) => name).join(', '),
  async (ports) => {
    for (const [, attack] of attacks) await attack(ports);
  },
];

test.each([allAtOnce, ...(eachAlone ? attacks : [])])(
  'SIGTERM ends the program with code 0 beside %s',
  async (_name, attack) => {
    const { program, ...ports } = await start();
    await attack(ports);
    await sleep(100);
    const begun = Date.now();
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    // Forced is only what takes 9.5 s.
    expect(Date.now() - begun).toBeLessThan(9_500);
    expect(program.output()).not.toContain('took too long');
  },
);
