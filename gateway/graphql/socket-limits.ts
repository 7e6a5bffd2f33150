import type { Duplex } from 'node:stream';
import type { Config } from '../../shared/kernel/config.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { networkOf } from '../../shared/kernel/network.js';
import { Tally } from '../http/limits/connections.js';

/** Seconds after which a refused client may try again: by then the places of lost peers are free. */
const retryAfterSeconds = 60;

export interface ConnectionLimiter {
  /** Takes a place until the connection closes. @throws {ApiError} TOO_MANY_REQUESTS if the network has no place left, UNAVAILABLE if the process has none. */
  take(ip: string, connection: Duplex): void;
}

export function createConnectionLimiter({ max, maxPerNetwork }: Config['sockets']): ConnectionLimiter {
  const taken = new Tally();
  let total = 0;
  return {
    take: (ip, connection) => {
      const network = networkOf(ip);
      if (taken.of(network) >= maxPerNetwork) {
        const message = `Too Many Requests: a network holds at most ${maxPerNetwork} WebSockets, wait ${retryAfterSeconds} seconds`;
        throw new ApiError('TOO_MANY_REQUESTS', { message, retryAfterSeconds });
      }
      if (total >= max) {
        const message = 'This instance is at its limit of WebSockets. Try again later';
        throw new ApiError('UNAVAILABLE', { message, retryAfterSeconds });
      }
      // A connection that has already closed would never give its place back.
      if (connection.closed) return;
      const leave = taken.add(network);
      total += 1;
      connection.once('close', () => {
        leave();
        total -= 1;
      });
    },
  };
}

/** Messages of one socket that are still being worked on; a subscription's message stays as long as the subscription. */
export interface HeldMessages {
  hold(bytes: number, work: Promise<unknown>): void;
  /** Requires room for another operation. @throws {ApiError} TOO_MANY_REQUESTS when this socket holds too much, UNAVAILABLE when all of the process do */
  demand(): void;
}

const maxHeldBytes = 262_144;
const maxHeldInAll = 64 * 1_048_576;

/** Limits the bytes of messages that are held for sockets: for each socket, and for the process. */
export function boundHeldMessages(): () => HeldMessages {
  let inAll = 0;
  return () => {
    let own = 0;
    return {
      hold: (bytes, work) => {
        own += bytes;
        inAll += bytes;
        void work.finally(() => {
          own -= bytes;
          inAll -= bytes;
        });
      },
      demand: () => {
        if (own > maxHeldBytes) {
          const message = `The operations of a socket have at most ${maxHeldBytes} bytes: end some of them, or open another socket`;
          throw new ApiError('TOO_MANY_REQUESTS', { message });
        }
        if (inAll > maxHeldInAll) throw new ApiError('UNAVAILABLE', { retryAfterSeconds: 10 });
      },
    };
  };
}

export interface Reader {
  queuedBytes(): number;
  drop(): void;
}

/** Limits the total bytes that are queued for the sockets of this process. */
export interface SendBudget {
  /** Counts bytes that are queued for a reader. When the total is too large, the readers with the longest queues are dropped. */
  add(reader: Reader, bytes: number): void;
  remove(reader: Reader, bytes: number): void;
  readonly queuedBytes: number;
}

const maxQueuedBytes = 64 * 1_048_576;

export function createSendBudget(): SendBudget {
  const readers = new Set<Reader>();
  let total = 0;
  return {
    get queuedBytes() {
      return total;
    },
    add: (reader, bytes) => {
      total += bytes;
      readers.add(reader);
      while (total > maxQueuedBytes && readers.size > 1) slowestOf(readers).drop();
    },
    remove: (reader, bytes) => {
      total -= bytes;
      if (reader.queuedBytes() === 0) readers.delete(reader);
    },
  };
}

function slowestOf(readers: ReadonlySet<Reader>): Reader {
  return [...readers].reduce((slowest, reader) => (reader.queuedBytes() > slowest.queuedBytes() ? reader : slowest));
}
