import { Field, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { compareTrusteePrice } from './trustee-price.js';
import type { TrusteePriceRow } from './trustee-price.store.js';

@ObjectType({ simpleResolvers: true, description: 'The unit price (PU) of a series on a day.' })
export class UnitPrice {
  @Field(() => DateScalar, { description: 'Date' })
  date!: string;

  @Field(() => DecimalScalar, { description: 'The price, with 8 decimals' })
  value!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'The unit price of a series that the trustee firm published, with that of the issuer.',
})
export class TrusteeUnitPrice {
  @Field(() => DateScalar, { description: 'Date' })
  date!: string;

  @Field(() => String, { description: 'The trustee firm' })
  trustee!: string;

  @Field(() => DecimalScalar, { description: 'Price of the trustee firm, with 8 decimals' })
  trusteeValue!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Price of the issuer on that day; null when it published none',
  })
  issuerValue!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Price of the issuer less that of the trustee firm' })
  difference!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Difference relative to the price of the trustee firm, in percent, with 8 decimals',
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
