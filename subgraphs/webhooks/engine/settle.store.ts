import type { Context } from '../../../shared/kernel/context.js';
import { asksFor } from '../deliveries/delivery.store.js';
import type { Verdict } from '../deliveries/delivery.js';
import type { Claimed } from './claim.store.js';
import type { SendResult } from './send.js';

/** Result of an attempt, and its consequences for the delivery. */
export interface Outcome {
  readonly claimed: Claimed;
  readonly lease: string;
  readonly result: SendResult;
  readonly verdict: Verdict;
  readonly endedAt: Date;
}

/** A delivery that could not be signed. */
export interface Unsigned {
  readonly claimed: Claimed;
  readonly lease: string;
  readonly result: undefined;
  readonly cause: unknown;
}

/** Result of a claimed delivery. */
export type Ended = Outcome | Unsigned;

/**
 * Releases deliveries that could not be signed, as if they had not been claimed: they become due again for a process that
 * can sign them. Their subscriptions must be locked before; deliveries to inactive subscriptions are not sent again.
 */
export async function giveBack(tx: Context, unsigned: readonly Unsigned[]): Promise<void> {
  await tx.manager.execute(
    `WITH given AS (
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[])
         AS given(event_id, subscription_id, lease, started_at)
     ), back AS (
       UPDATE webhooks.deliveries AS delivery
       SET status = CASE WHEN subscription.status = 'active' THEN 'pending' ELSE 'skipped' END,
         next_attempt_at = CASE WHEN subscription.status = 'active' THEN $5::timestamptz END,
         attempts = delivery.attempts - 1, begun_at = nullif(delivery.begun_at, given.started_at), lease = NULL
       FROM given JOIN webhooks.subscriptions AS subscription ON subscription.id = given.subscription_id
       WHERE delivery.event_id = given.event_id AND delivery.subscription_id = given.subscription_id
         AND delivery.lease = given.lease
       RETURNING delivery.event_id, delivery.subscription_id, delivery.attempts + 1 AS number
     )
     DELETE FROM webhooks.attempts AS attempt USING back
     WHERE attempt.event_id = back.event_id AND attempt.subscription_id = back.subscription_id
       AND attempt.number = back.number`,
    [
      unsigned.map(({ claimed }) => claimed.eventId),
      unsigned.map(({ claimed }) => claimed.subscriptionId),
      unsigned.map(({ lease }) => lease),
      unsigned.map(({ claimed }) => claimed.startedAt),
      tx.clock.now(),
    ],
  );
}

/**
 * Stores the results of attempts in one statement. The state of a delivery is accepted only from the holder of its lease;
 * the attempt itself is stored in any case. Deliveries to inactive subscriptions, and of events that are no longer asked for, are not sent again. Returns the accepted
 * results.
 */
export async function settleAttempts(context: Context, outcomes: readonly Outcome[]): Promise<Outcome[]> {
  const rows = await context.manager.rows<{ eventId: string; subscriptionId: string; lease: string }>(settleText, [
    outcomes.map(({ claimed }) => claimed.eventId),
    outcomes.map(({ claimed }) => claimed.subscriptionId),
    outcomes.map(({ claimed }) => claimed.number),
    outcomes.map(({ lease }) => lease),
    outcomes.map(({ result }) => result.durationMs),
    outcomes.map(({ result }) => result.status ?? null),
    outcomes.map(({ result }) => result.response ?? null),
    outcomes.map(({ result }) => result.error ?? null),
    outcomes.map(({ verdict }) => verdict.status),
    outcomes.map(({ verdict }) => verdict.failures),
    outcomes.map(({ verdict }) => verdict.byPrevious),
    outcomes.map(({ verdict: { waitMs }, endedAt }) =>
      waitMs === undefined ? null : new Date(endedAt.getTime() + waitMs),
    ),
    outcomes.map(({ endedAt }) => endedAt),
  ]);
  const believed = new Set(rows.map(({ eventId, subscriptionId, lease }) => `${eventId} ${subscriptionId} ${lease}`));
  return outcomes.filter(({ claimed: { eventId, subscriptionId }, lease }) =>
    believed.has(`${eventId} ${subscriptionId} ${lease}`),
  );
}

const settleText = `
  WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::uuid[], $5::integer[], $6::integer[], $7::text[],
      $8::text[], $9::text[], $10::integer[], $11::boolean[], $12::timestamptz[], $13::timestamptz[])
      AS given(event_id, subscription_id, number, lease, duration_ms, response_status, response_body, error, status,
        failures, by_previous, next_attempt_at, ended_at)
  ), completed AS (
    UPDATE webhooks.attempts AS attempt
    SET duration_ms = given.duration_ms, response_status = given.response_status,
      response_body = given.response_body, error = given.error
    FROM given
    WHERE attempt.event_id = given.event_id AND attempt.subscription_id = given.subscription_id
      AND attempt.number = given.number
  ), health AS (
    SELECT subscription_id AS id, (array_agg(status <> 'delivered' ORDER BY ended_at DESC))[1] AS failing,
      bool_or(status <> 'delivered') AS failed, max(ended_at) FILTER (WHERE status = 'delivered') AS succeeded_at
    FROM given GROUP BY subscription_id
  ), turned AS (
    -- Locked in one order, so that engines that write at the same moment cannot wait for each other.
    SELECT subscription.id, health.failing, health.succeeded_at
    FROM webhooks.subscriptions AS subscription JOIN health USING (id)
    WHERE subscription.failing <> health.failing
      OR (health.succeeded_at IS NOT NULL
        AND (health.failed OR coalesce(subscription.last_success_at < health.succeeded_at - interval '1 second', true)))
    ORDER BY subscription.id FOR NO KEY UPDATE OF subscription
  ), marked AS (
    UPDATE webhooks.subscriptions AS subscription
    SET failing = turned.failing, last_success_at = greatest(subscription.last_success_at, turned.succeeded_at)
    FROM turned WHERE subscription.id = turned.id
    RETURNING subscription.id
  ), ended AS (
    UPDATE webhooks.deliveries AS delivery
    SET status = CASE WHEN given.status = 'pending' AND NOT still.wanted THEN 'skipped' ELSE given.status END,
      next_attempt_at = CASE WHEN still.wanted THEN given.next_attempt_at END,
      failures = given.failures, by_previous = given.by_previous, lease = NULL
    FROM given JOIN webhooks.subscriptions AS subscription ON subscription.id = given.subscription_id
      CROSS JOIN LATERAL (SELECT subscription.status = 'active' AND (given.status <> 'pending' OR EXISTS (
        SELECT FROM webhooks.events AS event WHERE event.id = given.event_id AND ${asksFor('subscription', 'event')})) AS wanted) AS still
    WHERE delivery.event_id = given.event_id AND delivery.subscription_id = given.subscription_id
      AND delivery.lease = given.lease
      -- Always true: it has the subscriptions locked before the deliveries, as every act on them does.
      AND (SELECT count(*) FROM marked) >= 0
    RETURNING delivery.event_id, delivery.subscription_id, given.lease
  )
  SELECT event_id AS "eventId", subscription_id AS "subscriptionId", lease FROM ended`;
