import { Field, Int, ObjectType } from 'type-graphql';
import { DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { AddedUpAssets } from './asset-summary.js';

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

  @Field(() => DecimalScalar, { description: 'Total amount received in BRL, 2 decimals' })
  totalReceivedPayments!: string;

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
