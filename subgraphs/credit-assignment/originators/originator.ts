import type { ErrorDetail } from '../../../shared/errors.js';

export type OriginatorStatus = 'ACTIVE' | 'SUSPENDED';

/** Maximum number of live keys of one client: enough to rotate, few enough to try each. */
export const maxLiveKeys = 10;

const maxNameLength = 200;
const maxRateLimit = 10_000_000;

/** The operator's input for a client; undefined fields are not checked. */
export interface OriginatorInput {
  readonly name?: string | null | undefined;
  /** Requests per minute; null for the configured default. */
  readonly rateLimit?: number | null | undefined;
  readonly status?: OriginatorStatus | null | undefined;
  /** The account whose people and keys may read its batches; null for none. */
  readonly accountId?: string | null | undefined;
}

/** Returns all errors of the input. */
export function originatorErrors({ name, rateLimit, status, accountId }: OriginatorInput): ErrorDetail[] {
  return [
    ...(name === undefined || isName(name)
      ? []
      : [{ path: 'name', message: `must have 1 to ${maxNameLength} characters, none of them a control character` }]),
    ...(rateLimit == null || (Number.isSafeInteger(rateLimit) && rateLimit >= 1 && rateLimit <= maxRateLimit)
      ? []
      : [{ path: 'rateLimit', message: `must be a whole number from 1 to ${maxRateLimit}` }]),
    ...(status === null ? [{ path: 'status', message: 'must be ACTIVE or SUSPENDED' }] : []),
    ...(accountId == null || isName(accountId) ? [] : [{ path: 'accountId', message: 'must be the id of an account' }]),
  ];
}

function isName(text: string | null): boolean {
  const length = text?.trim().length ?? 0;
  return text !== null && length >= 1 && length <= maxNameLength && !/\p{Cc}/u.test(text);
}
