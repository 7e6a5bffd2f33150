import { errorOfFrame, isObject, LastroNetworkError, readObject } from './errors.js';
import type { LiveChannel, LiveOptions, LiveUpdate, LiveWebSocket } from './live-types.js';

/** The server sends a heartbeat every 30 seconds: a connection that is silent for longer is dead. */
const silenceMs = 70_000;
/** How often the client looks for a new token. */
const renewalMs = 15_000;

export interface SocketParts {
  readonly url: string;
  readonly WebSocket: new (url: string) => LiveWebSocket;
  readonly options: LiveOptions;
  readonly profileId: string | undefined;
  readonly synthetic: boolean;
  readonly token: string;
  readonly accessToken: () => Promise<string>;
  readonly lastEventIds: ReadonlyMap<string, number>;
  readonly onLive: () => void;
}

/** A connection that ended with a close code. */
export class SocketClosed extends LastroNetworkError {
  readonly closeCode: number;

  constructor(closeCode: number) {
    super('NETWORK', `The socket was closed with code ${closeCode}`);
    this.closeCode = closeCode;
  }
}

/** Opens a socket and subscribes to the channels. The updates end, with an error, when the connection does. */
export function openSocket(parts: SocketParts): { readonly updates: AsyncIterable<LiveUpdate>; close(): void } {
  const { url, WebSocket, options, onLive } = parts;
  const updates = openQueue(options.maxQueued ?? 1_000);
  const socket = new WebSocket(url);
  const channels: ReadonlySet<string> = new Set(options.channels);
  const pending = new Set(channels);
  let { token } = parts;
  let isOpen = false;
  let isEnded = false;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const end = (error?: Error) => {
    [isOpen, isEnded] = [false, true];
    clearTimeout(silence);
    clearInterval(renewal);
    updates.end(error);
    socket.close();
  };
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      end(new LastroNetworkError('TIMEOUT', `The socket was silent for ${silenceMs} ms`));
    }, silenceMs);
  };
  const subscribe = () => {
    for (const channel of options.channels) socket.send(JSON.stringify(subscription(parts, channel, token)));
  };
  const renew = async () => {
    try {
      const current = await parts.accessToken();
      if (current === token) return;
      token = current;
      if (isOpen) subscribe();
    } catch (error) {
      end(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const renewal = setInterval(() => void renew(), renewalMs);

  heard();
  socket.addEventListener('open', () => {
    if (isEnded) return;
    isOpen = true;
    subscribe();
  });
  // A close follows, and has the code.
  socket.addEventListener('error', () => undefined);
  socket.addEventListener('close', ({ code }) => end(new SocketClosed(code)));
  socket.addEventListener('message', ({ data }) => {
    if (isEnded) return;
    heard();
    const frame = readObject(String(data));
    if (frame['type'] === 'error') end(errorOfFrame(frame));
    // A channel that nobody asked for is no part of the queue's bound.
    else if (isUpdate(frame) && !channels.has(frame.channel)) return;
    // The reader is slow: it reads what is here, and the rest is replayed on a new connection.
    else if (isUpdate(frame) && !updates.push(frame)) end();
    else if (frame['type'] === 'subscribed' && pending.delete(String(frame['channel'])) && pending.size === 0) onLive();
  });
  return { updates, close: end };
}

function subscription(
  { profileId, synthetic, lastEventIds }: SocketParts,
  channel: LiveChannel,
  token: string,
): object {
  const lastEventId = lastEventIds.get(channel);
  return {
    action: 'subscribe',
    channel,
    token,
    ...(profileId === undefined ? {} : { profileId }),
    ...(synthetic ? { synthetic } : {}),
    ...(lastEventId === undefined ? {} : { lastEventId }),
  };
}

/** The data of a channel is as `gateway/live/socket/PROTOCOL.md` documents it. */
function isUpdate(frame: object): frame is LiveUpdate {
  const { type, channel, eventId, data }: Readonly<Record<string, unknown>> = { ...frame };
  return (
    (type === 'reset' || (type === 'update' && (isObject(data) || Array.isArray(data)))) &&
    typeof channel === 'string' &&
    typeof eventId === 'number'
  );
}

/** Updates between the socket and its reader. For prices, only the latest update is kept. */
interface LiveQueue extends AsyncIterable<LiveUpdate> {
  /** Returns whether the update was taken; false when the queue is full. */
  push(update: LiveUpdate): boolean;
  /** Ends the queue after the updates that it holds, with an error where there is one. */
  end(error?: Error): void;
}

function openQueue(maxQueued: number): LiveQueue {
  const waiting = new Map<string, LiveUpdate>();
  let events = 0;
  let ended: { readonly error: Error | undefined } | undefined;
  let notify: () => void = () => undefined;

  return {
    push: (update) => {
      if (ended !== undefined) return false;
      const isEvent = update.channel === 'orders' || update.channel === 'balance';
      if (isEvent && waiting.size >= maxQueued) return false;
      events += 1;
      waiting.set(isEvent ? String(events) : update.channel, update);
      notify();
      return true;
    },
    end: (error) => {
      ended ??= { error };
      notify();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const [first] = waiting;
        if (first !== undefined) {
          waiting.delete(first[0]);
          yield first[1];
        } else if (ended === undefined) {
          await new Promise<void>((resolve) => (notify = resolve));
        } else {
          if (ended.error !== undefined) throw ended.error;
          return;
        }
      }
    },
  };
}
