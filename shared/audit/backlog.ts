import type { AuditEntry } from './entry.js';

/** Bounds of what waits to be written: an entry beyond them is lost. */
export interface BacklogBounds {
  readonly maxEntries: number;
  /** As JSON. */
  readonly maxBytes: number;
}

/** Entries that wait to be written, the oldest first. */
export interface Backlog {
  readonly size: number;
  readonly bytes: number;
  /** Takes those for which there is room, and returns how many were lost. */
  add(entries: readonly AuditEntry[]): number;
  /** The first of them: at most `count`, and not more than `maxBytes` as JSON unless one alone is larger. They stay. */
  first(count: number, maxBytes: number): AuditEntry[];
  /** Removes the first `count`. */
  drop(count: number): void;
  /** Moves the first to the end. */
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
    rotate: () => {
      waiting.push(...waiting.splice(0, 1));
    },
  };
}
