import type { AssetRow } from '../assets/asset.store.js';
import { Decimal, round, sum } from '../../../shared/kernel/decimal.js';
import type { AssetType } from '../../securities/asset-type.js';

/** Total of the assets of one type and status. Money is in reais. */
export interface AssetTotal extends Pick<
  AssetRow,
  'type' | 'status' | 'originalValue' | 'currentBalance' | 'received' | 'surplus' | 'abated'
> {
  readonly count: number;
}

export interface AddedUpAssets {
  readonly totalAssets: number;
  readonly activeAssets: number;
  readonly settledAssets: number;
  readonly defaultedAssets: number;
  readonly writtenOffAssets: number;
  readonly totalOriginalValue: Decimal;
  readonly totalCurrentBalance: Decimal;
  /** The part of `totalCurrentBalance` that was written off. */
  readonly writtenOffBalance: Decimal;
  readonly totalReceivedPayments: Decimal;
  readonly totalSurplus: Decimal;
  readonly totalAbated: Decimal;
  /** Defaulted assets divided by all assets, in percent, rounded to 2 decimals; 0 if there are none. */
  readonly defaultRate: Decimal;
  readonly byType: Readonly<Record<AssetType, { readonly count: number; readonly totalValue: Decimal }>>;
}

export function addUpAssets(totals: readonly AssetTotal[]): AddedUpAssets {
  const countOf = (which: (total: AssetTotal) => boolean) =>
    totals.filter(which).reduce((count, total) => count + total.count, 0);
  const totalAssets = countOf(() => true);
  const defaultedAssets = countOf(({ status }) => status === 'DEFAULTED');
  const ofType = (type: AssetType) => ({
    count: countOf((total) => total.type === type),
    totalValue: sum(totals.filter((total) => total.type === type).map(({ originalValue }) => originalValue)),
  });
  return {
    totalAssets,
    activeAssets: countOf(({ status }) => status === 'ACTIVE'),
    settledAssets: countOf(({ status }) => status === 'SETTLED'),
    defaultedAssets,
    writtenOffAssets: countOf(({ status }) => status === 'WRITTEN_OFF'),
    totalOriginalValue: sum(totals.map(({ originalValue }) => originalValue)),
    totalCurrentBalance: sum(totals.map(({ currentBalance }) => currentBalance)),
    writtenOffBalance: sum(
      totals.filter(({ status }) => status === 'WRITTEN_OFF').map(({ currentBalance }) => currentBalance),
    ),
    totalReceivedPayments: sum(totals.map(({ received }) => received)),
    totalSurplus: sum(totals.map(({ surplus }) => surplus)),
    totalAbated: sum(totals.map(({ abated }) => abated)),
    defaultRate:
      totalAssets === 0 ? new Decimal(0) : round(new Decimal(defaultedAssets).times(100).div(totalAssets), 2),
    byType: {
      CCB: ofType('CCB'),
      CRI: ofType('CRI'),
      CRA: ofType('CRA'),
      DEBENTURE: ofType('DEBENTURE'),
      PRECATORIO: ofType('PRECATORIO'),
    },
  };
}
