import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import {
  listCandles,
  saveHours,
  takeWriterLease,
  type CandleRow,
  fillGaps,
  readCandles,
} from '../../../subgraphs/trading/candles/candle.store.js';
import { candleRetentionJob } from '../../../subgraphs/trading/jobs.js';
import { seedCandles } from '../../../subgraphs/trading/candles/seed-candles.js';
import { createTape, type Tape, intervals, opensAt, type Interval } from '../../../subgraphs/trading/candles/tape.js';
import { createCandleWriter, type CandleWriter } from '../../../subgraphs/trading/candles/writer.js';
import { simulatedMarkets, simulatedPrices } from '../../../subgraphs/trading/venues/simulated/world.js';
import { openMarketKit } from './kit.js';

const kit = await openMarketKit();
afterAll(() => kit.close());
beforeEach(async () => {
  await kit.context.manager.query('DELETE FROM trading.candles');
  await kit.context.manager.query('DELETE FROM trading.candle_writers');
  kit.clock.set('2026-11-20T15:00:00Z');
});

const d = (text: string | number) => new Decimal(text);
const at = (text: string) => new Date(text);
const trade = (when: string, price: string, amount = '1', symbol = 'BTC/BRL') => ({
  symbol,
  price: d(price),
  amount: d(amount),
  at: at(when),
});

/** A writer with its tape, as a process has it. */
function process(): CandleWriter & { readonly tape: Tape } {
  const tape = createTape();
  return { ...createCandleWriter(kit.context, { tapes: [{ synthetic: false, tape }], everyMs: 60_000 }), tape };
}
async function writing() {
  const one = process();
  await one.flush();
  return one;
}
/** Ends the lease of whoever was killed. */
const leaseRunsOut = () =>
  kit.context.manager.query("UPDATE trading.candle_writers SET held_until = now() - interval '1 s'");
const read = (interval: Interval, limit = 3) =>
  readCandles(kit.context, { synthetic: false, symbol: 'BTC/BRL', interval, limit });
const shown = (rows: readonly CandleRow[]) =>
  rows.map((row) =>
    [row.openedAt.toISOString().slice(0, 16), row.open, row.high, row.low, row.close, row.volume].join(' '),
  );

describe('an interval', () => {
  test.each<[Interval, string, string]>([
    ['1h', '2026-11-20T15:59:59.999Z', '2026-11-20T15:00:00.000Z'],
    ['1d', '2027-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['1w', '2026-11-22T23:59:59.999Z', '2026-11-16T00:00:00.000Z'],
    ['1w', '2026-11-23T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
  ])('%s: %s lies in the one from %s on', (interval, moment, opened) => {
    expect(new Date(opensAt(interval, at(moment).getTime())).toISOString()).toBe(opened);
  });

  test('is where PostgreSQL sees it, too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Interval>('1h', '4h', '1d', '1w'),
        fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2090, 0, 1) }),
        async (interval, ms) => {
          const rows: { at: Date }[] = await kit.context.manager.query(
            "SELECT date_bin($1 * interval '1 hour', $2::timestamptz, '2001-01-01T00:00:00Z') AS at",
            [intervals[interval] / 3_600_000, new Date(ms)],
          );
          expect(rows[0]?.at.getTime()).toBe(opensAt(interval, ms));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('candles', () => {
  test('are made of trades, whatever order they come in', async () => {
    const one = await writing();
    for (const made of [
      trade('2026-11-20T14:30:00Z', '101'),
      trade('2026-11-20T14:10:00Z', '99', '2'),
      trade('2026-11-20T14:59:59.999Z', '103', '0.5'),
      trade('2026-11-20T15:00:00Z', '104'),
      trade('2026-11-20T14:20:00Z', '98'),
    ]) {
      one.tape.addTrade(made);
    }
    await one.flush();
    expect(shown(await read('1h', 2))).toEqual([
      '2026-11-20T14:00 99 103 98 103 4.5',
      '2026-11-20T15:00 104 104 104 104 1',
    ]);
    expect(shown(await read('4h', 1))).toEqual(['2026-11-20T12:00 99 104 98 104 5.5']);
    expect(shown(await read('1d', 1))).toEqual(['2026-11-20T00:00 99 104 98 104 5.5']);
    expect(shown(await read('1w', 1))).toEqual(['2026-11-16T00:00 99 104 98 104 5.5']);
  });

  test('are made of mid prices where there is no trade, and the first trade replaces them', async () => {
    const one = await writing();
    one.tape.addMid('BTC/BRL', d(100), at('2026-11-20T15:00:00Z'));
    one.tape.addMid('BTC/BRL', d(110), at('2026-11-20T15:01:00Z'));
    await one.flush();
    expect(shown(await read('1h', 1))).toEqual(['2026-11-20T15:00 100 110 100 110 0']);
    one.tape.addTrade(trade('2026-11-20T15:02:00Z', '105'));
    one.tape.addMid('BTC/BRL', d(90), at('2026-11-20T15:03:00Z'));
    await one.flush();
    expect(shown(await read('1h', 1))).toEqual(['2026-11-20T15:00 105 105 105 105 1']);
  });

  test('repeat the last close where nothing is known, up to now, and begin with the first that is known', async () => {
    const one = await writing();
    one.tape.addTrade(trade('2026-11-20T11:30:00Z', '100'));
    one.tape.addTrade(trade('2026-11-20T13:30:00Z', '102'));
    await one.flush();
    expect(shown(await read('1h', 10))).toEqual([
      '2026-11-20T11:00 100 100 100 100 1',
      '2026-11-20T12:00 100 100 100 100 0',
      '2026-11-20T13:00 102 102 102 102 1',
      '2026-11-20T14:00 102 102 102 102 0',
      '2026-11-20T15:00 102 102 102 102 0',
    ]);
    expect(shown(await read('1h', 2))).toEqual([
      '2026-11-20T14:00 102 102 102 102 0',
      '2026-11-20T15:00 102 102 102 102 0',
    ]);
    expect(await readCandles(kit.context, { synthetic: true, symbol: 'BTC/BRL', interval: '1h', limit: 5 })).toEqual(
      [],
    );
  });

  test('have no gap and no more than were asked for, whatever is known', () => {
    const length = intervals['1h'];
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(40), { maxLength: 20 }),
        fc.nat(40),
        fc.integer({ min: 1, max: 20 }),
        (hours, last, limit) => {
          const lastMs = last * length;
          const fromMs = lastMs - (limit - 1) * length;
          const known = hours.filter((hour) => hour <= last).sort((left, right) => left - right);
          const rows = known.map((hour): CandleRow => {
            const price = String(hour + 1);
            return {
              ...{ open: price, high: price, low: price, close: price, volume: '1' },
              openedAt: new Date(hour * length),
            };
          });
          const before = rows.filter((row) => row.openedAt.getTime() < fromMs).slice(-1);
          const filled = fillGaps([...before, ...rows.filter((row) => row.openedAt.getTime() >= fromMs)], {
            fromMs,
            lastMs,
            length,
          });
          expect(filled.length).toBe(known.length === 0 ? 0 : Math.min(limit, last - (known[0] ?? 0) + 1));
          filled.forEach((row, index) => {
            expect(row.openedAt.getTime()).toBe(lastMs - (filled.length - 1 - index) * length);
            const newest = known.filter((hour) => hour * length <= row.openedAt.getTime()).at(-1) ?? -1;
            expect([row.close, row.volume]).toEqual([
              String(newest + 1),
              newest * length === row.openedAt.getTime() ? '1' : '0',
            ]);
          });
        },
      ),
    );
  });
});

describe('the writer of candles', () => {
  test('counts nothing twice when a write is repeated', async () => {
    const one = await writing();
    one.tape.addTrade(trade('2026-11-20T15:00:01Z', '100'));
    await one.flush();
    one.tape.addTrade(trade('2026-11-20T15:00:02Z', '101'));
    const hours = one.tape.changed();
    one.tape.giveBack(hours);
    const lease = { synthetic: false, epoch: '1' };
    await saveHours(kit.context, lease, hours);
    await saveHours(kit.context, lease, hours);
    await one.flush();
    expect(shown(await read('1h', 1))).toEqual(['2026-11-20T15:00 100 101 100 101 2']);
  });

  test('is one at a time: what another process sees is not counted, nor what it saw before it became the writer', async () => {
    const [first, second] = [process(), process()];
    await first.flush();
    await second.flush();
    first.tape.addTrade(trade('2026-11-20T15:00:01Z', '100'));
    second.tape.addTrade(trade('2026-11-20T15:00:01Z', '500', '7'));
    await Promise.all([first.flush(), second.flush()]);
    expect(shown(await read('1h', 1))).toEqual(['2026-11-20T15:00 100 100 100 100 1']);
    second.tape.addTrade(trade('2026-11-20T15:00:03Z', '500', '7'));
    await first.stop();
    await second.flush();
    second.tape.addTrade(trade('2026-11-20T15:00:04Z', '102'));
    await second.flush();
    expect(shown(await read('1h', 1))).toEqual(['2026-11-20T15:00 100 102 100 102 2']);
    await second.stop();
  });

  test('that was followed by another changes nothing any more', async () => {
    const [old, fresh] = [process(), process()];
    await old.flush();
    old.tape.addTrade(trade('2026-11-20T15:00:01Z', '100'));
    await old.flush();
    await leaseRunsOut();
    await fresh.flush();
    fresh.tape.addTrade(trade('2026-11-20T15:00:02Z', '101'));
    await fresh.flush();
    const tape = createTape();
    tape.addTrade(trade('2026-11-20T15:00:03Z', '999', '50'));
    await saveHours(kit.context, { synthetic: false, epoch: '1' }, tape.changed());
    old.tape.addTrade(trade('2026-11-20T15:00:04Z', '998', '50'));
    await old.flush();
    expect(shown(await read('1h', 1))).toEqual(['2026-11-20T15:00 100 101 100 101 2']);
  });

  test('of many that ask at once is exactly one', async () => {
    const holders = Array.from({ length: 8 }, () => crypto.randomUUID());
    const leases = await Promise.all(
      holders.map((holder) => takeWriterLease(kit.context, { synthetic: true, holder, leaseMs: 60_000 })),
    );
    expect(leases.filter((lease) => lease !== undefined)).toEqual([{ synthetic: true, epoch: '1' }]);
  });

  test('whatever trades, kills and repeats there are, counts each trade that was written once', async () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('trade' as const),
          minute: fc.nat(69),
          price: fc.integer({ min: 90, max: 110 }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await kit.context.manager.query('DELETE FROM trading.candles');
        await kit.context.manager.query('DELETE FROM trading.candle_writers');
        let writer = await writing();
        let [written, pending] = [[] as number[], [] as number[]];
        for (const one of steps) {
          if (one.do === 'trade') {
            const moment = new Date(Date.UTC(2026, 10, 20, 13, one.minute)).toISOString();
            writer.tape.addTrade(trade(moment, String(one.price)));
            pending.push(one.price);
          } else if (one.do === 'flush') {
            await writer.flush();
            [written, pending] = [[...written, ...pending], []];
          } else {
            pending = [];
            await leaseRunsOut();
            writer = await writing();
          }
        }
        const range = { synthetic: false, symbol: 'BTC/BRL', from: at('2026-11-20T00:00:00Z') } as const;
        for (const length of ['1h', '4h', '1d'] as const) {
          const rows = await listCandles(kit.context, { ...range, length });
          expect(sum(rows.map(({ volume }) => volume)).toFixed()).toBe(String(written.length));
          if (written.length === 0) continue;
          expect(Decimal.max(...rows.map(({ high }) => high)).toNumber()).toBe(Math.max(...written));
          expect(Decimal.min(...rows.map(({ low }) => low)).toNumber()).toBe(Math.min(...written));
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('the history of the demo', () => {
  test('is the same each time, adds up, and ends before the hour under way', async () => {
    const markets = simulatedMarkets.slice(0, 1);
    const seed = () =>
      seedCandles(kit.context, {
        synthetic: false,
        markets,
        priceAt: simulatedPrices(false).at,
        days: 40,
        hourDays: 9,
      });
    await seed();
    const all = (): Promise<unknown[]> =>
      kit.context.manager.query('SELECT * FROM trading.candles ORDER BY length, opened_at');
    const first = await all();
    await seed();
    expect(await all()).toEqual(first);
    await kit.context.manager.query('DELETE FROM trading.candles');
    await seed();
    expect(await all()).toEqual(first);
    const volume = async (length: Interval, from: string) => {
      const rows = await listCandles(kit.context, { synthetic: false, symbol: 'BTC/BRL', length, from: at(from) });
      return sum(rows.filter((row) => row.openedAt >= at(from)).map((row) => row.volume)).toFixed();
    };
    expect(await volume('1h', '2026-11-12T00:00:00Z')).toBe(await volume('1d', '2026-11-12T00:00:00Z'));
    expect(await volume('1w', '2026-10-19T00:00:00Z')).toBe(await volume('1d', '2026-10-19T00:00:00Z'));
    const days = await read('1d', 30);
    expect(days).toHaveLength(30);
    expect((await read('1h', 2)).map((row) => row.volume !== '0')).toEqual([true, false]);
  });

  test('of hours is deleted when nobody can ask for them any more; days stay', async () => {
    const one = await writing();
    one.tape.addTrade(trade('2026-11-20T15:00:01Z', '100'));
    await one.flush();
    kit.clock.advance(59 * 86_400_000);
    await candleRetentionJob.run(kit.context);
    expect((await read('1h', 1000)).length).toBe(1000);
    kit.clock.advance(2 * 86_400_000);
    await candleRetentionJob.run(kit.context);
    expect(await read('1h', 1000)).toEqual([]);
    expect(shown(await read('1d', 100)).at(0)).toBe('2026-11-20T00:00 100 100 100 100 1');
  });
});
