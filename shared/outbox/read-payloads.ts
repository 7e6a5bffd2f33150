import type { z } from 'zod';
import type { Context } from '../context.js';
import { slicer } from '../turns.js';
import type { PublishedEvent } from './outbox.js';

/**
 * Returns the payloads of the events of a topic, in their order, and yields to the event loop between them. An event of invalid form is a bug of its
 * producer: it is logged, and the events after it are still processed.
 * @param about what the events are about, as the log says it: `an estate`
 */
export async function readPayloads<Form extends z.ZodType>(
  { log }: Context,
  events: readonly PublishedEvent[],
  topic: string,
  form: Form,
  about: string,
): Promise<z.output<Form>[]> {
  const slice = slicer();
  const payloads: z.output<Form>[] = [];
  for (const event of events) {
    if (event.topic !== topic) continue;
    if (slice.isOver()) await slice.next();
    const { data, error } = form.safeParse(event.payload);
    if (error === undefined) payloads.push(data);
    else log.error({ event: event.id, err: error }, `An event about ${about} does not have the expected form`);
  }
  return payloads;
}
