import { pino, type Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

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
