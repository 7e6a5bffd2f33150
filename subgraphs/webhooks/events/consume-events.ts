import { z } from 'zod';
import { afterCommit } from '../../../shared/database/transaction.js';
import type { Consumer, PublishedEvent } from '../../../shared/outbox/outbox.js';
import { wakeEngines } from '../engine/wake.js';
import { bodyOf, eventNames } from './event.js';
import { addDeliveries, type NewEvent } from './event.store.js';

const known: ReadonlySet<string> = new Set(eventNames);

/** What the domains announce: whose event it is (null: everyone's who asked for it), and its data. */
const payload = z.object({ ownerId: z.string().nullable(), data: z.record(z.string(), z.unknown()) });

/** Makes the deliveries of events that someone asked for, in the relay's transaction; twice the same event changes nothing. */
export const consumeEvents: Consumer = async (tx, events) => {
  const heard: NewEvent[] = [];
  for (const event of events) {
    if (!known.has(event.topic)) continue;
    const parsed = payload.safeParse(event.payload);
    if (parsed.success) heard.push(toNew(event, parsed.data));
    // Its own transaction wrote it as what it is not: nobody could be told of it, and the events after it must go on.
    else tx.log.error({ event: event.id, topic: event.topic }, 'An event is not of the form that webhooks tell');
  }
  if (heard.length === 0) return;
  await addDeliveries(tx, heard);
  afterCommit(tx, () => {
    wakeEngines(tx);
  });
};

function toNew(event: PublishedEvent, { ownerId, data }: z.output<typeof payload>): NewEvent {
  const { id, topic: type, createdAt } = event;
  return { id, type, ownerId, body: bodyOf({ type, id, createdAt, data }), createdAt: new Date(createdAt) };
}
