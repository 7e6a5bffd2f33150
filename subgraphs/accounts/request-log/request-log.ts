import type { Pool } from 'pg';
import { Counter } from 'prom-client';
import type { Clock } from '../../../shared/kernel/clock.js';
import { unavailability } from '../../../shared/database/unavailable.js';
import { isUuid, newId } from '../../../shared/kernel/ids.js';
import type { Logger } from '../../../shared/kernel/log.js';
import type { EndedRequest, NoteRequest } from '../../../shared/kernel/logged-request.js';
import { addRequests, type LoggedRow } from './request-log.store.js';

export const droppedRequests = new Counter({
  name: 'request_log_dropped_total',
  help: 'Requests that are missing in the log of requests: too many waited to be written, or the database refused them.',
  registers: [],
});

/** Interval at which requests are written, in milliseconds. */
export const writeEveryMs = 2_000;
/** Requests in one statement. */
const batch = 1_000;
/** Requests that wait at most, some 4 MB; further ones are dropped and counted. */
export const mostWaiting = 20_000;

export interface RequestLog {
  readonly note: NoteRequest;
  /** Writes what waits. While the database is unavailable it waits for the next time; what the database refuses is dropped and counted. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Collects requests in memory and stores them in batches, so that no request waits; a kill loses some 2 seconds of them. @param write stores one batch */
export function openRequestLog(
  pool: Pool,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  write: (rows: readonly LoggedRow[]) => Promise<void> = (rows) => addRequests(pool, rows),
): RequestLog {
  let waiting: LoggedRow[] = [];
  let writing: Promise<void> | undefined;

  const writeAll = async () => {
    while (waiting.length > 0) {
      const rows = waiting.slice(0, batch);
      try {
        await write(rows);
      } catch (error) {
        if (unavailability(error) !== undefined) {
          log.warn({ err: error }, 'Could not write the log of requests; it will be retried');
          return;
        }
        droppedRequests.inc(rows.length);
        log.error(
          { err: error, requests: rows.length },
          'The database refused a part of the log of requests; it is dropped',
        );
      }
      waiting = waiting.slice(rows.length);
    }
  };
  const flush = (): Promise<void> =>
    (writing ??= writeAll().finally(() => {
      writing = undefined;
    }));
  const timer = setInterval(() => void flush(), writeEveryMs).unref();

  return {
    note: (request) => {
      if (request.principal.kind !== 'API_KEY' && request.principal.kind !== 'DEVELOPER_KEY') return;
      if (waiting.length >= mostWaiting) {
        droppedRequests.inc();
        return;
      }
      waiting.push(rowOf(request, clock.now()));
      if (waiting.length === batch) void flush();
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
      await flush();
    },
  };
}

/** Returns a template as the documentation writes it: `/v1/emissoes/keys/{id}`. */
const templateOf = (route: string) => route.replace(/:(\w+)/g, '{$1}').slice(0, 200);

/** An id that the caller chose may contain anything: only one in the form of ours is stored. */
function rowOf({ principal, requestId, route, durationMs, ...request }: EndedRequest, at: Date): LoggedRow {
  return {
    ...request,
    at,
    id: newId(at.getTime()),
    accountId: principal.ownerId,
    keyId: principal.id,
    requestId: isUuid(requestId) ? requestId : null,
    route: templateOf(route),
    errorCode: request.errorCode ?? null,
    durationMs: Math.max(0, Math.round(durationMs)),
    bytes: request.bytes ?? null,
  };
}
