import { z } from 'zod';
import type { Consumer, PublishedEvent } from '../../../shared/events/outbox/outbox.js';
import { wakeEngines } from '../engine/wake.js';
import { bodyOf, eventNames } from './event.js';
import { addDeliveries, type NewEvent } from './event.store.js';

const known: ReadonlySet<string> = new Set(eventNames);

/** Payload of the domains' events: the owner (null: every subscriber receives it) and the data. */
const payload = z.object({ ownerId: z.string().nullable(), data: z.record(z.string(), z.unknown()) });

/** Creates the deliveries of events with subscribers, in the relay's transaction; a repeated event changes nothing. */
export const consumeEvents: Consumer = async (tx, events) => {
  const created: NewEvent[] = [];
  for (const event of events) {
    if (!known.has(event.topic)) continue;
    const parsed = payload.safeParse(event.payload);
    if (parsed.success) created.push(toNew(event, parsed.data));
    // An event of invalid form is a bug of its producer; it has no recipients, and the events after it must still be
    // processed.
    else tx.log.error({ event: event.id, topic: event.topic }, 'An event for webhooks does not have the expected form');
  }
  if (created.length === 0) return;
  await addDeliveries(tx, created);
  wakeEngines(tx);
};

function toNew(event: PublishedEvent, { ownerId, data }: z.output<typeof payload>): NewEvent {
  const { id, topic: type, createdAt, traceparent = null } = event;
  const body = bodyOf({ type, id, createdAt, data });
  return { id, type, ownerId, body, createdAt: new Date(createdAt), traceparent };
}
