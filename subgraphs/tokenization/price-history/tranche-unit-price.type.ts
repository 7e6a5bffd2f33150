import { Field, Int, ObjectType } from 'type-graphql';
import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { paymentDecimals } from '../unit-price/settle.js';
import type { PriceVersion } from './price-history.store.js';

@ObjectType({
  simpleResolvers: true,
  description: 'The price of a unit of a series on a day, with all intermediate values.',
})
export class TrancheUnitPrice {
  @Field(() => DateScalar, { description: 'Day of the price' })
  date!: string;

  @Field(() => DecimalScalar, {
    description: 'Unit price with accrued interest (PU), before the payment of the day; in BRL with 8 decimals',
  })
  unitPrice!: string;

  @Field(() => DecimalScalar, {
    description:
      'Unit price without accrued interest (clean PU): the nominal value, updated by the price index if there is one; in BRL with 8 decimals',
  })
  nominalValue!: string;

  @Field(() => DecimalScalar, { description: 'Accrued interest; in BRL with 8 decimals' })
  interestJ!: string;

  @Field(() => DecimalScalar, { description: 'Nominal value before its update by the price index' })
  baseValue!: string;

  @Field(() => DecimalScalar, { description: 'Factor of the price index; 1 without one' })
  indexFactor!: string;

  @Field(() => DateScalar, { description: 'Day from which the factor of the price index runs' })
  indexStart!: string;

  @Field(() => DecimalScalar, { description: 'Running product of the daily DI factors, 16 decimals' })
  diProduct!: string;

  @Field(() => DecimalScalar, { description: 'Factor of the DI rate; 1 when the series does not follow it' })
  diFactor!: string;

  @Field(() => DecimalScalar, { description: 'Factor of the fixed rate or of the spread' })
  spreadFactor!: string;

  @Field(() => DecimalScalar, { description: 'Factor of the interest: DI factor times spread factor' })
  interestFactor!: string;

  @Field(() => DateScalar, { description: 'Day since which interest has accrued' })
  accrualStart!: string;

  @Field(() => Int, { description: 'Number of business days since `accrualStart`' })
  businessDays!: number;

  @Field(() => Int, { description: 'Number of calendar days since `accrualStart`' })
  calendarDays!: number;

  @Field(() => DecimalScalar, {
    description: 'Amortization of a token by an instalment of the day; in BRL with 9 decimals',
  })
  amortization!: string;

  @Field(() => DecimalScalar, {
    description: 'Payment of an instalment of the day for a token, interest and amortization; in BRL with 9 decimals',
  })
  payment!: string;

  @Field(() => DecimalScalar, { description: 'Nominal value after the payment of the day' })
  nextBaseValue!: string;

  @Field(() => Int, { description: 'Version, from 1; a correction creates a new one, and earlier ones remain' })
  version!: number;

  @Field(() => Int, { description: 'Version of the table of holidays that was used' })
  calendarVersion!: number;

  @Field(() => DateTimeScalar, { description: 'Time at which this version was calculated' })
  calculatedAt!: Date;
}

/** A price as resolvers pass it on: the visible fields, and what its inputs are loaded by. */
export type TrancheUnitPriceShape = Shape<TrancheUnitPrice> & Pick<PriceVersion, 'trancheId' | 'policyVersion'>;

export function toTrancheUnitPrice(row: PriceVersion): TrancheUnitPriceShape {
  return {
    ...row,
    nominalValue: row.vna,
    baseValue: row.vne,
    amortization: paid(row.amortization),
    payment: paid(row.payment),
    nextBaseValue: row.nextVne,
  };
}

/** Formats an exact amount with the decimals that deeds pay with. */
function paid(exact: string): string {
  return truncate(new Decimal(exact), paymentDecimals).toFixed(paymentDecimals);
}
