import type { ActName } from '../../registry.js';
import { recordAudit } from '../../security/audit/record.js';
import type { Context } from '../../kernel/context.js';
import { afterCommit } from '../../database/transaction.js';
import { ApiError, byRule } from '../../kernel/errors.js';
import { requireReason } from '../../kernel/reason.js';
import type { WatchedQueue } from './watched-queue.js';
import { findItem, holdItem, releaseItem, retryItems, type WatchedItem } from './watched-queue.store.js';

interface ItemAct {
  readonly action: ActName;
  readonly id: string;
}

/** Makes failing items due, at most 1,000, never a claimed one. Returns how many. @throws {ApiError} NOT_FOUND, CONFLICT if worked on, not failed or quarantined */
export async function retryWork(
  tx: Context,
  queue: WatchedQueue,
  { action, id }: Omit<ItemAct, 'id'> & { readonly id: string | null },
): Promise<number> {
  const ids = await retryItems(tx, queue, id);
  if (ids.length === 0 && id !== null) {
    const item = await requireItem(tx, queue, id);
    if (item.state === 'QUARANTINED') throw new ApiError('CONFLICT', byRule('WORK_HELD'));
    if (item.state !== 'DUE') throw refusal(item);
  }
  if (ids.length > 0) wake(tx, queue);
  const after = { retried: ids.length, items: ids };
  await recordAudit(tx, { action, subject: { type: 'workQueue', id: named(queue, id) }, after });
  return ids.length;
}

/** Holds a failing item back; again changes nothing. @throws {ApiError} BAD_REQUEST for the reason, NOT_FOUND, CONFLICT if worked on or not failed */
export async function quarantineWork(
  tx: Context,
  queue: WatchedQueue,
  { action, id, reason }: ItemAct & { readonly reason: string },
): Promise<WatchedItem> {
  const why = requireReason(reason);
  const isHeld = await holdItem(tx, queue, id);
  const item = await requireItem(tx, queue, id);
  if (item.state !== 'QUARANTINED') throw refusal(item);
  const subject = { type: 'workQueue', id: named(queue, id) };
  await recordAudit(tx, { action, subject, after: { quarantined: true, isNew: isHeld }, reason: why });
  return item;
}

/** Makes an item in quarantine due now, in the current transaction. One that is in none stays as it is. @throws {ApiError} NOT_FOUND */
export async function releaseWork(tx: Context, queue: WatchedQueue, { action, id }: ItemAct): Promise<WatchedItem> {
  const isReleased = await releaseItem(tx, queue, id);
  if (isReleased) wake(tx, queue);
  const item = await requireItem(tx, queue, id);
  const subject = { type: 'workQueue', id: named(queue, id) };
  await recordAudit(tx, { action, subject, after: { quarantined: false, isNew: isReleased } });
  return item;
}

async function requireItem(context: Context, queue: WatchedQueue, id: string): Promise<WatchedItem> {
  const item = await findItem(context, queue, id);
  if (item === undefined) throw new ApiError('NOT_FOUND', { message: 'The queue has no such item: it may be done' });
  return item;
}

function refusal({ isFailing, state }: WatchedItem): ApiError {
  return new ApiError('CONFLICT', byRule(isFailing || state === 'CLAIMED' ? 'WORK_CLAIMED' : 'WORK_NOT_FAILED'));
}

function named({ name }: WatchedQueue, id: string | null): string {
  return id === null ? name : `${name} ${id}`;
}

function wake(tx: Context, { topic }: WatchedQueue): void {
  if (topic !== undefined) afterCommit(tx, () => void tx.bus.publish(topic, null));
}
