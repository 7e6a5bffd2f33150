import { Field, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { AssetStatus, AssetType } from '../assets/asset.js';
import { AssetStatusEnum, AssetTypeEnum } from '../assets/asset.enum.js';

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
