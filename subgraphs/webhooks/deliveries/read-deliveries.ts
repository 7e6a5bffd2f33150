import { requireBounds } from '../../../shared/bounds.js';
import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { ownWebhook } from '../subscriptions/own-webhook.js';
import { countDeliveries, pageOfDeliveries, type DeliveryRow } from './delivery.store.js';

export interface DeliveryPage {
  readonly rows: readonly DeliveryRow[];
  readonly count: number;
  readonly nextToken: string | null;
}

/**
 * Returns a page of a subscription's deliveries, newest event first. Events that arrive in the meantime cause no gaps or
 * repetitions.
 * @throws {ApiError} BAD_REQUEST for a limit outside of 1 to 100 and for an invalid token, NOT_FOUND
 */
export async function readDeliveries(
  context: Context,
  cursors: CursorCodec,
  id: string,
  { limit, nextToken }: { readonly limit: number; readonly nextToken: string | null },
): Promise<DeliveryPage> {
  requireBounds({ name: 'limit', value: limit, min: 1, max: 100 });
  const { id: subscriptionId } = await ownWebhook(context, id);
  const [behind = null] = nextToken === null ? [] : cursors.open(subscriptionId, nextToken, 'nextToken');
  const found = await pageOfDeliveries(context, subscriptionId, behind, limit + 1);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    rows,
    count: await countDeliveries(context, subscriptionId),
    nextToken: last === undefined ? null : cursors.seal(subscriptionId, [last.eventId]),
  };
}
