import { arraysOf } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';

export interface NewEvent {
  readonly id: string;
  readonly type: string;
  /** The owner; null for every subscriber. */
  readonly ownerId: string | null;
  readonly body: string;
  readonly createdAt: Date;
  /** The span in which it was announced; null where that is not recorded. */
  readonly traceparent: string | null;
}

/** Adds a delivery for each subscription: due at once, or skipped if it is not active, or is being deactivated. One statement for any number of events. */
export async function addDeliveries(context: Context, events: readonly NewEvent[]): Promise<void> {
  await context.manager.execute(
    `WITH given AS (
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[])
         AS given(id, type, owner_id, body, created_at, traceparent)
     ), wanted AS (
       SELECT given.id AS event_id, subscription.id AS subscription_id, given.created_at
       FROM given JOIN webhooks.subscriptions AS subscription
         ON subscription.events @> ARRAY[given.type] AND subscription.deleted_at IS NULL
           AND (given.owner_id IS NULL OR subscription.owner_id = given.owner_id)
     ), locked AS (
       -- A deactivation under way is waited for, and none begins before these deliveries are there to be skipped.
       SELECT id, status FROM webhooks.subscriptions
       WHERE id IN (SELECT subscription_id FROM wanted) AND deleted_at IS NULL ORDER BY id FOR SHARE
     ), kept AS (
       INSERT INTO webhooks.events (id, type, body, created_at, traceparent)
       SELECT id, type, body, created_at, traceparent FROM given WHERE id IN (SELECT event_id FROM wanted)
       ON CONFLICT DO NOTHING
     )
     INSERT INTO webhooks.deliveries (event_id, subscription_id, status, next_attempt_at, created_at)
     SELECT event_id, subscription_id, CASE status WHEN 'active' THEN 'pending' ELSE 'skipped' END,
       CASE status WHEN 'active' THEN $7::timestamptz END, created_at
     FROM wanted JOIN locked ON locked.id = wanted.subscription_id ON CONFLICT DO NOTHING`,
    [...arraysOf(events, 'id', 'type', 'ownerId', 'body', 'createdAt', 'traceparent'), context.clock.now()],
  );
}
