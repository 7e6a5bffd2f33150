import { openOwnPool } from '../../database/own-pool.js';
import type { Logger } from '../../kernel/log.js';
import { codeOf } from '../../kernel/thrown.js';
import { atMost } from '../../kernel/turns.js';
import { type AuditEntry, addEntries, type RunStatement } from './entry.js';
import { createThrottle } from './throttle.js';

export interface AuditTrail {
  /** Accepts an entry and writes it shortly afterwards. Never waits and never throws. */
  note(entry: AuditEntry): void;
  /** Writes the accepted entries now, even if a write has just failed. */
  flush(): Promise<void>;
  /** Writes the accepted entries, counts included, for at most two seconds, and closes the connection. */
  close(): Promise<void>;
}

/** Entries held while the database is unavailable; further ones are lost, and the log reports how many. */
const bounds = { maxEntries: 10_000, maxBytes: 8 * 1024 * 1024 };
/** The most that one statement writes, so that neither the event loop nor the statement takes long. */
const maxChunk = 200;
const maxChunkBytes = 1024 * 1024;
const lookMs = 5_000;
const warnMs = 10_000;
const closeMs = 2_000;

/** Writes notes on a connection of its own, one statement at a time. After a failure the next statement has half as many notes; a single note that fails moves to the end. */
export function openAuditTrail(databaseUrl: string, log: Logger): AuditTrail {
  const pool = openOwnPool(databaseUrl, log, { name: 'audit', max: 1 });
  const throttle = createThrottle();
  const backlog = createBacklog(bounds);
  const writeChunk = createChunkWriter((text, values) => pool.query(text, values), backlog, log);
  let lost = 0;
  let writing: Promise<void> | undefined;
  let paused = false;
  let closed = false;

  const hold = (entries: readonly AuditEntry[]) => {
    lost += backlog.add(entries);
  };

  const writeAll = async () => {
    try {
      paused = false;
      while (!closed && backlog.size > 0 && !paused) paused = !(await writeChunk());
      if (!paused && lost > 0) {
        log.error({ lost }, 'Entries of the audit log were lost while the database was unavailable');
        lost = 0;
      }
    } finally {
      writing = undefined;
    }
  };
  // Entries that arrive while a chunk is being written are handled by the same loop.
  const flush = (): Promise<void> => {
    if (!closed && backlog.size > 0) writing ??= writeAll();
    return writing ?? Promise.resolve();
  };
  const look = setInterval(() => {
    hold(throttle.due(Date.now()));
    void flush();
  }, lookMs).unref();

  return {
    note: (entry) => {
      hold(throttle.take(entry, Date.now()));
      if (!paused) void flush();
    },
    flush,
    close: async () => {
      clearInterval(look);
      hold(throttle.due(Date.now(), true));
      await atMost(
        closeMs,
        flush().then(() => pool.end()),
      );
      closed = true;
      lost += backlog.size;
      if (lost > 0)
        log.error({ lost }, 'Entries of the audit log were lost: the database was unavailable until the shutdown');
    },
  };
}

/** Writes the next chunk; false if it has to be retried later. A rejected chunk is halved until only the rejected entry is lost. */
function createChunkWriter(run: RunStatement, backlog: Backlog, log: Logger): () => Promise<boolean> {
  const warn = createWarning(log);
  let size = maxChunk;
  return async () => {
    const chunk = backlog.first(size, maxChunkBytes);
    const [alone] = chunk.length === 1 ? chunk : [];
    try {
      await addEntries(run, chunk);
      backlog.drop(chunk.length);
      size = Math.min(maxChunk, size * 2);
      return true;
    } catch (error) {
      size = Math.max(1, Math.floor(chunk.length / 2));
      if (!isRefused(error)) {
        if (alone !== undefined) backlog.rotate();
        warn(error, backlog.size);
        return false;
      }
      if (alone !== undefined) {
        backlog.drop(1);
        const { action, requestId } = alone;
        log.error({ err: error, action, requestId }, 'An entry of the audit log was lost');
      }
      return true;
    }
  };
}

/** Logs that writing failed, at most every ten seconds. */
function createWarning(log: Logger): (error: unknown, held: number) => void {
  let warnedMs = Number.NEGATIVE_INFINITY;
  return (error, held) => {
    if (performance.now() < warnedMs + warnMs) return;
    warnedMs = performance.now();
    log.warn({ err: error, held }, 'The audit log could not be written; it will be tried again');
  };
}

/** Whether the database rejected the values rather than being unavailable (SQLSTATE 22: data, 23: constraints). */
function isRefused(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error) ?? '');
}

/** Limits of the entries that wait to be written: entries beyond them are lost. */
export interface BacklogBounds {
  readonly maxEntries: number;
  /** Size as JSON. */
  readonly maxBytes: number;
}

interface Backlog {
  readonly size: number;
  readonly bytes: number;
  add(entries: readonly AuditEntry[]): number;
  /** Returns up to `count` of the first entries, in total no larger than `maxBytes` as JSON unless a single one is. Does not remove them. */
  first(count: number, maxBytes: number): AuditEntry[];
  drop(count: number): void;
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
