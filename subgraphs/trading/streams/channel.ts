import type { WalletRef } from '../ledger/balance.store.js';

/** What is told of a wallet: what happens to its orders, and what it holds. */
export type Channel = 'orders' | 'balance';

/** One channel of one wallet. */
export interface ChannelRef {
  readonly wallet: WalletRef;
  readonly channel: Channel;
}

/** An event of a channel of a wallet, as its readers get it. */
export interface StoredEvent {
  /** Grows by one with each event of the channel of the wallet. */
  readonly eventId: number;
  /** ISO 8601 in UTC. */
  readonly timestamp: string;
  /** JSON. */
  readonly data: unknown;
}

/** Where the bus tells of new events of a channel of a wallet. */
export function topicOf(walletId: string, channel: Channel): string {
  return `trading.stream:${walletId}:${channel}`;
}
