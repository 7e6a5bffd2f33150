import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from 'graphql-ws';
import { fixedClock } from '../kit/clock.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { addCredential, changeCredential, revokeCredential } from '../../subgraphs/trading/access/credentials.acts.js';
import { postJournals } from '../../subgraphs/trading/ledger/post-journals.js';
import { forgetEvents } from '../../subgraphs/trading/jobs.js';
import { tellReaders } from '../../subgraphs/trading/streams/tell-readers.js';
import { callerOf } from '../accounts/http.js';
import { newProfile, tradingCallerOf } from './kit.js';
import { available, custody, journal, move } from './ledger/kit.js';
import { openSocketPlatform, orderNamed, type SocketTrader } from './socket-kit.js';
import { openGraphqlSocket } from '../kit/graphql-socket.js';

const kit = await openSocketPlatform();
const trader = await kit.trader();
afterAll(() => kit.close());

const subscribe = (channel: string, more: object = {}) => ({
  action: 'subscribe',
  channel,
  token: trader.token,
  ...more,
});

/** A client of a company of its own, and of the wallet of that. */
async function reader() {
  const own = await kit.trader();
  return { own, wallet: await kit.wallet(own), client: await kit.connect() };
}

describe('a subscription', () => {
  test.each(['orders', 'watchOrders'])(
    'to %s begins with the open orders, and goes on with what happens',
    async (name) => {
      const { own, wallet, client } = await reader();
      client.send(subscribe(name, { token: own.token }));
      expect(await client.next()).toEqual({ type: 'subscribed', channel: 'orders' });
      expect(await client.next()).toEqual({
        type: 'update',
        channel: 'orders',
        eventId: 0,
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        snapshot: true,
        data: [],
      });
      const orders = [orderNamed('a'), orderNamed('b', 'why')];
      await kit.append(wallet, ...orders);
      const [first, second] = await client.take(2);
      const update = { type: 'update', channel: 'orders', timestamp: expect.any(String) };
      expect(first).toEqual({ ...update, eventId: 1, data: orders[0] });
      expect(second).toEqual({ ...update, eventId: 2, data: orders[1] });
      // Also the order of the members is that of the documentation.
      expect(JSON.stringify(first?.data)).toBe(JSON.stringify(orders[0]));
    },
  );

  test('to balance begins with every currency, and goes on with those that changed', async () => {
    const { own, wallet, client } = await reader();
    client.send(subscribe('watchBalance', { token: own.token }));
    const [begun, snapshot] = await client.take(2);
    expect(begun).toEqual({ type: 'subscribed', channel: 'balance' });
    expect(snapshot).toMatchObject({ eventId: 0, snapshot: true });
    expect(snapshot?.data).toMatchObject({ wallets: [{ currency: 'BRL', total: '0.00' }, {}, {}, {}] });
    await inTransaction(kit.platform.infrastructure.context, async (tx) => {
      await postJournals(tx, [journal({ ...move(custody(), available(wallet), '12.30') })]);
      await tellReaders(tx, wallet, { currencies: ['BRL'] });
    });
    expect(await client.next()).toMatchObject({
      channel: 'balance',
      eventId: 1,
      data: { wallets: [{ currency: 'BRL', available: '12.30', locked: '0.00', total: '12.30' }] },
    });
  });

  test('of a profile and of the synthetic world says so in every frame, and has events of no other wallet', async () => {
    const own = await kit.trader();
    const profile = await newProfile(own);
    const client = await kit.connect();
    const wallets = await Promise.all([
      kit.wallet(own),
      kit.wallet(own, profile.id),
      kit.wallet(own, profile.id, true),
      kit.wallet(own, undefined, true),
    ]);
    client.send(subscribe('orders', { token: own.token, profileId: profile.id, synthetic: true }));
    const labels = { channel: 'orders', profileId: profile.id, synthetic: true };
    expect(await client.next()).toEqual({ type: 'subscribed', ...labels });
    expect(await client.next()).toMatchObject({ ...labels, snapshot: true });
    for (const [at, wallet] of wallets.entries()) await kit.append(wallet, orderNamed(`wallet ${at}`));
    client.send({ action: 'ping' });
    expect(await client.next()).toMatchObject({ ...labels, eventId: 1, data: { orderId: 'wallet 2' } });
    expect((await client.next()).type).toBe('pong');
  });

  test('with lastEventId gets what it missed and no snapshot, and with one that is not known a reset and a snapshot', async () => {
    const own = await kit.trader();
    const wallet = await kit.wallet(own);
    await kit.append(wallet, orderNamed('one'), orderNamed('two'), orderNamed('three'));
    const client = await kit.connect();
    client.send(subscribe('orders', { token: own.token, lastEventId: 1 }));
    expect((await client.take(3)).map(({ type, data }) => [type, data])).toEqual([
      ['subscribed', undefined],
      ['update', orderNamed('two')],
      ['update', orderNamed('three')],
    ]);
    const lost = await kit.connect();
    lost.send(subscribe('orders', { token: own.token, lastEventId: 77 }));
    expect(await lost.take(3)).toEqual([
      { type: 'subscribed', channel: 'orders' },
      { type: 'reset', channel: 'orders', eventId: 3, timestamp: expect.any(String) },
      { type: 'update', channel: 'orders', eventId: 3, timestamp: expect.any(String), snapshot: true, data: [] },
    ]);
  });

  test('to a ticker gets the prices as they are, and then each time that they change', async () => {
    const client = await kit.connect();
    client.send(subscribe('ticker:BTC/BRL', { synthetic: true }));
    expect(await client.next()).toEqual({ type: 'subscribed', channel: 'ticker:BTC/BRL', synthetic: true });
    const [first, second] = await client.take(2);
    expect(first).toMatchObject({
      type: 'update',
      channel: 'ticker:BTC/BRL',
      synthetic: true,
      data: { symbol: 'BTC/BRL', bid: expect.stringMatching(/^\d/), volume24h: expect.any(String) },
    });
    expect(second?.eventId).toBeGreaterThan(first?.eventId ?? 0);
    // Another reader of the same prices gets the latest at once.
    const other = await kit.connect();
    other.send(subscribe('watchTicker', { symbol: 'BTC/BRL', synthetic: true }));
    expect((await other.take(2))[1]?.eventId).toBeGreaterThanOrEqual(second?.eventId ?? Infinity);
  });

  test('to watchTickers begins one channel for each market', async () => {
    const client = await kit.connect();
    client.send(subscribe('watchTickers', { symbols: ['BTC/BRL', 'NO/SUCH', 'ETH/BRL'], synthetic: true }));
    const seen = new Map<string | undefined, string>();
    while (seen.size < 3) {
      const { type, channel, message } = await client.next();
      if (type === 'error' && channel === undefined) throw new Error(message);
      if (channel !== undefined && !seen.has(channel)) seen.set(channel, type);
    }
    expect(Object.fromEntries(seen)).toEqual({
      'ticker:BTC/BRL': 'subscribed',
      'ticker:NO/SUCH': 'error',
      'ticker:ETH/BRL': 'subscribed',
    });
  });

  test('to depth gets so many levels of each side', async () => {
    const client = await kit.connect();
    client.send(subscribe('depth:BTC/BRL', { levels: 3, synthetic: true }));
    const [, update] = await client.take(2);
    const { bids, asks } = update?.data as { bids: unknown[]; asks: unknown[] };
    expect([bids.length, asks.length]).toEqual([3, 3]);
    expect(bids[0]).toEqual({ price: expect.any(String), amount: expect.any(String) });
  });

  test('that is ended sends no more, and can begin again', async () => {
    const { own, wallet, client } = await reader();
    client.send(subscribe('orders', { token: own.token }));
    await client.take(2);
    client.send({ action: 'unsubscribe', channel: 'watchOrders' });
    expect(await client.next()).toEqual({ type: 'unsubscribed', channel: 'orders' });
    await kit.append(wallet, orderNamed('unheard'));
    client.send(subscribe('orders', { token: own.token, lastEventId: 0 }));
    expect((await client.take(2)).map(({ type, data }) => [type, data])).toEqual([
      ['subscribed', undefined],
      ['update', orderNamed('unheard')],
    ]);
  });

  test('that comes again renews its token and changes nothing else; that of another company is refused', async () => {
    const { own, client } = await reader();
    client.send(subscribe('orders', { token: own.token }));
    await client.take(2);
    client.send(subscribe('orders', { token: own.token }));
    expect(await client.next()).toEqual({ type: 'subscribed', channel: 'orders', renewed: true });
    client.send(subscribe('orders'));
    expect(await client.next()).toMatchObject({ type: 'error', channel: 'orders', statusCode: 409, error: 'Conflict' });
  });
});

describe('an error', () => {
  const base = { type: 'error', requestId: expect.any(String) };
  const lists = { action: 'subscribe', channel: 'watchTickers' };
  const to = (channel: unknown, more: object = {}) => ({ action: 'subscribe', channel, ...more });
  test.each<[string, unknown, string | undefined, readonly (readonly [path: string, message?: string])[]]>([
    ['what is not JSON', '{"action":', undefined, [['']]],
    ['what is no object', '[]', undefined, [['', 'The frame must be a JSON object']]],
    ['no action', {}, undefined, [['action', 'must be subscribe, unsubscribe or ping']]],
    [
      'several mistakes, at once',
      to(7, { synthetic: 'yes', lastEventId: -1 }),
      'CAAS_WS_001',
      [
        ['channel', 'must be the name of a channel, as ticker:BTC/BRL, orders or balance'],
        ['synthetic', 'must be true or false'],
        ['lastEventId', 'must be the eventId of an update: a whole number from 0 on'],
      ],
    ],
    ['an action that is none', { action: 'listen', channel: 'orders' }, undefined, [['action']]],
    ['no market in a list of them', { ...lists, symbols: [] }, 'CAAS_WS_001', [['symbols']]],
    [
      'a list of markets with one that is none',
      { ...lists, symbols: ['BTC/BRL', ''], levels: 1.5, profileId: '' },
      'CAAS_WS_001',
      [
        ['profileId', 'must be the id of a profile'],
        ['symbols.1', 'must be the symbol of a market, as BTC/BRL'],
        ['levels', 'must be a whole number'],
      ],
    ],
    ['no such channel', to('news'), 'CAAS_WS_001', []],
    ['a channel of the prototype', to('constructor'), 'CAAS_WS_001', []],
    ['a ticker of what is no market', to('ticker:btc'), 'CAAS_WS_001', [['symbol']]],
    ['orders of a market', to('orders:BTC/BRL'), 'CAAS_WS_001', []],
    ['too many levels', to('depth:BTC/BRL', { levels: 21 }), 'CAAS_WS_001', [['levels']]],
    ['no token', to('orders'), 'CAAS_AUTH_001', []],
    ['a token that is none', to('orders', { token: 'x.y.z' }), 'CAAS_AUTH_001', []],
    ['what was not begun', { action: 'unsubscribe', channel: 'orders' }, 'CAAS_WS_001', []],
  ])('is told of %s, and the socket stays', async (_name, frame, code, details) => {
    const client = await kit.connect();
    client.send(frame);
    const told = await client.next();
    expect(told).toMatchObject({ ...base, statusCode: code === 'CAAS_AUTH_001' ? 401 : 400 });
    expect(told.code).toBe(code);
    if (details.length > 0)
      expect(told.details).toMatchObject(details.map(([path, message]) => ({ path, ...(message && { message }) })));
    client.send({ action: 'ping' });
    expect(await client.next()).toEqual({ type: 'pong', timestamp: expect.any(String) });
  });

  test('is told of a name that a frame has twice, and may begin a frame with a byte order mark', async () => {
    const client = await kit.connect();
    client.socket.send('{"action":"subscribe","channel":"orders","\\u0063hannel":"balance"}');
    const details = [{ path: 'channel', message: 'is given twice: send it once' }];
    expect(await client.next()).toMatchObject({ ...base, statusCode: 400, details });
    client.socket.send('\uFEFF{"action":"ping"}');
    expect(await client.next()).toMatchObject({ type: 'pong' });
  });

  test("gets an error for a market that is not there, for somebody else's profile, and for a credential that may not read", async () => {
    const [other, blind] = [await kit.trader(), await kit.trader({ scopes: ['trade'] })];
    const profile = await newProfile(other);
    const client = await kit.connect();
    client.send(subscribe('ticker:NO/SUCH'));
    expect(await client.next()).toMatchObject({ statusCode: 400, code: 'CAAS_WS_001', channel: 'ticker:NO/SUCH' });
    client.send(subscribe('orders', { profileId: profile.id }));
    expect(await client.next()).toMatchObject({ statusCode: 404, error: 'Not Found', channel: 'orders' });
    client.send({ action: 'subscribe', channel: 'orders', token: blind.token });
    expect(await client.next()).toMatchObject({ statusCode: 403, error: 'Forbidden' });
  });

  test('gets an error for a token that may not read, where it would renew a channel of its own company', async () => {
    const own = await kit.trader();
    const { companyId } = own;
    const options = { companyId, scopes: ['trade'], allowedNetworks: null, expiresAt: null } as const;
    const credential = await addCredential(kit.platform.infrastructure.context, options);
    const { tokens } = await tradingCallerOf(kit.platform).session({ credential });
    const client = await kit.connect();
    client.send(subscribe('orders', { token: own.token }));
    await client.take(2);
    client.send({ action: 'subscribe', channel: 'orders', token: tokens.accessToken });
    expect(await client.next()).toMatchObject({ type: 'error', statusCode: 403, error: 'Forbidden' });
  });

  test('gets an error for the 101st channel of a socket', async () => {
    const client = await kit.connect();
    const symbols = ['BTC/BRL', 'ETH/BRL'];
    const profiles = await Promise.all(Array.from({ length: 49 }, () => newProfile(trader)));
    client.send(subscribe('watchTickers', { symbols }));
    for (const { id } of profiles) {
      client.send(subscribe('orders', { profileId: id }));
      client.send(subscribe('balance', { profileId: id }));
    }
    client.send(subscribe('orders'));
    for (;;) {
      const frame = await client.next();
      if (frame.type !== 'error') continue;
      expect(frame).toMatchObject({ statusCode: 429, channel: 'orders' });
      expect(frame.profileId).toBeUndefined();
      break;
    }
  });

  test('is an HTTP response for who asks without an upgrade', async () => {
    const response = await fetch(`${kit.platform.url}/ws`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ statusCode: 400, message: expect.stringContaining('WebSocket') });
  });
});

test('a socket is closed with 1003 after a binary message, and with 1009 after one that is too long', async () => {
  const binary = await kit.connect();
  binary.socket.send(Buffer.from('{"action":"ping"}'), { binary: true });
  expect((await binary.closed).code).toBe(1003);
  const long = await kit.connect();
  long.send(JSON.stringify({ action: 'ping', padding: 'x'.repeat(9_000) }));
  expect((await long.closed).code).toBe(1009);
});

describe('a house whose sockets beat often', () => {
  let often: typeof kit;
  beforeAll(async () => {
    often = await openSocketPlatform({}, { sockets: { heartbeatMs: 600 } });
  });
  afterAll(async () => {
    const client = await often.connect();
    await often.platform.close();
    expect((await client.closed).code).toBe(1001);
  });

  test('sends heartbeats, and drops who does not answer its pings', async () => {
    const client = await often.connect();
    expect(await client.take(3)).toEqual(
      Array.from({ length: 3 }, () => ({ type: 'heartbeat', timestamp: expect.any(String) })),
    );
    // No pong is sent by one that does not read.
    client.socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    client.socket.resume();
    expect((await client.closed).code).toBe(1006);
  });

  test.each(['is no longer good', 'may no longer read'])(
    'closes with 4401 when the token of a channel %s',
    async (how) => {
      const own = await often.trader();
      const client = await often.connect();
      client.send(subscribe('orders', { token: own.token }));
      await client.take(2);
      const { context } = often.platform.infrastructure;
      if (how === 'is no longer good') await revokeCredential(context, own.credential.id);
      else await changeCredential(context, own.credential.id, { scopes: ['trade'], allowedNetworks: undefined });
      expect(await client.closed).toEqual({ code: 4401, reason: expect.stringContaining('access token') });
    },
  );
});

describe('a stream of the graph', () => {
  const clients: Client[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.dispose();
  });

  interface Update {
    readonly kind: string;
    readonly cursor: string;
    readonly order?: { readonly orderId: string } | null;
  }

  type ChannelName = 'orderUpdates' | 'balanceUpdates';

  /** Subscribes as a front end does. */
  function stream<T>({ token }: SocketTrader, field: string): AsyncIterableIterator<Result<T>> {
    const client = openGraphqlSocket(kit.platform.url, { authorization: `Bearer ${token}` });
    clients.push(client);
    return client.iterate<{ readonly event: T }>({
      query: `subscription { event: ${field} }`,
    }) as AsyncIterableIterator<Result<T>>;
  }
  interface Result<T> {
    readonly data: { readonly event: T };
    readonly errors?: readonly { readonly extensions: Refusal }[];
  }
  interface Refusal {
    readonly code: string;
    readonly statusCode: number;
    readonly details?: unknown;
  }
  const eventsOf = (trader: SocketTrader, text: string) =>
    stream<Update>(
      trader,
      `${text} { kind cursor ${text.startsWith('order') ? 'order { orderId }' : 'balances { currency total }'} }`,
    );

  const updates = async (trader: SocketTrader, text: string, count: number): Promise<Update[]> => {
    const events = eventsOf(trader, text);
    const taken: Update[] = [];
    while (taken.length < count)
      taken.push(((await events.next()) as IteratorYieldResult<Result<Update>>).value.data.event);
    await events.return?.();
    return taken;
  };

  const refusal = async (trader: SocketTrader, text: string): Promise<Refusal | undefined> =>
    ((await eventsOf(trader, text).next()) as IteratorYieldResult<Result<Update>>).value.errors?.[0]?.extensions;

  const pointsLeft = async ({ token }: SocketTrader): Promise<number> => {
    const asked = callerOf(kit.platform).graphql('{ __typename }', {}, { authorization: `Bearer ${token}` });
    return Number((await asked).headers.get('x-ratelimit-remaining'));
  };

  test.each<[ChannelName, (at: number) => object]>([
    ['orderUpdates', (at) => ({ orders: [orderNamed(String(at))] })],
    ['balanceUpdates', () => ({ currencies: ['BRL'] })],
  ])('%s goes on after the event of a cursor, without a gap or a repetition', async (name, news) => {
    const trader = await kit.trader();
    const wallet = await kit.wallet(trader);
    const [snapshot] = await updates(trader, name, 1);
    expect(snapshot?.kind).toBe('SNAPSHOT');
    for (let at = 1; at <= 3; at += 1)
      await inTransaction(kit.platform.infrastructure.context, (tx) => tellReaders(tx, wallet, news(at)));
    const all = await updates(trader, `${name}(since: "${snapshot?.cursor ?? ''}")`, 3);
    expect(all.map(({ kind }) => kind)).toEqual(['UPDATE', 'UPDATE', 'UPDATE']);
    expect(new Set(all.map(({ cursor }) => cursor)).size).toBe(3);
    expect(await updates(trader, `${name}(since: "${all[0]?.cursor ?? ''}")`, 2)).toEqual(all.slice(1));
  });

  test('a cursor is for its own subscription and wallet, and not together with a number', async () => {
    const trader = await kit.trader();
    const { id } = await newProfile(trader);
    const [update] = await updates(trader, 'orderUpdates', 1);
    const since = `since: "${update?.cursor ?? ''}"`;
    const notACursor = [{ path: 'since', message: 'is not a cursor of an event of this subscription and wallet' }];
    for (const text of [
      `balanceUpdates(${since})`,
      `orderUpdates(${since}, profileId: "${id}")`,
      'orderUpdates(since: "x")',
    ])
      expect(await refusal(trader, text)).toMatchObject({ code: 'BAD_REQUEST', statusCode: 400, details: notACursor });
    expect(await refusal(trader, `orderUpdates(${since}, lastEventId: 0)`)).toMatchObject({
      statusCode: 400,
      details: [{ path: 'lastEventId' }],
    });
  });

  const expired = { code: 'CURSOR_EXPIRED', statusCode: 410 };

  test('a cursor whose later events are not kept any more has expired', async () => {
    const trader = await kit.trader();
    const wallet = await kit.wallet(trader);
    const [snapshot] = await updates(trader, 'orderUpdates', 1);
    await kit.append(wallet, orderNamed('one'), orderNamed('two'));
    const [one, two] = await updates(trader, `orderUpdates(since: "${snapshot?.cursor ?? ''}")`, 2);
    const { context } = kit.platform.infrastructure;
    await forgetEvents({ ...context, clock: fixedClock(new Date(Date.now() + 25 * 3_600_000).toISOString()) });
    for (const event of [snapshot, one])
      expect(await refusal(trader, `orderUpdates(since: "${event?.cursor ?? ''}")`)).toMatchObject(expired);
    // Nothing came after the last one.
    const rest = updates(trader, `orderUpdates(since: "${two?.cursor ?? ''}")`, 1);
    await kit.append(wallet, orderNamed('three'));
    expect(await rest).toMatchObject([{ kind: 'UPDATE', order: { orderId: 'three' } }]);
  });

  test('a cursor after which more than 1,000 events follow has expired', async () => {
    const trader = await kit.trader();
    const wallet = await kit.wallet(trader);
    const [snapshot] = await updates(trader, 'orderUpdates', 1);
    const since = `orderUpdates(since: "${snapshot?.cursor ?? ''}")`;
    await inTransaction(kit.platform.infrastructure.context, (tx) =>
      tellReaders(tx, wallet, { orders: Array.from({ length: 1_000 }, (_, at) => orderNamed(String(at))) }),
    );
    expect((await updates(trader, since, 1_000)).at(-1)).toMatchObject({ order: { orderId: '999' } });
    await kit.append(wallet, orderNamed('one more'));
    expect(await refusal(trader, since)).toMatchObject(expired);
  });

  test.each(['since', 'lastEventId'])(
    'events that are replayed after %s are paid for, each with what came in it',
    async (name) => {
      const trader = await kit.trader();
      const wallet = await kit.wallet(trader);
      const [snapshot] = await updates(trader, 'orderUpdates', 1);
      await kit.append(wallet, ...Array.from({ length: 40 }, (_, at) => orderNamed(String(at))));
      const place = name === 'since' ? `since: "${snapshot?.cursor ?? ''}"` : 'lastEventId: "0"';
      const costOf = async (text: string, count: number) => {
        const before = await pointsLeft(trader);
        await updates(trader, text, count);
        return before - (await pointsLeft(trader));
      };
      const resumed = `orderUpdates(${place})`;
      // An event and its order are a point each. A document is paid for once.
      await costOf(resumed, 40);
      expect((await costOf(resumed, 40)) - (await costOf('orderUpdates', 1))).toBe(80);
    },
  );

  async function firstOf(trader: SocketTrader, text: string, content: string): Promise<object> {
    const events = stream<object>(trader, `${text} { eventId timestamp ${content} }`);
    const { value } = (await events.next()) as IteratorYieldResult<Result<object>>;
    await events.return?.();
    return { ...value.data.event };
  }

  test('every stream has the types of the graph beside the number and the time of an event', async () => {
    const trader = await kit.trader();
    const wallet = await kit.wallet(trader);
    const event = { eventId: expect.any(String), timestamp: expect.stringMatching(/Z$/) };
    const decimal = expect.stringMatching(/^\d+\.\d{2}$/);
    const market = '(symbol: "BTC/BRL", synthetic: true)';
    expect(await firstOf(trader, `ticker${market}`, 'ticker { symbol bid ask }')).toEqual({
      ...event,
      ticker: { symbol: 'BTC/BRL', bid: decimal, ask: decimal },
    });
    expect(await firstOf(trader, `depth${market}`, 'depth { symbol bids { price } }')).toMatchObject({
      ...event,
      depth: { symbol: 'BTC/BRL' },
    });
    expect(await firstOf(trader, 'balanceUpdates', 'balances { currency total }')).toEqual({
      ...event,
      balances: expect.arrayContaining([{ currency: 'BRL', total: '0.00' }]),
    });
    const orders = 'order { orderId status } orders { orderId status }';
    expect(await firstOf(trader, 'orderUpdates', orders)).toEqual({ ...event, order: null, orders: [] });
    await kit.append(wallet, orderNamed('one'));
    expect(await firstOf(trader, 'orderUpdates(lastEventId: 0)', orders)).toEqual({
      ...event,
      order: { orderId: 'one', status: 'PENDING' },
      orders: null,
    });
  });
});
