import type { TrancheStatus } from './tranche.js';

/** What must hold for a series to move. */
type Condition = 'NONE' | 'NOTHING_INVESTED' | 'NOTHING_OWED';

/** The moves of a series: from, to, and on what condition. CLOSED is for ever. */
export const trancheTransitions: Readonly<Record<TrancheStatus, Readonly<Partial<Record<TrancheStatus, Condition>>>>> =
  {
    DRAFT: { FUNDRAISING: 'NONE', CLOSED: 'NONE' },
    FUNDRAISING: { ACTIVE: 'NONE', CLOSED: 'NOTHING_INVESTED' },
    ACTIVE: { CLOSED: 'NOTHING_OWED' },
    CLOSED: {},
  };

/** What a move is decided by. */
export interface TrancheFacts {
  readonly status: TrancheStatus;
  /** Whether investors have put anything in. */
  readonly invested: boolean;
  /** Instalments of its schedule. */
  readonly instalments: number;
  /** Those of them that are not paid. */
  readonly unpaid: number;
}

/** Why a series may not move to a status, in a sentence; undefined when it may. */
export function whyNotMove(facts: TrancheFacts, to: TrancheStatus): string | undefined {
  const { status, invested, instalments, unpaid } = facts;
  const condition = trancheTransitions[status][to];
  if (condition === undefined) return `A series that is ${status} cannot become ${to}`;
  if (condition === 'NOTHING_INVESTED' && invested) return 'Money has been put into the series: it cannot be withdrawn';
  if (condition === 'NOTHING_OWED' && unpaid > 0) return `${unpaid} of its instalments are not paid`;
  if (condition === 'NOTHING_OWED' && invested && instalments === 0) {
    return 'Money has been put into the series, and it has no instalments that pay it back';
  }
  return undefined;
}
