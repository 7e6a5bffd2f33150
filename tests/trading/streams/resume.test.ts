import { afterAll, afterEach, expect, test } from '@jest/globals';
import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { fixedClock } from '../../../shared/kernel/clock.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { forgetEvents } from '../../../subgraphs/trading/jobs.js';
import { tellReaders } from '../../../subgraphs/trading/streams/tell-readers.js';
import { callerOf } from '../../accounts/http.js';
import { newProfile } from '../kit.js';
import { openSocketPlatform, orderNamed, type SocketTrader } from '../socket-kit.js';

const clients: Client[] = [];
const kit = await openSocketPlatform();
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
});
afterAll(() => kit.close());

interface Update {
  readonly kind: string;
  readonly cursor: string;
  readonly order?: { readonly orderId: string } | null;
}

type ChannelName = 'orderUpdates' | 'balanceUpdates';

/** Subscribes as a front end does. */
function subscribe<T>({ token }: SocketTrader, field: string): AsyncIterableIterator<Result<T>> {
  const client = createClient({
    url: `${kit.platform.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer ${token}` },
  });
  clients.push(client);
  return client.iterate<{ readonly event: T }>({ query: `subscription { event: ${field} }` }) as AsyncIterableIterator<
    Result<T>
  >;
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
  subscribe<Update>(
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

/** The error of a subscription that is refused. */
const refusal = async (trader: SocketTrader, text: string): Promise<Refusal | undefined> =>
  ((await eventsOf(trader, text).next()) as IteratorYieldResult<Result<Update>>).value.errors?.[0]?.extensions;

/** The points of the company that are left. */
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

/** The content of the first event. */
async function firstOf(trader: SocketTrader, text: string, content: string): Promise<object> {
  const events = subscribe<object>(trader, `${text} { eventId timestamp ${content} }`);
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
