import type { Context } from '../../../shared/kernel/context.js';
import { keptMs, deliveryStatuses, type DeliveryStatus } from './delivery.js';
import { asksFor, startAgain, deliveryColumns, type DeliveryRow } from './delivery.store.js';
import { groupBy, readAlike } from '../../../shared/kernel/group-by.js';
import { keyset, type PageRange } from '../../../shared/graphql/list-page.js';

/** Sorts before every id. */
const leastId = '00000000-0000-0000-0000-000000000000';

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
     SET replay_behind = CASE WHEN replay_since < $2 THEN replay_behind ELSE '${leastId}' END,
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
  readonly limit: number;
  /** Subscriptions with more pending deliveries than this are postponed. */
  readonly mostWaiting: number;
}

/** Takes the oldest event first, in one statement, which stores its progress. Returns undefined if there is none to continue, or another engine is working on it. */
export function startPiece(
  context: Context,
  { id, after = leastId, limit, mostWaiting }: Piece,
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

export interface DeliveryFilter {
  readonly subscriptionId: string;
  readonly status: DeliveryStatus | null;
}

/** Some deliveries of a subscription, in the order in which they are read: newest event first, or oldest first where it is read backward. */
export type DeliveryRange = DeliveryFilter & PageRange;

/** Beyond every id of an event, so that the index is searched from there in any case. */
const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns the deliveries of each range, in one statement for all ranges of the same status, length and direction. */
export function deliveriesAt(context: Context, ranges: readonly DeliveryRange[]): Promise<(readonly DeliveryRow[])[]> {
  return readAlike(ranges, ['status', 'limit', 'backward'], async (one, alike) => {
    const byKey = groupBy(await readRanges(context, alike, one), ({ key }) => key);
    return (_range, index) => byKey.get(index + 1) ?? [];
  });
}

/**
 * Reads the deliveries of ranges that are like `one`, each with the number of its range, from 1. The index `deliveries_listed` has the events of a
 * status in their order: at most `limit` of each status are read, however many others there are. A status is the end of a range here, and no equality, so
 * that only this index has the order: by the primary key, PostgreSQL would go through a whole partition for a status that is rare in it.
 */
function readRanges(
  { manager }: Context,
  ranges: readonly DeliveryRange[],
  one: DeliveryRange,
): Promise<(DeliveryRow & { readonly key: number })[]> {
  const { beyond, direction } = keyset('DESC', one);
  const after = ranges.map((range) => range.after ?? (one.backward ? leastId : greatestId));
  const statuses = one.status === null ? deliveryStatuses : [one.status];
  return manager.rows(
    `SELECT wanted.key::integer, ${deliveryColumns}
     FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted (subscription_id, after, key)
     CROSS JOIN LATERAL (
       SELECT listed.* FROM unnest($3::text[]) AS one (status) CROSS JOIN LATERAL (
         SELECT * FROM webhooks.deliveries AS candidate
         WHERE candidate.subscription_id = wanted.subscription_id AND candidate.status ${one.backward ? '<=' : '>='} one.status
           AND (candidate.status, candidate.event_id) ${beyond} (one.status, wanted.after)
         ORDER BY candidate.status ${direction}, candidate.event_id ${direction} LIMIT $4
       ) AS listed
       ORDER BY listed.event_id ${direction} LIMIT $4
     ) AS delivery JOIN webhooks.events AS event ON event.id = delivery.event_id
     ORDER BY wanted.key, delivery.event_id ${direction}`,
    [ranges.map(({ subscriptionId }) => subscriptionId), after, statuses, one.limit],
  );
}

/** Counts all by the tallies, and one status by the index; delivered ones, most of all, are what the others leave. */
export async function countsOf({ manager }: Context, filters: readonly DeliveryFilter[]): Promise<number[]> {
  return manager.values(
    `SELECT (CASE WHEN wanted.status IS NULL THEN ${inAll} WHEN wanted.status = 'delivered' THEN ${inAll} - ${inStatus(`<> 'delivered'`)}
       ELSE ${inStatus('= wanted.status')} END)::float8
     FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS wanted (subscription_id, status, key) ORDER BY wanted.key`,
    [filters.map(({ subscriptionId }) => subscriptionId), filters.map(({ status }) => status)],
  );
}

const inAll = `(SELECT coalesce(sum(tally.count), 0) FROM (
    SELECT count FROM webhooks.delivery_tallies WHERE subscription_id = wanted.subscription_id
    UNION ALL SELECT change FROM webhooks.delivery_tally_changes WHERE subscription_id = wanted.subscription_id) AS tally)`;

const inStatus = (
  condition: string,
) => `(SELECT count(*) FROM unnest(ARRAY['${deliveryStatuses.join(`', '`)}']) AS one (status)
    JOIN webhooks.deliveries AS delivery ON delivery.subscription_id = wanted.subscription_id AND delivery.status = one.status
    WHERE one.status ${condition})`;
