import { isName } from '../../../shared/kernel/identifying-text.js';
import { type ErrorDetail, unless, errorAt } from '../../../shared/kernel/errors.js';

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

export function originatorErrors({ name, rateLimit, status, accountId }: OriginatorInput): ErrorDetail[] {
  const isRate = rateLimit == null || (Number.isSafeInteger(rateLimit) && rateLimit >= 1 && rateLimit <= maxRateLimit);
  return [
    ...unless(
      name === undefined || (name !== null && isName(name, maxNameLength)),
      errorAt('name', 'PRINTABLE_LENGTH', { min: 1, max: maxNameLength }),
    ),
    ...unless(isRate, errorAt('rateLimit', 'WHOLE_NUMBER_RANGE', { min: 1, max: maxRateLimit })),
    ...unless(status !== null, errorAt('status', 'ONE_OF', { known: 'ACTIVE, SUSPENDED' })),
    ...unless(accountId == null || isName(accountId, maxNameLength), errorAt('accountId', 'ACCOUNT_ID')),
  ];
}
