import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { messageOf } from '../../../shared/kernel/thrown.js';
import { endClaim, extendClaim } from '../../../shared/work/queue/work-items.store.js';
import { createWorkQueue, type Hold, type WorkQueue } from '../../../shared/work/queue/work-queue.js';
import { markOverdueInstalments } from '../schedule/mark-overdue.js';
import { repriceAll } from './reprice-all.js';
import {
  finishRequest,
  openRequests,
  putRequestOff,
  type RepriceOutcomeRow,
  type RepriceRequestRow,
} from './price-run.store.js';

/** Covers the time of a page of prices with a wide margin: the lease is renewed after each. */
const leaseMs = 120_000;
const failedWaitMs = 60_000;

/** Creates the queue of the price requests of operators, which processes one after another. @param onError receives each error besides the log */
export function createRepriceQueue(
  context: Context,
  calendar: () => Promise<Calendar>,
  onError?: (error: unknown) => void,
): WorkQueue {
  return createWorkQueue<RepriceRequestRow>(context, {
    table: openRequests,
    work: (own, request, hold) => processRequest(own, calendar, request, hold),
    failure: 'Prices that were requested could not be computed; they are tried again',
    leaseMs,
    ...(onError && { onError }),
  });
}

async function processRequest(
  context: Context,
  calendar: () => Promise<Calendar>,
  request: RepriceRequestRow,
  hold: Hold,
): Promise<void> {
  const item = { id: request.id, lease: hold.lease };
  // A failed or stopped run may have left some of the series unpriced.
  try {
    const days = await calendar();
    const outcome = await outcomeOf(context, days, request, hold);
    // Changed instalments may be due on a past day; their event has the amount.
    await markOverdueInstalments(context, days);
    if (hold.stopping.aborted) await endClaim(context, openRequests, item, {});
    else await finishRequest(context, item, outcome);
  } catch (error) {
    if (hold.stopping.aborted) await endClaim(context, openRequests, item, {});
    else await putRequestOff(context, item, { afterMs: failedWaitMs, error: messageOf(error) });
    throw error;
  }
}

async function outcomeOf(
  context: Context,
  calendar: Calendar,
  { id, trancheId }: RepriceRequestRow,
  { lease, stopping }: Hold,
): Promise<RepriceOutcomeRow> {
  try {
    const { prices, missing } = await repriceAll(context, {
      calendar,
      ...(trancheId !== null && { only: trancheId }),
      goesOn: async () => !stopping.aborted && (await extendClaim(context, openRequests, { id, lease }, leaseMs)),
    });
    const waiting = [...missing].slice(0, 100).map(([input, series]) => ({ input, series }));
    return { prices, missing: waiting, fault: null };
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
    context.log.error({ err: error, request: id }, 'Prices that an operator requested could not be computed');
    return { prices: null, missing: [], fault: error.message };
  }
}
