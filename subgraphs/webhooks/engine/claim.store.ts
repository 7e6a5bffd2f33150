import type { Context } from '../../../shared/context.js';

/**
 * Slots of an attempt. `first` is for first attempts to responsive receivers; retries, and attempts to a receiver whose
 * last attempt failed, are `later`.
 */
export type Lane = 'first' | 'later';

/** A delivery that this engine may attempt now. Its attempt is stored already. */
export interface Claimed {
  readonly eventId: string;
  readonly subscriptionId: string;
  /** Number of the attempt, from 1. */
  readonly number: number;
  readonly failures: number;
  readonly byPrevious: boolean;
  readonly begunAt: Date;
  /** When this attempt began. */
  readonly startedAt: Date;
  readonly url: string;
  /** Encrypted. */
  readonly secret: Buffer;
  /** Encrypted; null when only one secret signs. */
  readonly previousSecret: Buffer | null;
  readonly body: string;
}

export interface Claim {
  readonly lane: Lane;
  /** Id of the lease, whose holder may report the results of these attempts. */
  readonly lease: string;
  /** When the lease expires. */
  readonly until: Date;
  readonly limit: number;
  readonly perSubscription: number;
  /** Number of attempts in progress by subscription. */
  readonly underWay: ReadonlyMap<string, number>;
  /** Subscriptions to leave out. */
  readonly held: readonly string[];
  /** The subscription at which the last claim ended; the next claim begins after it, so that each has its turn. */
  readonly after: string;
}

/**
 * Claims due deliveries and stores their attempts, in one statement. Visits the subscriptions in turn by the index of
 * pending deliveries, and takes no more of each than its limit of concurrent attempts: a long queue of one subscription
 * does not delay the others.
 */
export async function claimDue(context: Context, claim: Claim): Promise<Claimed[]> {
  const { lane, lease, until, limit, perSubscription, underWay, held, after } = claim;
  const rows = await context.manager.rows<Claimed>(claimText[lane], [
    context.clock.now(),
    lease,
    until,
    limit,
    perSubscription,
    [...underWay.keys()],
    [...underWay.values()],
    after,
    held,
  ]);
  return rows;
}

/**
 * SQL of the due deliveries of a subscription, longest due first: either those without a failed step of the schedule, or
 * those with one. The index of pending deliveries separates the two, so that a long queue of one kind is not read for the
 * other.
 */
const dueText = (failed: 0 | 1, condition = '') => `
      SELECT event_id, subscription_id, next_attempt_at FROM webhooks.deliveries AS delivery
      WHERE delivery.subscription_id = turns.id AND delivery.status = 'pending' AND least(delivery.failures, 1) = ${failed}
        AND delivery.next_attempt_at <= $1 ${condition}
      ORDER BY delivery.next_attempt_at LIMIT greatest(0, turns.free) FOR UPDATE OF delivery SKIP LOCKED`;

/** Parameters: $1 now, $2 lease, $3 until, $4 limit, $5 per subscription, $6 and $7 attempts in progress, $8 after, $9 held. */
const claimTextOf = (due: string): string => `
  WITH RECURSIVE waiting AS (
    (SELECT subscription_id AS id FROM webhooks.deliveries WHERE status = 'pending' ORDER BY subscription_id LIMIT 1)
    UNION ALL
    SELECT (SELECT next.subscription_id FROM webhooks.deliveries AS next
            WHERE next.status = 'pending' AND next.subscription_id > waiting.id ORDER BY next.subscription_id LIMIT 1)
    FROM waiting WHERE waiting.id IS NOT NULL
  ), turns AS (
    SELECT subscription.id, subscription.failing,
      CASE WHEN subscription.failing THEN ceil($5::integer / 5.0) ELSE $5::integer END::integer - coalesce(busy.count, 0) AS free
    FROM waiting JOIN webhooks.subscriptions AS subscription USING (id)
      LEFT JOIN unnest($6::uuid[], $7::integer[]) AS busy(id, count) USING (id)
    WHERE subscription.status = 'active' AND subscription.deleted_at IS NULL
      AND subscription.id <> ALL ($9::uuid[])
    ORDER BY subscription.id > $8::uuid DESC, subscription.id
  ), picked AS (
    SELECT due.event_id, due.subscription_id FROM turns CROSS JOIN LATERAL (${due}) AS due LIMIT $4
  ), claimed AS (
    UPDATE webhooks.deliveries AS delivery
    SET lease = $2, next_attempt_at = $3, attempts = attempts + 1, begun_at = coalesce(begun_at, $1)
    FROM picked
    WHERE delivery.event_id = picked.event_id AND delivery.subscription_id = picked.subscription_id
    RETURNING delivery.event_id, delivery.subscription_id, delivery.attempts, delivery.failures, delivery.by_previous,
      delivery.begun_at
  ), noted AS (
    INSERT INTO webhooks.attempts (event_id, subscription_id, number, url, started_at)
    SELECT claimed.event_id, claimed.subscription_id, claimed.attempts, subscription.url, $1
    FROM claimed JOIN webhooks.subscriptions AS subscription ON subscription.id = claimed.subscription_id
  )
  SELECT claimed.event_id AS "eventId", claimed.subscription_id AS "subscriptionId", claimed.attempts AS number,
    claimed.failures, claimed.by_previous AS "byPrevious", claimed.begun_at AS "begunAt", $1::timestamptz AS "startedAt", subscription.url,
    subscription.secret, event.body,
    CASE WHEN subscription.previous_until > $1 THEN subscription.previous_secret END AS "previousSecret"
  FROM claimed
    JOIN webhooks.subscriptions AS subscription ON subscription.id = claimed.subscription_id
    JOIN webhooks.events AS event ON event.id = claimed.event_id
  ORDER BY claimed.subscription_id > $8::uuid DESC, claimed.subscription_id`;

const claimText: Readonly<Record<Lane, string>> = {
  first: claimTextOf(dueText(0, 'AND NOT turns.failing')),
  later: claimTextOf(`
      SELECT * FROM (
        SELECT * FROM (${dueText(1)}) AS failed
        UNION ALL SELECT * FROM (${dueText(0, 'AND turns.failing')}) AS fresh
      ) AS either ORDER BY next_attempt_at LIMIT greatest(0, turns.free)`),
};
