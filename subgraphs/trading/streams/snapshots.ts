import { listBalances } from '../ledger/balance.store.js';
import { listOrders } from '../orders/order.store.js';
import { toOrder } from '../orders/order.type.js';
import type { Channel } from './channel.js';
import type { SnapshotOf } from './read-snapshot.js';

/** Maximum number of open orders in a snapshot, newest first. */
export const maxSnapshotOrders = 1_000;

/** The state of a wallet: its open orders, and its balances. */
export const snapshots: Readonly<Record<Channel, SnapshotOf>> = {
  orders: async (context, { id: walletId, synthetic }) => {
    const selection = {
      walletId,
      synthetic,
      symbol: null,
      status: 'OPEN' as const,
      after: null,
      limit: maxSnapshotOrders,
    };
    return (await listOrders(context, selection)).map(toOrder);
  },
  balance: async (context, wallet) => ({ wallets: await listBalances(context, wallet) }),
};
