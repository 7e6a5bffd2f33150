import type { AuditEntry } from './entry.js';

/** Limits of the entries that wait to be written: entries beyond them are lost. */
export interface BacklogBounds {
  readonly maxEntries: number;
  /** Size as JSON. */
  readonly maxBytes: number;
}

/** Entries that wait to be written, oldest first. */
export interface Backlog {
  readonly size: number;
  readonly bytes: number;
  /** Adds the entries for which there is room and returns how many were lost. */
  add(entries: readonly AuditEntry[]): number;
  /** Returns up to `count` of the first entries, in total no larger than `maxBytes` as JSON unless a single one is. Does not remove them. */
  first(count: number, maxBytes: number): AuditEntry[];
  /** Removes the first `count` entries. */
  drop(count: number): void;
  /** Moves the first entry to the end. */
  rotate(): void;
}

export function createBacklog({ maxEntries, maxBytes }: BacklogBounds): Backlog {
  const waiting: { readonly entry: AuditEntry; readonly bytes: number }[] = [];
  let held = 0;

  return {
    get size() {
      return waiting.length;
    },
    get bytes() {
      return held;
    },
    add: (entries) => {
      let lost = 0;
      for (const entry of entries) {
        const bytes = Buffer.byteLength(JSON.stringify(entry));
        if (waiting.length >= maxEntries || held + bytes > maxBytes) {
          lost += 1;
        } else {
          waiting.push({ entry, bytes });
          held += bytes;
        }
      }
      return lost;
    },
    first: (count, most) => {
      let bytes = 0;
      const chunk = waiting.slice(0, count);
      const end = chunk.findIndex((one, at) => (bytes += one.bytes) > most && at > 0);
      return chunk.slice(0, end === -1 ? chunk.length : end).map(({ entry }) => entry);
    },
    drop: (count) => {
      for (const { bytes } of waiting.splice(0, count)) held -= bytes;
    },
    rotate: () => waiting.push(...waiting.splice(0, 1)),
  };
}
