import type { Principal } from '../../shared/context.js';
import type { Variables } from '../../shared/subgraph/variables.js';
import type { FastifyInstance } from 'fastify';
import { demand } from '../edge/limiter.js';
import { bucketOf, type BucketName } from '../edge/route-policy.js';
import type { Admitted } from './admitted-operation.js';

/** Bucket that pays for operations, over every transport. */
export const operationBucket = 'graphql' satisfies BucketName;
/** Bucket of the rate that was agreed with a company that trades; its mutations are charged to it over every transport. */
const agreedBucket = 'client' satisfies BucketName;
/** Bucket by source address for throttled fields, which attackers would call repeatedly; they are charged to it in addition. */
export const throttledBucket = 'accounts' satisfies BucketName;

/**
 * Spends points of a caller's rate limit.
 * @throws {ApiError} TOO_MANY_REQUESTS
 */
export type Spend = (points: number) => Promise<void>;

/** The buckets that a caller pays from for an operation. */
export interface CostBudget {
  readonly spend: Spend;
  readonly spendGuarded: Spend;
  /** Spends requests of the rate that was agreed with a company that trades; spends nothing for other callers. */
  readonly spendAgreed: Spend;
}

/** Returns the cost budget of a caller, by credential or else by source address. */
export function costBudgetOf(
  { limiter, rateLimits }: Pick<FastifyInstance['edgeMaker'], 'limiter' | 'rateLimits'>,
  { principal, ip }: { readonly principal: Principal; readonly ip: string },
): CostBudget {
  const from =
    (name: BucketName): Spend =>
    async (points) => {
      demand(await limiter.take(bucketOf(name, rateLimits, principal, ip), points));
    };
  return {
    spend: from(operationBucket),
    spendGuarded: from(throttledBucket),
    spendAgreed: principal.kind === 'TRADER' ? from(agreedBucket) : () => Promise.resolve(),
  };
}

/**
 * Pays for a run of an operation; `paid` points were taken before.
 * @throws {ApiError} TOO_MANY_REQUESTS, or BAD_REQUEST when the run costs more than one may.
 */
export async function pay(admitted: Admitted, variables: Variables, budget: CostBudget, paid = 0): Promise<void> {
  const points = admitted.price(variables) - paid;
  if (points > 0) await budget.spend(points);
  if (admitted.guarded > 0) await budget.spendGuarded(admitted.guarded);
  if (admitted.mutations > 0) await budget.spendAgreed(admitted.mutations);
}
