import { identifyingText, isVisible } from '../../../shared/kernel/identifying-text.js';
import { chosenNames } from '../../../shared/kernel/chosen-names.js';
import { type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import { hasMoreCharacters } from '../../../shared/kernel/echo.js';
import { isIP } from 'node:net';
import { isLoopback, isPrivateName, mayReach, withoutBrackets, type Reach } from '../engine/address.js';
import { eventNames } from '../events/event.js';

/** Statuses of a subscription (docs/contract/webhooks.md §1.6). */
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

function urlErrors(text: string | null, reach: Reach): ErrorDetail[] {
  if (text === null) return [errorAt('url', 'NOT_NULL')];
  if (/[\p{Cc}\s]/u.test(text)) return [errorAt('url', 'URL_SPACES')];
  if (!/^https?:\/\//iu.test(text)) return [errorAt('url', 'URL_HTTPS')];
  if (text.length > maxUrlLength || !URL.canParse(text) || normalUrl(text).length > maxUrlLength)
    return [errorAt('url', 'URL_FORM', { max: maxUrlLength })];
  const { protocol, hostname, port, username, password, hash } = new URL(text);
  const insecure = protocol === 'http:' && reach.allowInsecure && isLoopback(hostname);
  if (protocol !== 'https:' && !insecure) return [errorAt('url', 'URL_HTTPS')];
  if (port === '0') return [errorAt('url', 'URL_PORT')];
  if (username !== '' || password !== '') return [errorAt('url', 'URL_USER')];
  if (hash !== '') return [errorAt('url', 'URL_FRAGMENT')];
  const host = withoutBrackets(hostname);
  const closed = isIP(host) === 0 ? !mayName(host, reach) : !mayReach(host, protocol, reach);
  return closed ? [errorAt('url', 'URL_PRIVATE')] : [];
}

function mayName(host: string, { allowInsecure }: Reach): boolean {
  return isLoopback(host) ? allowInsecure : !isPrivateName(host);
}

/** Returns the stored form of an address, which is also sent to: lower-case host, no default port, percent-encoded. */
export function normalUrl(text: string): string {
  return new URL(text).href;
}

function eventErrors(events: readonly string[] | null): readonly ErrorDetail[] {
  if (events === null) return [errorAt('events', 'NOT_NULL')];
  return chosenNames('events', eventNames, events).errors.slice(0, 10);
}

function descriptionErrors(text: string): ErrorDetail[] {
  const shown = identifyingText(text);
  if (!hasMoreCharacters(shown, maxDescriptionLength) && isVisible(shown)) return [];
  return [errorAt('description', 'PRINTABLE_TOO_LONG', { max: maxDescriptionLength })];
}

/** Returns events in stored form: without duplicates, in the order of the catalogue. */
export function orderedEvents(events: readonly string[]): string[] {
  return eventNames.filter((name) => events.includes(name));
}
