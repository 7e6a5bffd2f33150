import { ObjectType } from 'type-graphql';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { AddedUpAssets } from './asset-summary.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { AssetTypeEnum } from '../../securities/asset-type.js';
import { AssetStatusEnum } from '../assets/asset.type.js';
import { decimal, fields, int, nullable, of } from '../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'Totals of the assets of one type.' })
export class AssetTypeSummary extends fields({
  count: int('Number of assets of the type'),
  totalValue: decimal('Total original value in BRL, 2 decimals'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Assets by type.' })
export class AssetSummaryByType extends fields({
  CCB: of(() => AssetTypeSummary, 'Bank credit notes'),
  CRI: of(() => AssetTypeSummary, 'Real-estate receivables certificates'),
  CRA: of(() => AssetTypeSummary, 'Agribusiness receivables certificates'),
  DEBENTURE: of(() => AssetTypeSummary, 'Debentures'),
  PRECATORIO: of(() => AssetTypeSummary, 'Court-ordered debts of governments'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'Totals of assets. The values are those of all assets, and `totalAssets` also counts written-off ones.',
})
export class AssetSummary extends fields({
  totalAssets: int('Number of all assets, whatever their status'),
  activeAssets: int('Number of assets that are not more than 90 days late'),
  settledAssets: int('Number of assets whose instalments are all paid'),
  defaultedAssets: int('Number of assets that are more than 90 days late'),
  writtenOffAssets: int('Number of assets that were written off'),
  totalOriginalValue: decimal('Original value of all assets in BRL, 2 decimals'),
  totalCurrentBalance: decimal('Outstanding balance of all assets, written-off ones included, in BRL, 2 decimals'),
  writtenOffBalance: decimal('Outstanding balance of the written-off assets in BRL, 2 decimals'),
  totalReceivedPayments: decimal('Total amount received, with surplus, in BRL, 2 decimals'),
  totalSurplus: decimal('Late interest and fines in it, in BRL, 2 decimals'),
  totalAbated: decimal('Total amount abated, which was not received, in BRL, 2 decimals'),
  defaultRate: decimal(
    '`defaultedAssets` relative to `totalAssets`, in percent with 2 decimals: 1.79 means 1.79 %; 0 without assets',
  ),
  byType: of(() => AssetSummaryByType, 'Number and original value of the assets by type'),
}) {}

export function toAssetSummary(added: AddedUpAssets): Shape<AssetSummary> {
  const { byType } = added;
  const ofType = ({ count, totalValue }: AddedUpAssets['byType']['CCB']) => ({
    count,
    totalValue: totalValue.toFixed(2),
  });
  return {
    ...added,
    totalOriginalValue: added.totalOriginalValue.toFixed(2),
    totalCurrentBalance: added.totalCurrentBalance.toFixed(2),
    writtenOffBalance: added.writtenOffBalance.toFixed(2),
    totalReceivedPayments: added.totalReceivedPayments.toFixed(2),
    totalSurplus: added.totalSurplus.toFixed(2),
    totalAbated: added.totalAbated.toFixed(2),
    defaultRate: added.defaultRate.toFixed(2),
    byType: {
      CCB: ofType(byType.CCB),
      CRI: ofType(byType.CRI),
      CRA: ofType(byType.CRA),
      DEBENTURE: ofType(byType.DEBENTURE),
      PRECATORIO: ofType(byType.PRECATORIO),
    },
  };
}

export const assetDimensions = ['PATRIMONY', 'TYPE', 'STATUS'] as const;
export type AssetDimension = (typeof assetDimensions)[number];

export const AssetDimensionEnum = describeEnum<AssetDimension>('AssetDimension', 'What assets are grouped by.', {
  PATRIMONY: 'Their estate',
  TYPE: 'Their type',
  STATUS: 'Their status; assets more than 90 days late are DEFAULTED',
});

@ObjectType({ simpleResolvers: true, description: 'Totals of a group of assets.' })
export class AssetGroup extends fields({
  patrimonyTicker: nullable.text('Ticker of the estate; null when not grouped by it'),
  patrimonyName: nullable.text('Name of the estate; null when not grouped by it'),
  type: nullable.of(() => AssetTypeEnum, 'Type; null when not grouped by it'),
  status: nullable.of(() => AssetStatusEnum, 'Status; null when not grouped by it'),
  count: int('Number of assets'),
  originalValue: decimal('Sum of original values in BRL, 2 decimals'),
  currentBalance: decimal('Sum of outstanding balances in BRL, 2 decimals'),
  received: decimal('Sum of payments received in BRL, 2 decimals'),
  balanceShare: decimal(
    'Share of the outstanding balance of the estate, or of all groups when not grouped by estate, in percent, 2 decimals',
  ),
}) {}
