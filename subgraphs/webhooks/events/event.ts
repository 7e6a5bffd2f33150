import { creditEvents } from './credit-events.js';
import { tokenizationEvents } from './tokenization-events.js';
import { tradingEvents } from './trading-events.js';
import type { EventType } from './event-type.js';

/** Every event that can be asked for, grouped by domain. */
export const eventTypes: readonly EventType[] = [...tokenizationEvents, ...creditEvents, ...tradingEvents];

/** Their names. */
export const eventNames: readonly string[] = eventTypes.map(({ name }) => name);

/** What `test` sends. Nobody asks for it, and whoever has a subscription knows it by its name. */
export const testEventName = 'webhook.test';

/** What every delivery carries (docs/contract/webhooks.md §2.1). */
export interface Envelope {
  readonly type: string;
  readonly id: string;
  readonly createdAt: string;
  readonly data: unknown;
}

/** The body of a delivery: the same bytes at each attempt and for each subscription, so that signatures can be compared. */
export function bodyOf({ type, id, createdAt, data }: Envelope): string {
  return JSON.stringify({ type, id, createdAt, data });
}
