import type { Context } from '../../../shared/context.js';
import type { WalletRef } from '../ledger/balance.store.js';
import { wakeReaders } from './append-events.js';
import { insertBalanceEvents, moveBalanceHeads } from './event.store.js';

/**
 * Tells readers what wallets hold, one event for each, in the transaction of the change. Call it once in a transaction, after
 * everything was posted and after `appendEvents`.
 * @param currencies what the transaction has changed; every currency that a wallet has ever held when not given
 * @throws outside of `inTransaction`, and where `synthetic` is not the wallet's
 */
export async function appendBalances(
  tx: Context,
  wallets: readonly WalletRef[],
  currencies?: readonly string[],
): Promise<void> {
  if (tx.onCommit === undefined) throw new Error('Append events inside inTransaction: an event belongs to its change');
  const distinct = [...new Map(wallets.map((wallet) => [wallet.id, wallet])).values()];
  if (distinct.length === 0) return;
  await moveBalanceHeads(tx, distinct);
  const ids = distinct.map(({ id }) => id);
  wakeReaders(tx, await insertBalanceEvents(tx, ids, currencies ?? null));
}
