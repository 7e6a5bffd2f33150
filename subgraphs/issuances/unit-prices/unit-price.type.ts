import { Field, ObjectType, Directive, Int } from 'type-graphql';
import { DateScalar, DecimalScalar, DateTimeScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { compareTrusteePrice } from './trustee-price.js';
import type { TrusteePriceRow } from './unit-price.store.js';

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

@ObjectType({ simpleResolvers: true, description: 'A value that a unit price had before it was corrected.' })
export class EarlierUnitPrice {
  @Field(() => DecimalScalar, { description: 'The price, with 8 decimals' })
  value!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was recorded; null if that was before versions were kept',
  })
  recordedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    description: 'When it was corrected or removed: `asOf` an earlier moment returns it',
  })
  correctedAt!: Date;

  @Field(() => String, { nullable: true, description: 'The reason for the correction; null when none was given' })
  reason!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'How a unit price came to be what it is. The issuer computes the prices of its series and they are imported, so that there are no factors; those of a tokenized series are in `TrancheUnitPrice`.',
})
export class UnitPriceProvenance {
  @Field(() => Int, { description: 'Version, from 1, which every correction increases' })
  version!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When this version was imported; null if that was before versions were kept',
  })
  recordedAt!: Date | null;

  @Directive('@listSize(assumedSize: 2)')
  @Field(() => [EarlierUnitPrice], {
    description: 'The values that it had before, newest first: at most 20; empty for a price that was never corrected',
  })
  earlierValues!: readonly EarlierUnitPrice[];
}
