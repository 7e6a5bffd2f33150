import pg from 'pg';
import { sha256 } from '../security/crypto.js';
import { closesConnection } from './unavailable.js';

/** Maximum named statements of a process; each costs PostgreSQL some 50 kB on every connection that ran it. */
const limit = 300;

/** How much longer than PostgreSQL itself a connection waits for a response. */
export const responseMarginMs = 2_000;

const names = new Map<string, string>();

/**
 * A connection whose statements with parameters have names, by which PostgreSQL parses them once per connection rather than once per run. It still plans a
 * statement at each run while it considers that cheaper, as it does when it sees how short a list among the parameters is; `unnest((SELECT $1::uuid[]))`
 * hides the length. An address that ends with `?prepared_statements=false` prepares nothing, for poolers that cannot follow names from one connection to
 * another.
 *
 * PostgreSQL ends a statement by the `statement_timeout` of the role. A statement without a response even so (`query_timeout` of pg) fails and closes its
 * connection: the server has vanished or is frozen, and TCP would notice only after a quarter of an hour. No pool lends a connection again after a fatal
 * error, or after its server became a standby. The `error` event has a listener here as well, since the server's last message may arrive before the
 * pool's client listens, and an event without a listener would end the process.
 */
export class PreparingClient extends pg.Client {
  /** Maximum wait for a response in the current transaction, where it is longer than usual. */
  #longMs: number | undefined;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const address = typeof config === 'object' ? config.connectionString : config;
    const prepares = !/[?&]prepared_statements=false(?:&|$)/.test(address ?? '');
    this.on('error', () => undefined);
    const query: (...given: unknown[]) => unknown = this.query.bind(this);
    const named = (text: unknown, values: unknown, ...rest: unknown[]): unknown => {
      if (typeof text !== 'string') return query(text, values, ...rest);
      const name = prepares && Array.isArray(values) && values.length > 0 ? { name: nameOf(text) } : {};
      const patience = this.#longMs === undefined ? {} : { query_timeout: this.#longMs };
      if (text === 'COMMIT' || text === 'ROLLBACK') this.#longMs = undefined;
      const result = query(
        { text, ...name, ...patience },
        ...[values, ...rest].map((one) => {
          if (typeof one !== 'function') return one;
          return (...outcome: unknown[]) => {
            this.#leaveAfter(outcome[0]);
            Reflect.apply(one, undefined, outcome);
          };
        }),
      );
      if (!(result instanceof Promise)) return result;
      return result.catch((error: unknown) => {
        this.#leaveAfter(error);
        throw error;
      });
    };
    Object.assign(this, { query: named });
  }

  allowLongStatements(ms: number): void {
    this.#longMs = ms + responseMarginMs;
  }

  #leaveAfter(error: unknown): void {
    if (closesConnection(error)) void this.end();
  }
}

/** Returns the name of a statement: the same in every process, for poolers that keep names apart from clients. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= limit) return known;
  const name = `lastro_${sha256(text).toString('base64url').slice(0, 22)}`;
  names.set(text, name);
  return name;
}
