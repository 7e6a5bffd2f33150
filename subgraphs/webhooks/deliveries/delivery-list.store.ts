import type { Context } from '../../../shared/kernel/context.js';
import { deliveryStatuses, type DeliveryStatus } from './delivery.js';
import { deliveryColumns, leastId, type DeliveryRow } from './delivery.store.js';
import { groupBy, readAlike } from '../../../shared/kernel/group-by.js';
import { keyset, type PageRange } from '../../../shared/graphql/list-page.js';

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
 * that only this index has the order: by the primary key, PostgreSQL would go through the whole table for a status that is rare.
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
