import type { Context } from '../../../shared/kernel/context.js';
import type { SubscriptionRow } from './subscription.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';

const columns =
  'id, url, events, description, status, created_at AS "createdAt", previous_until AS "formerSecretUntil"';
const own = 'owner_id = $1 AND id = $2 AND deleted_at IS NULL';

/** Returns the subscriptions of an owner, oldest first. Their number is limited on creation. */
export function listSubscriptions(context: Context, ownerId: string): Promise<SubscriptionRow[]> {
  return context.manager.rows(
    `SELECT ${columns} FROM webhooks.subscriptions WHERE owner_id = $1 AND deleted_at IS NULL ORDER BY created_at, id`,
    [ownerId],
  );
}

function findSubscription(context: Context, ownerId: string, id: string): Promise<SubscriptionRow | undefined> {
  return context.manager.row(`SELECT ${columns} FROM webhooks.subscriptions WHERE ${own}`, [ownerId, id]);
}

function lockSubscription(tx: Context, ownerId: string, id: string): Promise<SubscriptionRow | undefined> {
  return tx.manager.row(`SELECT ${columns} FROM webhooks.subscriptions WHERE ${own} FOR NO KEY UPDATE`, [ownerId, id]);
}

/** Locks subscriptions until the end of the transaction, always in the same order. */
export async function lockAll(tx: Context, ids: readonly string[]): Promise<void> {
  await tx.manager.execute(
    'SELECT FROM webhooks.subscriptions WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE',
    [ids],
  );
}

/** Counts the subscriptions of an owner; concurrent transactions that count them to add one wait until the end of this one. */
export async function countInTurn(context: Context, ownerId: string): Promise<number> {
  await context.manager.execute(`SELECT pg_advisory_xact_lock(hashtextextended('webhooks.owner ' || $1, 0))`, [
    ownerId,
  ]);
  return context.manager.countRows(
    'SELECT count(*)::integer AS count FROM webhooks.subscriptions WHERE owner_id = $1 AND deleted_at IS NULL',
    [ownerId],
  );
}

export async function addSubscription(
  context: Context,
  row: SubscriptionRow & { readonly ownerId: string; readonly secret: Buffer },
): Promise<void> {
  await context.manager.execute(
    `INSERT INTO webhooks.subscriptions (id, owner_id, url, events, description, secret, status, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [row.id, row.ownerId, row.url, row.events, row.description, row.secret, row.status, row.createdAt],
  );
}

/** Stores the fields that a caller may change. A receiver at a new address counts as not having failed. */
export async function saveSubscription(
  context: Context,
  { id, url, events, description }: Pick<SubscriptionRow, 'id' | 'url' | 'events' | 'description'>,
): Promise<void> {
  await context.manager.execute(
    `UPDATE webhooks.subscriptions SET url = $2, events = $3, description = $4, failing = failing AND url = $2 WHERE id = $1`,
    [id, url, events, description],
  );
}

/** Replaces the secret; the old one stays valid for signing until a given time. */
export async function replaceSecret(context: Context, id: string, secret: Buffer, until: Date): Promise<void> {
  await context.manager.execute(
    `UPDATE webhooks.subscriptions SET previous_secret = secret, previous_until = $3, secret = $2 WHERE id = $1`,
    [id, secret, until],
  );
}

export async function activate(context: Context, id: string): Promise<void> {
  await context.manager.execute(
    `UPDATE webhooks.subscriptions SET status = 'active', failing = false, deactivated_at = NULL, deactivated_why = NULL
     WHERE id = $1 AND status = 'deactivated'`,
    [id],
  );
}

/** Deletes a subscription; its secrets are erased at once, its deliveries at the end of their retention. */
export async function removeSubscription(context: Context, id: string): Promise<void> {
  await context.manager.execute(
    `UPDATE webhooks.subscriptions SET status = 'deactivated', deleted_at = $2, secret = '', previous_secret = NULL,
       previous_until = NULL WHERE id = $1`,
    [id, context.clock.now()],
  );
  await skipWaiting(context, id);
  await endRedeliveries(context, id);
}

/** Deletes every subscription of some owners in the same way, with what their owners wrote: the description, and the address but for its origin. */
export async function removeSubscriptionsOf(context: Context, ownerIds: readonly string[]): Promise<void> {
  const ids = await context.manager.values<string>(
    'SELECT id FROM webhooks.subscriptions WHERE owner_id = ANY ($1) AND deleted_at IS NULL ORDER BY id FOR UPDATE',
    [ownerIds],
  );
  for (const id of ids) await removeSubscription(context, id);
  await context.manager.execute(
    String.raw`UPDATE webhooks.subscriptions SET description = NULL, url = regexp_replace(url, '^([^:]*://)([^/?#]*@)?([^/?#]*).*$', '\1\3')
     WHERE owner_id = ANY ($1)`,
    [ownerIds],
  );
}

/** Deactivates one without a success since a given time (null: regardless); skips pending deliveries and ends its redeliveries. Returns the owner; undefined if nothing changed. */
export async function deactivate(
  context: Context,
  id: string,
  unlessSuccessSince: Date | null,
  reason: 'FAILED' | 'GONE',
): Promise<{ ownerId: string; url: string } | undefined> {
  const ended = await context.manager.row<{ ownerId: string; url: string }>(
    `UPDATE webhooks.subscriptions SET status = 'deactivated', deactivated_at = $3, deactivated_why = $4
     WHERE id = $1 AND status = 'active' AND ($2::timestamptz IS NULL OR last_success_at IS NULL OR last_success_at < $2)
     RETURNING owner_id AS "ownerId", url`,
    [id, unlessSuccessSince, context.clock.now(), reason],
  );
  if (ended !== undefined) {
    await skipWaiting(context, id);
    await endRedeliveries(context, id);
  }
  return ended;
}

/** Skips the pending deliveries of a subscription. An attempt in progress ends normally. */
async function skipWaiting(context: Context, id: string): Promise<void> {
  await context.manager.execute(
    `UPDATE webhooks.deliveries SET status = 'skipped', next_attempt_at = NULL
     WHERE subscription_id = $1 AND status = 'pending' AND lease IS NULL`,
    [id],
  );
}

/** Ends the redelivery of a subscription that is running. The subscription must be locked, so that no engine continues it. */
async function endRedeliveries(context: Context, id: string): Promise<void> {
  await context.manager.execute(
    `UPDATE webhooks.redeliveries SET status = 'ended', finished_at = $2 WHERE subscription_id = $1 AND status = 'running'`,
    [id, context.clock.now()],
  );
}

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
