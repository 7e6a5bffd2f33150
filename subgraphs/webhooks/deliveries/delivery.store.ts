import { arraysOf, groupsOf, valuesOf } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';
import { lowestIdAt } from '../../../shared/kernel/ids.js';
import type { WatchedQueue } from '../../../shared/work/queue/watched-queue.js';
import { testEventName } from '../events/event.js';
import type { NewEvent } from '../events/event.store.js';
import type { DeliveryStatus, DeliveryKey } from './delivery.js';

/** SQL that makes a delivery due at a given time and restarts its schedule, whatever its state. */
export const startAgain = (moment: string): string =>
  `status = 'pending', next_attempt_at = ${moment}, failures = 0, by_previous = false, begun_at = NULL, lease = NULL`;

/** SQL of whether a subscription asks for an event, both by their aliases; a test is always sent. */
export const asksFor = (subscription: string, event: string): string =>
  `(${event}.type = ANY (${subscription}.events) OR ${event}.type = '${testEventName}')`;

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
  readonly isReplay: boolean;
  readonly matched: number;
  readonly started: number;
  readonly status: 'running' | 'done' | 'ended';
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** SQL of an id below the ids of all events published at a moment or later: an event gets its id before, by far less than a week. */
const firstIdSince = (moment: string) => lowestIdAt(`(${moment}::timestamptz - interval '7 days')`);

/** Sorts before every id. */
export const leastId = '00000000-0000-0000-0000-000000000000';

const columns = `id, subscription_id AS "subscriptionId", is_replay AS "isReplay", statuses, type, events_from AS "from", events_until AS "until",
  matched, started, status, created_at AS "createdAt", finished_at AS "finishedAt"`;

/** Counts the deliveries of a filter, at most `most`, each by the indexes of deliveries and events. */
export function countRedelivered(
  { manager }: Context,
  subscriptionId: string,
  { statuses, type, from, until }: RedeliveryFilter,
  most: number | null,
): Promise<number> {
  return manager.countRows(
    `SELECT count(*)::float8 AS count FROM (
       SELECT FROM webhooks.subscriptions AS subscription
         JOIN webhooks.deliveries AS delivery ON delivery.subscription_id = subscription.id
         CROSS JOIN LATERAL (SELECT type FROM webhooks.events WHERE id = delivery.event_id OFFSET 0) AS event
       WHERE subscription.id = $1 AND delivery.status = ANY ($2) AND delivery.created_at BETWEEN $4 AND $5
         AND delivery.event_id > ${firstIdSince('$4')}
         AND ($3::text IS NULL OR event.type = $3) AND ${asksFor('subscription', 'event')} LIMIT $6) AS found`,
    [subscriptionId, statuses, type, from, until, most],
  );
}

/** Stores a redelivery. A replay is merged with the running one, which then covers both periods, from the earlier position. Returns the id of the running redelivery. */
export function addRedelivery({ manager }: Context, row: RedeliveryRow): Promise<string | undefined> {
  return manager.value(
    `INSERT INTO webhooks.redeliveries AS running
       (id, subscription_id, is_replay, statuses, type, events_from, events_until, matched, status, created_at, position)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'running', $9, ${firstIdSince('$6')})
     ON CONFLICT (subscription_id) WHERE status = 'running' AND is_replay
     DO UPDATE SET events_from = least(running.events_from, $6), events_until = greatest(running.events_until, $7),
       position = least(running.position, excluded.position), matched = greatest(running.matched, running.started + $8)
     RETURNING id`,
    valuesOf(row, 'id', 'subscriptionId', 'isReplay', 'statuses', 'type', 'from', 'until', 'matched', 'createdAt'),
  );
}

/** Returns the redelivery by a filter that is under way. */
export function findRunning({ manager }: Context, subscriptionId: string): Promise<RedeliveryRow | undefined> {
  return manager.row(
    `SELECT ${columns} FROM webhooks.redeliveries WHERE subscription_id = $1 AND status = 'running' AND NOT is_replay`,
    [subscriptionId],
  );
}

export const shownRedeliveries = 20;

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
  /** The only one to continue; without it the next one in turn. */
  readonly id?: string;
  /** The redelivery processed last. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** Subscriptions with more pending deliveries than this are postponed. */
  readonly mostWaiting: number;
}

/** Runs one statement, which stores its progress. Returns undefined if there is none to continue, or other engines are working on them. */
export function startRedelivered(
  { manager, clock }: Context,
  { id, after, limit, mostWaiting }: RedeliveryPiece,
): Promise<string | undefined> {
  return manager.value(pieceText, [clock.now(), after ?? leastId, limit, mostWaiting, id ?? null]);
}

/**
 * Parameters: $1 now, $2 after, $3 limit, $4 most waiting, $5 id. The index `deliveries_listed` has the events of a status in their order: a status is the end of
 * a range, as where deliveries are listed.
 */
const pieceText = `
  WITH job AS (
    SELECT redelivery.*, subscription.events FROM webhooks.redeliveries AS redelivery
      JOIN webhooks.subscriptions AS subscription ON subscription.id = redelivery.subscription_id
    WHERE redelivery.status = 'running' AND ($5::uuid IS NULL OR redelivery.id = $5) AND NOT EXISTS (
      SELECT FROM webhooks.deliveries WHERE subscription_id = subscription.id AND status = 'pending' OFFSET $4
    )
    ORDER BY redelivery.id > $2::uuid DESC, redelivery.id LIMIT 1 FOR NO KEY UPDATE OF subscription, redelivery SKIP LOCKED
  ), found AS (
    SELECT delivery.event_id, delivery.subscription_id FROM job CROSS JOIN unnest(job.statuses) AS one (status) CROSS JOIN LATERAL (
      SELECT event_id, subscription_id FROM webhooks.deliveries AS candidate
        CROSS JOIN LATERAL (SELECT type FROM webhooks.events WHERE id = candidate.event_id OFFSET 0) AS event
      WHERE candidate.subscription_id = job.subscription_id AND candidate.status <= one.status
        AND (candidate.status, candidate.event_id) > (one.status, job.position)
        AND candidate.created_at BETWEEN job.events_from AND job.events_until
        AND (job.type IS NULL OR event.type = job.type) AND ${asksFor('job', 'event')}
      ORDER BY candidate.status, candidate.event_id LIMIT $3
    ) AS delivery
    ORDER BY delivery.event_id LIMIT $3
  ), started AS (
    UPDATE webhooks.deliveries AS delivery SET ${startAgain('$1')} FROM found
    WHERE delivery.event_id = found.event_id AND delivery.subscription_id = found.subscription_id AND delivery.status <> 'pending'
  ), reached AS (
    SELECT count(*)::integer AS count, (array_agg(event_id ORDER BY event_id DESC))[1] AS position FROM found
  )
  UPDATE webhooks.redeliveries AS redelivery
  SET started = redelivery.started + reached.count, position = coalesce(reached.position, redelivery.position),
    status = CASE WHEN reached.count = $3 THEN 'running' ELSE 'done' END,
    finished_at = CASE WHEN reached.count < $3 THEN $1::timestamptz END
  FROM job CROSS JOIN reached WHERE redelivery.id = job.id
  RETURNING redelivery.id`;

export async function forgetRedeliveries({ manager }: Context, before: Date): Promise<void> {
  await manager.execute(`DELETE FROM webhooks.redeliveries WHERE created_at < $1 AND status <> 'running'`, [before]);
}

export interface DeliveryRow extends DeliveryKey {
  readonly type: string;
  readonly body: string;
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
}

export interface AttemptRow extends DeliveryKey {
  readonly number: number;
  readonly url: string;
  readonly startedAt: Date;
  /** Null while it is in progress, and permanently if its process died. */
  readonly durationMs: number | null;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
}

export const deliveryColumns = `delivery.event_id AS "eventId", delivery.subscription_id AS "subscriptionId", event.type, event.body,
  delivery.status, delivery.next_attempt_at AS "nextAttemptAt", delivery.created_at AS "createdAt"`;

const source = 'webhooks.deliveries AS delivery JOIN webhooks.events AS event ON event.id = delivery.event_id';

export function findDelivery(
  context: Context,
  subscriptionId: string,
  eventId: string,
): Promise<DeliveryRow | undefined> {
  return context.manager.row(
    `SELECT ${deliveryColumns} FROM ${source} WHERE delivery.subscription_id = $1 AND delivery.event_id = $2`,
    [subscriptionId, eventId],
  );
}

/** Skips the pending deliveries of events that a subscription no longer asks for. A delivery in progress ends its attempt; a further attempt is skipped. */
export async function skipUnasked({ manager }: Context, subscriptionId: string): Promise<void> {
  await manager.execute(
    `UPDATE webhooks.deliveries AS delivery SET status = 'skipped', next_attempt_at = NULL
     FROM webhooks.subscriptions AS subscription, webhooks.events AS event
     WHERE subscription.id = $1 AND delivery.subscription_id = $1 AND delivery.status = 'pending' AND delivery.lease IS NULL
       AND event.id = delivery.event_id AND NOT ${asksFor('subscription', 'event')}`,
    [subscriptionId],
  );
}

/** Returns the last fifty attempts of each delivery, by number. */
export function attemptsOf(context: Context, deliveries: readonly DeliveryKey[]): Promise<AttemptRow[]> {
  return context.manager.rows(
    `SELECT event_id AS "eventId", subscription_id AS "subscriptionId", number, url, started_at AS "startedAt",
       duration_ms AS "durationMs", response_status AS "responseStatus", response_body AS "responseBody", error
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted(event_id, subscription_id) CROSS JOIN LATERAL (
       SELECT number, url, started_at, duration_ms, response_status, response_body, error
       FROM webhooks.attempts AS attempt
       WHERE attempt.event_id = wanted.event_id AND attempt.subscription_id = wanted.subscription_id
       ORDER BY number DESC LIMIT 50
     ) AS attempt
     ORDER BY event_id, subscription_id, number`,
    arraysOf(deliveries, 'eventId', 'subscriptionId'),
  );
}

export async function addDelivery(
  context: Context,
  subscriptionId: string,
  { id, type, body, createdAt, traceparent }: Omit<NewEvent, 'ownerId'>,
): Promise<void> {
  await context.manager.execute(
    `WITH kept AS (INSERT INTO webhooks.events (id, type, body, created_at, traceparent) VALUES ($1, $2, $3, $4, $6))
     INSERT INTO webhooks.deliveries (event_id, subscription_id, status, next_attempt_at, created_at)
     VALUES ($1, $5, 'pending', $4, $4)`,
    [id, type, body, createdAt, subscriptionId, traceparent],
  );
}

/** Makes a delivery due now and restarts its schedule, whatever its state. Returns whether it exists. */
export async function startDelivery(context: Context, subscriptionId: string, eventId: string): Promise<boolean> {
  const count = await context.manager.execute(
    `UPDATE webhooks.deliveries SET ${startAgain('$2')} WHERE subscription_id = $1 AND event_id = $3`,
    [subscriptionId, context.clock.now(), eventId],
  );
  return count > 0;
}

/** The full order of the index `deliveries_waiting`. By `subscription_id` only, PostgreSQL could choose an index in which it skips delivered rows. */
const inTurn = 'ORDER BY subscription_id, least(failures, 1), next_attempt_at';

/**
 * Recursive SQL of the subscriptions with pending deliveries, as `waiting (id)`. It jumps from one to the next in the index `deliveries_waiting`, with one
 * look-up each, however many deliveries wait: a DISTINCT would read them all. The last row is null. Nothing is read unless `condition` holds.
 */
const waitingSubscriptions = (condition = 'true') => `waiting AS (
    (SELECT subscription_id AS id FROM webhooks.deliveries WHERE status = 'pending' AND ${condition} ${inTurn} LIMIT 1)
    UNION ALL
    SELECT (SELECT next.subscription_id FROM webhooks.deliveries AS next
            WHERE next.status = 'pending' AND next.subscription_id > waiting.id ${inTurn} LIMIT 1)
    FROM waiting WHERE waiting.id IS NOT NULL
  )`;

/** Number of due deliveries whose subscriptions are read; if more are due, the subscriptions with pending deliveries are visited. */
const soonest = 200;

/**
 * Recursive SQL of the subscriptions with deliveries that are due, as `due (id)`, and of others with pending ones where very many are due. The index
 * `deliveries_due` finds them without a look at those whose deliveries wait for a later time.
 */
export const dueSubscriptions = (now: string): string => `soonest AS MATERIALIZED (
    -- The time is compared afterwards: how many rows are due is guessed wrong, and a sort of all of them looks cheap then.
    SELECT subscription_id FROM (
      SELECT subscription_id, next_attempt_at FROM webhooks.deliveries WHERE status = 'pending'
      ORDER BY next_attempt_at LIMIT ${soonest}
    ) AS pending WHERE next_attempt_at <= ${now}
  ), ${waitingSubscriptions(`(SELECT count(*) = ${soonest} FROM soonest)`)}, due AS (
    SELECT id FROM waiting WHERE id IS NOT NULL UNION SELECT subscription_id FROM soonest
  )`;

/** Pending deliveries as a queue, by the ids that `deliveryIdOf` makes. `managedWebhooks` shows whose they are; their owners have them sent again. */
export const watchedDeliveries: WatchedQueue = {
  name: 'deliveries',
  table: 'webhooks.deliveries',
  as: 'delivery',
  key: `subscription_id || '_' || delivery.event_id`,
  dueAt: 'delivery.next_attempt_at',
  isOpen: `delivery.status = 'pending'`,
  isClaimed: 'delivery.lease IS NOT NULL',
  isFailing: 'delivery.failures > 0',
  attempts: 'delivery.attempts',
  lastError: 'NULL',
  hasUuids: false,
};

/** Skips deliveries whose attempt was in progress when its process died. Returns how many; rows locked by others are left for the next run. */
export function skipStranded(context: Context, limit: number): Promise<number> {
  return context.manager.execute(
    `WITH RECURSIVE ${waitingSubscriptions()}, stranded AS (
       SELECT delivery.event_id, delivery.subscription_id
       FROM waiting JOIN webhooks.subscriptions AS subscription USING (id)
         JOIN webhooks.deliveries AS delivery ON delivery.subscription_id = subscription.id
       WHERE subscription.status <> 'active' AND delivery.status = 'pending'
         AND (delivery.lease IS NULL OR delivery.next_attempt_at <= $1)
       LIMIT $2 FOR UPDATE OF delivery SKIP LOCKED FOR SHARE OF subscription SKIP LOCKED
     )
     UPDATE webhooks.deliveries AS delivery SET status = 'skipped', next_attempt_at = NULL, lease = NULL
     FROM stranded
     WHERE delivery.event_id = stranded.event_id AND delivery.subscription_id = stranded.subscription_id`,
    [context.clock.now(), limit],
  );
}

/** Adds some of the changes to the numbers of deliveries, at most `limit`, so that few are left for whoever reads a number. Returns how many. */
export function addUpTallies({ manager }: Context, limit: number): Promise<number> {
  return manager.countRows('SELECT webhooks.add_up_tallies($1) AS taken', [limit]);
}

/**
 * Deletes deliveries of events received before a given time that do not wait, with their attempts, and such events without deliveries; at most `limit` of
 * each, the oldest first. Returns the greater number. A delivery that is made due meanwhile stays.
 */
export async function forgetEvents({ manager }: Context, before: Date, limit: number): Promise<number> {
  const deliveries = await manager.countRows(
    `WITH past AS MATERIALIZED (
       SELECT event_id, subscription_id FROM webhooks.events AS event JOIN webhooks.deliveries AS delivery ON event_id = event.id
       WHERE event.created_at < $1 AND status <> 'pending' ORDER BY event.created_at LIMIT $2 FOR UPDATE OF delivery SKIP LOCKED
     ), gone AS (
       DELETE FROM webhooks.deliveries AS delivery USING past
       WHERE delivery.event_id = past.event_id AND delivery.subscription_id = past.subscription_id
       RETURNING delivery.event_id, delivery.subscription_id
     ), attempts AS (
       DELETE FROM webhooks.attempts AS attempt USING gone
       WHERE attempt.event_id = gone.event_id AND attempt.subscription_id = gone.subscription_id
     )
     SELECT count(*)::integer FROM gone`,
    [before, limit],
  );
  const events = await manager.execute(
    `DELETE FROM webhooks.events WHERE id IN (
       SELECT id FROM webhooks.events AS event WHERE created_at < $1
         AND NOT EXISTS (SELECT FROM webhooks.deliveries AS delivery WHERE delivery.event_id = event.id)
       ORDER BY created_at LIMIT $2)`,
    [before, limit],
  );
  return Math.max(deliveries, events);
}

/** Deletes subscriptions that were deleted before a given time and have no deliveries left. */
export async function forgetSubscriptions(context: Context, before: Date): Promise<void> {
  await context.manager.execute(
    `WITH forgotten AS (
       SELECT id FROM webhooks.subscriptions AS subscription WHERE deleted_at < $1 AND NOT EXISTS (
         SELECT FROM webhooks.deliveries AS delivery WHERE delivery.subscription_id = subscription.id
       ) FOR UPDATE
     ), unlisted AS (
       DELETE FROM webhooks.redeliveries WHERE subscription_id IN (SELECT id FROM forgotten)
     )
     DELETE FROM webhooks.subscriptions WHERE id IN (SELECT id FROM forgotten)`,
    [before],
  );
}
