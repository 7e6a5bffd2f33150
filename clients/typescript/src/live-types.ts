import type { Balance, Order, Ticker } from './generated/api.js';

/** A channel of the socket: `ticker:BTC/BRL`, `depth:BTC/BRL`, `orders`, `balance`. */
export type LiveChannel = `ticker:${string}` | `depth:${string}` | 'orders' | 'balance';

/** A level of an order book; amounts are decimal text. */
export interface DepthLevel {
  readonly price: string;
  readonly amount: string;
}

/** The order book of a market, best levels first. */
export interface Depth {
  readonly symbol: string;
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
  readonly timestamp: string;
}

interface Event<Channel extends LiveChannel, Data> {
  readonly type: 'update';
  readonly channel: Channel;
  /** Grows by one per event of `orders` and `balance`; keep it to resume. */
  readonly eventId: number;
  readonly timestamp: string;
  readonly data: Data;
}

/** Data that changed. */
interface Change<Channel extends LiveChannel, Data> extends Event<Channel, Data> {
  readonly snapshot?: undefined;
}

/** The present state, which replaces what came before. */
interface Snapshot<Channel extends LiveChannel, Data> extends Event<Channel, Data> {
  readonly snapshot: true;
}

type Update<Channel extends LiveChannel, Data, Whole = Data> = Change<Channel, Data> | Snapshot<Channel, Whole>;

/** Events were lost, since the last one is older than 24 hours: discard the earlier state of the channel. A snapshot follows. */
export interface LiveReset<Channel extends 'orders' | 'balance' = 'orders' | 'balance'> {
  readonly type: 'reset';
  readonly channel: Channel;
  readonly eventId: number;
  readonly timestamp: string;
}

/** An update of one of the channels. A snapshot of `orders` is the list of the open orders; other updates of it are one order. */
export type LiveUpdate<Channel extends LiveChannel = LiveChannel> =
  | (Channel extends `ticker:${string}` ? Update<Channel, Ticker> : never)
  | (Channel extends `depth:${string}` ? Update<Channel, Depth> : never)
  | (Channel extends 'orders' ? Update<Channel, Order, readonly Order[]> | LiveReset<Channel> : never)
  | (Channel extends 'balance'
      ? Update<Channel, { readonly wallets: readonly Balance[] }> | LiveReset<Channel>
      : never);

/** `waiting`: there is no connection, and what was shown is stale. */
export type LiveState = 'connecting' | 'live' | 'waiting';

/** The used part of a WebSocket: the global class has it, and the class of the package `ws`. */
export interface LiveWebSocket {
  send(data: string): void;
  close(): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void;
}

export interface LiveOptions<Channel extends LiveChannel = LiveChannel> {
  /** The updates have the types of these channels. */
  readonly channels: readonly Channel[];
  /** Event ids of `orders` and `balance` after which the updates begin; without one a channel begins with a snapshot. */
  readonly lastEventIds?: Readonly<Partial<Record<'orders' | 'balance', number>>> | undefined;
  /** Profile of the company; the client's profile when omitted. */
  readonly profileId?: string | undefined;
  /** Whether the wallet is a simulated one; the setting of the client when omitted. */
  readonly synthetic?: boolean | undefined;
  /** In place of the global `WebSocket`, which Node has from version 22 on. */
  readonly webSocket?: (new (url: string) => LiveWebSocket) | undefined;
  /** Events of orders and balances that wait for the reader; 1,000 when omitted. Beyond it the socket is closed until the reader has read them. */
  readonly maxQueued?: number | undefined;
  /** Ends the updates. */
  readonly signal?: AbortSignal | undefined;
  /** Called at each change, when `waiting` with why there is no connection. */
  readonly onState?: ((state: LiveState, error?: unknown) => void) | undefined;
}
