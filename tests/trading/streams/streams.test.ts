import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inTransaction } from '../../../shared/database/transaction.js';
import { postJournals } from '../../../subgraphs/trading/ledger/post-journals.js';
import { listBalances } from '../../../subgraphs/trading/ledger/ledger.store.js';
import { tellReaders } from '../../../subgraphs/trading/streams/tell-readers.js';
import { forgetEvents } from '../../../subgraphs/trading/jobs.js';
import {
  createWalletStreams,
  type WalletStreams,
  type WalletUpdate,
} from '../../../subgraphs/trading/streams/wallet-streams.js';
import { available, custody, journal, move, type Wallet } from '../ledger/kit.js';
import { brief, moodyBus, openStreams, take, type Mood } from './kit.js';

const bus = moodyBus();
const kit = await openStreams(bus);
const streams = createWalletStreams({
  snapshots: {
    orders: () => Promise.resolve(['open orders']),
    balance: async (context, wallet) => ({ wallets: await listBalances(context, wallet) }),
  },
  pollMs: 50,
});
afterAll(() => kit.close());

const read = (wallet: Wallet, after?: number, channel: 'orders' | 'balance' = 'orders') =>
  streams.read(kit.context, { wallet, channel }, { after });

const rows = (wallet: Wallet): Promise<{ id: string; data: unknown }[]> =>
  kit.context.manager.query(
    'SELECT event_id AS id, data FROM trading.stream_events WHERE wallet_id = $1 ORDER BY channel, event_id',
    [wallet.id],
  );

describe('numbers of events', () => {
  test('have no gap and follow the commits, whoever commits and whoever rolls back at once', async () => {
    const wallet = await kit.wallet();
    const work = Array.from({ length: 40 }, (_, turn) =>
      kit
        .act(async (tx) => {
          // Half of them tell of balances too: nobody waits for each other.
          await tellReaders(tx, wallet, { orders: [{ turn }], currencies: turn % 2 === 0 ? ['BRL'] : [] });
          if (turn % 5 === 0) throw new Error('rolled back');
        })
        .catch((error: unknown) => {
          expect(error).toHaveProperty('message', 'rolled back');
        }),
    );
    await Promise.all(work);
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
    expect((await rows(wallet)).map(({ id }) => Number(id))).toEqual([...numbers(16), ...numbers(32)]);
  });

  test('follow the order in which one call gives the events', async () => {
    const one = await kit.wallet();
    await kit.append(one, 'first');
    await kit.append(one, 'a', 'b', 'c');
    expect(await rows(one)).toEqual([
      { id: '1', data: 'first' },
      { id: '2', data: 'a' },
      { id: '3', data: 'b' },
      { id: '4', data: 'c' },
    ]);
  });

  test('are given inside of a transaction alone, and in the world of the wallet', async () => {
    const wallet = await kit.wallet(true);
    await expect(tellReaders(kit.context, wallet, { orders: [{}] })).rejects.toThrow('inside inTransaction');
    const wrong = { ...wallet, synthetic: false };
    await expect(kit.append(wrong, {})).rejects.toThrow();
    await kit.append(wallet, {});
    await expect(kit.append(wrong, {})).rejects.toThrow('both be real or both be synthetic');
    await expect(kit.act((tx) => tellReaders(tx, wrong, { currencies: ['BRL'] }))).rejects.toThrow();
    expect(await rows(wallet)).toHaveLength(1);
  });
});

describe('a balance event', () => {
  const deposit = (wallet: Wallet, amount: string, currency: string) => ({
    ...journal({ synthetic: wallet.synthetic, ...move(custody(currency), available(wallet, currency), amount) }),
  });

  test('says what the wallet holds after the change, in the currencies that are named', async () => {
    const wallet = await kit.wallet();
    await kit.act(async (tx) => {
      await postJournals(tx, [deposit(wallet, '100.00', 'BRL')]);
      await tellReaders(tx, wallet, { currencies: ['BRL'] });
    });
    await kit.act(async (tx) => {
      await postJournals(tx, [deposit(wallet, '0.5', 'BTC')]);
      await tellReaders(tx, wallet, { currencies: ['BTC'] });
    });
    expect((await rows(wallet)).map(({ data }) => data)).toEqual([
      { wallets: [{ currency: 'BRL', available: '100.00', locked: '0.00', total: '100.00' }] },
      { wallets: [{ currency: 'BTC', available: '0.50000000', locked: '0.00000000', total: '0.50000000' }] },
    ]);
  });

  test('that comes last of a currency is right, when changes of several currencies happen at once', async () => {
    const wallet = await kit.wallet();
    for (let turn = 0; turn < 10; turn += 1) {
      await Promise.all(
        ['BRL', 'BTC', 'ETH'].map((currency) =>
          kit.act(async (tx) => {
            await postJournals(tx, [deposit(wallet, '1', currency)]);
            await tellReaders(tx, wallet, { currencies: [currency] });
          }),
        ),
      );
    }
    const told = (await rows(wallet)).flatMap(({ data }) => (data as { wallets: { currency: string }[] }).wallets);
    const held = (await listBalances(kit.context, wallet)).filter(({ total }) => Number(total) > 0);
    expect(told).toHaveLength(30);
    expect(held).toHaveLength(3);
    for (const one of held) expect(told.findLast(({ currency }) => currency === one.currency)).toEqual(one);
  });
});

describe('a reader', () => {
  test('receives nothing of what is rolled back, of other wallets and of other channels', async () => {
    const [wallet, other] = [await kit.wallet(), await kit.wallet()];
    const stream = await read(wallet);
    await kit.append(other, 'other wallet');
    await kit.act((tx) => tellReaders(tx, wallet, { currencies: ['BRL'] }));
    await inTransaction(kit.context, async (tx) => {
      await tellReaders(tx, wallet, { orders: ['rolled back'] });
      throw new Error('no');
    }).catch(() => undefined);
    await kit.append(wallet, 'committed');
    expect((await take(stream, 2)).map(({ eventId, data }) => [eventId, data])).toEqual([
      [0, ['open orders']],
      [1, 'committed'],
    ]);
    await stream.return?.();
  });

  test('goes on behind the event that it has, through more than one page', async () => {
    const wallet = await kit.wallet();
    await kit.append(wallet, ...Array.from({ length: 501 }, (_, at) => at + 1));
    const stream = await read(wallet, 3);
    const got = await take(stream, 498);
    expect(got.map(({ data }) => data)).toEqual(Array.from({ length: 498 }, (_, at) => at + 4));
    expect(new Set(got.map(({ kind }) => kind))).toEqual(new Set(['UPDATE']));
    await kit.append(wallet, 'news');
    expect((await take(stream, 1)).map(brief)).toEqual(['UPDATE 502']);
    await stream.return?.();
  });

  test.each([
    ['was deleted after 24 hours', 1],
    ['nobody has given yet', 99],
  ])('whose next event %s gets a reset and a snapshot', async (_name, after) => {
    const wallet = await kit.wallet();
    for (const data of ['one', 'two', 'three']) await kit.append(wallet, data);
    await kit.database.asOwner(
      `UPDATE trading.stream_events SET occurred_at = now() - interval '24 hours 1 second' WHERE wallet_id = '${wallet.id}' AND event_id <= 2`,
    );
    await forgetEvents(kit.context);
    expect((await rows(wallet)).map(({ id }) => id)).toEqual(['3']);
    const stream = await read(wallet, after);
    expect((await take(stream, 2)).map(brief)).toEqual(['RESET 3', 'SNAPSHOT 3']);
    await kit.append(wallet, 'four');
    expect((await take(stream, 1)).map(brief)).toEqual(['UPDATE 4']);
    await stream.return?.();
  });

  test('who waits is let go at once when it leaves, and the feed with the last reader', async () => {
    const wallet = await kit.wallet();
    const before = streams.feeds;
    const readers = await Promise.all([read(wallet), read(wallet), read(wallet, 0)]);
    expect(streams.feeds).toBe(before + 1);
    await Promise.all(readers.slice(0, 2).map((reader) => take(reader, 1)));
    const waiting = readers.map((reader) => reader.next());
    for (const reader of readers) await reader.return?.();
    expect((await Promise.all(waiting)).map(({ done }) => done)).toEqual([true, true, true]);
    expect(streams.feeds).toBe(before);
  });
});

// Two instances, on one database and one bus.
const instances = [0, 1].map(() => createWalletStreams({ snapshots: { orders: sumOf, balance: sumOf }, pollMs: 10 }));

/** How a wallet stands: the sum of what happened in it. */
async function sumOf({ manager }: typeof kit.context, { id }: { readonly id: string }): Promise<number> {
  const [row]: { sum: string }[] = await manager.query(
    `SELECT coalesce(sum(data::text::int), 0) AS sum FROM trading.stream_events WHERE wallet_id = $1 AND channel = 'orders'`,
    [id],
  );
  return Number(row?.sum ?? 0);
}

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
        } else if (one.act === 'connect') await clients[one.client]?.connect(instances[one.instance] ?? fail());
        else if (one.act === 'mood') bus.mood = one.mood;
        else if (one.act === 'release') await bus.release();
        else if (clients[one.client]?.last === -1) await clients[one.client]?.read(1);
      }
      await Promise.all(appends);
      for (const [index, client] of clients.entries()) {
        await client.connect(instances[index % 2] ?? fail());
        // Those that have everything are told nothing more.
        if (client.last === -1) await client.read(1);
        await client.read(told.length - client.last);
        await client.leave();
        expect(client.last).toBe(told.length);
        expect(client.state).toBe(told.reduce((sum, value) => sum + value, 0));
      }
      expect(instances.map(({ feeds }) => feeds)).toEqual([0, 0]);
    }),
    { numRuns: process.env['STREAMS_FULL'] === '1' ? 400 : 25 },
  );
});

function fail(): never {
  throw new Error('There is no such instance');
}
