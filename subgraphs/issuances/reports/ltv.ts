import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { percentOf, shares } from './shares.js';

/** Contracts with collateral whose loan to value, rounded up to an integer percentage, is the same. */
export interface LtvGroup {
  /** 101 represents everything above 100. */
  readonly percent: number;
  readonly contracts: number;
  readonly balance: Decimal;
  readonly collateral: Decimal;
}

/** Each band includes its upper bound. */
const bands = [
  { upTo: 50, label: 'Até 50%' },
  { upTo: 60, label: '50-60%' },
  { upTo: 70, label: '60-70%' },
  { upTo: 80, label: '70-80%' },
  { upTo: 90, label: '80-90%' },
  { upTo: 100, label: '90-100%' },
  { upTo: Infinity, label: 'Acima de 100%' },
] as const;

/** Computes loan to value in percent, overall and by band, of the contracts with collateral. Shares refer to their balance. */
export function loanToValue(groups: readonly LtvGroup[]) {
  const filled = bands.map(({ upTo, label }, index) => {
    const over = bands[index - 1]?.upTo ?? -Infinity;
    const own = groups.filter(({ percent }) => percent > over && percent <= upTo);
    return { label, contracts: countOf(own), balance: sum(own.map((group) => group.balance)) };
  });
  const parts = shares(filled.map((band) => band.balance));
  const balance = sum(groups.map((group) => group.balance));
  const collateral = sum(groups.map((group) => group.collateral));
  return {
    ltv: percentOf(balance, collateral),
    contracts: countOf(groups),
    balance,
    collateral,
    bands: filled.map((band, index) => ({ ...band, share: parts[index] ?? new Decimal(0) })),
  };
}

function countOf(groups: readonly LtvGroup[]): number {
  return groups.reduce((total, group) => total + group.contracts, 0);
}
