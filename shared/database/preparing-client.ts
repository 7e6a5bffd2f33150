import { EventEmitter } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { sha256 } from '../crypto.js';
import { isFatal, NoResponse, readOnlyCode } from './unavailable.js';

/** Maximum named statements of a process; each costs PostgreSQL some 50 kB on every connection that ran it. */
const limit = 300;

/** How long to wait for the response to a statement that was cancelled. */
const marginMs = 2_000;

const names = new Map<string, string>();

/** What a connection needs besides the driver's own options. */
export interface PreparingClientConfig extends pg.ClientConfig {
  /** Time limit of a statement in milliseconds; 0 sets none. */
  readonly statementTimeoutMs?: number;
}

/**
 * A connection with prepared statements: every statement with parameters gets a name, by which PostgreSQL parses it once per connection rather than once
 * per run. That halves the processor time of a look-up by key. PostgreSQL still plans a statement at each run while it considers that cheaper, as it
 * does when it sees how short a list among the parameters is; `unnest((SELECT $1::uuid[]))` hides the length. An address that ends with
 * `?prepared_statements=false` prepares nothing, for poolers that cannot follow names from one connection to another.
 *
 * The time limit of a statement is kept here, since a pooler refuses it at the start of a connection: after it the statement is cancelled as a terminal
 * would. A COMMIT is never cancelled, and a statement that was and still succeeds fails here: PostgreSQL answers so when it gives up waiting for a
 * standby. Whatever has no response two seconds later closes its connection and fails with it: the server has vanished or is frozen, and TCP would notice
 * only after a quarter of an hour. A broken connection fails the current query and every later one, and no pool reuses it. Its `error` event has a
 * listener here as well, since the server's last message may arrive before the pool's client listens, and without a listener it would end the process.
 */
export class PreparingClient extends pg.Client {
  readonly #usualMs: number;
  #deadlineMs: number;
  /** The number and secret by which PostgreSQL accepts a request to cancel what runs on this connection. */
  #key: { readonly processID: number; readonly secretKey: number } | undefined;

  constructor(config?: string | PreparingClientConfig) {
    super(config);
    const { statementTimeoutMs = 0, connectionString } = typeof config === 'object' ? config : {};
    this.#usualMs = statementTimeoutMs;
    this.#deadlineMs = statementTimeoutMs;
    const prepares = preparesAt(connectionString);
    const query: (...call: unknown[]) => unknown = super.query.bind(this);
    const prepared = (...call: unknown[]): unknown => {
      const [text, values] = call;
      const isPrepared = prepares && typeof text === 'string' && Array.isArray(values) && values.length > 0;
      const name = isPrepared ? nameOf(text) : undefined;
      return name === undefined ? query(...call) : query({ name, text }, ...call.slice(1));
    };
    Object.assign(this, { query: (...call: unknown[]) => this.#inTime(call, prepared) });
    this.on('error', () => undefined);
    this.connection.on('backendKeyData', (key: { readonly processID: number; readonly secretKey: number }) => {
      this.#key = key;
    });
    // The connection of a fatal error ends a moment later; until then a pool would hand it out again. A server that has become a standby keeps its
    // connections and refuses every change on them: a pool that kept them too would not reach the new primary.
    this.connection.on(
      'errorMessage',
      ({ severity, code }: { readonly severity?: unknown; readonly code?: unknown }) => {
        if (isFatal(severity) || code === readOnlyCode) void this.end();
      },
    );
  }

  /** Raises the time limit of the current transaction's statements. */
  allowLongStatements(ms: number): void {
    this.#deadlineMs = ms;
  }

  #inTime(call: readonly unknown[], query: (...call: unknown[]) => unknown): unknown {
    const deadlineMs = this.#deadlineMs;
    const [text] = call;
    if (text === 'COMMIT' || text === 'ROLLBACK') this.#deadlineMs = this.#usualMs;
    if (deadlineMs === 0) return query(...call);
    let cancelled = false;
    let timer = setTimeout(() => {
      cancelled = text !== 'COMMIT';
      if (cancelled) this.#cancel();
      timer = setTimeout(() => {
        this.connection.stream.destroy(new NoResponse(`PostgreSQL did not respond within ${deadlineMs + marginMs} ms`));
      }, marginMs);
    }, deadlineMs);
    const end = () => {
      clearTimeout(timer);
      // The request to cancel may still be under way, and would hit the next statement.
      if (cancelled) void this.end();
    };
    const unproven = () =>
      cancelled
        ? new NoResponse(
            `PostgreSQL did not finish within ${deadlineMs} ms, and may have given up waiting for a standby`,
          )
        : undefined;
    const callback = call.at(-1);
    if (typeof callback === 'function') {
      return query(...call.slice(0, -1), (...outcome: unknown[]) => {
        end();
        const [error] = outcome;
        const doubt = error == null ? unproven() : undefined;
        Reflect.apply(callback, undefined, doubt === undefined ? outcome : [doubt]);
      });
    }
    const result = query(...call);
    if (result instanceof Promise) {
      return result.finally(end).then((value: unknown) => {
        const doubt = unproven();
        if (doubt !== undefined) throw doubt;
        return value;
      });
    }
    // A stream of COPY.
    if (result instanceof EventEmitter) result.once('close', end);
    else end();
    return result;
  }

  /** Asks PostgreSQL, or the pooler before it, to cancel what runs on this connection (its manual, CancelRequest). */
  #cancel(): void {
    if (this.#key === undefined) return;
    const request = Buffer.alloc(16);
    request.writeInt32BE(16, 0);
    request.writeInt32BE(80_877_102, 4);
    request.writeInt32BE(this.#key.processID, 8);
    request.writeInt32BE(this.#key.secretKey, 12);
    const { host, port } = this;
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    // Without it, the statement ends with its connection.
    socket.on('error', () => undefined);
    socket.setTimeout(marginMs, () => socket.destroy());
    // The other side closes it when the request is done: a PgBouncer may end when the caller is gone by then (its issue 801).
    socket.resume().write(request);
  }
}

/** Whether statements get names on the connections of an address. */
function preparesAt(address = ''): boolean {
  return !/[?&]prepared_statements=false(?:&|$)/.test(address);
}

/** Returns the name of a statement: the same in every process, for poolers that keep names apart from clients. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= limit) return known;
  const name = `lastro_${sha256(text).toString('base64url').slice(0, 22)}`;
  names.set(text, name);
  return name;
}
