import type { Bus } from '../bus.js';
import type { Context } from '../../kernel/context.js';
import { newId } from '../../kernel/ids.js';
import { z } from 'zod';
import { slicer } from '../../kernel/turns.js';

/** Topic of the bus on which the relay reports that it has published events: a hint for those who follow the feed. */
export const publishedTopic = 'outbox.published';
/** Topic of the bus that wakes relays: events were committed. */
export const announcedTopic = 'outbox.announced';

/** A domain event. `key` identifies its subject. */
export interface DomainEvent {
  readonly topic: string;
  readonly key: string;
  readonly payload: unknown;
  /** Whether only consumers receive it, and no subscriber: for large events and those that concern only two domains. */
  readonly internal?: boolean;
}

/** An event as the relay delivers it, with an identity that is the same on every delivery. */
export interface PublishedEvent extends DomainEvent {
  readonly id: string;
  /** Of two events about one subject, the later has the greater number if announcers lock the subject until the commit. Times and deliveries have no such order. */
  readonly sequence: number;
  readonly createdAt: string;
  readonly traceparent?: string;
}

/** Must be idempotent by event id and take events in any order: a copy of a state ignores an event with a smaller `sequence` than its own. */
export type Consumer = (tx: Context, events: readonly PublishedEvent[]) => Promise<void>;

/** Writes events into the outbox of the current transaction, so that they exist exactly if the change does. */
export async function announceAll(context: Context, events: readonly DomainEvent[]): Promise<void> {
  if (events.length === 0) return;
  if (context.onCommit === undefined)
    throw new Error('Events must be announced inside inTransaction, so that each is committed with its change');
  await context.manager.execute(
    `INSERT INTO shared.outbox (id, topic, key, payload, internal, created_at, traceparent)
     SELECT event.*, $6::timestamptz, $7::text
     FROM ROWS FROM (unnest((SELECT $1::uuid[])), unnest($2::text[]), unnest($3::text[]), jsonb_array_elements($4::jsonb), unnest($5::boolean[])) AS event`,
    [
      events.map(() => newId(context.clock.now().getTime())),
      events.map((event) => event.topic),
      events.map((event) => event.key),
      // One text, since pg would escape every quote of an array of texts.
      JSON.stringify(events.map((event) => event.payload)),
      events.map((event) => event.internal ?? false),
      context.clock.now(),
      context.span?.headers.traceparent ?? null,
    ],
  );
  const wake = wakeRelays(context.bus);
  // Once for a transaction.
  if (!context.onCommit.includes(wake)) context.onCommit.push(wake);
}

const wakes = new WeakMap<Bus, () => void>();

function wakeRelays(bus: Bus): () => void {
  const known = wakes.get(bus) ?? (() => void bus.publish(announcedTopic, null));
  wakes.set(bus, known);
  return known;
}

export async function announce(context: Context, event: DomainEvent): Promise<void> {
  await announceAll(context, [event]);
}

/** Undefined, and logged, for an unexpected form: a bug of the producer that no retry repairs. @param subject what the event is about, for the log */
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
