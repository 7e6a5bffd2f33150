import type { Context } from '../../../shared/context.js';
import { conditionsOf } from '../../../shared/database/conditions.js';
import { keyset, type PageRange } from '../../../shared/list-page.js';

/** The states of health, worst first: the index of each is its rank in the table. */
export const healthStates = ['DEACTIVATED', 'FAILING', 'HEALTHY'] as const;
export type HealthState = (typeof healthStates)[number];

/** A webhook of any account, as operators see it. */
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

/** Number of pending deliveries of a webhook that are counted at most. */
export const mostPending = 10_000;

const rank = `CASE WHEN status = 'deactivated' THEN 0 WHEN failing THEN 1 ELSE 2 END`;

/** The place of a webhook in the list. */
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
    `SELECT id, owner_id AS "ownerId", url, ${rank} AS rank, created_at AS "createdAt",
       deactivated_at AS "deactivatedAt", deactivated_why AS "deactivatedWhy"
     FROM webhooks.subscriptions WHERE ${text}
     ORDER BY ${rank} ${direction}, id ${direction} LIMIT ${place(limit + 1)}`,
    values,
  );
}

/** Counts the webhooks in a state, or all. */
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
