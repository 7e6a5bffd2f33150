import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import type { Fill } from '../venues/venue.js';
import type { ExecutionState, Outgoing } from './execution.store.js';
import { tradeOf } from './fill.store.js';

export interface Report {
  readonly executionId: string;
  readonly fills?: readonly Fill[];
  /** Its new state; unchanged when omitted. */
  readonly state?: ExecutionState;
  /** The total that the venue reports as executed. */
  readonly reported?: Decimal;
  readonly reason?: string;
  /** The time of the next look-up; none when omitted. */
  readonly nextLookAt?: Date;
  readonly looked?: boolean;
  /** Whether the venue reported in a look-up that it does not have the execution. */
  readonly absent?: boolean;
  /** Whether a venue rejected it for a reason of its own, so that another one may accept it. */
  readonly elsewhere?: boolean;
  readonly resolved?: boolean;
}

export function distinctFills(fills: readonly Fill[]): Fill[] {
  return [...new Map(fills.map((fill) => [tradeOf(fill), fill])).values()];
}

const ended: ReadonlySet<ExecutionState> = new Set<ExecutionState>(['FILLED', 'CANCELLED', 'REJECTED']);

/** Applies reports to an execution; returns the same object if there are none. */
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
  // Fills that arrive by themselves do not reveal the rest: a planned look-up stays planned.
  const planned = said === undefined ? execution.nextLookAt : null;
  // The reason for an earlier unknown outcome is not the reason for the new state.
  const lasting = said === undefined || ended.has(execution.state) ? execution.reason : null;
  const nextLookAt = own.findLast((one) => one.nextLookAt !== undefined)?.nextLookAt ?? planned;
  return {
    ...execution,
    state,
    reason: said?.reason ?? (isWhole ? null : lasting),
    filledAmount: filled.toFixed(),
    reportedAmount: reported.toFixed(),
    looks: looksAfter(execution.looks, own),
    // Any other report, even of an unknown outcome, breaks the sequence.
    absences: own.every(({ absent }) => absent === true) ? execution.absences + 1 : 0,
    nextLookAt: complete ? null : nextLookAt,
  };
}

/** Whether an execution has ended at its venue and all of its fills are recorded. */
export function isComplete({ state, filledAmount, reportedAmount }: Outgoing): boolean {
  return ended.has(state) && new Decimal(filledAmount).greaterThanOrEqualTo(reportedAmount);
}

/** Whether the client can get nothing more from an execution: it has ended and its fills are recorded, or an operator has settled it. */
export function isSettled(execution: Outgoing): boolean {
  return execution.resolvedAt !== null || isComplete(execution);
}

/** Applies an operator's resolution in place of the venue's report: no more than the operator's amount was executed. */
export function resolvedOn<Execution extends Outgoing>(
  { clock }: Pick<Context, 'clock'>,
  execution: Execution,
  reports: readonly Report[],
): Execution {
  const isResolved = reports.some(({ executionId, resolved }) => executionId === execution.id && resolved === true);
  if (!isResolved) return execution;
  return { ...execution, reportedAmount: execution.filledAmount, nextLookAt: null, resolvedAt: clock.now() };
}

/** Counts look-ups in sequence: one that finds the execution open resets the count. */
function looksAfter(looks: number, reports: readonly Report[]): number {
  if (!reports.some(({ looked }) => looked === true)) return looks;
  return reports.some(({ state, nextLookAt }) => state === 'OPEN' && nextLookAt === undefined) ? 0 : looks + 1;
}
