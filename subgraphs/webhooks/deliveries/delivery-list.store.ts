import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import { deliveryStatuses, type DeliveryStatus } from './delivery.js';
import { deliveryColumns, type DeliveryRow } from './delivery.store.js';

/** The deliveries of a subscription, of one status or of all. */
export interface DeliveryFilter {
  readonly subscriptionId: string;
  readonly status: DeliveryStatus | null;
}

/** Some deliveries of a subscription, newest event first. */
export interface DeliveryRange extends DeliveryFilter {
  /** The event after which they begin; null for the newest. */
  readonly after: string | null;
  /** How many. */
  readonly first: number;
}

/** Greater than every id of an event, so that the index is searched from there in any case. */
const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns the deliveries of each range, in one statement for all ranges of the same status and length. */
export async function deliveriesAt(
  context: Context,
  ranges: readonly DeliveryRange[],
): Promise<(readonly DeliveryRow[])[]> {
  const found = new Map<DeliveryRange, readonly DeliveryRow[]>();
  for (const [status, ofStatus] of groupBy(ranges, (range) => range.status)) {
    for (const [first, alike] of groupBy(ofStatus, (range) => range.first)) {
      const rows = await readRanges(context, alike, status === null ? deliveryStatuses : [status], first);
      const byKey = groupBy(rows, ({ key }) => key);
      for (const [index, range] of alike.entries()) found.set(range, byKey.get(index + 1) ?? []);
    }
  }
  return ranges.map((range) => found.get(range) ?? []);
}

/**
 * Reads the first deliveries of ranges with the same statuses, each with the number of its range, from 1. The index `deliveries_listed` has the events of a
 * status in their order: at most `first` of each status are read, however many others there are.
 */
function readRanges(
  { manager }: Context,
  ranges: readonly DeliveryRange[],
  statuses: readonly DeliveryStatus[],
  first: number,
): Promise<(DeliveryRow & { readonly key: number })[]> {
  const after = ranges.map((range) => range.after ?? greatestId);
  return manager.rows(
    `SELECT wanted.key::integer, ${deliveryColumns}
     FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted (subscription_id, after, key)
     CROSS JOIN LATERAL (
       SELECT listed.* FROM unnest($3::text[]) AS one (status) CROSS JOIN LATERAL (
         SELECT * FROM webhooks.deliveries AS candidate
         WHERE candidate.subscription_id = wanted.subscription_id AND candidate.status = one.status
           AND candidate.event_id < wanted.after
         ORDER BY candidate.event_id DESC LIMIT $4
       ) AS listed
       ORDER BY listed.event_id DESC LIMIT $4
     ) AS delivery JOIN webhooks.events AS event ON event.id = delivery.event_id
     ORDER BY wanted.key, delivery.event_id DESC`,
    [ranges.map(({ subscriptionId }) => subscriptionId), after, statuses, first],
  );
}

/** Returns how many deliveries each filter holds: of all from a stored counter, of one status from the index. */
export async function countsOf({ manager }: Context, filters: readonly DeliveryFilter[]): Promise<number[]> {
  return manager.values(
    `SELECT CASE WHEN wanted.status IS NULL
       THEN coalesce((SELECT count FROM webhooks.delivery_counts AS stored WHERE stored.subscription_id = wanted.subscription_id), 0)
       ELSE (SELECT count(*) FROM webhooks.deliveries AS delivery
             WHERE delivery.subscription_id = wanted.subscription_id AND delivery.status = wanted.status)
     END::integer
     FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS wanted (subscription_id, status, key) ORDER BY wanted.key`,
    [filters.map(({ subscriptionId }) => subscriptionId), filters.map(({ status }) => status)],
  );
}
