import { ApiError } from '../../shared/kernel/errors.js';

/** Messages of one socket that are still being worked on; a subscription's message stays as long as the subscription. */
export interface HeldMessages {
  hold(bytes: number, work: Promise<unknown>): void;
  /** Requires room for another operation. @throws {ApiError} TOO_MANY_REQUESTS when this socket holds too much, UNAVAILABLE when all of the process do */
  demand(): void;
}

const maxBytes = 262_144;
const maxBytesInAll = 64 * 1_048_576;

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
        if (own > maxBytes) {
          const message = `The operations of a socket have at most ${maxBytes} bytes: end some of them, or open another socket`;
          throw new ApiError('TOO_MANY_REQUESTS', { message });
        }
        if (inAll > maxBytesInAll) throw new ApiError('UNAVAILABLE', { retryAfterSeconds: 10 });
      },
    };
  };
}
