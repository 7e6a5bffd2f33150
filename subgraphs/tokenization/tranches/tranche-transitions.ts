import type { TrancheStatus } from './tranche.js';

type Condition = 'NONE' | 'NOTHING_INVESTED' | 'NOTHING_OWED';

/** State machine of a series: from, to, and the condition. CLOSED is final. */
export const trancheTransitions: Readonly<Record<TrancheStatus, Readonly<Partial<Record<TrancheStatus, Condition>>>>> =
  {
    DRAFT: { FUNDRAISING: 'NONE', CLOSED: 'NONE' },
    FUNDRAISING: { ACTIVE: 'NONE', CLOSED: 'NOTHING_INVESTED' },
    ACTIVE: { CLOSED: 'NOTHING_OWED' },
    CLOSED: {},
  };

export interface TrancheFacts {
  readonly status: TrancheStatus;
  readonly invested: boolean;
  readonly instalments: number;
  /** Number of instalments that are not paid. */
  readonly unpaid: number;
}

/** Returns the reason why a series may not change to a status, as a sentence; undefined if it may. */
export function whyNotMove(facts: TrancheFacts, to: TrancheStatus): string | undefined {
  const { status, invested, instalments, unpaid } = facts;
  const condition = trancheTransitions[status][to];
  if (condition === undefined) return `The series is ${status} and cannot become ${to}`;
  if (condition === 'NOTHING_INVESTED' && invested)
    return 'Investors have paid into the series: it cannot be withdrawn';
  if (condition === 'NOTHING_OWED' && unpaid > 0) return `${unpaid} of its instalments are not paid`;
  if (condition === 'NOTHING_OWED' && invested && instalments === 0) {
    return 'Investors have paid into the series, but it has no instalments that repay them';
  }
  return undefined;
}
