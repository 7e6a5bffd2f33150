import { pino, type Logger as PinoLogger } from 'pino';

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'child'>;

/** Fields whose values are redacted in every log line, at the top level and one level down. */
const secret = [
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'key',
  'secret',
  'secretKey',
  'apiKey',
  'authorization',
  'cookie',
  'document',
  'debtorDocument',
  'email',
  'privateKeyPem',
  '["x-api-key"]',
];

/** Returns what the log records of an error, without the query parameters and row values that drivers attach to theirs. */
export function describeError(thrown: unknown): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const inner = thrown.cause === undefined ? {} : { cause: describeError(thrown.cause) };
  return { type: thrown.name, message: thrown.message, stack: thrown.stack, ...inner };
}

/**
 * Creates a logger that writes JSON to standard output (or to `destination`), one line per event, without secrets and personal data. Lines are buffered
 * and written at least every second and at exit.
 */
export function createLog(level: string, destination?: { write(line: string): void }): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: {
      paths: secret.flatMap((name) => (name.startsWith('[') ? [name, `*${name}`] : [name, `*.${name}`])),
      censor: '[hidden]',
    },
  };
  return pino(
    options,
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 16_383, periodicFlush: 1000 }),
  );
}

/**
 * Returns a logger that adds fields to each line of `parent`. It is created when something is logged, which is rare: creating one for each request would
 * cost as much as the rest of its context.
 */
export function lazyChild(parent: Logger, fields: Readonly<Record<string, unknown>>): Logger {
  return new LazyChild(parent, fields);
}

class LazyChild implements Logger {
  #made: Logger | undefined;

  constructor(
    private readonly parent: Logger,
    private readonly fields: Readonly<Record<string, unknown>>,
  ) {}

  get #own(): Logger {
    this.#made ??= this.parent.child(this.fields);
    return this.#made;
  }

  get debug() {
    return this.#own.debug.bind(this.#own);
  }

  get info() {
    return this.#own.info.bind(this.#own);
  }

  get warn() {
    return this.#own.warn.bind(this.#own);
  }

  get error() {
    return this.#own.error.bind(this.#own);
  }

  get fatal() {
    return this.#own.fatal.bind(this.#own);
  }

  get child() {
    return this.#own.child.bind(this.#own);
  }
}
