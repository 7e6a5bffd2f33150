import type { Context } from '../../../shared/context.js';

/** How a receiver did lately. */
export interface HealthRow {
  readonly subscriptionId: string;
  readonly attempts: number;
  readonly successes: number;
  /** Milliseconds; null without an attempt. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  readonly lastSuccessAt: Date | null;
  readonly failedAt: Date | null;
  readonly failureStatus: number | null;
  readonly failureError: string | null;
}

/** Number of attempts that are read at most. */
export const mostAttempts = 1_000;
const periodMs = 86_400_000;

const succeeded = 'response_status = 200 AND error IS NULL';

/** Returns how the receivers of some subscriptions did in the last day, by their last 1,000 attempts that have ended. */
export async function healthOf(
  { manager, clock }: Context,
  subscriptionIds: readonly string[],
): Promise<readonly (HealthRow | undefined)[]> {
  const rows = await manager.rows<HealthRow>(
    `SELECT wanted.id AS "subscriptionId", subscription.last_success_at AS "lastSuccessAt", health.*
     FROM unnest($1::uuid[]) AS wanted(id) JOIN webhooks.subscriptions AS subscription ON subscription.id = wanted.id
     CROSS JOIN LATERAL (
       WITH last AS (
         SELECT started_at, response_status, error, duration_ms, coalesce(${succeeded}, false) AS succeeded
         FROM webhooks.attempts WHERE subscription_id = wanted.id AND duration_ms IS NOT NULL
         ORDER BY started_at DESC LIMIT ${mostAttempts})
       SELECT * FROM (
         SELECT count(*)::integer AS attempts, (count(*) FILTER (WHERE succeeded))::integer AS successes,
           percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms) AS "medianMs",
           percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) AS "p95Ms"
         FROM last WHERE started_at >= $2) AS figures
       LEFT JOIN (
         SELECT started_at AS "failedAt", response_status AS "failureStatus", error AS "failureError"
         FROM last WHERE NOT succeeded ORDER BY started_at DESC LIMIT 1) AS failed ON true
     ) AS health`,
    [subscriptionIds, new Date(clock.now().getTime() - periodMs)],
  );
  const byId = new Map(rows.map((row) => [row.subscriptionId, row]));
  return subscriptionIds.map((id) => byId.get(id));
}
