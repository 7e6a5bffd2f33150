import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { AddedUpAssets } from './asset-summary.js';

@ObjectType({ simpleResolvers: true, description: 'Totals of the assets of one type.' })
export class AssetTypeSummary {
  @Field(() => Int, { description: 'Number of instalments' })
  count!: number;

  @Field(() => Float, { description: 'Total original value in BRL, 2 decimals' })
  totalValue!: number;
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

// The decimals of the summary are JSON numbers (docs/contract/tokenization.md §5.6).
@ObjectType({
  simpleResolvers: true,
  description:
    'Totals of assets. Written-off ones are included in `totalAssets` and in the values. Decimals are JSON numbers.',
})
export class AssetSummary {
  @Field(() => Int, { description: 'Number of all assets' })
  totalAssets!: number;

  @Field(() => Int, { description: 'Number of assets that are not more than 90 days late' })
  activeAssets!: number;

  @Field(() => Int, { description: 'Number of assets whose instalments are all paid' })
  settledAssets!: number;

  @Field(() => Int, { description: 'Number of assets that are more than 90 days late' })
  defaultedAssets!: number;

  @Field(() => Float, { description: 'Original value in BRL, 2 decimals' })
  totalOriginalValue!: number;

  @Field(() => Float, { description: 'Outstanding balance in BRL, 2 decimals' })
  totalCurrentBalance!: number;

  @Field(() => Float, { description: 'Total amount received in BRL, 2 decimals' })
  totalReceivedPayments!: number;

  @Field(() => Float, {
    description:
      '`defaultedAssets` relative to `totalAssets`, in percent with 2 decimals: 1.79 means 1.79 %; 0 without assets',
  })
  defaultRate!: number;

  @Field(() => AssetSummaryByType, { description: 'Number and original value of the assets by type' })
  byType!: AssetSummaryByType;
}

/** Reais with 2 decimals are exact as JSON numbers up to 15 digits: below ten trillion. */
export function toAssetSummary(added: AddedUpAssets): Shape<AssetSummary> {
  const { byType } = added;
  const ofType = ({ count, totalValue }: AddedUpAssets['byType']['CCB']) => ({
    count,
    totalValue: totalValue.toNumber(),
  });
  return {
    ...added,
    totalOriginalValue: added.totalOriginalValue.toNumber(),
    totalCurrentBalance: added.totalCurrentBalance.toNumber(),
    totalReceivedPayments: added.totalReceivedPayments.toNumber(),
    defaultRate: added.defaultRate.toNumber(),
    byType: {
      CCB: ofType(byType.CCB),
      CRI: ofType(byType.CRI),
      CRA: ofType(byType.CRA),
      DEBENTURE: ofType(byType.DEBENTURE),
      PRECATORIO: ofType(byType.PRECATORIO),
    },
  };
}
