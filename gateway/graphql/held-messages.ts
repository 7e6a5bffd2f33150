import { ApiError } from '../../shared/errors.js';

/** The messages of one socket that are still worked on: those of subscriptions stay as long as these do. */
export interface HeldMessages {
  /** Counts a message until its work is over. */
  hold(bytes: number, work: Promise<unknown>): void;
  /**
   * Says whether what is held leaves room for another operation.
   * @throws {ApiError} TOO_MANY_REQUESTS when this socket holds too much, UNAVAILABLE when all of the process do.
   */
  demand(): void;
}

/** Bounds the messages that are held for sockets: so many bytes for one, and for all of this process. */
export function boundHeldMessages(maxBytes = 262_144, maxBytesInAll = 64 * 1_048_576): () => HeldMessages {
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
          const message = `The operations of a socket take at most ${maxBytes} bytes: end some, or open another socket`;
          throw new ApiError('TOO_MANY_REQUESTS', { message });
        }
        if (inAll > maxBytesInAll) throw new ApiError('UNAVAILABLE', { retryAfterSeconds: 10 });
      },
    };
  };
}
