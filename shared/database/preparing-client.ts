import { EventEmitter } from 'node:events';
import pg from 'pg';
import { isFatal, NoResponse } from './unavailable.js';

/** Maximum named statements of a process; each costs PostgreSQL some 50 kB on every connection that ran it. */
const limit = 300;

/** How long to wait for a response after PostgreSQL's own time-out. */
const marginMs = 2_000;

const names = new Map<string, string>();

/**
 * A connection with prepared statements: every statement with parameters gets a name, by which PostgreSQL parses it once per connection rather than once
 * per run. That halves the processor time of a look-up by key. PostgreSQL still plans a statement at each run while it considers that cheaper, as it
 * does when it sees how short a list among the parameters is; `unnest((SELECT $1::uuid[]))` hides the length.
 *
 * A statement without a response within `statement_timeout` plus two seconds closes its connection and fails with it: the server has vanished or is
 * frozen, and TCP would notice only after a quarter of an hour. A broken connection fails the current query and every later one, and no pool reuses it.
 * Its `error` event has a listener here as well, since the server's last message may arrive before the pool's client listens, and without a listener it
 * would end the process.
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

  /** Raises the time limit of the current transaction's statements. */
  allowLongStatements(ms: number): void {
    this.#deadlineMs = ms + marginMs;
  }

  #inTime(call: readonly unknown[], query: (...call: unknown[]) => unknown): unknown {
    const deadlineMs = this.#deadlineMs;
    const [text] = call;
    if (text === 'COMMIT' || text === 'ROLLBACK') this.#deadlineMs = this.#usualMs;
    if (deadlineMs === 0) return query(...call);
    const timer = setTimeout(
      () => this.connection.stream.destroy(new NoResponse(`PostgreSQL did not respond within ${deadlineMs} ms`)),
      deadlineMs,
    );
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
