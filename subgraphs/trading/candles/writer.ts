import { coalesced } from '../../../shared/memo.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/kernel/ids.js';
import { dropWriterLease, rollUp, saveHours, takeWriterLease, type WriterLease } from './candle.store.js';
import type { HourCandle, Tape } from './tape.js';

export interface CandleWriter {
  start(): void;
  /** Writes the changes; concurrent calls share one run. Never rejects. */
  flush(): Promise<void>;
  /** Writes the remaining changes and releases the lease. */
  stop(): Promise<void>;
}

export interface CandleWriterOptions {
  readonly tapes: readonly { readonly synthetic: boolean; readonly tape: Tape }[];
  /** Called before each write, to sample the mid prices. */
  readonly sample?: () => void;
  readonly everyMs?: number;
}

/** Three writes may fail before another process takes over. */
const leasePeriods = 3;

/**
 * Opens the writer of candles: one process at a time for live candles, and one for synthetic ones. A process drops what it saw while it was not
 * the writer, since the writer counted it; each new writer has its own epoch and writes its totals whole, so that nothing is counted twice after
 * a crash or a write with a lost outcome. Changes that the last writer had not written when it was killed (`everyMs` at most) are lost.
 */
export function createCandleWriter(context: Context, options: CandleWriterOptions): CandleWriter {
  const { tapes, sample, everyMs = 5_000 } = options;
  const holder = newId();
  const epochs = new Map<boolean, string | undefined>();
  let timer: NodeJS.Timeout | undefined;

  const write = async (synthetic: boolean, tape: Tape): Promise<void> => {
    const hours = tape.changed();
    try {
      const wanted = { synthetic, holder, leaseMs: everyMs * leasePeriods };
      const take = async (tx: Context) => {
        const taken = await takeWriterLease(tx, wanted);
        if (taken !== undefined && taken.epoch === epochs.get(synthetic)) await save(tx, taken, hours);
        return taken;
      };
      const lease = hours.length === 0 ? await takeWriterLease(context, wanted) : await inTransaction(context, take);
      if (lease !== undefined && lease.epoch === epochs.get(synthetic)) return;
      tape.clear();
      epochs.set(synthetic, lease?.epoch);
    } catch (error) {
      tape.giveBack(hours);
      context.log.warn({ err: error, synthetic }, 'Candles could not be saved; this will be retried');
    }
  };
  const flush = coalesced(async () => {
    sample?.();
    for (const { synthetic, tape } of tapes) await write(synthetic, tape);
  });

  return {
    flush,
    start: () => {
      void flush();
      timer = setInterval(() => void flush(), everyMs);
      timer.unref();
    },
    stop: async () => {
      clearInterval(timer);
      await flush();
      await dropWriterLease(context, holder).catch((error: unknown) =>
        context.log.warn({ err: error }, 'The lease for writing candles could not be released; it expires by itself'),
      );
    },
  };
}

async function save(tx: Context, lease: WriterLease, hours: readonly HourCandle[]): Promise<void> {
  await saveHours(tx, lease, hours);
  const symbols = [...new Set(hours.map(({ symbol }) => symbol))];
  const moments = [...new Set(hours.map(({ openedMs }) => openedMs))].map((ms) => new Date(ms));
  for (const length of ['4h', '1d', '1w'] as const) {
    await rollUp(tx, length, { synthetic: lease.synthetic, symbols, moments });
  }
}
