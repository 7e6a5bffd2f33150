import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/log.js';
import type { Database } from './database.js';

export interface DatabaseClock extends Clock {
  close(): void;
}

/** How often the database's time is read: for this long, a change of the database's clock may go unnoticed. */
const followMs = 5_000;
/** Readings at start-up, of which the quickest one is used. */
const firstReadings = 3;
/** The difference between the machine's clock and the database's above which a warning is logged. */
const remarkableMs = 2_000;

/** The offset in milliseconds between this process' monotonic clock and the database's, and its error in either direction. */
interface Reading {
  readonly offsetMs: number;
  readonly errorMs: number;
}

/** The clock that instances share, from the database's; monotonic between readings, also while the database is unavailable. */
export async function openDatabaseClock(source: Database, log: Logger): Promise<DatabaseClock> {
  let reading = await read(source);
  for (let count = 1; count < firstReadings; count += 1) {
    const next = await read(source);
    if (next.errorMs < reading.errorMs) reading = next;
  }
  const aheadMs = Date.now() - (performance.now() + reading.offsetMs);
  if (Math.abs(aheadMs) > remarkableMs) {
    const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
    const words = `This machine's clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's clock, which the program uses`;
    log.warn({ aheadMs: Math.round(aheadMs) }, words);
  }
  const closed = new AbortController();
  void follow(async () => {
    reading = agreed(reading, await read(source));
  }, closed.signal);
  return {
    now: () => new Date(performance.now() + reading.offsetMs),
    followsDatabase: true,
    close: () => closed.abort(),
  };
}

async function follow(look: () => Promise<void>, closed: AbortSignal): Promise<void> {
  const over = () => closed.aborted;
  while (!over()) {
    await sleep(followMs, undefined, { ref: false, signal: closed }).catch(() => undefined);
    // Whoever needs the database reports that it is unavailable.
    if (!over()) await look().catch(() => undefined);
  }
}

async function read(source: Database): Promise<Reading> {
  const asked = performance.now();
  const rows: { ms: number }[] = await source.query(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  );
  const answered = performance.now();
  const ms = rows[0]?.ms;
  if (ms === undefined) throw new Error('The database did not return its time');
  return { offsetMs: ms - (asked + answered) / 2, errorMs: (answered - asked) / 2 };
}

/** Returns the reading to use from now on: the old one, unless the new one contradicts it or is more exact. */
function agreed(old: Reading, fresh: Reading): Reading {
  const contradicts = Math.abs(fresh.offsetMs - old.offsetMs) > fresh.errorMs + old.errorMs;
  return contradicts || fresh.errorMs < old.errorMs ? fresh : old;
}
