import { z } from 'zod';
import type { Context } from '../../kernel/context.js';
import { slicer } from '../../kernel/turns.js';
import type { Consumer, PublishedEvent } from './outbox.js';

/**
 * Returns the payload of an event; undefined, and logged, when it does not have the expected form. That is a bug of its producer, which no retry
 * repairs, and the events after it must still be consumed.
 * @param subject what the event is about, for the log
 */
export function payloadOf<T>(
  { log }: Context,
  event: PublishedEvent,
  form: z.ZodType<T>,
  subject: string,
): T | undefined {
  const { data, error } = form.safeParse(event.payload);
  if (error !== undefined) {
    log.error({ event: event.id, err: error }, `An event about ${subject} does not have the expected form`);
  }
  return data;
}

/** Returns the payloads of the events with a topic, in order, as `payloadOf` does. Yields to other work between large ones. */
export async function payloadsOf<T>(
  tx: Context,
  events: readonly PublishedEvent[],
  { topic, form, subject }: { readonly topic: string; readonly form: z.ZodType<T>; readonly subject: string },
): Promise<T[]> {
  const slice = slicer();
  const payloads: T[] = [];
  for (const event of events) {
    if (event.topic !== topic) continue;
    if (slice.isOver()) await slice.next();
    const payload = payloadOf(tx, event, form, subject);
    if (payload !== undefined) payloads.push(payload);
  }
  return payloads;
}

const deletion = { topic: 'account.deleted', form: z.object({ accountId: z.uuid() }), subject: 'a deleted account' };

/** Returns a consumer that acts on the ids of deleted accounts, for domains whose rows refer to their owners. */
export function onAccountsDeleted(act: (tx: Context, accountIds: readonly string[]) => Promise<unknown>): Consumer {
  return async (tx, events) => {
    const deleted = await payloadsOf(tx, events, deletion);
    if (deleted.length === 0) return;
    await act(
      tx,
      deleted.map(({ accountId }) => accountId),
    );
  };
}
