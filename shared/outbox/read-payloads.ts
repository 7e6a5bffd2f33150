import type { z } from 'zod';
import type { Context } from '../context.js';
import { slicer } from '../turns.js';
import type { PublishedEvent } from './outbox.js';

/**
 * Returns the payload of an event. One of invalid form is a bug of its producer, and is stored in this form, so that retrying cannot help: it is logged,
 * and the result is undefined, so that the events after it are still processed.
 * @param about what the event is about, as the log says it: `an estate`
 */
export function readPayload<Form extends z.ZodType>(
  { log }: Context,
  event: PublishedEvent,
  form: Form,
  about: string,
): z.output<Form> | undefined {
  const { data, error } = form.safeParse(event.payload);
  if (error !== undefined)
    log.error({ event: event.id, err: error }, `An event about ${about} does not have the expected form`);
  return data;
}

/** Returns the payloads of the events of a topic that have a valid form, in their order, and yields to the event loop between them. */
export async function readPayloads<Form extends z.ZodType>(
  context: Context,
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
    const payload = readPayload(context, event, form, about);
    if (payload !== undefined) payloads.push(payload);
  }
  return payloads;
}
