import { pino, type Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** Names that never reach a log line with their value, at whatever depth of an object one level down. */
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

/** What a log keeps of an error: no parameters of a query, no values of a row, which drivers hang onto theirs. */
export function describeError(thrown: unknown): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const inner = thrown.cause === undefined ? {} : { cause: describeError(thrown.cause) };
  return { type: thrown.name, message: thrown.message, stack: thrown.stack, ...inner };
}

/**
 * JSON logs on standard output (or on `destination`), one line an event, without secrets and personal data. Lines are
 * written some at a time, at least every second and when the process ends.
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
