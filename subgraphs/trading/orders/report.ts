import type { Context } from '../../../shared/context.js';
import { Decimal } from '../../../shared/decimal.js';
import type { Fill } from '../venues/venue.js';
import { tradeOf, type ExecutionState, type Outgoing } from './execution.store.js';

/** What became known of an execution. */
export interface Report {
  readonly executionId: string;
  readonly fills?: readonly Fill[];
  /** Where it stands since; as before when it is not given. */
  readonly state?: ExecutionState;
  /** What the venue says was executed in all. */
  readonly reported?: Decimal;
  readonly reason?: string;
  /** When it is to be looked up; never when it is not given. */
  readonly nextLookAt?: Date;
  /** Whether it was looked up for this. */
  readonly looked?: boolean;
  /** Whether the venue, when it was looked up, said that it does not have it. */
  readonly absent?: boolean;
  /** Whether an operator says so. */
  readonly resolved?: boolean;
}

/** Fills without those that are told twice. */
export function distinctFills(fills: readonly Fill[]): Fill[] {
  return [...new Map(fills.map((fill) => [tradeOf(fill), fill])).values()];
}

const ended: ReadonlySet<ExecutionState> = new Set<ExecutionState>(['FILLED', 'CANCELLED', 'REJECTED']);

/** An execution after what was reported of it; the same object where nothing was. */
export function reportedOn<Execution extends Outgoing>(
  execution: Execution,
  reports: readonly Report[],
  fills: readonly Fill[],
): Execution {
  const own = reports.filter(({ executionId }) => executionId === execution.id);
  const added = fills.filter(({ clientOrderId }) => clientOrderId === execution.id);
  if (own.length === 0) return execution;
  const filled = added.reduce((sum, { amount }) => sum.plus(amount), new Decimal(execution.filledAmount));
  const reported = Decimal.max(execution.reportedAmount, filled, ...own.map(({ reported: said }) => said ?? 0));
  const isWhole = filled.greaterThanOrEqualTo(execution.amount);
  const said = own.findLast(({ state }) => state !== undefined);
  const state = isWhole ? 'FILLED' : ended.has(execution.state) ? execution.state : (said?.state ?? execution.state);
  const complete = ended.has(state) && filled.greaterThanOrEqualTo(reported);
  // Fills that come by themselves say nothing of the rest: what was to be looked up still is.
  const planned = said === undefined ? execution.nextLookAt : null;
  // Why it could not be found out before is not why it stands so.
  const lasting = said === undefined || ended.has(execution.state) ? execution.reason : null;
  const nextLookAt = own.findLast((one) => one.nextLookAt !== undefined)?.nextLookAt ?? planned;
  return {
    ...execution,
    state,
    reason: said?.reason ?? (isWhole ? null : lasting),
    filledAmount: filled.toFixed(),
    reportedAmount: reported.toFixed(),
    looks: looksAfter(execution.looks, own),
    // Whatever else is said of it, be it that nothing could be found out, ends the row.
    absences: own.every(({ absent }) => absent === true) ? execution.absences + 1 : 0,
    nextLookAt: complete ? null : nextLookAt,
  };
}

/** Whether an execution has ended at its venue and all of its fills are here. */
export function isComplete({ state, filledAmount, reportedAmount }: Outgoing): boolean {
  return ended.has(state) && new Decimal(filledAmount).greaterThanOrEqualTo(reportedAmount);
}

/** Whether nothing more of an execution is the client's: it has ended and its fills are here, or an operator has settled it. */
export function isSettled(execution: Outgoing): boolean {
  return execution.resolvedAt !== null || isComplete(execution);
}

/** An operator's word stands for the venue's: no more than he says was executed. */
export function resolvedOn<Execution extends Outgoing>(
  { clock }: Pick<Context, 'clock'>,
  execution: Execution,
  reports: readonly Report[],
): Execution {
  const isResolved = reports.some(({ executionId, resolved }) => executionId === execution.id && resolved === true);
  if (!isResolved) return execution;
  return { ...execution, reportedAmount: execution.filledAmount, nextLookAt: null, resolvedAt: clock.now() };
}

/** Looks one after the other: one that finds the execution open begins anew. */
function looksAfter(looks: number, reports: readonly Report[]): number {
  if (!reports.some(({ looked }) => looked === true)) return looks;
  return reports.some(({ state, nextLookAt }) => state === 'OPEN' && nextLookAt === undefined) ? 0 : looks + 1;
}
