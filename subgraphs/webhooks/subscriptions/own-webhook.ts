import type { Context } from '../../../shared/kernel/context.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { SubscriptionRow } from './subscription.js';
import { findSubscription, lockSubscription } from './subscription.store.js';

/** @throws {ApiError} NOT_FOUND for one that does not exist or belongs to someone else */
export async function ownWebhook(context: Context, id: string): Promise<SubscriptionRow> {
  return found(isUuid(id) ? await findSubscription(context, context.principal.ownerId, id) : undefined);
}

/** @throws {ApiError} NOT_FOUND */
export async function lockOwnWebhook(tx: Context, id: string): Promise<SubscriptionRow> {
  return found(isUuid(id) ? await lockSubscription(tx, tx.principal.ownerId, id) : undefined);
}

/** @throws {ApiError} NOT_FOUND, CONFLICT while it is deactivated */
export async function lockActiveWebhook(tx: Context, id: string): Promise<SubscriptionRow> {
  const row = await lockOwnWebhook(tx, id);
  if (row.status === 'active') return row;
  throw new ApiError('CONFLICT', byRule('WEBHOOK_DEACTIVATED'));
}

function found(row: SubscriptionRow | undefined): SubscriptionRow {
  if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'The account has no such webhook' });
  return row;
}
