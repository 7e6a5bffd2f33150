import { isUuid } from '../../../shared/kernel/ids.js';

export interface DeliveryKey {
  readonly eventId: string;
  readonly subscriptionId: string;
}

/** Separates the two UUIDs. It needs no encoding in a URL. */
const separator = '_';

/** Returns the id of a delivery, `<webhook>_<event>`: an event has a delivery to each of its webhooks. */
export function deliveryIdOf({ subscriptionId, eventId }: DeliveryKey): string {
  return subscriptionId + separator + eventId;
}

/** Returns the key of an id that `deliveryIdOf` made; undefined for any other text. */
export function deliveryKeyOf(id: string): DeliveryKey | undefined {
  const [subscriptionId = '', eventId = '', ...more] = id.toLowerCase().split(separator);
  return isUuid(subscriptionId) && isUuid(eventId) && more.length === 0 ? { subscriptionId, eventId } : undefined;
}

/** Looks up by the id of the delivery, or of its event, which the documented paths use; undefined for any other text, and for a delivery to another subscription. */
export function eventOf(subscriptionId: string, id: string): string | undefined {
  if (isUuid(id)) return id;
  const key = deliveryKeyOf(id);
  return key?.subscriptionId === subscriptionId ? key.eventId : undefined;
}
