import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { fundSynthetic } from '../../../subgraphs/trading/transfers/fund-synthetic.js';
import { testMasterKey } from '../../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../../kit/database.js';
import { random, randomInt } from '../../kit/random.js';
import { openOwnRedis, ownRedisMissing, type OwnRedis } from '../../kit/redis.js';
import { until } from '../../kit/until.js';
import { build, killGroup, startProgram, type Program } from '../../start/program.js';
import { contextOn } from '../domain-kit.js';
import { newTrader, plenty, type TestTrader, walletOf } from '../kit.js';
import { openSocket, type Frame } from '../socket-kit.js';

if (ownRedisMissing !== undefined) console.warn(`Skipped: Redis is away (${ownRedisMissing})`);
const withRedis = ownRedisMissing === undefined ? describe : describe.skip;
jest.setTimeout(900_000);

// The whole promise is STREAMS_FULL=1: 1,000 reconnects, while one of the two instances is killed ten times.
const full = process.env['STREAMS_FULL'] === '1';
const [readers, reconnects, kills] = full ? [10, 100, 10] : [6, 10, 1];
const writers = 3;

/** The events that are kept of a wallet. */
interface Kept {
  readonly count: number;
  readonly last: number;
  readonly orders: readonly string[];
}

withRedis('two instances, of which one is killed again and again', () => {
  let database: TestDatabase;
  let redis: OwnRedis;
  /** Those that run, and their base addresses. */
  const programs: { readonly program: Program; readonly url: string }[] = [];
  let trader: TestTrader;
  let walletId: string;

  const startOne = async () => {
    const program = startProgram({
      env: {
        RATE_LIMIT_GRAPHQL: '10000000',
        ...plenty,
        DATABASE_URL: database.url,
        DATABASE_POOL: '8',
        REDIS_URL: redis.url,
        MASTER_KEY: testMasterKey.toString('base64'),
        LOG_LEVEL: 'error',
        SOCKETS_MAX_PER_NETWORK: '2000',
        SUBSCRIPTIONS_MAX_PER_NETWORK: '2000',
        SUBSCRIPTIONS_MAX_PER_OWNER: '2000',
      },
    });
    programs.push({ program, url: (await program.ready).replace('localhost', '127.0.0.1') });
  };
  /** The address of one of them, by chance. */
  const anyUrl = (): string => programs[randomInt(programs.length)]?.url ?? '';

  beforeAll(async () => {
    await build();
    [database, redis] = await Promise.all([openTestDatabase({ poolSize: 4 }), openOwnRedis()]);
    await Promise.all([startOne(), startOne()]);
    trader = await newTrader(contextOn(database), { fund: fundSynthetic, rateLimit: 1_000_000 });
    walletId = (await walletOf(trader, undefined, true)).id;
  });
  afterAll(async () => {
    await Promise.all(programs.map(({ program }) => killGroup(program)));
    await redis.close();
    await database.close();
  });

  const json = { 'content-type': 'application/json' };

  async function logIn(): Promise<string> {
    const { apiKey, secretKey } = trader.credential;
    const response = await fetch(`${anyUrl()}/v1/auth/login`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ apiKey, secretKey }),
    });
    return ((await response.json()) as { accessToken: string }).accessToken;
  }

  /** What a reader was told under each number; the same for all of them. */
  const told = new Map<number, string>();

  /** A reader that comes back where it was. */
  class Reader {
    last = 0;

    constructor(private readonly token: string) {}

    /** Connects to an instance, and reads until a moment, or until it has an event. False where the instance is gone. */
    async read({ untilMs = Infinity, untilEvent = Infinity }): Promise<boolean> {
      const client = await openSocket(anyUrl()).catch(() => undefined);
      if (client === undefined) return false;
      client.send({
        action: 'subscribe',
        channel: 'orders',
        synthetic: true,
        token: this.token,
        lastEventId: this.last,
      });
      while (Date.now() < untilMs && this.last < untilEvent) {
        const left = untilMs === Infinity ? [] : [sleep(Math.max(0, untilMs - Date.now()), undefined, { ref: false })];
        const frame = await Promise.race([client.next().catch(() => undefined), ...left]);
        if (frame === undefined) break;
        this.#take(frame);
      }
      // Whatever is on its way is lost.
      client.socket.terminate();
      return true;
    }

    #take({ type, eventId = 0, snapshot, data, ...rest }: Frame): void {
      if (type === 'subscribed' || type === 'heartbeat') return;
      if (type === 'error' && rest.statusCode === 503) return;
      expect({ type, eventId, snapshot }).toEqual({ type: 'update', eventId: this.last + 1, snapshot: undefined });
      const text = JSON.stringify(data);
      expect(told.get(eventId) ?? text).toBe(text);
      told.set(eventId, text);
      this.last = eventId;
    }
  }

  test('readers who come back at random moments to either see each event once, in one order', async () => {
    const token = await logIn();
    const headers = { ...json, authorization: `Bearer ${token}`, 'x-synthetic': 'true' };
    const order = JSON.stringify({ symbol: 'BTC/BRL', side: 'SELL', type: 'MARKET', amount: '0.0001' });
    let writing = true;
    const placed: string[] = [];
    const write = async () => {
      while (writing) {
        const request = { method: 'POST', headers, body: order };
        const response = await fetch(`${anyUrl()}/v1/orders/createOrder`, request).catch(() => undefined);
        if (response?.status === 201) placed.push(((await response.json()) as { orderId: string }).orderId);
        else await response?.arrayBuffer().catch(() => undefined);
        await sleep(random() * 20);
      }
    };
    let isKilled = false;
    const read = async () => {
      const reader = new Reader(token);
      let turns = 0;
      while (turns < reconnects || !isKilled) {
        const untilEvent = reader.last + randomInt(6);
        if (await reader.read({ untilMs: Date.now() + 2_000, untilEvent })) turns += 1;
      }
      return reader;
    };
    const kill = async () => {
      for (let count = 0; count < kills; count += 1) {
        const seen = told.size;
        await until('15 further events', () => told.size >= seen + 15);
        await sleep(random() * 100);
        const victim = programs.shift();
        if (victim !== undefined) await killGroup(victim.program);
        await startOne();
      }
      isKilled = true;
    };
    const writes = Array.from({ length: writers }, write);
    const killing = kill();
    const all = await Promise.all(Array.from({ length: readers }, read));
    await killing;
    writing = false;
    await Promise.all(writes);

    const [{ count, last, orders }] = await database.dataSource.query<[Kept]>(
      `SELECT count(*)::integer AS count, max(event_id)::integer AS last, array_agg(DISTINCT data->>'orderId') AS orders
       FROM trading.stream_events WHERE wallet_id = $1 AND channel = 'orders'`,
      [walletId],
    );
    expect(count).toBe(last);
    expect(placed.filter((id) => !orders.includes(id))).toEqual([]);
    expect(placed.length).toBeGreaterThan(reconnects);
    for (const reader of all) {
      while (reader.last < last) await reader.read({ untilEvent: last });
      expect(reader.last).toBe(last);
    }
    expect(told.size).toBe(last);
  });
});
