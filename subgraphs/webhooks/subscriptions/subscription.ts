import type { ErrorDetail } from '../../../shared/errors.js';
import { hasMoreCharacters } from '../../../shared/format/text-length.js';
import { isIP } from 'node:net';
import { isLoopback, isPrivateName, mayReach, withoutBrackets, type Reach } from '../engine/address.js';
import { eventNames } from '../events/event.js';

/** Statuses of a subscription (README, States). */
export const subscriptionStatuses = ['active', 'deactivated'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** A subscription without its secret, which is shown only when it is created. */
export interface SubscriptionRow {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
  readonly status: SubscriptionStatus;
  readonly createdAt: Date;
  /** Until when the secret before the last rotation signs too; may be in the past. Null without a rotation. */
  readonly formerSecretUntil: Date | null;
}

/** Maximum number of subscriptions of one owner. */
export const maxSubscriptions = 100;

/** How long the previous secret stays valid for signing after a rotation: by default, and at most. */
export const overlapHours = { usual: 24, most: 168 } as const;

const maxUrlLength = 2048;
const maxDescriptionLength = 500;

/** Returns all errors of a caller's input for a subscription; undefined fields are ignored, null ones rejected. */
export function subscriptionErrors(
  {
    url,
    events,
    description,
  }: { url?: string | null | undefined; events?: readonly string[] | null | undefined; description?: string },
  reach: Reach,
): ErrorDetail[] {
  return [
    ...(url === undefined ? [] : urlErrors(url, reach)),
    ...(events === undefined ? [] : eventErrors(events)),
    ...(description === undefined ? [] : descriptionErrors(description)),
  ];
}

/** Returns the errors of a receiver's address that are visible before connecting to it. */
function urlErrors(text: string | null, reach: Reach): ErrorDetail[] {
  const error = (message: string) => [{ path: 'url', message }];
  if (text === null) return error('must not be null: omit it to keep it');
  if (/[\p{Cc}\s]/u.test(text)) return error('must have neither spaces nor control characters');
  if (!/^https?:\/\//iu.test(text)) return error('must begin with https://');
  if (text.length > maxUrlLength || !URL.canParse(text) || normalUrl(text).length > maxUrlLength) {
    return error(`must be a URL that begins with https://, of at most ${maxUrlLength} characters when percent-encoded`);
  }
  const { protocol, hostname, port, username, password, hash } = new URL(text);
  const insecure = protocol === 'http:' && reach.allowInsecure && isLoopback(hostname);
  if (protocol !== 'https:' && !insecure) return error('must begin with https://');
  if (port === '0') return error('must not have the port 0');
  if (username !== '' || password !== '') return error('must not contain a user or a password');
  if (hash !== '') return error('must not have a fragment');
  const host = withoutBrackets(hostname);
  const closed = isIP(host) === 0 ? !mayName(host, reach) : !mayReach(host, protocol, reach);
  return closed ? error('must lead to the public internet') : [];
}

/** Whether a host name may lead to a receiver, judged by the name alone. */
function mayName(host: string, { allowInsecure }: Reach): boolean {
  return isLoopback(host) ? allowInsecure : !isPrivateName(host);
}

/** Returns the stored form of an address, which is also sent to: lower-case host, no default port, percent-encoded. */
export function normalUrl(text: string): string {
  return new URL(text).href;
}

function eventErrors(events: readonly string[] | null): ErrorDetail[] {
  if (events === null) return [{ path: 'events', message: 'must not be null: omit it to keep them' }];
  const known = `The known events are ${eventNames.join(', ')}`;
  if (events.length === 0) return [{ path: 'events', message: `must contain at least one event. ${known}` }];
  return events
    .flatMap((name, index) =>
      eventNames.includes(name) ? [] : [{ path: `events[${index}]`, message: `is not an event. ${known}` }],
    )
    .slice(0, 10);
}

function descriptionErrors(text: string): ErrorDetail[] {
  if (!hasMoreCharacters(text, maxDescriptionLength) && !/[\p{Cc}\p{Cs}]/u.test(text)) return [];
  const message = `must have at most ${maxDescriptionLength} characters, none of them a control character`;
  return [{ path: 'description', message }];
}

/** Returns events in stored form: without duplicates, in the order of the catalogue. */
export function orderedEvents(events: readonly string[]): string[] {
  return eventNames.filter((name) => events.includes(name));
}
