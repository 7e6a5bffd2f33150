import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Reader, SendBudget } from './send-budget.js';
import { writeTogether } from './write-together.js';

/** Close codes of every transport over WebSocket. */
export const closeCodes = {
  /** The peer reads more slowly than messages are queued for it. */
  slowReader: 4008,
  /** The caller's rate limit is spent; it may come back later (RFC 6455 registry: Try Again Later). */
  tryAgainLater: 1013,
} as const;

export interface SocketBounds {
  /** Bytes queued for the peer above which nothing more is read from it. */
  readonly highWaterBytes: number;
  /** Bytes queued for the peer at most; only a single message may be larger. */
  readonly maxQueuedBytes: number;
  /** How long the queue may stay above the high-water mark, besides the time that it takes at `leastBytesPerSecond`. */
  readonly drainMs: number;
  readonly leastBytesPerSecond: number;
  /** Small frames a minute that a socket may send although its caller's limit is spent: keep-alives are among them. */
  readonly freeFramesPerMinute: number;
}

export const usualBounds: SocketBounds = {
  highWaterBytes: 65_536,
  maxQueuedBytes: 8 * 1_048_576,
  drainMs: 10_000,
  leastBytesPerSecond: 65_536,
  freeFramesPerMinute: 60,
};

/** Options of `ws` for a server whose sockets are bounded: pongs are sent here, and no frame comes in thousands of pieces. */
export const boundedServerOptions = {
  autoPong: false,
  maxFragments: 128,
  maxBufferedChunks: 512,
  closeTimeout: 3_000,
} as const;

/** Frames that are still read after this side has closed, for the peer's own close frame is among them. */
const framesAfterClose = 100;
const minuteMs = 60_000;
const maxReasonBytes = 123;

export interface BoundedSocketOptions {
  /** What the socket writes to. */
  readonly stream: Duplex;
  readonly budget: SendBudget;
  readonly bounds?: Partial<SocketBounds>;
  /** What a message of so many bytes costs: points of the caller's rate limit. A ping or pong costs one. */
  readonly pointsOf: (bytes: number) => number;
  /** Spends points of the caller's rate limit; false when they are not there. Called once at a time. */
  readonly charge: (points: number) => Promise<boolean>;
  /** Takes a message of the peer. */
  readonly onMessage: (data: Buffer, isBinary: boolean) => void;
}

/** One WebSocket with bounds on what is queued for its peer, and on what its peer may send. */
export interface BoundedSocket {
  /** Queues a text message; bytes of one are sent as they are. Resolves when the connection has taken it, or is closed. */
  readonly send: (text: string | Buffer) => Promise<void>;
  /** Closes the socket; messages that still come are dropped. */
  readonly close: (code: number, reason: string) => void;
}

/**
 * Bounds a socket of `ws`, for any protocol on it:
 * - while more than `highWaterBytes` are queued for the peer nothing is read from it; a peer that does not read in time is closed with 4008;
 * - every frame of the peer (messages, pings, pongs) is charged to its caller; a peer beyond the limit is closed with 1013;
 * - pings are answered one at a time, the latest of those that wait (RFC 6455 §5.5.3).
 */
export function boundSocket(socket: WebSocket, options: BoundedSocketOptions): BoundedSocket {
  const bounds = { ...usualBounds, ...options.bounds };
  const queue = boundQueue(socket, options, bounds);
  const admits = chargeFrames(socket, options, bounds);
  socket.on('message', (data: Buffer, isBinary) => {
    if (admits(options.pointsOf(data.length))) options.onMessage(data, isBinary);
  });
  socket.on('pong', () => admits(1));
  const answer = answerPings(socket);
  socket.on('ping', (data: Buffer) => {
    if (admits(1)) answer(data);
  });
  return {
    send: queue.send,
    close: (code, reason) => {
      // Reading goes on, so that the peer's close frame is seen.
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

/** Queues what is sent, stops reading while too much waits, and closes on a peer that does not take it. */
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

/**
 * Charges frames to the caller, all that came while an earlier charge was under way at once.
 * @returns whether a frame of so many points may be looked at; false from the moment at which the socket closes
 */
function chargeFrames(
  socket: WebSocket,
  { charge }: BoundedSocketOptions,
  bounds: SocketBounds,
): (points: number) => boolean {
  let due = 0;
  let charging = false;
  let dropped = 0;
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
      // The limiter failed: the caller is not closed for that.
      const paid = await charge(points).catch(() => true);
      if (!paid && !mayGoOn(points)) {
        due = 0;
        socket.pause();
        socket.close(closeCodes.tryAgainLater, 'The rate limit is spent: come back in a minute');
        break;
      }
    }
    charging = false;
  };
  return (points) => {
    if (socket.readyState !== socket.OPEN) {
      dropped += 1;
      if (dropped > framesAfterClose) socket.pause();
      return false;
    }
    due += points;
    if (!charging) void settle();
    return true;
  };
}

/** Answers pings, one at a time: while an answer is on its way only the latest ping waits. */
function answerPings(socket: WebSocket): (data: Buffer) => void {
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
    // A copy: the frame is a piece of a larger buffer, which would be kept as long.
    const own = Buffer.from(data);
    if (answering) next = own;
    else answer(own);
  };
}
