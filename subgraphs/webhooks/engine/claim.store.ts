import type { Context } from '../../../shared/kernel/context.js';
import { dueSubscriptions, asksFor } from '../deliveries/delivery.store.js';
import type { Verdict } from '../deliveries/delivery.js';
import type { SendResult } from './send.js';

/** `first` is for first attempts to responsive receivers; retries, and attempts to a receiver whose last one failed, are `later`. */
export type Lane = 'first' | 'later';

/** A delivery that this engine may attempt now; its attempt is stored already. */
export interface Claimed {
  readonly eventId: string;
  readonly subscriptionId: string;
  /** Number of the attempt, from 1. */
  readonly number: number;
  readonly failures: number;
  readonly byPrevious: boolean;
  readonly begunAt: Date;
  readonly startedAt: Date;
  readonly url: string;
  /** Encrypted. */
  readonly secret: Buffer;
  /** Encrypted; null when only one secret signs. */
  readonly previousSecret: Buffer | null;
  readonly body: string;
  /** The span in which the event was announced; null where that is not recorded. */
  readonly traceparent: string | null;
}

export interface Claim {
  readonly lane: Lane;
  /** Id of the lease, whose holder may report the results of these attempts. */
  readonly lease: string;
  /** When the lease expires. */
  readonly until: Date;
  readonly limit: number;
  readonly perSubscription: number;
  /** Maximum number of concurrent attempts to the subscriptions of one owner together; those that are failing get half of it. */
  readonly perOwner: number;
  readonly underWay: ReadonlyMap<string, number>;
  readonly held: readonly string[];
  /** The subscription at which the last claim ended; the next claim begins after it, so that each has its turn. */
  readonly after: string;
}

/** Runs one statement, which visits subscriptions in turn, up to their own limit and their part of the owner's: a long queue of one does not delay the others. */
export function claimDue(context: Context, claim: Claim): Promise<Claimed[]> {
  const { lane, lease, until, limit, perSubscription, perOwner, underWay, after, held } = claim;
  const [busySubscriptions, busyCounts] = [[...underWay.keys()], [...underWay.values()]];
  const now = context.clock.now();
  const values = [now, lease, until, limit, perSubscription, busySubscriptions, busyCounts, after, held, perOwner];
  return context.manager.rows<Claimed>(claimText[lane], values);
}

export interface FoundWork {
  readonly isDue: boolean;
  readonly isRedelivering: boolean;
}

/** Looks, in one statement, whether deliveries are due, and redeliveries are in progress. */
export function findWork({ manager, clock }: Context): Promise<FoundWork> {
  return manager.one(
    `SELECT EXISTS (SELECT FROM webhooks.deliveries WHERE status = 'pending' AND next_attempt_at <= $1) AS "isDue",
       EXISTS (SELECT FROM webhooks.redeliveries WHERE status = 'running') AS "isRedelivering"`,
    [clock.now()],
  );
}

/** The parameters of the statement by their names in `claimDue`, in the order of its `values`. */
const given = {
  now: '$1::timestamptz',
  lease: '$2::uuid',
  until: '$3::timestamptz',
  limit: '$4::integer',
  perSubscription: '$5::integer',
  busySubscriptions: '$6::uuid[]',
  busyCounts: '$7::integer[]',
  after: '$8::uuid',
  held: '$9::uuid[]',
  perOwner: '$10::integer',
};

/** Begins with the first subscription after the one at which the last claim ended. */
const turnOrder = (id: string) => `ORDER BY ${id} > ${given.after} DESC, ${id}`;

/** Takes the longest due first: either those without a failed step, or those with one. Conditions are columns of `deliveries_waiting`, so that a long queue of one kind is not read for the other. */
const dueDeliveries = (failed: 0 | 1, condition = '') => `
      SELECT event_id, subscription_id, next_attempt_at FROM webhooks.deliveries AS delivery
      WHERE delivery.subscription_id = turns.id AND delivery.status = 'pending' AND least(delivery.failures, 1) = ${failed}
        AND delivery.next_attempt_at <= ${given.now} ${condition}
      ORDER BY delivery.next_attempt_at LIMIT greatest(0, turns.free) FOR UPDATE OF delivery SKIP LOCKED`;

/**
 * The steps: `due` finds the subscriptions with due deliveries, `turns` how many attempts each may begin: its own limit, and its part of what its owner has left; `picked` their due deliveries, which
 * `claimed` leases and `noted` records. Subscriptions that cannot begin any have no part. Working subscriptions divide the limit of their owner, so that one that stops responding holds no more than
 * its part until that is known; failing ones have half of it together. No step reads a table from end to end (tests/webhooks/look-ups.test.ts): `picked` is a nested loop in the order of `turns`,
 * whose LIMIT ends it as soon as enough are found.
 */
const claimStatement = (due: string, condition = ''): string => `
  WITH RECURSIVE ${dueSubscriptions(given.now)}, busy AS (
    SELECT * FROM unnest(${given.busySubscriptions}, ${given.busyCounts}) AS busy(id, count)
  ), asked AS (
    SELECT subscription.id, subscription.owner_id, subscription.failing, coalesce(busy.count, 0) AS busy,
      due.id IS NOT NULL AND subscription.status = 'active' AND subscription.deleted_at IS NULL
        AND subscription.id <> ALL (${given.held}) ${condition} AS is_asked
    FROM due FULL JOIN busy USING (id) CROSS JOIN LATERAL (
      -- One look-up each, which a join would not be sure to be.
      SELECT * FROM webhooks.subscriptions AS subscription WHERE subscription.id = coalesce(due.id, busy.id) LIMIT 1
    ) AS subscription
  ), of_owner AS (
    SELECT owner_id, count(*) FILTER (WHERE NOT failing) AS responsive,
      ${given.perOwner} - sum(busy) AS free, (${given.perOwner} + 1) / 2 - coalesce(sum(busy) FILTER (WHERE failing), 0) AS free_to_failing
    FROM asked GROUP BY owner_id
  ), candidates AS (
    SELECT asked.id, asked.failing, limits.*,
      count(*) OVER (PARTITION BY asked.owner_id) AS of_owner,
      row_number() OVER (PARTITION BY asked.owner_id ${turnOrder('asked.id')}) AS place
    FROM asked JOIN of_owner USING (owner_id) CROSS JOIN LATERAL (SELECT
      CASE WHEN failing THEN ceil(${given.perSubscription} / 5.0)
        ELSE least(${given.perSubscription}, greatest(1, ${given.perOwner} / greatest(1, responsive))) END::integer - busy AS free,
      CASE WHEN failing THEN least(of_owner.free, free_to_failing) ELSE of_owner.free END AS free_of_owner
    ) AS limits
    WHERE is_asked AND limits.free > 0 AND limits.free_of_owner > 0
  ), turns AS (
    SELECT id, failing, least(free, free_of_owner / of_owner + (place <= free_of_owner % of_owner)::integer) AS free
    FROM candidates ${turnOrder('id')}
  ), picked AS (
    SELECT due.event_id, due.subscription_id FROM turns CROSS JOIN LATERAL (${due}) AS due LIMIT ${given.limit}
  ), claimed AS (
    UPDATE webhooks.deliveries AS delivery
    SET lease = ${given.lease}, next_attempt_at = ${given.until}, attempts = attempts + 1,
      begun_at = coalesce(begun_at, ${given.now})
    FROM picked
    WHERE delivery.event_id = picked.event_id AND delivery.subscription_id = picked.subscription_id
    RETURNING delivery.event_id, delivery.subscription_id, delivery.attempts, delivery.failures, delivery.by_previous,
      delivery.begun_at
  ), noted AS (
    INSERT INTO webhooks.attempts (event_id, subscription_id, number, url, started_at)
    SELECT claimed.event_id, claimed.subscription_id, claimed.attempts, subscription.url, ${given.now}
    FROM claimed JOIN webhooks.subscriptions AS subscription ON subscription.id = claimed.subscription_id
  )
  SELECT claimed.event_id AS "eventId", claimed.subscription_id AS "subscriptionId", claimed.attempts AS number,
    claimed.failures, claimed.by_previous AS "byPrevious", claimed.begun_at AS "begunAt", ${given.now} AS "startedAt",
    subscription.url, subscription.secret, event.body, event.traceparent,
    CASE WHEN subscription.previous_until > ${given.now} THEN subscription.previous_secret END AS "previousSecret"
  FROM claimed
    JOIN webhooks.subscriptions AS subscription ON subscription.id = claimed.subscription_id
    JOIN webhooks.events AS event ON event.id = claimed.event_id
  ${turnOrder('claimed.subscription_id')}`;

const claimText: Readonly<Record<Lane, string>> = {
  first: claimStatement(dueDeliveries(0), 'AND NOT subscription.failing'),
  later: claimStatement(`
      SELECT * FROM (
        SELECT * FROM (${dueDeliveries(1)}) AS retries
        UNION ALL SELECT * FROM (${dueDeliveries(0, 'AND turns.failing')}) AS to_failing_receivers
      ) AS either ORDER BY next_attempt_at LIMIT greatest(0, turns.free)`),
};

export interface Outcome {
  readonly claimed: Claimed;
  readonly lease: string;
  readonly result: SendResult;
  readonly verdict: Verdict;
  readonly endedAt: Date;
}

export interface Unsigned {
  readonly claimed: Claimed;
  readonly lease: string;
  readonly result: undefined;
  readonly cause: unknown;
}

export type Ended = Outcome | Unsigned;

/** Gives deliveries back as if they had not been claimed: due again for a process that can sign them. Subscriptions must be locked; deliveries to inactive ones are not sent again. */
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

/** Writes in one statement; the state only from the holder of the lease, the attempt in any case. Inactive subscriptions and events no longer asked for get nothing again. Returns accepted results. */
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
