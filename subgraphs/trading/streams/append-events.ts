import type { Context } from '../../../shared/context.js';
import { afterCommit } from '../../../shared/database/transaction.js';
import { topicOf, type Channel } from './channel.js';
import { insertEvents, type AddedEvent } from './event.store.js';

/** Something that happened in a wallet. */
export interface StreamedEvent {
  readonly walletId: string;
  /** Of the wallet. */
  readonly synthetic: boolean;
  readonly channel: Channel;
  /** What readers get, as JSON; amounts are decimal text. */
  readonly data: unknown;
}

/**
 * Tells readers of what happened, in the transaction of the change: they get exactly what is committed, in the order of the commits.
 * Events get the next numbers of their wallet and channel, without gaps.
 *
 * Call it once in a transaction, with everything that it has to tell, and as late as you can: until it ends, others that tell of the
 * same wallets wait. Where balances are told too, `appendBalances` comes after it.
 * @throws outside of `inTransaction`, and where `synthetic` is not the wallet's
 */
export async function appendEvents(tx: Context, events: readonly StreamedEvent[]): Promise<void> {
  if (tx.onCommit === undefined) throw new Error('Append events inside inTransaction: an event belongs to its change');
  if (events.length === 0) return;
  const rows = events.map(({ data, ...event }) => ({ ...event, data: JSON.stringify(data) }));
  wakeReaders(tx, await insertEvents(tx, rows));
}

/**
 * Tells the readers of every instance, once it is committed. Best effort: the numbers show them what they were not told, and
 * they read it from the table.
 */
export function wakeReaders(tx: Context, added: readonly AddedEvent[]): void {
  const byTopic = new Map<string, Omit<AddedEvent, 'walletId' | 'channel'>[]>();
  for (const { walletId, channel, ...event } of added) {
    const topic = topicOf(walletId, channel);
    const events = byTopic.get(topic) ?? [];
    byTopic.set(topic, events);
    events.push(event);
  }
  const messages = [...byTopic].map(([topic, events]) => ({
    topics: [topic],
    payload: events.sort((left, right) => left.eventId - right.eventId),
  }));
  afterCommit(tx, () => void tx.bus.publishAll(messages));
}
