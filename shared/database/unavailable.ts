/** Why the database cannot serve at the moment, and what a caller may know of it. */
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
    message: 'Nothing can be changed at the moment: the database only reads. Try again later',
    retryAfterSeconds: 10,
  },
  full: {
    message: 'Nothing can be stored at the moment: the database has no space left. Try again later',
    retryAfterSeconds: 30,
  },
  conflict: { message: 'Another request was changing the same data at the same time. Try again', retryAfterSeconds: 1 },
} as const;

/** PostgreSQL's codes (its manual, appendix A): whole classes by two characters, single codes by five. */
const byCode: Readonly<Record<string, Unavailability['reason']>> = {
  '08': 'unreachable',
  // Authentication and the name of the database: only a connection that is being made can fail on them.
  '28': 'refused',
  '3D': 'refused',
  // Terminated by an operator, a crash or a shutdown; starting; closed for being idle in a transaction.
  '57P': 'unreachable',
  '25P03': 'unreachable',
  // Errors of its machine: reading or writing a file failed.
  '58': 'unreachable',
  // A statement that its time-out canceled, and a lock that did not come in time.
  '57014': 'slow',
  '55P03': 'slow',
  // Memory, connections, limits; of these a full disk is told apart.
  '53': 'busy',
  '53100': 'full',
  '25006': 'readOnly',
  // Serialization failure and deadlock: PostgreSQL chose this transaction to give way.
  '40001': 'conflict',
  '40P01': 'conflict',
};

/** What pg, its pool and TypeORM say without a code. */
const byMessage: readonly (readonly [RegExp, Unavailability['reason']])[] = [
  [/^timeout exceeded when trying to connect$/, 'busy'],
  [/^Connection terminated/, 'unreachable'],
  [/^timeout expired$/, 'unreachable'],
  [/^Client (?:has encountered a connection error|was closed) and is not queryable$/, 'unreachable'],
  [/^Cannot use a pool after calling end on the pool$/, 'unreachable'],
  [/^Query ?runner already released/i, 'unreachable'],
];

/** The system calls of a socket: a file that is missing has a code too. */
const socketCalls: ReadonlySet<unknown> = new Set(['connect', 'read', 'write', 'getaddrinfo', 'shutdown']);

/** A connection on which PostgreSQL did not respond in time; it is closed. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
}

/** Why the database could not be opened, in a sentence that says what to look at. */
export class DatabaseNotOpen extends Error {
  override readonly name = 'DatabaseNotOpen';
}

/** That the database cannot serve; its cause is what the driver threw. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';

  constructor(
    readonly reason: Unavailability['reason'],
    cause: unknown,
  ) {
    super(`The database cannot serve at the moment (${reason})`, { cause });
  }
}

/** Why the database cannot serve, where that is what `thrown` says; undefined for every other error. */
export function unavailability(thrown: unknown): Unavailability | undefined {
  const reason = reasonOf(thrown);
  return reason === undefined ? undefined : { reason, ...reasons[reason] };
}

function reasonOf(thrown: unknown): Unavailability['reason'] | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (thrown instanceof NoResponse) return 'unreachable';
  // TypeORM keeps the driver's error in its own; Node tries the addresses of a host and keeps an error of each.
  if ('driverError' in thrown) return reasonOf(thrown.driverError);
  if (thrown instanceof AggregateError) return reasonOf(thrown.errors[0]);
  if ('syscall' in thrown) return socketCalls.has(thrown.syscall) ? 'unreachable' : undefined;
  if ('severity' in thrown && 'code' in thrown && typeof thrown.code === 'string') {
    const { code } = thrown;
    return byCode[code] ?? byCode[code.slice(0, 3)] ?? byCode[code.slice(0, 2)];
  }
  return byMessage.find(([form]) => form.test(thrown.message))?.[1];
}

/** NUL in a text, and in JSON. */
const textRefused: ReadonlySet<unknown> = new Set(['22021', '22P05']);

/** Whether PostgreSQL refused a text for the character NUL, which it cannot hold. Nothing but what a caller sent has it. */
export function isTextRefused(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ('driverError' in thrown) return isTextRefused(thrown.driverError);
  return 'severity' in thrown && 'code' in thrown && textRefused.has(thrown.code);
}

/** Whether PostgreSQL ends the connection with an error of this severity. */
export function isFatal(severity: unknown): boolean {
  return severity === 'FATAL' || severity === 'PANIC';
}

/**
 * Whether the connection was lost while a statement was under way, so that nobody knows what became of it. An error that
 * PostgreSQL reports and survives says that the statement was undone.
 */
export function isOutcomeUnknown(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ('driverError' in thrown) return isOutcomeUnknown(thrown.driverError);
  if ('severity' in thrown && 'code' in thrown)
    return isFatal(thrown.severity) || /^(?:08|57P)/.test(String(thrown.code));
  // What was refused before it was sent was not begun.
  return !/not queryable|already released/i.test(thrown.message) && reasonOf(thrown) === 'unreachable';
}
