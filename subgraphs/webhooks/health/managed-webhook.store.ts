import type { Context } from '../../../shared/kernel/context.js';
import { conditionsOf } from '../../../shared/database/conditions.js';
import { keyset, type PageRange } from '../../../shared/graphql/list-page.js';

/** The states of health, worst first: the index of each is its rank in the table. */
export const healthStates = ['DEACTIVATED', 'FAILING', 'HEALTHY'] as const;
export type HealthState = (typeof healthStates)[number];

export interface ManagedWebhookRow {
  readonly id: string;
  readonly ownerId: string;
  readonly url: string;
  /** The index of its state in `healthStates`. */
  readonly rank: number;
  readonly createdAt: Date;
  readonly deactivatedAt: Date | null;
  readonly deactivatedWhy: 'FAILED' | 'GONE' | null;
}

export const mostPending = 10_000;

const rank = `CASE WHEN status = 'deactivated' THEN 0 WHEN failing THEN 1 ELSE 2 END`;

const columns = `id, owner_id AS "ownerId", url, ${rank} AS rank, created_at AS "createdAt",
  deactivated_at AS "deactivatedAt", deactivated_why AS "deactivatedWhy"`;

interface HealthPlace {
  readonly rank: number;
  readonly id: string;
}

/** Lists the webhooks of a page, worst first, and one more if there are more. @param state null for all */
export function listManaged(
  { manager }: Context,
  state: HealthState | null,
  { limit, ...range }: Pick<PageRange, 'limit' | 'backward'> & { readonly after: HealthPlace | undefined },
): Promise<ManagedWebhookRow[]> {
  const { beyond, direction } = keyset('ASC', range);
  const { text, values, place } = asked(state, (add) =>
    range.after === undefined
      ? undefined
      : `(${rank}, id) ${beyond} (${add(range.after.rank)}::integer, ${add(range.after.id)}::uuid)`,
  );
  return manager.rows(
    `SELECT ${columns} FROM webhooks.subscriptions WHERE ${text}
     ORDER BY ${rank} ${direction}, id ${direction} LIMIT ${place(limit + 1)}`,
    values,
  );
}

export const mostReceivers = 100;

/** Returns the active webhooks that take each of some events, oldest first, and their number. */
export async function receiversOf(
  { manager }: Context,
  names: readonly string[],
): Promise<{ readonly count: number; readonly first: readonly ManagedWebhookRow[] }[]> {
  const rows = await manager.rows<ManagedWebhookRow & { readonly name: string; readonly count: number }>(
    `SELECT wanted.name, receiver.* FROM unnest($1::text[]) AS wanted (name) CROSS JOIN LATERAL (
       SELECT ${columns}, count(*) OVER ()::integer AS count FROM webhooks.subscriptions
       WHERE events @> ARRAY[wanted.name] AND status = 'active' AND deleted_at IS NULL
       ORDER BY created_at, id LIMIT ${mostReceivers}
     ) AS receiver`,
    [names],
  );
  return names.map((name) => {
    const first = rows.filter((row) => row.name === name);
    return { count: first[0]?.count ?? 0, first };
  });
}

export function countManaged({ manager }: Context, state: HealthState | null): Promise<number> {
  const { text, values } = asked(state);
  return manager.countRows(`SELECT count(*)::integer AS count FROM webhooks.subscriptions WHERE ${text}`, values);
}

/** Counts the pending deliveries of some webhooks, of each at most 10,000. */
export async function pendingOf({ manager }: Context, ids: readonly string[]): Promise<number[]> {
  const rows = await manager.rows<{ id: string; count: number }>(
    `SELECT wanted.id, pending.count FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
       SELECT count(*)::integer AS count FROM (
         SELECT FROM webhooks.deliveries WHERE subscription_id = wanted.id AND status = 'pending' LIMIT ${mostPending}
       ) AS counted) AS pending`,
    [ids],
  );
  const byId = new Map(rows.map(({ id, count }) => [id, count]));
  return ids.map((id) => byId.get(id) ?? 0);
}

function asked(
  state: HealthState | null,
  further: (place: (value: unknown) => string) => string | undefined = () => undefined,
) {
  const { where, text, values, place } = conditionsOf('deleted_at IS NULL');
  where(state === null ? null : healthStates.indexOf(state), (placeholder) => `${rank} = ${placeholder}::integer`);
  const condition = further(place);
  return { text: condition === undefined ? text() : `${text()} AND ${condition}`, values, place };
}

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
