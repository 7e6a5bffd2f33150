import type { Context } from '../../../shared/kernel/context.js';
import { groupsOf } from '../../../shared/kernel/group-by.js';
import { asksFor, startAgain } from './delivery.store.js';
import type { DeliveryStatus } from './delivery.js';

/** The deliveries of a subscription that are sent again. */
export interface RedeliveryFilter {
  readonly statuses: readonly Exclude<DeliveryStatus, 'pending'>[];
  /** Name of the event; null for all. */
  readonly type: string | null;
  readonly from: Date;
  readonly until: Date;
}

export interface RedeliveryRow extends RedeliveryFilter {
  readonly id: string;
  readonly subscriptionId: string;
  readonly matched: number;
  readonly started: number;
  readonly status: 'running' | 'done' | 'ended';
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const columns = `id, subscription_id AS "subscriptionId", statuses, type, events_from AS "from", events_until AS "until",
  matched, started, status, created_at AS "createdAt", finished_at AS "finishedAt"`;

/** Number of deliveries of one redelivery at most. */
export const mostRedelivered = 100_000;

/** Counts the deliveries of a filter, up to one more than a redelivery may have. */
export function countRedelivered(
  { manager }: Context,
  subscriptionId: string,
  { statuses, type, from, until }: RedeliveryFilter,
): Promise<number> {
  return manager.countRows(
    `SELECT count(*)::integer AS count FROM (
       SELECT FROM webhooks.deliveries AS delivery JOIN webhooks.events AS event ON event.id = delivery.event_id
         JOIN webhooks.subscriptions AS subscription ON subscription.id = delivery.subscription_id
       WHERE subscription_id = $1 AND ${asksFor('subscription', 'event')} AND delivery.status = ANY ($2) AND delivery.created_at BETWEEN $4 AND $5
         AND ($3::text IS NULL OR event.type = $3) LIMIT ${mostRedelivered + 1}) AS found`,
    [subscriptionId, statuses, type, from, until],
  );
}

export async function addRedelivery({ manager }: Context, row: RedeliveryRow): Promise<void> {
  await manager.execute(
    `INSERT INTO webhooks.redeliveries
       (id, subscription_id, statuses, type, events_from, events_until, matched, status, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [row.id, row.subscriptionId, row.statuses, row.type, row.from, row.until, row.matched, row.status, row.createdAt],
  );
}

/** Returns the redelivery of a subscription that is running, if any. */
export function findRunning({ manager }: Context, subscriptionId: string): Promise<RedeliveryRow | undefined> {
  return manager.row(`SELECT ${columns} FROM webhooks.redeliveries WHERE subscription_id = $1 AND status = 'running'`, [
    subscriptionId,
  ]);
}

/** Number of redeliveries of a webhook that are shown. */
export const shownRedeliveries = 20;

/** Returns the newest redeliveries of each subscription. */
export async function redeliveriesOf(
  { manager }: Context,
  subscriptionIds: readonly string[],
): Promise<readonly (readonly RedeliveryRow[])[]> {
  const rows = await manager.rows<RedeliveryRow>(
    `SELECT newest.* FROM unnest($1::uuid[]) AS wanted(id) CROSS JOIN LATERAL (
       SELECT ${columns} FROM webhooks.redeliveries WHERE subscription_id = wanted.id
       ORDER BY created_at DESC, id DESC LIMIT ${shownRedeliveries}) AS newest
     ORDER BY newest."createdAt" DESC, newest.id DESC`,
    [subscriptionIds],
  );
  return groupsOf(subscriptionIds, rows, ({ subscriptionId }) => subscriptionId);
}

export interface RedeliveryPiece {
  /** The redelivery processed last; the next one in turn is continued. */
  readonly after: string;
  /** Maximum number of deliveries. */
  readonly limit: number;
  /** Subscriptions with more pending deliveries than this are postponed. */
  readonly mostWaiting: number;
}

/**
 * Makes the next deliveries of one redelivery due now and stores its progress, in one statement. Returns the redelivery; undefined if there is none to
 * continue, or other engines are working on them.
 */
export function startRedelivered(
  { manager, clock }: Context,
  { after, limit, mostWaiting }: RedeliveryPiece,
): Promise<string | undefined> {
  return manager.value(pieceText, [clock.now(), after, limit, mostWaiting]);
}

/** Parameters: $1 now, $2 after, $3 limit, $4 most waiting. */
const pieceText = `
  WITH job AS (
    SELECT redelivery.*, subscription.events FROM webhooks.redeliveries AS redelivery
      JOIN webhooks.subscriptions AS subscription ON subscription.id = redelivery.subscription_id
    WHERE redelivery.status = 'running' AND NOT EXISTS (
      SELECT FROM webhooks.deliveries WHERE subscription_id = subscription.id AND status = 'pending' OFFSET $4
    )
    ORDER BY redelivery.id > $2::uuid DESC, redelivery.id LIMIT 1 FOR NO KEY UPDATE OF subscription, redelivery SKIP LOCKED
  ), found AS (
    SELECT delivery.event_id, delivery.subscription_id FROM job CROSS JOIN LATERAL (
      SELECT delivery.event_id, delivery.subscription_id
      FROM webhooks.deliveries AS delivery JOIN webhooks.events AS event ON event.id = delivery.event_id
      WHERE delivery.subscription_id = job.subscription_id AND delivery.status = ANY (job.statuses)
        AND delivery.event_id > job.position AND delivery.created_at BETWEEN job.events_from AND job.events_until
        AND (job.type IS NULL OR event.type = job.type) AND ${asksFor('job', 'event')}
      ORDER BY delivery.event_id LIMIT $3
    ) AS delivery
  ), started AS (
    UPDATE webhooks.deliveries AS delivery SET ${startAgain('$1')} FROM found
    WHERE delivery.event_id = found.event_id AND delivery.subscription_id = found.subscription_id
  ), reached AS (
    SELECT count(*)::integer AS count, (array_agg(event_id ORDER BY event_id DESC))[1] AS position FROM found
  )
  UPDATE webhooks.redeliveries AS redelivery
  SET started = redelivery.started + reached.count, position = coalesce(reached.position, redelivery.position),
    status = CASE WHEN reached.count = $3 THEN 'running' ELSE 'done' END,
    finished_at = CASE WHEN reached.count < $3 THEN $1::timestamptz END
  FROM job CROSS JOIN reached WHERE redelivery.id = job.id
  RETURNING redelivery.id`;

/** Deletes redeliveries that were requested before a given time and have ended. */
export async function forgetRedeliveries({ manager }: Context, before: Date): Promise<void> {
  await manager.execute(`DELETE FROM webhooks.redeliveries WHERE created_at < $1 AND status <> 'running'`, [before]);
}
