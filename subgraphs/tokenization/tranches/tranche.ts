import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import type { Indexer } from '../../securities/indexer.js';

/** DRAFT: being set up. FUNDRAISING: offered to investors. ACTIVE: in force. CLOSED: ended. */
export const trancheStatuses = ['DRAFT', 'ACTIVE', 'FUNDRAISING', 'CLOSED'] as const;
export type TrancheStatus = (typeof trancheStatuses)[number];

/** The index that remunerates in addition to the rate. */
export const indexerNames = ['NONE', 'DI', 'IPCA', 'IGPM'] as const;
export type IndexerName = (typeof indexerNames)[number];

/** The indexes by their names in the graph; the database and imported files keep their own. */
export const graphIndexers: Readonly<Record<IndexerName, Indexer>> = {
  NONE: 'PREFIXED',
  DI: 'CDI',
  IPCA: 'IPCA',
  IGPM: 'IGPM',
};

/** How interest for a delay counts its days: over 30, or compounded by months of 30 days. */
export const lateInterestModes = { SIMPLE_30: 'Rate × days ÷ 30', COMPOUND: '(1 + rate)^(days ÷ 30) − 1' } as const;
export type LateInterestMode = keyof typeof lateInterestModes;

/** Value of a unit, in reais with 8 decimals each. */
export interface CurrentPrice {
  /** Including accrued interest ("dirty"). */
  readonly unitPrice: string;
  /** Without accrued interest ("clean"). */
  readonly nominalValue: string;
  readonly interest: string;
}

export interface Priced {
  readonly remunerationStartDate: string;
  readonly issueValue: string;
  readonly unitPrice: string | null;
  readonly nominalValue: string | null;
  readonly interest: string | null;
}

/** Returns the issue value of a unit until remuneration begins; after that undefined until the series is priced: nothing is estimated. @param today civil date in São Paulo */
export function currentPrice(series: Priced, today: string): CurrentPrice | undefined {
  const { unitPrice, nominalValue, interest, issueValue, remunerationStartDate } = series;
  if (unitPrice !== null && nominalValue !== null && interest !== null) return { unitPrice, nominalValue, interest };
  if (today > remunerationStartDate) return undefined;
  return { unitPrice: issueValue, nominalValue: issueValue, interest: '0.00000000' };
}

/** Returns the value of all units of a series, in reais, truncated to 2 decimals as what is paid for them. */
export function totalValue(tokenQuantity: string, { unitPrice }: CurrentPrice): string {
  return truncate(new Decimal(unitPrice).times(tokenQuantity), 2).toFixed(2);
}

type Condition = 'NONE' | 'NOTHING_INVESTED' | 'NOTHING_OWED';

/** State machine of a series: from, to, and the condition. CLOSED is final. */
export const trancheTransitions: Readonly<Record<TrancheStatus, Readonly<Partial<Record<TrancheStatus, Condition>>>>> =
  {
    DRAFT: { FUNDRAISING: 'NONE', CLOSED: 'NONE' },
    FUNDRAISING: { ACTIVE: 'NONE', CLOSED: 'NOTHING_INVESTED' },
    ACTIVE: { CLOSED: 'NOTHING_OWED' },
    CLOSED: {},
  };

interface TrancheFacts {
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
