import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  createWalletStreams,
  type WalletStreams,
  type WalletUpdate,
} from '../../subgraphs/trading/streams/wallet-streams.js';
import type { Wallet } from './ledger-kit.js';
import { moodyBus, openStreams, take, type Mood, type StreamsKit } from './streams-kit.js';

const bus = moodyBus();
let kit: StreamsKit;
let streams: readonly WalletStreams[];
beforeAll(async () => {
  kit = await openStreams(bus);
  // Two instances, on one database and one bus.
  const make = () => createWalletStreams({ snapshots: { orders: stateOf, balance: stateOf }, pollMs: 10 });
  streams = [make(), make()];
});
afterAll(() => kit.close());

/** How a wallet stands: the sum of what happened in it. */
const stateOf = async ({ manager }: StreamsKit['context'], { id }: { readonly id: string }): Promise<number> => {
  const [row]: { sum: string }[] = await manager.query(
    `SELECT coalesce(sum(data::text::int), 0) AS sum FROM trading.stream_events WHERE wallet_id = $1 AND channel = 'orders'`,
    [id],
  );
  return Number(row?.sum ?? 0);
};

/** A client that keeps what it was told, and connects again where it was. */
class Client {
  #last: number | undefined;
  #state = 0;
  #stream: AsyncIterableIterator<WalletUpdate> | undefined;

  constructor(private readonly wallet: Wallet) {}

  get last(): number {
    return this.#last ?? -1;
  }

  get state(): number {
    return this.#state;
  }

  async connect(instance: WalletStreams): Promise<void> {
    await this.#stream?.return?.();
    this.#stream = await instance.read(kit.context, { wallet: this.wallet, channel: 'orders' }, { after: this.#last });
  }

  async read(count: number): Promise<void> {
    if (this.#stream === undefined) return;
    for (const update of await take(this.#stream, count)) {
      if (update.kind === 'SNAPSHOT') this.#state = Number(update.data);
      else {
        expect(update.eventId).toBe((this.#last ?? 0) + 1);
        this.#state += Number(update.data);
      }
      this.#last = update.eventId;
    }
  }

  async leave(): Promise<void> {
    await this.#stream?.return?.();
  }
}

type Step =
  | { readonly act: 'append'; readonly values: readonly number[] }
  | { readonly act: 'connect'; readonly client: number; readonly instance: number }
  | { readonly act: 'read'; readonly client: number }
  | { readonly act: 'mood'; readonly mood: Mood }
  | { readonly act: 'release' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('append' as const),
      values: fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('connect' as const), client: fc.nat(2), instance: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('read' as const), client: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('mood' as const),
      mood: fc.constantFrom<Mood>('well', 'loses', 'doubles', 'holds'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ act: 'release' as const }) },
);

const runs = process.env['STREAMS_FULL'] === '1' ? 400 : 25;

test('nothing is missed and nothing comes twice, however messages are lost and readers come back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const wallet = await kit.wallet();
      const clients = [0, 1, 2].map(() => new Client(wallet));
      bus.mood = 'well';
      const appends: Promise<unknown>[] = [];
      const told: number[] = [];
      for (const one of steps) {
        if (one.act === 'append') {
          told.push(...one.values);
          // At once with what follows, and with each other.
          appends.push(...one.values.map((value) => kit.append(wallet, value)));
        } else if (one.act === 'connect') await clients[one.client]?.connect(streams[one.instance] ?? fail());
        else if (one.act === 'mood') bus.mood = one.mood;
        else if (one.act === 'release') await bus.release();
        else if (clients[one.client]?.last === -1) await clients[one.client]?.read(1);
      }
      await Promise.all(appends);
      for (const [index, client] of clients.entries()) {
        await client.connect(streams[index % 2] ?? fail());
        // Those that have everything are told nothing more.
        if (client.last === -1) await client.read(1);
        await client.read(told.length - client.last);
        await client.leave();
        expect(client.last).toBe(told.length);
        expect(client.state).toBe(told.reduce((sum, value) => sum + value, 0));
      }
      expect(streams.map(({ feeds }) => feeds)).toEqual([0, 0]);
    }),
    { numRuns: runs },
  );
});

function fail(): never {
  throw new Error('There is no such instance');
}
