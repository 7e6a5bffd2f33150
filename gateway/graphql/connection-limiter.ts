import type { Duplex } from 'node:stream';
import type { Config } from '../../shared/kernel/config.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { networkOf } from '../../shared/kernel/network.js';
import { Tally } from '../http/limits/connections.js';

/** Seconds after which a refused client may try again: by then the places of lost peers are free. */
const retryAfterSeconds = 60;

export interface ConnectionLimiter {
  /** Takes a place until the connection closes. @throws {ApiError} TOO_MANY_REQUESTS when the network has no more, UNAVAILABLE when the process has none. */
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
