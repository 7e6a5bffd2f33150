import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, type ErrorDetail, byRule, errorAt } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import { wakeEngines } from '../engine/wake.js';
import { eventNames, testEventName } from '../events/event.js';
import { lockActiveWebhook } from '../subscriptions/own-webhook.js';
import { keptDays, keptMs, type DeliveryStatus } from './delivery.js';
import {
  addRedelivery,
  countRedelivered,
  findRunning,
  mostRedelivered,
  startRedelivered,
  type RedeliveryFilter,
  type RedeliveryRow,
} from './delivery.store.js';

/** Which deliveries a caller wants again; an omitted field does not restrict them. */
export interface RedeliveryInput {
  readonly statuses?: readonly DeliveryStatus[] | null | undefined;
  readonly type?: string | null | undefined;
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
}

/** Number of deliveries made due per step. */
const limit = 1_000;
/** A redelivery pauses above this number of pending deliveries, as a replay does. */
const mostWaiting = 5_000;

/** Engines make them due in steps; the same filter again returns the redelivery under way. @throws {ApiError} BAD_REQUEST; UNPROCESSABLE for more than 100,000; NOT_FOUND; CONFLICT */
export async function redeliverMany(context: Context, id: string, input: RedeliveryInput): Promise<RedeliveryRow> {
  return inTransaction(context, async (tx) => {
    const now = tx.clock.now();
    const filter = filterOf(input, now);
    const subscription = await lockActiveWebhook(tx, id);
    const running = await findRunning(tx, subscription.id);
    if (running !== undefined) {
      if (isSame(running, filter, input)) return running;
      throw new ApiError('CONFLICT', byRule('REDELIVERY_RUNNING'));
    }
    const matched = await countRedelivered(tx, subscription.id, filter);
    if (matched > mostRedelivered)
      refuse('UNPROCESSABLE', [errorAt('filter', 'TOO_MANY_DELIVERIES', { max: mostRedelivered })]);
    const row: RedeliveryRow = {
      ...filter,
      id: newId(now.getTime()),
      subscriptionId: subscription.id,
      matched,
      started: 0,
      status: 'running',
      createdAt: now,
      finishedAt: null,
    };
    await addRedelivery(tx, row);
    wakeEngines(tx);
    return row;
  });
}

/** Makes the next thousand deliveries due of the redelivery that follows `after` in turn. Returns it; undefined if none can continue at the moment. */
export function continueRedelivery(context: Context, after: string | undefined): Promise<string | undefined> {
  return startRedelivered(context, { after: after ?? '00000000-0000-0000-0000-000000000000', limit, mostWaiting });
}

function filterOf({ statuses, type, from, to }: RedeliveryInput, now: Date): RedeliveryFilter {
  const errors: ErrorDetail[] = [];
  const wanted = [...new Set<DeliveryStatus>(statuses ?? ['failed', 'skipped'])].sort();
  const kept = wanted.filter((status) => status !== 'pending');
  if (kept.length !== wanted.length || kept.length === 0)
    errors.push(errorAt('filter.statuses', 'DELIVERY_STATUSES', { known: 'DELIVERED, FAILED, SKIPPED' }));
  const known = [...eventNames, testEventName];
  if (type != null && !known.includes(type)) errors.push(errorAt('filter.type', 'ONE_OF', { known: known.join(', ') }));
  const earliest = new Date(now.getTime() - keptMs);
  const begins = from == null ? earliest : new Date(Math.max(Date.parse(from), earliest.getTime()));
  const until = to == null ? now : new Date(Math.min(Date.parse(to), now.getTime()));
  if (until < begins) errors.push(errorAt('filter.to', 'NOT_BEFORE_OR_OLDER', { field: 'from', days: keptDays }));
  refuse('BAD_REQUEST', errors);
  return { statuses: kept, type: type ?? null, from: begins, until };
}

/** Whether a running redelivery was requested with the same filter. The ends of the period that are left open move with the clock, and do not count. */
function isSame(running: RedeliveryRow, wanted: RedeliveryFilter, { from, to }: RedeliveryInput): boolean {
  return (
    running.statuses.join() === wanted.statuses.join() &&
    running.type === wanted.type &&
    (from == null || running.from.getTime() === wanted.from.getTime()) &&
    (to == null || running.until.getTime() === wanted.until.getTime())
  );
}
