import { pino, type Logger as PinoLogger } from 'pino';
import { Counter } from 'prom-client';

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

/** Returns the log's record of an error, without the query parameters and row values that drivers attach to errors. */
export function describeError(thrown: unknown): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const inner = thrown.cause === undefined ? {} : { cause: describeError(thrown.cause) };
  return { type: thrown.name, message: thrown.message, stack: thrown.stack, ...inner };
}

export const droppedLines = new Counter({
  name: 'log_lines_dropped_total',
  help: 'Lines of the log that could not be written: standard output is full, closed or not read.',
  registers: [],
});

/** Text that is written at once, and the most that waits for a reader of standard output; further lines are dropped. */
const [batchLength, mostWaiting] = [16_384, 1_048_576];

/** Writes lines at least every second and at exit. A log that cannot be written loses its lines and disturbs nothing else. */
class StandardOutput {
  #lines: string[] = [];
  #length = 0;

  constructor(private readonly stream: NodeJS.WriteStream) {
    // Without a listener, an error of the stream ends the process. The callback of each write counts the lost lines.
    stream.on('error', () => undefined);
    setInterval(() => this.#flush(), 1_000).unref();
    process.on('exit', () => this.#flush());
  }

  write(line: string): void {
    if (this.#length + this.stream.writableLength > mostWaiting) {
      droppedLines.inc();
      return;
    }
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= batchLength) this.#flush();
  }

  #flush(): void {
    if (this.#lines.length === 0 || this.stream.writableLength > mostWaiting) return;
    const [text, count] = [this.#lines.join(''), this.#lines.length];
    this.#lines = [];
    this.#length = 0;
    this.stream.write(text, (error) => {
      if (error) droppedLines.inc(count);
    });
  }
}

/** Creates a logger that writes JSON to standard output (or to `destination`), one line per event, without secrets and personal data. */
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
  return pino(options, destination ?? new StandardOutput(process.stdout));
}

/** Adds fields to each line of `parent`, created when something is logged: one for each request would cost as much as its context. */
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
