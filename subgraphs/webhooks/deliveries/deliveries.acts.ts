import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { openPage, type ListPage, type PageInput } from '../../../shared/graphql/list-page.js';
import { countsOf, deliveriesAt, type DeliveryFilter } from './delivery-list.store.js';
import {
  type DeliveryRow,
  findDelivery,
  startDelivery,
  addDelivery,
  addRedelivery,
  countRedelivered,
  findRunning,
  startRedelivered,
  type RedeliveryFilter,
  type RedeliveryRow,
} from './delivery.store.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, type ErrorDetail, byRule, errorAt } from '../../../shared/kernel/errors.js';
import { wakeEngines } from '../engine/wake.js';
import { lockActiveWebhook } from '../subscriptions/subscription.store.js';
import { eventOf, keptDays, keptMs, type DeliveryStatus, replaySinceErrors } from './delivery.js';
import { newId } from '../../../shared/kernel/ids.js';
import { bodyOf, testEventName, eventNames } from '../events/event.js';

/** Lists the newest first, without gaps or repetitions by new events; takes one statement for several subscriptions, which the caller checked. @throws {ApiError} BAD_REQUEST for a wrong limit or token */
export async function readDeliveries(
  context: Context,
  cursors: CursorCodec,
  filter: DeliveryFilter,
  input: PageInput,
): Promise<ListPage<DeliveryRow>> {
  const { subscriptionId, status } = filter;
  const page = openPage(cursors, input, { scope: status === null ? subscriptionId : `${subscriptionId} ${status}` });
  const { after, backward } = page;
  const found = await loaderOf(context, deliveriesAt).load({ ...filter, after, backward, limit: page.limit + 1 });
  return page.take(found, ({ eventId }) => [eventId]);
}

export function countDeliveries(context: Context, filter: DeliveryFilter): Promise<number> {
  return loaderOf(context, countsOf).load(filter);
}

/** Sends a delivery at once and with its whole schedule, even if delivered or pending. @param deliveryId or the id of its event @throws {ApiError} NOT_FOUND, CONFLICT for a deactivated subscription */
export async function redeliver(context: Context, id: string, deliveryId: string): Promise<DeliveryRow> {
  return inTransaction(context, async (tx) => {
    const subscription = await lockActiveWebhook(tx, id);
    const eventId = eventOf(subscription.id, deliveryId);
    const known = eventId !== undefined && (await startDelivery(tx, subscription.id, eventId));
    const delivery = known ? await findDelivery(tx, subscription.id, eventId) : undefined;
    if (delivery === undefined) throw new ApiError('NOT_FOUND', { message: 'The webhook has no such delivery' });
    wakeEngines(tx);
    return delivery;
  });
}

/** Sends an event `webhook.test`, without a real cause, through the same engine as any other. @throws {ApiError} NOT_FOUND, CONFLICT while the subscription is deactivated */
export async function sendTest(context: Context, id: string): Promise<DeliveryRow> {
  return inTransaction(context, async (tx) => {
    const subscription = await lockActiveWebhook(tx, id);
    const createdAt = tx.clock.now();
    const eventId = newId(createdAt.getTime());
    const type = testEventName;
    const data = { webhookId: subscription.id };
    const body = bodyOf({ type, id: eventId, createdAt: createdAt.toISOString(), data });
    const traceparent = tx.span?.headers.traceparent ?? null;
    await addDelivery(tx, subscription.id, { id: eventId, type, body, createdAt, traceparent });
    wakeEngines(tx);
    const pending = { status: 'pending', nextAttemptAt: createdAt, createdAt } as const;
    return { eventId, subscriptionId: subscription.id, type, body, ...pending };
  });
}

/** Which deliveries a caller wants again; an omitted field does not restrict them. */
interface RedeliveryInput {
  readonly statuses?: readonly DeliveryStatus[] | null | undefined;
  readonly type?: string | null | undefined;
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
}

/** Number of deliveries made due per step. */
const limit = 1_000;
const mostRedelivered = 100_000;
/** A redelivery pauses above this number of pending deliveries, so that a deactivation has few to skip. */
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
    const matched = await countRedelivered(tx, subscription.id, filter, mostRedelivered + 1);
    if (matched > mostRedelivered)
      refuse('UNPROCESSABLE', [errorAt('filter', 'TOO_MANY_DELIVERIES', { max: mostRedelivered })]);
    const row = redeliveryOf(subscription.id, filter, { matched, now, isReplay: false });
    await addRedelivery(tx, row);
    wakeEngines(tx);
    return row;
  });
}

/** Makes the next thousand deliveries due of the redelivery that follows `after` in turn. Returns it; undefined if none can continue at the moment. */
export function continueRedelivery(context: Context, after: string | undefined): Promise<string | undefined> {
  return startRedelivered(context, { after, limit, mostWaiting });
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

/**
 * Sends failed or skipped ones, kept for 30 days, by a redelivery that has no limit and merges with the replay that runs. A thousand are due on return.
 * Returns the total. @throws {ApiError} UNPROCESSABLE for a time out of bounds, NOT_FOUND, CONFLICT
 */
export async function replay(context: Context, id: string, since: Date): Promise<number> {
  const now = context.clock.now();
  refuse('UNPROCESSABLE', replaySinceErrors(since, now));
  return inTransaction(context, async (tx) => {
    const subscription = await lockActiveWebhook(tx, id);
    const filter = {
      statuses: ['failed', 'skipped'],
      type: null,
      from: since < now ? since : now,
      until: now,
    } as const;
    const matched = await countRedelivered(tx, subscription.id, filter, null);
    const running = await addRedelivery(tx, redeliveryOf(subscription.id, filter, { matched, now, isReplay: true }));
    if (running !== undefined) await startRedelivered(tx, { id: running, limit, mostWaiting });
    wakeEngines(tx);
    return matched;
  });
}

function redeliveryOf(
  subscriptionId: string,
  filter: RedeliveryFilter,
  { matched, now, isReplay }: { readonly matched: number; readonly now: Date; readonly isReplay: boolean },
): RedeliveryRow {
  const id = newId(now.getTime());
  const begun = { started: 0, status: 'running', createdAt: now, finishedAt: null } as const;
  return { ...filter, ...begun, id, subscriptionId, isReplay, matched };
}
