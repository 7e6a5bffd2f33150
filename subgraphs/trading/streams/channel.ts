import type { WalletRef } from '../ledger/ledger.store.js';

/** The channels of a wallet: events of its orders, and its balances. */
export type Channel = 'orders' | 'balance';

export interface ChannelRef {
  readonly wallet: WalletRef;
  readonly channel: Channel;
}

/** An event of a channel of a wallet, as its readers receive it. */
export interface StoredEvent {
  /** Increases by one with each event of the channel of the wallet. */
  readonly eventId: number;
  /** ISO 8601 in UTC. */
  readonly timestamp: string;
  /** JSON. */
  readonly data: unknown;
}

export function topicOf(walletId: string, channel: Channel): string {
  return `trading.stream:${walletId}:${channel}`;
}
