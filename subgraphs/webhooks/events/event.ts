import { creditEvents } from './credit-events.js';
import { tokenizationEvents } from './tokenization-events.js';
import { tradingEvents } from './trading-events.js';
import type { EventType } from './event-type.js';

/** Every event type that can be subscribed to, grouped by domain. */
export const eventTypes: readonly EventType[] = [...tokenizationEvents, ...creditEvents, ...tradingEvents];

/** Their names. */
export const eventNames: readonly string[] = eventTypes.map(({ name }) => name);

/** The event that `test` sends. It cannot be subscribed to; every subscription can receive it. */
export const testEventName = 'webhook.test';

/** Content of every delivery (docs/contract/webhooks.md §2.1). */
export interface Envelope {
  readonly type: string;
  readonly id: string;
  readonly createdAt: string;
  readonly data: unknown;
}

/** Returns the body of a delivery: the same bytes at each attempt and for each subscription, so that signatures can be compared. */
export function bodyOf({ type, id, createdAt, data }: Envelope): string {
  return JSON.stringify({ type, id, createdAt, data });
}
