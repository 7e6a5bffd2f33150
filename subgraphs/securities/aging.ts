import { Decimal } from '../../shared/kernel/decimal.js';

export interface LatenessGroup {
  readonly daysLate: number;
  readonly contracts: number;
  readonly balance: Decimal;
  /** Their instalments that are due and unpaid; undefined where it is not known of one of them. */
  readonly overdue?: Decimal | undefined;
}

/** First number of days late of a band; it ends where the next one begins. */
export interface BandStart {
  readonly fromDays: number;
}

/** A band with its contracts. `toDays` is its last day, null for the open end. */
export type Filled<B extends BandStart> = B & {
  readonly toDays: number | null;
  readonly contracts: number;
  readonly balance: Decimal;
};

/** Bands are ordered and the first starts at 0, so that each group falls into exactly one of them. */
export function fillBands<B extends BandStart>(bands: readonly B[], groups: readonly LatenessGroup[]): Filled<B>[] {
  return bands.map((band, index) => {
    const next = bands[index + 1]?.fromDays;
    const own = groups.filter(({ daysLate }) => daysLate >= band.fromDays && (next === undefined || daysLate < next));
    return {
      ...band,
      toDays: next === undefined ? null : next - 1,
      contracts: own.reduce((total, group) => total + group.contracts, 0),
      balance: own.reduce((total, group) => total.plus(group.balance), new Decimal(0)),
    };
  });
}

/** The bands of the aging table and of `faixaAtraso`, as named in docs/contract/issuances.md §4.5. */
export const agingBands = [
  { fromDays: 0, label: 'A vencer' },
  { fromDays: 1, label: '1-30' },
  { fromDays: 31, label: '31-60' },
  { fromDays: 61, label: '61-90' },
  { fromDays: 91, label: '91-120' },
  { fromDays: 121, label: '121-150' },
  { fromDays: 151, label: '151-180' },
  { fromDays: 181, label: '181-360' },
  { fromDays: 361, label: '360+' },
] as const;

export type AgingLabel = (typeof agingBands)[number]['label'];

export function agingLabel(daysLate: number): AgingLabel {
  return agingBands.findLast(({ fromDays }) => daysLate >= fromDays)?.label ?? 'A vencer';
}
