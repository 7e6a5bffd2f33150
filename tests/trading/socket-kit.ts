import { WebSocket } from 'ws';
import type { PlatformOptions } from '../../bootstrap/platform.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { tellReaders } from '../../subgraphs/trading/streams/tell-readers.js';
import type { OwnWallet } from '../../subgraphs/trading/profiles/profile.store.js';
import { openTestPlatform } from '../kit/platform.js';
import { newTrader, plenty, tradingCallerOf, walletOf, type TestTrader, type TestTraderOptions } from './kit.js';

export interface Frame {
  readonly type: string;
  readonly channel?: string;
  readonly profileId?: string;
  readonly synthetic?: boolean;
  readonly eventId?: number;
  readonly timestamp?: string;
  readonly snapshot?: boolean;
  readonly renewed?: boolean;
  readonly data?: unknown;
  readonly statusCode?: number;
  readonly code?: string;
  readonly message?: string;
  readonly error?: string;
  readonly requestId?: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

export type SocketClient = Awaited<ReturnType<typeof openSocket>>;

export async function openSocket(url: string, options: { localAddress?: string } = {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, options);
  const frames: Frame[] = [];
  const readers: { resolve: (frame: Frame) => void; reject: (error: Error) => void }[] = [];
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Frame;
    const reader = readers.shift();
    if (reader === undefined) frames.push(frame);
    else reader.resolve(frame);
  });
  const closed = new Promise<Closed>((resolve) => {
    socket.once('close', (code, reason) => {
      for (const { reject } of readers.splice(0)) reject(new Error(`closed with ${code}`));
      resolve({ code, reason: reason.toString() });
    });
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.on('error', () => undefined);
  const next = () =>
    new Promise<Frame>((resolve, reject) => {
      const frame = frames.shift();
      if (frame !== undefined) resolve(frame);
      else if (socket.readyState > socket.OPEN) reject(new Error('closed'));
      else readers.push({ resolve, reject });
    });
  return {
    socket,
    closed,
    /** The next frame that was not taken yet. @throws when the socket closes before */
    next,
    send: (frame: unknown) => {
      socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
    },
    take: async (count: number) => {
      const taken: Frame[] = [];
      while (taken.length < count) taken.push(await next());
      return taken;
    },
    get waiting() {
      return frames.length;
    },
  };
}

/** A company with its token, as a client of the socket knows it. */
export interface SocketTrader extends TestTrader {
  readonly token: string;
}

/** An order as its readers get it, by its id. */
export const orderNamed = (orderId: string, reason: string | null = null): object => ({
  orderId,
  clientOrderId: null,
  symbol: 'BTC/BRL',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  postOnly: false,
  status: 'PENDING',
  reason,
  amount: '0.01000000',
  quoteAmount: null,
  price: '1.50',
  filledAmount: '0.00000000',
  averagePrice: null,
  fee: '0.00',
  feeCurrency: 'BRL',
  expiresAt: null,
  createdAt: '2026-11-20T15:00:00.000Z',
  filledAt: null,
});

export async function openSocketPlatform(
  environment: Readonly<Record<string, string>> = {},
  options: PlatformOptions = {},
) {
  const platform = await openTestPlatform({ ...plenty, ...environment }, { background: false, ...options });
  const { context } = platform.infrastructure;
  const clients: SocketClient[] = [];
  return {
    platform,
    connect: async () => {
      const client = await openSocket(platform.url);
      clients.push(client);
      return client;
    },
    trader: async (made?: TestTraderOptions): Promise<SocketTrader> => {
      const trader = await newTrader(context, made);
      const { tokens } = await tradingCallerOf(platform).session(trader);
      return { ...trader, token: tokens.accessToken };
    },
    wallet: walletOf,
    append: async (wallet: OwnWallet, ...all: readonly object[]) => {
      for (const order of all) await inTransaction(context, (tx) => tellReaders(tx, wallet, { orders: [order] }));
    },
    close: async () => {
      for (const { socket } of clients) socket.terminate();
      await platform.close();
    },
  };
}
