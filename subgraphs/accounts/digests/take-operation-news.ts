import { z } from 'zod';
import type { Context } from '../../../shared/kernel/context.js';
import { payloadOf } from '../../../shared/events/outbox/payloads.js';
import type { PublishedEvent } from '../../../shared/events/outbox/outbox.js';
import { addNews } from './digest.store.js';

const topic = 'operation.updated';
const form = z.object({
  ticker: z.string(),
  kind: z.string(),
  reference: z.iso.date(),
  occurredAt: z.iso.datetime(),
  correction: z.boolean().default(false),
  seriesTicker: z.string().nullable().default(null),
  unitPrice: z.string().nullable().default(null),
});

/** Stores what was published about operations, for digests. */
export async function takeOperationNews(tx: Context, events: readonly PublishedEvent[]): Promise<void> {
  const news = events
    .filter((event) => event.topic === topic)
    .flatMap((event) => {
      const payload = payloadOf(tx, event, form, 'news of an operation');
      return payload === undefined ? [] : [{ eventId: event.id, eventSequence: event.sequence, ...payload }];
    });
  await addNews(tx, news);
}
