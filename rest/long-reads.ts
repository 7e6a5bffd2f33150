import { ApiError } from '../shared/errors.js';

/** Maximum number of whole batches that are read for one caller at once, and of further ones that wait for their turn. */
const maxReading = 2;
const maxWaiting = 32;
const retryAfterSeconds = 5;

/** Runs a read in its turn among those of a caller. @throws {ApiError} TOO_MANY_REQUESTS when too many wait already */
export type ReadInTurn = <T>(ownerId: string, read: () => Promise<T>) => Promise<T>;

interface Reads {
  reading: number;
  readonly waiting: (() => void)[];
}

/** Returns the function that runs reads of much data: two at a time for each caller, so that nobody's reads hold up those of all others. */
export function longReads(): ReadInTurn {
  const callers = new Map<string, Reads>();
  return async (ownerId, read) => {
    const reads = callers.get(ownerId) ?? { reading: 0, waiting: [] };
    callers.set(ownerId, reads);
    if (reads.reading < maxReading) reads.reading += 1;
    else await turn(reads);
    try {
      return await read();
    } finally {
      const next = reads.waiting.shift();
      // The place goes on to the next one.
      if (next !== undefined) next();
      else if ((reads.reading -= 1) === 0) callers.delete(ownerId);
    }
  };
}

function turn({ waiting }: Reads): Promise<void> {
  if (waiting.length >= maxWaiting) {
    const message = `Too Many Requests: at most ${maxReading} whole batches are read at once, and ${maxWaiting} wait; wait ${retryAfterSeconds} seconds`;
    throw new ApiError('TOO_MANY_REQUESTS', { message, retryAfterSeconds });
  }
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
}
