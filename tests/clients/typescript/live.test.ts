import { once } from 'node:events';
import { WebSocketServer, WebSocket, type WebSocket as ServerSocket } from 'ws';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import {
  createClient,
  followLiveUpdates,
  LastroError,
  liveUpdates,
  type LastroClient,
  type LiveOptions,
  type LiveState,
  type LiveUpdate,
} from '../../../clients/typescript/src/index.js';
import { openSocketPlatform, orderNamed } from '../../trading/socket-kit.js';
import { openServer, sendJson } from './kit.js';

const kit = await openSocketPlatform();
const trader = await kit.trader();
const wallet = await kit.wallet(trader);
const { apiKey, secretKey } = trader.credential;
const client = createClient({ baseUrl: kit.platform.url, trading: { apiKey, secretKey } });
afterAll(() => kit.close());

/** Sockets that a test can end. */
class Cuttable extends WebSocket {
  static open: Cuttable[] = [];
  constructor(url: string) {
    super(url);
    Cuttable.open.push(this);
  }
}

async function take(updates: AsyncIterator<LiveUpdate>, count: number): Promise<LiveUpdate[]> {
  const taken: LiveUpdate[] = [];
  while (taken.length < count) {
    const result: IteratorResult<LiveUpdate, unknown> = await updates.next();
    if (result.done === true) throw new Error('The updates ended');
    taken.push(result.value);
  }
  return taken;
}

const idsOf = (updates: readonly LiveUpdate[]) => updates.map(({ eventId }) => eventId);
const append = async (count: number) => {
  for (let number = 0; number < count; number += 1) await kit.append(wallet, orderNamed(String(number)));
};

describe('against the program', () => {
  test('each event of a wallet comes once and in order, over connections that are lost', async () => {
    const states: LiveState[] = [];
    const updates = liveUpdates(client, {
      channels: ['orders'],
      webSocket: Cuttable,
      onState: (one) => states.push(one),
    });
    const [snapshot] = await take(updates, 1);
    expect(snapshot).toMatchObject({ type: 'update', channel: 'orders', snapshot: true });
    const from = snapshot?.eventId ?? 0;
    const seen: LiveUpdate[] = [];
    for (let round = 0; round < 3; round += 1) {
      await append(5);
      seen.push(...(await take(updates, 3)));
      Cuttable.open.at(-1)?.terminate();
      await append(2);
      seen.push(...(await take(updates, 4)));
    }
    await updates.return();
    expect(idsOf(seen)).toEqual(Array.from({ length: 21 }, (_, index) => from + index + 1));
    expect(seen.some((one) => one.type === 'update' && one.snapshot === true)).toBe(false);
    expect(states.slice(0, 5)).toEqual(['connecting', 'live', 'waiting', 'connecting', 'live']);
  });

  test('a reader that is slower than the events loses none, and holds no more than its bound', async () => {
    const updates = liveUpdates(client, { channels: ['orders'], webSocket: Cuttable, maxQueued: 3 });
    const [snapshot] = await take(updates, 1);
    const before = Cuttable.open.length;
    await append(20);
    const seen = await take(updates, 20);
    await updates.return();
    const from = snapshot?.eventId ?? 0;
    expect(idsOf(seen)).toEqual(Array.from({ length: 20 }, (_, index) => from + index + 1));
    expect(Cuttable.open.length).toBeGreaterThan(before);
  });

  test('goes on behind the event that another process saw last', async () => {
    const first = liveUpdates(client, { channels: ['orders'], webSocket: WebSocket });
    const [snapshot] = await take(first, 1);
    await first.return();
    await append(3);
    const last = (snapshot?.eventId ?? 0) + 1;
    const again = liveUpdates(client, { channels: ['orders'], webSocket: WebSocket, lastEventIds: { orders: last } });
    expect(idsOf(await take(again, 2))).toEqual([last + 1, last + 2]);
    await again.return();
  });

  test('an event id that is unknown leads to a reset and a snapshot', async () => {
    const updates = liveUpdates(client, {
      channels: ['orders'],
      webSocket: WebSocket,
      lastEventIds: { orders: 1_000_000 },
    });
    const [reset, snapshot] = await take(updates, 2);
    await updates.return();
    expect([reset?.type, snapshot?.type]).toEqual(['reset', 'update']);
  });

  test('callbacks get the same, until they are closed', async () => {
    const seen: LiveUpdate[] = [];
    let arrived: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (arrived = resolve));
    const following = followLiveUpdates(client, {
      channels: ['balance'],
      webSocket: WebSocket,
      onUpdate: (update) => {
        seen.push(update);
        arrived();
      },
    });
    await first;
    following.close();
    await following.done;
    expect(seen[0]).toMatchObject({ channel: 'balance', snapshot: true });
  });

  test('a market that does not exist, and a credential that is none, are errors and not tried again', async () => {
    const wrong = createClient({
      baseUrl: kit.platform.url,
      trading: { apiKey: 'svc_trd_x', secretKey: 'svc_trd_secret_x' },
    });
    const attempts: [LastroClient, LiveOptions['channels'], object][] = [
      [client, ['ticker:NO/BRL'], { status: 400, code: 'CAAS_WS_001' }],
      [wrong, ['orders'], { status: 401, code: 'CAAS_AUTH_002' }],
    ];
    for (const [one, channels, expected] of attempts) {
      const error: unknown = await take(liveUpdates(one, { channels, webSocket: WebSocket }), 1).catch(
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(LastroError);
      expect(error).toMatchObject(expected);
    }
  });
});

describe('against a socket that fails on demand', () => {
  type Frame = Readonly<Record<string, unknown>>;

  /** A server whose first tokens are numbered, and whose socket does what a script says for each connection. */
  async function openScript(scripts: readonly ((socket: ServerSocket, frame: Frame) => void)[]) {
    let logins = 0;
    const rest = await openServer((response, { url }) => {
      if (url.pathname.endsWith('login') || url.pathname.endsWith('refresh')) logins += 1;
      sendJson(response, 200, { accessToken: `token-${logins}`, refreshToken: `r-${logins}`, expiresIn: 3600 });
    });
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(sockets, 'listening');
    const frames: Frame[] = [];
    let connections = 0;
    sockets.on('connection', (socket) => {
      const script = scripts[connections];
      connections += 1;
      socket.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as Frame;
        frames.push(frame);
        script?.(socket, frame);
      });
    });
    const address = sockets.address();
    if (address === null || typeof address === 'string') throw new Error('The socket has no port');
    const { port } = address;
    class Redirected extends WebSocket {
      constructor() {
        super(`ws://127.0.0.1:${port}/ws`);
      }
    }
    return {
      client: createClient({ baseUrl: rest.url, trading: { apiKey: 'k', secretKey: 's' }, retry: { maxRetries: 0 } }),
      webSocket: Redirected,
      frames,
      close: async () => {
        for (const socket of sockets.clients) socket.terminate();
        sockets.close();
        await rest.close();
      },
    };
  }

  const write = (socket: ServerSocket, frame: object) => {
    socket.send(JSON.stringify(frame));
  };
  const live = (socket: ServerSocket, eventId: number) => {
    write(socket, { type: 'subscribed', channel: 'orders' });
    write(socket, { type: 'update', channel: 'orders', eventId, timestamp: '', data: {} });
  };

  test('a token that was rejected is replaced, and the channel goes on after its last event', async () => {
    const script = await openScript([
      (socket) => {
        live(socket, 7);
        socket.close(4401);
      },
      (socket) => {
        write(socket, { type: 'error', statusCode: 503, message: 'later', requestId: 'r' });
      },
      (socket) => {
        live(socket, 8);
      },
    ]);
    const updates = liveUpdates(script.client, { channels: ['orders'], webSocket: script.webSocket });
    expect(idsOf(await take(updates, 2))).toEqual([7, 8]);
    await updates.return();
    await script.close();
    expect(script.frames.map(({ token, lastEventId }) => [token, lastEventId])).toEqual([
      ['token-1', undefined],
      ['token-2', 7],
      ['token-2', 7],
    ]);
  });

  test('a reset whose snapshot was lost with the connection is followed by a snapshot on the next one', async () => {
    const script = await openScript([
      (socket) => {
        write(socket, { type: 'subscribed', channel: 'orders' });
        write(socket, { type: 'reset', channel: 'orders', eventId: 9, timestamp: '' });
        socket.close(1001);
      },
      (socket) => {
        live(socket, 9);
      },
    ]);
    const updates = liveUpdates(script.client, {
      channels: ['orders'],
      webSocket: script.webSocket,
      lastEventIds: { orders: 3 },
    });
    expect((await take(updates, 2)).map(({ type }) => type)).toEqual(['reset', 'update']);
    await updates.return();
    await script.close();
    expect(script.frames.map(({ lastEventId }) => lastEventId)).toEqual([3, undefined]);
  });

  test('a token that is rejected twice in a row is an error', async () => {
    const reject = (socket: ServerSocket) => {
      write(socket, { type: 'error', statusCode: 401, code: 'CAAS_AUTH_001', message: 'no', requestId: 'r' });
    };
    const script = await openScript([reject, reject]);
    const updates = liveUpdates(script.client, { channels: ['orders'], webSocket: script.webSocket });
    await expect(take(updates, 1)).rejects.toMatchObject({ status: 401, code: 'CAAS_AUTH_001', requestId: 'r' });
    await script.close();
    expect(script.frames.length).toBe(2);
  });

  test('of prices a slow reader gets the latest', async () => {
    const script = await openScript([
      (socket, { channel }) => {
        if (channel !== 'ticker:BTC/BRL') return;
        write(socket, { type: 'subscribed', channel });
        for (let eventId = 1; eventId <= 500; eventId += 1) {
          write(socket, {
            type: 'update',
            channel: 'ticker:BTC/BRL',
            eventId,
            timestamp: '',
            data: { last: String(eventId) },
          });
        }
        write(socket, { type: 'update', channel: 'orders', eventId: 1, timestamp: '', data: {} });
      },
    ]);
    const channels = ['ticker:BTC/BRL', 'orders'] as const;
    const updates = liveUpdates(script.client, { channels, webSocket: script.webSocket, maxQueued: 10 });
    const [first] = await take(updates, 1);
    const rest: LiveUpdate[] = [];
    while (rest.at(-1)?.channel !== 'orders') rest.push(...(await take(updates, 1)));
    await updates.return();
    await script.close();
    const prices = [first, ...rest].flatMap((one) => (one?.channel === 'ticker:BTC/BRL' ? [one.eventId] : []));
    expect(prices).toEqual([...prices].sort((one, other) => one - other));
    expect(prices.at(-1)).toBe(500);
    expect(script.frames.length).toBe(2);
  });

  test('updates of channels that were not asked for are discarded', async () => {
    const script = await openScript([
      (socket) => {
        for (const channel of ['ticker:A/B', 'balance', 'toString'])
          write(socket, { type: 'update', channel, eventId: 1, timestamp: '', data: {} });
        live(socket, 1);
      },
    ]);
    const updates = liveUpdates(script.client, { channels: ['orders'], webSocket: script.webSocket });
    const [first] = await take(updates, 1);
    await updates.return();
    await script.close();
    expect(first?.channel).toBe('orders');
  });

  test('a server that closes each connection at once is asked less and less often', async () => {
    const closing = (socket: ServerSocket, { lastEventId }: Frame) => {
      live(socket, Number(lastEventId ?? 0) + 1);
      socket.close(1013);
    };
    const script = await openScript([closing, closing, closing, closing]);
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const chance = jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const updates = liveUpdates(script.client, { channels: ['orders'], webSocket: script.webSocket });
    await take(updates, 4);
    const pauses = timers.mock.calls.map(([, ms]) => ms);
    timers.mockRestore();
    chance.mockRestore();
    await updates.return();
    await script.close();
    // Three quarters of 250 ms, 500 ms and a second.
    expect(pauses).toEqual(expect.arrayContaining([187.5, 375, 750]));
  });

  test('a reader that was too slow does not wait for failures before, and later ones begin anew', async () => {
    const closing = (socket: ServerSocket, { lastEventId }: Frame) => {
      live(socket, Number(lastEventId ?? 0) + 1);
      socket.close(1013);
    };
    let overflow: () => void = () => undefined;
    const overflowed = new Promise<void>((resolve) => (overflow = resolve));
    const flooding = (socket: ServerSocket, { lastEventId }: Frame) => {
      socket.on('close', overflow);
      for (let number = 1; number <= 10; number += 1) live(socket, Number(lastEventId) + number);
    };
    const script = await openScript([closing, closing, flooding, closing, closing]);
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const chance = jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const updates = liveUpdates(script.client, { channels: ['orders'], webSocket: script.webSocket, maxQueued: 3 });
    const seen = await take(updates, 3);
    await overflowed;
    while (script.frames.length < 5) seen.push(...(await take(updates, 1)));
    const pauses = timers.mock.calls.map(([, ms]) => ms ?? 0).filter((ms) => [187.5, 375, 750, 1_500].includes(ms));
    timers.mockRestore();
    chance.mockRestore();
    await updates.return();
    await script.close();
    expect(idsOf(seen)).toEqual(seen.map((_, index) => index + 1));
    expect(pauses).toEqual([187.5, 375, 187.5]);
  });
});
