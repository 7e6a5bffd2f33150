import type { FaultDetail } from '../../../shared/errors.js';
import { isIP } from 'node:net';
import { isLoopback, mayReach, withoutBrackets, type Reach } from '../engine/address.js';
import { eventNames } from '../events/event.js';

/** States of a subscription (README, States). */
export const subscriptionStatuses = ['active', 'deactivated'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** Most subscriptions of one owner. */
export const maxSubscriptions = 100;

/** How long the secret before a rotation signs beside the new one. */
export const overlapMs = 24 * 3_600_000;

const maxUrlLength = 2048;
const maxDescriptionLength = 500;

/** Everything that is wrong with what a caller says of a subscription; what is undefined is not looked at. */
export function subscriptionFaults(
  {
    url,
    events,
    description,
  }: { url?: string | undefined; events?: readonly string[] | undefined; description?: string },
  reach: Reach,
): FaultDetail[] {
  return [
    ...(url === undefined ? [] : urlFaults(url, reach)),
    ...(events === undefined ? [] : eventFaults(events)),
    ...(description === undefined ? [] : descriptionFaults(description)),
  ];
}

/** What is wrong with the address of a receiver, as far as it shows before it is connected to. */
function urlFaults(text: string, reach: Reach): FaultDetail[] {
  const fault = (message: string) => [{ path: 'url', message }];
  if (text.length > maxUrlLength || !URL.canParse(text)) {
    return fault(`must be an address that begins with https://, of at most ${maxUrlLength} characters`);
  }
  const { protocol, hostname, username, password, hash } = new URL(text);
  const insecure = protocol === 'http:' && reach.allowInsecure && isLoopback(hostname);
  if (protocol !== 'https:' && !insecure) return fault('must begin with https://');
  if (username !== '' || password !== '') return fault('must not hold a user or a password');
  if (hash !== '') return fault('must not have a fragment');
  const host = withoutBrackets(hostname);
  const closed = isIP(host) === 0 ? isLoopback(host) && !reach.allowInsecure : !mayReach(host, protocol, reach);
  return closed ? fault('must lead to the public internet') : [];
}

function eventFaults(events: readonly string[]): FaultDetail[] {
  const known = `The known events are ${eventNames.join(', ')}`;
  if (events.length === 0) return [{ path: 'events', message: `must name at least one event. ${known}` }];
  return events
    .flatMap((name, index) =>
      eventNames.includes(name) ? [] : [{ path: `events[${index}]`, message: `is not an event. ${known}` }],
    )
    .slice(0, 10);
}

function descriptionFaults(text: string): FaultDetail[] {
  if (text.length <= maxDescriptionLength && !/[\p{Cc}\p{Cs}]/u.test(text)) return [];
  const message = `must have at most ${maxDescriptionLength} characters, none of them a control character`;
  return [{ path: 'description', message }];
}

/** Events as they are kept: each once, in the order of the catalogue. */
export function orderedEvents(events: readonly string[]): string[] {
  return eventNames.filter((name) => events.includes(name));
}
