import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Reader, SendBudget } from './socket-limits.js';

export const closeCodes = {
  slowReader: 4008,
  /** The caller's rate limit is spent; it may come back later (RFC 6455 registry: Try Again Later). */
  tryAgainLater: 1013,
} as const;

export interface SocketBounds {
  /** Number of bytes queued for the peer above which nothing more is read from it. */
  readonly highWaterBytes: number;
  /** Maximum number of bytes queued for the peer; only a single message may be larger. */
  readonly maxQueuedBytes: number;
  /** Time for which the queue may stay above the high-water mark, besides the time that it takes at `leastBytesPerSecond`. */
  readonly drainMs: number;
  readonly leastBytesPerSecond: number;
  /** Small frames a minute that a socket may send when its caller's limit is spent, such as keep-alives. */
  readonly freeFramesPerMinute: number;
}

export const usualBounds: SocketBounds = {
  highWaterBytes: 65_536,
  maxQueuedBytes: 8 * 1_048_576,
  drainMs: 10_000,
  leastBytesPerSecond: 65_536,
  freeFramesPerMinute: 60,
};

/** Options of `ws` for servers with bounded sockets: pongs are sent by this module, and a frame may not come in thousands of fragments. */
export const boundedServerOptions = {
  autoPong: false,
  maxFragments: 128,
  maxBufferedChunks: 512,
  closeTimeout: 3_000,
} as const;

/** Bytes that are still read after this side has closed: the rest of a message that is too long, and the peer's own close frame. */
const bytesAfterClose = 1_048_576;
const minuteMs = 60_000;
const maxReasonBytes = 123;

export interface BoundedSocketOptions {
  readonly stream: Duplex;
  readonly budget: SendBudget;
  readonly bounds?: Partial<SocketBounds>;
  /** Returns the cost of a message of the given size, in points of the caller's rate limit. A ping or pong costs one. */
  readonly pointsOf: (bytes: number) => number;
  /** Spends points of the caller's rate limit; false when there are not enough. Calls never overlap. */
  readonly charge: (points: number) => Promise<boolean>;
  readonly onMessage: (data: Buffer, isBinary: boolean) => void;
}

export interface BoundedSocket {
  /** Queues a text message; a buffer is sent unchanged as text. Resolves when the connection has taken it, or is closed. */
  readonly send: (text: string | Buffer) => Promise<void>;
  /** Closes the socket; messages that still come are dropped. */
  readonly close: (code: number, reason: string) => void;
}

/**
 * Bounds a socket of `ws`: above `highWaterBytes` nothing is read, and a peer that does not read in time is closed (4008); every frame is charged, and a
 * peer beyond its limit closed (1013); pings are answered one at a time, the latest that waits (RFC 6455 §5.5.3).
 */
export function boundSocket(socket: WebSocket, options: BoundedSocketOptions): BoundedSocket {
  const bounds = { ...usualBounds, ...options.bounds };
  const queue = boundQueue(socket, options, bounds);
  const admits = chargeFrames(socket, options, bounds);
  readLittleAfterClose(socket, options.stream);
  socket.on('message', (data: Buffer, isBinary) => {
    if (admits(options.pointsOf(data.length))) options.onMessage(data, isBinary);
  });
  socket.on('pong', () => admits(1));
  const answer = respondToPings(socket);
  socket.on('ping', (data: Buffer) => {
    if (admits(1)) answer(data);
  });
  return {
    send: queue.send,
    close: (code, reason) => {
      // Reading continues, so that the peer's close frame is seen.
      socket.resume();
      // A reason is 123 bytes at most (RFC 6455 §5.5), and may repeat what the peer sent.
      socket.close(
        code,
        Buffer.from(reason)
          .subarray(0, maxReasonBytes)
          .toString('utf8')
          .replace(/\ufffd.*$/s, ''),
      );
    },
  };
}

/** Queues messages, stops reading while too much waits, and closes the socket of a peer that does not read. */
function boundQueue(
  socket: WebSocket,
  { stream, budget }: BoundedSocketOptions,
  bounds: SocketBounds,
): Pick<BoundedSocket, 'send'> {
  let queued = 0;
  let deadline: NodeJS.Timeout | undefined;
  const waiting = new Set<() => void>();
  const reader: Reader = {
    queuedBytes: () => queued,
    drop: () => {
      giveUp();
      socket.terminate();
    },
  };
  const giveUp = () => {
    clearTimeout(deadline);
    const given = queued;
    queued = 0;
    budget.remove(reader, given);
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  const closeSlow = () => {
    socket.close(closeCodes.slowReader, 'The client reads too slowly');
  };
  const stopReading = () => {
    socket.pause();
    deadline ??= setTimeout(closeSlow, bounds.drainMs + (queued / bounds.leastBytesPerSecond) * 1_000);
  };
  const goOnReading = () => {
    clearTimeout(deadline);
    deadline = undefined;
    socket.resume();
  };
  socket.once('close', giveUp);
  return {
    send: (text) => {
      if (socket.readyState !== socket.OPEN) return Promise.resolve();
      const data = typeof text === 'string' ? Buffer.from(text) : text;
      if (queued > 0 && queued + data.length > bounds.maxQueuedBytes) {
        closeSlow();
        return Promise.resolve();
      }
      queued += data.length;
      budget.add(reader, data.length);
      return new Promise((resolve) => {
        waiting.add(resolve);
        writeTogether(stream);
        socket.send(data, { binary: false }, () => {
          // The close of the socket has already released this message with the rest of the queue.
          if (!waiting.delete(resolve)) return;
          queued -= data.length;
          budget.remove(reader, data.length);
          if (deadline !== undefined && queued < bounds.highWaterBytes / 2) goOnReading();
          resolve();
        });
        if (queued > bounds.highWaterBytes) stopReading();
      });
    },
  };
}

/** Charges frames; those that come during a charge are charged together. @returns whether the frame may be read; false as soon as the socket closes */
function chargeFrames(
  socket: WebSocket,
  { charge }: BoundedSocketOptions,
  bounds: SocketBounds,
): (points: number) => boolean {
  let due = 0;
  let charging = false;
  let free = bounds.freeFramesPerMinute;
  let freeUntil = 0;
  const mayGoOn = (points: number) => {
    const now = performance.now();
    if (now >= freeUntil) {
      free = bounds.freeFramesPerMinute;
      freeUntil = now + minuteMs;
    }
    free -= points;
    return free >= 0;
  };
  const settle = async () => {
    charging = true;
    while (due > 0) {
      const points = due;
      due = 0;
      // When the limiter fails, the caller's socket stays open.
      const paid = await charge(points).catch(() => true);
      if (!paid && !mayGoOn(points)) {
        due = 0;
        socket.pause();
        socket.close(closeCodes.tryAgainLater, 'The rate limit is used up: connect again in a minute');
        break;
      }
    }
    charging = false;
  };
  return (points) => {
    if (socket.readyState !== socket.OPEN) return false;
    due += points;
    if (!charging) void settle();
    return true;
  };
}

/** Stops reading from a peer that goes on sending after this side has closed; `ws` would read it, and drop it, until the close timeout. */
function readLittleAfterClose(socket: WebSocket, stream: Duplex): void {
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    if (socket.readyState !== socket.CLOSING) return;
    bytes += chunk.length;
    if (bytes > bytesAfterClose) stream.pause();
  });
}

/** Answers pings, one at a time: while a pong is being sent only the latest ping waits. */
function respondToPings(socket: WebSocket): (data: Buffer) => void {
  let answering = false;
  let next: Buffer | undefined;
  const answer = (data: Buffer) => {
    answering = true;
    socket.pong(data, false, () => {
      answering = false;
      const latest = next;
      next = undefined;
      if (latest !== undefined && socket.readyState === socket.OPEN) answer(latest);
    });
  };
  return (data) => {
    // A copy: the frame is a slice of a larger buffer, which would otherwise stay in memory.
    const own = Buffer.from(data);
    if (answering) next = own;
    else answer(own);
  };
}

const held = new Set<Duplex>();

/** Combines all writes to a connection in this turn of the event loop into one system call. */
function writeTogether(connection: Duplex): void {
  if (held.has(connection)) return;
  if (held.size === 0) setImmediate(release);
  held.add(connection);
  connection.cork();
}

function release(): void {
  for (const connection of held) connection.uncork();
  held.clear();
}
