import type { Context } from '../../../shared/context.js';
import { afterCommit } from '../../../shared/database/transaction.js';
import type { WalletRef } from '../ledger/balance.store.js';
import { topicOf } from './channel.js';
import { insertEvents, type AddedEvent } from './event.store.js';

/** What a transaction has changed of a wallet. */
export interface WalletNews {
  /** Orders as their readers get them, in the order in which they changed: JSON, amounts as decimal text. */
  readonly orders?: readonly unknown[];
  /**
   * The currencies in which it has posted to accounts of the wallet, and no others. It has those accounts locked: what readers are told
   * of them is what they hold at the commit.
   */
  readonly currencies?: readonly string[];
}

/**
 * Tells readers of what happened in a wallet, in the transaction of the change: they get exactly what is committed, in the order of the
 * commits. Events get the next numbers of their channel, without gaps: one for each order, and one for what the wallet holds.
 *
 * Call it once for a wallet, last in the transaction: until that ends, others that tell of the same wallet wait.
 * @throws outside of `inTransaction`, and where `synthetic` is not the wallet's
 */
export async function tellReaders(tx: Context, wallet: WalletRef, news: WalletNews): Promise<void> {
  if (tx.onCommit === undefined) throw new Error('Tell readers inside inTransaction: an event belongs to its change');
  const { orders = [], currencies = [] } = news;
  const awaited = orders.length + (currencies.length > 0 ? 1 : 0);
  if (awaited === 0) return;
  const added = await insertEvents(
    tx,
    wallet,
    orders.map((order) => JSON.stringify(order)),
    currencies,
  );
  if (added.length < awaited) throw new Error('An event is said to be of the other world than its wallet');
  wakeReaders(tx, wallet, added);
}

/**
 * Tells the readers of every instance, once it is committed. Best effort: the numbers show them what they were not told, and
 * they read it from the table.
 */
function wakeReaders(tx: Context, { id }: WalletRef, added: readonly AddedEvent[]): void {
  const messages = (['orders', 'balance'] as const).flatMap((channel) => {
    const payload = added
      .filter((event) => event.channel === channel)
      .map(({ eventId, timestamp, data }) => ({ eventId, timestamp, data }))
      .sort((left, right) => left.eventId - right.eventId);
    return payload.length === 0 ? [] : [{ topics: [topicOf(id, channel)], payload }];
  });
  afterCommit(tx, () => void tx.bus.publishAll(messages));
}
