import { Field, Int, ObjectType } from 'type-graphql';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { AddedUpAssets } from './asset-summary.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { AssetStatus } from '../assets/asset.js';
import { AssetTypeEnum, type AssetType } from '../../securities/asset-type.js';
import { AssetStatusEnum } from '../assets/asset.type.js';

@ObjectType({ simpleResolvers: true, description: 'Totals of the assets of one type.' })
export class AssetTypeSummary {
  @Field(() => Int, { description: 'Number of assets of the type' })
  count!: number;

  @Field(() => DecimalScalar, { description: 'Total original value in BRL, 2 decimals' })
  totalValue!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Assets by type.' })
export class AssetSummaryByType {
  @Field(() => AssetTypeSummary, { description: 'Bank credit notes' })
  CCB!: AssetTypeSummary;

  @Field(() => AssetTypeSummary, { description: 'Real-estate receivables certificates' })
  CRI!: AssetTypeSummary;

  @Field(() => AssetTypeSummary, { description: 'Agribusiness receivables certificates' })
  CRA!: AssetTypeSummary;

  @Field(() => AssetTypeSummary, { description: 'Debentures' })
  DEBENTURE!: AssetTypeSummary;

  @Field(() => AssetTypeSummary, { description: 'Court-ordered debts of governments' })
  PRECATORIO!: AssetTypeSummary;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Totals of assets. The values are those of all assets, and `totalAssets` also counts written-off ones.',
})
export class AssetSummary {
  @Field(() => Int, { description: 'Number of all assets, whatever their status' })
  totalAssets!: number;

  @Field(() => Int, { description: 'Number of assets that are not more than 90 days late' })
  activeAssets!: number;

  @Field(() => Int, { description: 'Number of assets whose instalments are all paid' })
  settledAssets!: number;

  @Field(() => Int, { description: 'Number of assets that are more than 90 days late' })
  defaultedAssets!: number;

  @Field(() => Int, { description: 'Number of assets that were written off' })
  writtenOffAssets!: number;

  @Field(() => DecimalScalar, { description: 'Original value of all assets in BRL, 2 decimals' })
  totalOriginalValue!: string;

  @Field(() => DecimalScalar, {
    description: 'Outstanding balance of all assets, written-off ones included, in BRL, 2 decimals',
  })
  totalCurrentBalance!: string;

  @Field(() => DecimalScalar, { description: 'Outstanding balance of the written-off assets in BRL, 2 decimals' })
  writtenOffBalance!: string;

  @Field(() => DecimalScalar, { description: 'Total amount received, with surplus, in BRL, 2 decimals' })
  totalReceivedPayments!: string;

  @Field(() => DecimalScalar, { description: 'Late interest and fines in it, in BRL, 2 decimals' })
  totalSurplus!: string;

  @Field(() => DecimalScalar, { description: 'Total amount abated, which was not received, in BRL, 2 decimals' })
  totalAbated!: string;

  @Field(() => DecimalScalar, {
    description:
      '`defaultedAssets` relative to `totalAssets`, in percent with 2 decimals: 1.79 means 1.79 %; 0 without assets',
  })
  defaultRate!: string;

  @Field(() => AssetSummaryByType, { description: 'Number and original value of the assets by type' })
  byType!: AssetSummaryByType;
}

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
export class AssetGroup {
  @Field(() => String, { nullable: true, description: 'Ticker of the estate; null when not grouped by it' })
  patrimonyTicker!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the estate; null when not grouped by it' })
  patrimonyName!: string | null;

  @Field(() => AssetTypeEnum, { nullable: true, description: 'Type; null when not grouped by it' })
  type!: AssetType | null;

  @Field(() => AssetStatusEnum, { nullable: true, description: 'Status; null when not grouped by it' })
  status!: AssetStatus | null;

  @Field(() => Int, { description: 'Number of assets' })
  count!: number;

  @Field(() => DecimalScalar, { description: 'Sum of original values in BRL, 2 decimals' })
  originalValue!: string;

  @Field(() => DecimalScalar, { description: 'Sum of outstanding balances in BRL, 2 decimals' })
  currentBalance!: string;

  @Field(() => DecimalScalar, { description: 'Sum of payments received in BRL, 2 decimals' })
  received!: string;

  @Field(() => DecimalScalar, {
    description:
      'Share of the outstanding balance of the estate, or of all groups when not grouped by estate, in percent, 2 decimals',
  })
  balanceShare!: string;
}
