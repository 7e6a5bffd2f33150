/** A peer for whom something is queued. */
export interface Reader {
  /** Bytes that are queued for it. */
  queuedBytes(): number;
  /** Lets the peer go, with all that is queued for it. */
  drop(): void;
}

/** Bounds what is queued for the sockets of this process in all. */
export interface SendBudget {
  /** Counts bytes that are queued for a reader. Where they are too many in all, those for whom most is queued are let go. */
  add(reader: Reader, bytes: number): void;
  /** Counts bytes that were sent, or given up. */
  remove(reader: Reader, bytes: number): void;
  /** Bytes that are queued now. */
  readonly queuedBytes: number;
}

export function createSendBudget(maxBytes = 64 * 1_048_576): SendBudget {
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
