import { civilDate } from '../../shared/kernel/clock.js';
import type { Context } from '../../shared/kernel/context.js';
import { untilFew } from '../../shared/kernel/turns.js';
import type { Job } from '../../shared/work/scheduler.js';
import { forgetEndedFamilies } from './access/access.store.js';
import { deleteCandlesBefore } from './candles/candle.store.js';
import { deleteRefusedRoutings } from './orders/order.store.js';
import { forgetVolumes } from './orders/usage.store.js';
import { deleteExpired } from './quotes/quote.store.js';
import { deleteEventsBefore } from './streams/event.store.js';
import { markOverdue, oldestOpenSeconds } from './quotes/hedge.store.js';
import type { DatabaseGauge } from '../../shared/kernel/metrics.js';
import { makeEntryMonths } from './ledger/ledger.store.js';
import { proveLedger, reconcileBalances } from './ledger/reconcile.js';

const dayMs = 86_400_000;
const batch = 1_000;

/** Deletes quotes that were not executed, a day after they expired. Executed ones belong to their orders, and stay. */
const quoteRetentionJob: Job = {
  name: 'trading.quote-retention',
  cron: '*/10 * * * *',
  run: (context, stopping) => untilFew(batch, () => deleteExpired(context, batch), stopping),
};

/** The volumes of a day are read on that day; a little longer, for clocks that differ. */
const volumesKeptMs = 2 * dayMs;

/** Deletes the routing of rejected orders 30 days after they were received, and volumes of past days. The orders themselves stay. */
const orderRetentionJob: Job = {
  name: 'trading.order-retention',
  cron: '41 * * * *',
  run: async (context, stopping) => {
    const before = civilDate(new Date(context.clock.now().getTime() - volumesKeptMs));
    for (const forget of [() => deleteRefusedRoutings(context, batch), () => forgetVolumes(context, before, batch)]) {
      await untilFew(batch, forget, stopping);
    }
  },
};

/** More than the 1000 candles that can be requested, which cover 42 days of hours and 167 days of four hours. Days and weeks are kept for good. */
const candleDays = { '1h': 60, '4h': 200 } as const;

export const candleRetentionJob: Job = {
  name: 'trading.candle-retention',
  cron: '41 3 * * *',
  run: async (context) => {
    const nowMs = context.clock.now().getTime();
    for (const length of ['1h', '4h'] as const) {
      await deleteCandlesBefore(context, length, new Date(nowMs - candleDays[length] * dayMs));
    }
  },
};

const eventBatch = 5_000;

/** Deletes events older than 24 hours, for which they can be replayed, in batches, so that no lock is held long. */
export async function forgetEvents(context: Context, stopping?: AbortSignal): Promise<void> {
  const before = new Date(context.clock.now().getTime() - dayMs);
  await untilFew(eventBatch, () => deleteEventsBefore(context, before, eventBatch), stopping);
}

/** A hedge that is open for longer needs an operator. */
const alarmAfterSeconds = 5 * 60;

/** Reports each hedge that stays open for too long, once; `openHedges` lists it until it is done. */
export const overdueHedgesJob: Job = {
  name: 'trading.overdue-hedges',
  cron: '* * * * *',
  run: async (context) => {
    for (const hedge of await markOverdue(context, alarmAfterSeconds)) {
      context.log.error({ hedge }, 'A quote has been unhedged for too long: the platform has an open position');
    }
  },
};

/** Grows as long as the house cannot hedge a quote at the venues. */
export const oldestHedge: DatabaseGauge = {
  name: 'trading_oldest_open_hedge_seconds',
  help: 'Seconds since the execution of the oldest quote that is not hedged; 0 when all are hedged.',
  read: oldestOpenSeconds,
};

const forgetFamilies: Job = { name: 'trading.retention', cron: '29 * * * *', run: forgetEndedFamilies };

export const tradingJobs: readonly Job[] = [
  {
    name: 'trading.entry-months',
    cron: '7 2 * * *',
    atStart: true,
    run: async (context) => {
      await makeEntryMonths(context);
    },
  },
  {
    name: 'trading.reconcile',
    cron: '* * * * *',
    run: async (context) => {
      await reconcileBalances(context);
    },
  },
  {
    name: 'trading.prove-ledger',
    cron: '23 3 * * *',
    run: async (context) => {
      await proveLedger(context);
    },
  },
  quoteRetentionJob,
  orderRetentionJob,
  candleRetentionJob,
  { name: 'trading.stream-retention', cron: '*/5 * * * *', run: forgetEvents },
  forgetFamilies,
  overdueHedgesJob,
];
