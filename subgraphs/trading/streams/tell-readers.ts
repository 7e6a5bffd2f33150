import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit } from '../../../shared/database/transaction.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import type { WalletRef } from '../ledger/ledger.store.js';
import { insertEvents, type AddedEvent, topicOf } from './event.store.js';

export interface WalletNews {
  /** Orders as their readers receive them, in the order in which they changed: JSON, amounts as decimal text. */
  readonly orders?: readonly unknown[];
  /** The currencies in which the transaction has posted to the wallet, and no others: it has locked those accounts, so readers receive their balances as of the commit. */
  readonly currencies?: readonly string[];
}

export interface NewsOf extends WalletNews {
  readonly wallet: WalletRef;
}

/**
 * Announces changes of a wallet to its readers, in the transaction of the change: they receive exactly what is committed, in the order of the
 * commits. Events get the next numbers of their channel, without gaps: one for each order, and one for the wallet's balances.
 *
 * Call it once in a transaction, last: until that ends, other announcements of the same wallet wait.
 * @throws outside of `inTransaction`, and where `synthetic` is not the wallet's
 */
export function tellReaders(tx: Context, wallet: WalletRef, news: WalletNews): Promise<void> {
  return tellAll(tx, [{ wallet, ...news }]);
}

export async function tellAll(tx: Context, news: readonly NewsOf[]): Promise<void> {
  if (tx.onCommit === undefined)
    throw new Error('Events must be announced inside inTransaction, together with their change');
  const wallets = new Map(news.map(({ wallet }) => [wallet.id, wallet]));
  const all = [...wallets.values()]
    .map((wallet) => {
      const own = news.filter((one) => one.wallet.id === wallet.id);
      const orders = own.flatMap(({ orders: given = [] }) => given.map((order) => JSON.stringify(order)));
      return { wallet, orders, currencies: [...new Set(own.flatMap(({ currencies = [] }) => currencies))] };
    })
    .filter(({ orders, currencies }) => orders.length + currencies.length > 0);
  if (all.length === 0) return;
  const added = await insertEvents(tx, all);
  const awaited = all.reduce((sum, { orders, currencies }) => sum + orders.length + Math.min(1, currencies.length), 0);
  if (added.length < awaited) throw new Error('An event and its wallet must both be real or both be synthetic');
  wakeReaders(tx, added);
}

/** Wakes readers after the commit, without a guarantee: from the numbers they notice missing events, and read them from the table. */
function wakeReaders(tx: Context, added: readonly AddedEvent[]): void {
  const messages = [...groupBy(added, ({ walletId, channel }) => topicOf(walletId, channel))].map(
    ([topic, events]) => ({
      topics: [topic],
      payload: events
        .map(({ eventId, timestamp, data }) => ({ eventId, timestamp, data }))
        .sort((left, right) => left.eventId - right.eventId),
    }),
  );
  afterCommit(tx, () => void tx.bus.publishAll(messages));
}
