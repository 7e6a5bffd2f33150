import { EventEmitter } from 'node:events';
import pg from 'pg';
import { isFatal, NoResponse } from './unavailable.js';

/** Statements that a process names at most; each costs PostgreSQL some 50 kB on every connection that ran it. */
const limit = 300;

/** How long after PostgreSQL's own time-out a response is still waited for. */
const marginMs = 2_000;

const names = new Map<string, string>();

/**
 * A connection on which PostgreSQL keeps what it parsed and planned: every statement with parameters gets a name, by which it
 * is parsed once a connection and not once a run. That halves the processor time of a look-up by key. PostgreSQL goes on planning
 * a statement at each run while it takes that for cheaper, as it does where it sees how short a list among the parameters is;
 * `unnest((SELECT $1::uuid[]))` does not show it.
 *
 * A statement that gets no response by `statement_timeout` and two seconds ends its connection and fails with it: the server is
 * gone without a word, or frozen, and TCP would find out after a quarter of an hour. A connection that breaks tells the query
 * under way and every later one, and no pool takes it back. Its `error` event is heard here too, since the server's
 * last word may come before whoever is being handed the connection listens, and unheard it would end the process.
 *
 * Behind PgBouncer in transaction mode this needs its `max_prepared_statements` (1.21 or later).
 */
export class PreparingClient extends pg.Client {
  readonly #usualMs: number;
  #deadlineMs: number;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const timeout = typeof config === 'object' ? Number(config.statement_timeout ?? 0) : 0;
    this.#usualMs = timeout === 0 ? 0 : timeout + marginMs;
    this.#deadlineMs = this.#usualMs;
    const query: (...call: unknown[]) => unknown = super.query.bind(this);
    const prepared = (...call: unknown[]): unknown => {
      const [text, values] = call;
      const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined;
      return name === undefined ? query(...call) : query({ name, text }, ...call.slice(1));
    };
    Object.assign(this, { query: (...call: unknown[]) => this.#inTime(call, prepared) });
    this.on('error', () => undefined);
    // The connection of a fatal error ends a moment later; until then a pool would hand it out again.
    this.connection.on('errorMessage', ({ severity }: { readonly severity?: unknown }) => {
      if (isFatal(severity)) void this.end();
    });
  }

  /** Lets the statements of the transaction under way take longer than usual. */
  allowLongStatements(ms: number): void {
    this.#deadlineMs = ms + marginMs;
  }

  #inTime(call: readonly unknown[], query: (...call: unknown[]) => unknown): unknown {
    const deadlineMs = this.#deadlineMs;
    const [text] = call;
    if (text === 'COMMIT' || text === 'ROLLBACK') this.#deadlineMs = this.#usualMs;
    if (deadlineMs === 0) return query(...call);
    const timer = setTimeout(() => {
      this.connection.stream.destroy(new NoResponse(`PostgreSQL did not respond within ${deadlineMs} ms`));
    }, deadlineMs);
    const callback = call.at(-1);
    if (typeof callback === 'function') {
      return query(...call.slice(0, -1), (...outcome: unknown[]) => {
        clearTimeout(timer);
        Reflect.apply(callback, undefined, outcome);
      });
    }
    const result = query(...call);
    const end = () => {
      clearTimeout(timer);
    };
    if (result instanceof Promise) result.then(end, end);
    // A stream of COPY.
    else if (result instanceof EventEmitter) result.once('close', end);
    else end();
    return result;
  }
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= limit) return known;
  const name = `lastro_${String(names.size)}`;
  names.set(text, name);
  return name;
}
