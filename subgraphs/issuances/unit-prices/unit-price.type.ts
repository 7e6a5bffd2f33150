import { Field, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { compareTrusteePrice } from './trustee-price.js';
import type { TrusteePriceRow } from './trustee-price.store.js';
import type { Granularity } from './unit-price.js';

export const GranularityEnum = describeEnum<Granularity>('PriceGranularity', 'How many points a price history has.', {
  DAILY: 'Every price',
  WEEKLY: 'The last price of each week (Monday to Sunday)',
  MONTHLY: 'The last price of each month',
});

@ObjectType({ simpleResolvers: true, description: 'The unit price (PU) of a series on a day.' })
export class UnitPrice {
  @Field(() => DateScalar, { description: 'Its day' })
  date!: string;

  @Field(() => DecimalScalar, { description: 'The price, with 8 decimals' })
  value!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: "The trustee firm's own unit price of a series beside the issuer's.",
})
export class TrusteeUnitPrice {
  @Field(() => DateScalar, { description: 'Its day' })
  date!: string;

  @Field(() => String, { description: 'The trustee firm' })
  trustee!: string;

  @Field(() => DecimalScalar, { description: "The trustee firm's price, with 8 decimals" })
  trusteeValue!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "The issuer's price of that day; null when it published none",
  })
  issuerValue!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: "The issuer's price less the trustee firm's" })
  difference!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "That difference over the trustee firm's price, in percent, with 8 decimals",
  })
  differencePercent!: string | null;
}

export function toTrusteeUnitPrice(row: TrusteePriceRow): Shape<TrusteeUnitPrice> {
  const { difference, percent } = compareTrusteePrice(row);
  return {
    date: row.date,
    trustee: row.trustee,
    trusteeValue: row.trusteeValue,
    issuerValue: row.issuerValue,
    difference: difference?.toFixed(8) ?? null,
    differencePercent: percent?.toFixed(8) ?? null,
  };
}
