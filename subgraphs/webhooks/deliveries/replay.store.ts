import type { Context } from '../../../shared/kernel/context.js';
import { keptMs } from './delivery.js';
import { asksFor, startAgain } from './delivery.store.js';

/** Sorts before every id. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** Counts the failed or skipped deliveries, since a given time, of events that the subscription asks for, each by the indexes of deliveries and events. */
export function countMissed(context: Context, subscriptionId: string, since: Date): Promise<number> {
  return context.manager.countRows(
    `SELECT count(*)::float8 AS count FROM webhooks.subscriptions AS subscription
       JOIN webhooks.deliveries AS delivery ON delivery.subscription_id = subscription.id
       CROSS JOIN LATERAL (SELECT type FROM webhooks.events WHERE id = delivery.event_id OFFSET 0) AS event
     WHERE subscription.id = $1 AND delivery.status IN ('failed', 'skipped') AND delivery.created_at BETWEEN $2 AND $3
       AND ${asksFor('subscription', 'event')}`,
    [subscriptionId, since, context.clock.now()],
  );
}

/** Marks a subscription, which is locked, for a replay since a given time. Merges with a replay in progress. */
export async function markReplay(context: Context, subscriptionId: string, since: Date): Promise<void> {
  await context.manager.execute(
    `UPDATE webhooks.subscriptions
     SET replay_behind = CASE WHEN replay_since < $2 THEN replay_behind ELSE '${nobody}' END,
       replay_since = least(replay_since, $2), replay_until = $3
     WHERE id = $1`,
    [subscriptionId, since, context.clock.now()],
  );
}

export interface Piece {
  /** The only subscription to continue; without it the next one in turn. */
  readonly id?: string;
  /** The subscription processed last. */
  readonly after?: string;
  /** Maximum number of deliveries. */
  readonly limit: number;
  /** Subscriptions with more pending deliveries than this are postponed. */
  readonly mostWaiting: number;
}

/**
 * Makes the next deliveries of one replay due now, oldest event first, and stores its progress, in one statement. Returns
 * the subscription; undefined if there is none to continue, or another engine is working on it.
 */
export function startPiece(
  context: Context,
  { id, after = nobody, limit, mostWaiting }: Piece,
): Promise<string | undefined> {
  const now = context.clock.now();
  return context.manager.value(pieceText, [
    now,
    id ?? null,
    after,
    limit,
    mostWaiting,
    new Date(now.getTime() - keptMs),
  ]);
}

/** Parameters: $1 now, $2 id, $3 after, $4 limit, $5 most waiting, $6 events before this time are being deleted. */
const pieceText = `
  WITH replayed AS (
    SELECT id, events, replay_since AS since, replay_behind AS behind, replay_until AS until
    FROM webhooks.subscriptions AS subscription
    WHERE replay_until IS NOT NULL AND ($2::uuid IS NULL OR id = $2) AND NOT EXISTS (
      SELECT FROM webhooks.deliveries WHERE subscription_id = subscription.id AND status = 'pending' OFFSET $5
    )
    ORDER BY id > $3::uuid DESC, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
  ), missed AS (
    SELECT delivery.event_id, delivery.subscription_id, delivery.created_at FROM replayed CROSS JOIN LATERAL (
      SELECT event_id, subscription_id, created_at FROM webhooks.deliveries AS missed
        CROSS JOIN LATERAL (SELECT type FROM webhooks.events WHERE id = missed.event_id OFFSET 0) AS event
      WHERE subscription_id = replayed.id AND status IN ('failed', 'skipped') AND ${asksFor('replayed', 'event')}
        AND (created_at, event_id) > (replayed.since, replayed.behind) AND created_at BETWEEN $6 AND replayed.until
      ORDER BY created_at, event_id LIMIT $4
    ) AS delivery
  ), started AS (
    UPDATE webhooks.deliveries AS delivery SET ${startAgain('$1')} FROM missed
    WHERE delivery.event_id = missed.event_id AND delivery.subscription_id = missed.subscription_id
  ), reached AS (
    SELECT count(*) AS count, max(created_at) AS since,
      (array_agg(event_id ORDER BY created_at DESC, event_id DESC))[1] AS behind
    FROM missed
  )
  UPDATE webhooks.subscriptions AS subscription
  SET replay_since = CASE WHEN reached.count = $4 THEN reached.since END,
    replay_behind = CASE WHEN reached.count = $4 THEN reached.behind END,
    replay_until = CASE WHEN reached.count = $4 THEN subscription.replay_until END
  FROM replayed CROSS JOIN reached WHERE subscription.id = replayed.id
  RETURNING subscription.id`;
