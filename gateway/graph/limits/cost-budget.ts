import type { Context, Principal } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import type { GraphResult } from '../../../shared/graphql/executor.js';
import type { Variables } from '../../../shared/graphql/variables.js';
import type { FastifyInstance } from 'fastify';
import { demand, type Standing } from '../../http/limits/limiter.js';
import { bucketOf, type BucketName } from '../../http/route-policy.js';
import type { Prepared } from '../operation.js';
import type { LargestList, OperationCost } from './cost.js';

export const operationBucket = 'graphql' satisfies BucketName;
/** Bucket of the rate that was agreed with a company that trades; its mutations are charged to it over every transport. */
const agreedBucket = 'client' satisfies BucketName;
/** Bucket by source address for throttled fields, which attackers would call repeatedly; they are charged to it in addition. */
export const throttledBucket = 'accounts' satisfies BucketName;

/** An operation that may run, with what it costs, and its root fields that are limited besides; each alias counts. */
export interface Admitted {
  readonly prepared: Prepared;
  readonly cost: OperationCost;
  readonly maxCost: number;
  /** Fields that attackers would call repeatedly: limited by source address, like their documented paths. */
  readonly guarded: number;
  /** The other mutations: each counts as a request of a trading company's rate, as on its documented path. */
  readonly mutations: number;
}

/** Spends points of a caller's rate limit. @throws {ApiError} TOO_MANY_REQUESTS */
export type Spend = (points: number) => Promise<void>;

export interface CostBudget {
  readonly spend: Spend;
  readonly spendGuarded: Spend;
  /** Spends requests of the rate that was agreed with a company that trades; spends nothing for other callers. */
  readonly spendAgreed: Spend;
  /** Corrects what `spend` took, upwards or downwards; never refuses. */
  readonly correct: (points: number) => Promise<void>;
  /** Returns the state of the bucket of operations after the last change; undefined before the first one. */
  readonly standing: () => Standing | undefined;
}

/** Cost of a run, sent as `extensions.cost` of its response. The names are the names of Shopify's API. */
export interface CostReport {
  /** Points that were charged before the run: its cost if each list has as many items as it can have. */
  readonly requestedQueryCost: number;
  /** Points that the run cost by the items that came; the difference was given back. */
  readonly actualQueryCost: number;
  readonly throttleStatus: {
    /** In a window of a minute. */
    readonly maximumAvailable: number;
    readonly currentlyAvailable: number;
    /** End of the current window (RFC 3339). */
    readonly resetsAt: string;
  };
}

/** Returns the cost budget of a caller, by credential or else by source address. */
export function costBudgetOf(
  { limiter, rateLimits }: Pick<FastifyInstance['edgeMaker'], 'limiter' | 'rateLimits'>,
  { principal, ip }: { readonly principal: Principal; readonly ip: string },
): CostBudget {
  const bucket = bucketOf(operationBucket, rateLimits, principal, ip);
  let standing: Standing | undefined;
  const from =
    (name: BucketName): Spend =>
    async (points) => {
      demand(await limiter.take(bucketOf(name, rateLimits, principal, ip), points));
    };
  return {
    spend: async (points) => {
      standing = await limiter.take(bucket, points);
      demand(standing);
    },
    correct: async (points) => {
      if (standing !== undefined) standing = await limiter.correct(bucket, points, standing);
    },
    standing: () => standing,
    spendGuarded: from(throttledBucket),
    spendAgreed: principal.kind === 'TRADER' ? from(agreedBucket) : () => Promise.resolve(),
  };
}

export interface PaidRun {
  readonly admitted: Admitted;
  readonly variables: Variables;
  readonly budget: CostBudget;
  readonly context: Context;
  readonly reportsCost: boolean;
}

/** Header by which a caller asks for `extensions.cost`; over WebSocket it may also be in `connection_init`. */
const costHeader = 'x-query-cost';

export function asksForCost(headers: Readonly<Record<string, unknown>>): boolean {
  return headers[costHeader] === 'true';
}

/** Charges a run before it begins, less `paid`. Returns its cost. @throws {ApiError} TOO_MANY_REQUESTS, or BAD_REQUEST above the limit; both name what to lower */
export async function pay({ admitted, variables, budget }: PaidRun, paid = 0): Promise<number> {
  const { cost, maxCost, guarded, mutations } = admitted;
  const requested = cost.requested(variables);
  if (requested > maxCost) throw tooExpensive(requested, maxCost, cost.largest(variables));
  if (requested > paid) {
    try {
      await budget.spend(requested - paid);
    } catch (error) {
      throw tooFewPoints(error, requested, budget.standing(), cost.largest(variables));
    }
  }
  try {
    if (guarded > 0) await budget.spendGuarded(guarded);
    if (mutations > 0) await budget.spendAgreed(mutations);
  } catch (error) {
    await budget.correct(-requested);
    throw error;
  }
  return requested;
}

/** Gives back, or charges, the difference to what the run did cost. After an error nothing is given back: the work was done. */
export async function settle(
  { admitted, variables, budget, reportsCost }: PaidRun,
  requested: number,
  result: GraphResult,
): Promise<GraphResult> {
  const actual = result.errors === undefined ? admitted.cost.actual(variables, result.data) : requested;
  if (actual !== requested) await budget.correct(actual - requested);
  return reportsCost ? withCost(result, reportOf(requested, actual, budget.standing())) : result;
}

export function withCost(result: GraphResult, cost: CostReport | undefined): GraphResult {
  return cost === undefined ? result : { ...result, extensions: { ...result.extensions, cost } };
}

/** Returns the report of a run's cost; undefined where nothing was charged. */
export function reportOf(requested: number, actual: number, standing: Standing | undefined): CostReport | undefined {
  if (standing === undefined) return undefined;
  const { limit, remaining, resetsAt } = standing;
  return {
    requestedQueryCost: requested,
    actualQueryCost: actual,
    throttleStatus: {
      maximumAvailable: limit,
      currentlyAvailable: remaining,
      resetsAt: new Date(resetsAt * 1000).toISOString(),
    },
  };
}

function tooExpensive(requested: number, limit: number, largest: LargestList | undefined): ApiError {
  const message = `The operation costs ${requested} points, and the limit is ${limit}: ${remedyOf(largest)}`;
  return new ApiError('BAD_REQUEST', { message, details: [{ path: largest?.path ?? '', message }] });
}

function tooFewPoints(
  error: unknown,
  requested: number,
  standing: Standing | undefined,
  largest: LargestList | undefined,
): unknown {
  if (!(error instanceof ApiError) || error.code !== 'TOO_MANY_REQUESTS' || standing === undefined) return error;
  const { remaining, limit, waitSeconds } = standing;
  const cost = `The operation costs ${requested} points, and ${remaining} of ${limit} a minute are left`;
  // Without any points left only waiting helps.
  const remedy = remaining === 0 ? '' : `: ${remedyOf(largest)}`;
  return new ApiError('TOO_MANY_REQUESTS', {
    message: `${error.message}. ${cost}${remedy}`,
    retryAfterSeconds: waitSeconds,
  });
}

function remedyOf(largest: LargestList | undefined): string {
  return largest === undefined || largest.items < 2
    ? 'select fewer fields, or send them in several requests'
    : `lower "${largest.argument}" of ${largest.path} (${largest.items})`;
}
