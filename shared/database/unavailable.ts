export interface Unavailability {
  readonly reason: keyof typeof reasons;
  readonly message: string;
  readonly retryAfterSeconds: number;
}

const reasons = {
  unreachable: { message: 'The database cannot be reached at the moment. Try again later', retryAfterSeconds: 5 },
  refused: { message: 'The database cannot be reached at the moment. Try again later', retryAfterSeconds: 30 },
  busy: { message: 'The database is busy at the moment. Try again later', retryAfterSeconds: 2 },
  slow: { message: 'The database took too long for this request. Try again later', retryAfterSeconds: 5 },
  readOnly: {
    message: 'Nothing can be changed at the moment: the database is read-only. Try again later',
    retryAfterSeconds: 10,
  },
  full: {
    message: 'Nothing can be stored at the moment: the database has no space left. Try again later',
    retryAfterSeconds: 30,
  },
  conflict: { message: 'Another request was changing the same data at the same time. Try again', retryAfterSeconds: 1 },
} as const;

/** The code of a change that a standby, or a transaction that may only read, refuses. */
const readOnlyCode = '25006';

/** PostgreSQL's codes (its manual, appendix A): whole classes by two characters, single codes by five. */
const byCode: Readonly<Record<string, Unavailability['reason']>> = {
  '08': 'unreachable',
  // Authentication and the database's name: only a connection attempt can fail on them.
  '28': 'refused',
  '3D': 'refused',
  // Terminated by an operator, a crash or a shutdown; starting; closed for being idle in a transaction.
  '57P': 'unreachable',
  '25P03': 'unreachable',
  '25P04': 'slow',
  // System errors of the server: reading or writing a file failed.
  '58': 'unreachable',
  // A statement canceled by its time-out, and a lock that could not be taken in time.
  '57014': 'slow',
  '55P03': 'slow',
  // Memory, connections, limits; among these a full disk has a reason of its own.
  '53': 'busy',
  '53100': 'full',
  [readOnlyCode]: 'readOnly',
  // Serialization failure and deadlock: PostgreSQL chose to roll back this transaction.
  '40001': 'conflict',
  '40P01': 'conflict',
};

/** Messages of pg, its pool and TypeORM that come without a code. */
const byMessage: readonly (readonly [RegExp, Unavailability['reason']])[] = [
  [/^timeout exceeded when trying to connect$/, 'busy'],
  [/^Connection terminated/, 'unreachable'],
  [/^(?:timeout expired|Query read timeout)$/, 'unreachable'],
  [/^There was an error establishing an SSL connection$/, 'unreachable'],
  [/^Client (?:has encountered a connection error|was closed) and is not queryable$/, 'unreachable'],
  [/^Cannot use a pool after calling end on the pool$/, 'unreachable'],
  // TypeORM closes what belongs to a lost connection; nothing else here ends a transaction or a runner.
  [
    /^Query ?runner already released|^Database connection provided by a query runner was already released/i,
    'unreachable',
  ],
  [/^Transaction is not started yet/, 'unreachable'],
  [/^(?:Driver not Connected$|Connection with postgres database is not established)/, 'unreachable'],
  [/^Cannot execute operation because connection is not yet established/, 'unreachable'],
];

/** Codes of Node for a connection that was lost, where no system call is named. */
const lostConnection: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** The system calls of a socket: the error of a missing file has a code too. */
const socketCalls: ReadonlySet<unknown> = new Set(['connect', 'read', 'write', 'getaddrinfo', 'shutdown']);

/** The database could not be opened; the message says what to check. */
export class DatabaseNotOpen extends Error {
  override readonly name = 'DatabaseNotOpen';
}

/** The database cannot serve; its cause is the driver's error. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';

  constructor(
    readonly reason: Unavailability['reason'],
    cause: unknown,
  ) {
    super(`The database is unavailable (${reason})`, { cause });
  }
}

/** Returns why the database cannot serve, if `thrown` says so; undefined for every other error. */
export function unavailability(thrown: unknown): Unavailability | undefined {
  const reason = reasonOf(thrown);
  return reason === undefined ? undefined : { reason, ...reasons[reason] };
}

function reasonOf(thrown: unknown): Unavailability['reason'] | undefined {
  if (!(thrown instanceof Error)) return undefined;
  // TypeORM wraps the driver's error in its own; Node tries all addresses of a host and collects their errors.
  if ('driverError' in thrown) return reasonOf(thrown.driverError);
  if (thrown instanceof AggregateError) return thrown.errors.map(reasonOf).find((reason) => reason !== undefined);
  if ('syscall' in thrown) return socketCalls.has(thrown.syscall) ? 'unreachable' : undefined;
  if ('severity' in thrown && 'code' in thrown && typeof thrown.code === 'string') {
    const { code } = thrown;
    return byCode[code] ?? byCode[code.slice(0, 3)] ?? byCode[code.slice(0, 2)];
  }
  if ('code' in thrown && lostConnection.has(thrown.code)) return 'unreachable';
  return byMessage.find(([form]) => form.test(thrown.message))?.[1];
}

/** NUL in a text, and in JSON. */
const textRefused: ReadonlySet<unknown> = new Set(['22021', '22P05']);

/** Whether PostgreSQL rejected a text because of the character NUL, which it cannot store. Only input of a caller can contain it. */
export function isTextRefused(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ('driverError' in thrown) return isTextRefused(thrown.driverError);
  return 'severity' in thrown && 'code' in thrown && textRefused.has(thrown.code);
}

/** Whether an error ends a connection's use: a fatal one closes it a moment later, a new standby refuses every change on it, a late response may come. */
export function closesConnection(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (!('severity' in thrown && 'code' in thrown)) return thrown.message === 'Query read timeout';
  return isFatal(thrown.severity) || thrown.code === readOnlyCode;
}

function isFatal(severity: unknown): boolean {
  return severity === 'FATAL' || severity === 'PANIC';
}

/** Whether a connection was lost while a statement ran: its outcome is unknown. An error without a closed connection means it was rolled back. */
export function isOutcomeUnknown(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ('driverError' in thrown) return isOutcomeUnknown(thrown.driverError);
  if ('severity' in thrown && 'code' in thrown)
    return isFatal(thrown.severity) || /^(?:08|57P)/.test(String(thrown.code));
  // A statement rejected before it was sent never started.
  return (
    !/not queryable|already released|not (?:yet )?(?:started|established|connected)/i.test(thrown.message) &&
    reasonOf(thrown) === 'unreachable'
  );
}
