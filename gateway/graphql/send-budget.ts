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

const maxBytes = 64 * 1_048_576;

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
      while (total > maxBytes && readers.size > 1) slowestOf(readers).drop();
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
