import { Field, Int, ObjectType } from 'type-graphql';
import { Decimal, truncate } from '../../../shared/decimal.js';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { paymentDecimals } from '../unit-price/settle.js';
import type { PriceVersion } from './price-history.store.js';
import type { PriceInterval } from './price-history.js';

export const PriceIntervalEnum = describeEnum<PriceInterval>('PriceInterval', 'How many prices a history has.', {
  DAILY: 'Every price',
  WEEKLY: 'The last price of each week (Monday to Sunday)',
  MONTHLY: 'The last price of each month',
});

@ObjectType({
  simpleResolvers: true,
  description: 'What a unit of a series was worth on a day, with everything that it was made of.',
})
export class TrancheUnitPrice {
  @Field(() => DateScalar, { description: 'Its day' })
  date!: string;

  @Field(() => DecimalScalar, { description: 'With the interest that has accrued, before what is paid on the day' })
  unitPrice!: string;

  @Field(() => DecimalScalar, {
    description: 'Without it: the nominal value, updated by the price index if there is one',
  })
  nominalValue!: string;

  @Field(() => DecimalScalar, { description: 'Interest that has accrued' })
  interestJ!: string;

  @Field(() => DecimalScalar, { description: 'Nominal value before it is updated' })
  baseValue!: string;

  @Field(() => DecimalScalar, { description: 'Factor of the price index; 1 where there is none' })
  indexFactor!: string;

  @Field(() => DateScalar, { description: 'The day since which the price index counts' })
  indexStart!: string;

  @Field(() => DecimalScalar, { description: 'Running product of the daily DI factors, 16 decimals' })
  diProduct!: string;

  @Field(() => DecimalScalar, { description: 'Factor of the DI rate; 1 where the series does not follow it' })
  diFactor!: string;

  @Field(() => DecimalScalar, { description: 'Factor of the fixed rate, or of the spread' })
  spreadFactor!: string;

  @Field(() => DecimalScalar, { description: 'Factor of the interest: DI times spread' })
  interestFactor!: string;

  @Field(() => DateScalar, { description: 'The day since which interest has accrued' })
  accrualStart!: string;

  @Field(() => Int, { description: 'Business days since then' })
  businessDays!: number;

  @Field(() => Int, { description: 'Calendar days since then' })
  calendarDays!: number;

  @Field(() => DecimalScalar, { description: 'What an instalment of the day amortizes of a unit, 9 decimals' })
  amortization!: string;

  @Field(() => DecimalScalar, {
    description: 'What an instalment of the day pays for a unit, 9 decimals: interest and amortization',
  })
  payment!: string;

  @Field(() => DecimalScalar, { description: 'Nominal value that the day leaves' })
  nextBaseValue!: string;

  @Field(() => Int, { description: 'Version, from 1: a correction is a new one, and the older ones stay' })
  version!: number;

  @Field(() => Int, { description: 'Version of the table of holidays by which days were counted' })
  calendarVersion!: number;

  @Field(() => DateTimeScalar, { description: 'When this version was made' })
  calculatedAt!: Date;
}

/** A price as resolvers pass it on: the visible fields, and what its inputs are loaded by. */
export type TrancheUnitPriceShape = Shape<TrancheUnitPrice> & Pick<PriceVersion, 'trancheId' | 'policyVersion'>;

export function toTrancheUnitPrice(row: PriceVersion): TrancheUnitPriceShape {
  return {
    trancheId: row.trancheId,
    policyVersion: row.policyVersion,
    date: row.date,
    unitPrice: row.unitPrice,
    nominalValue: row.vna,
    interestJ: row.interestJ,
    baseValue: row.vne,
    indexFactor: row.indexFactor,
    indexStart: row.indexStart,
    diProduct: row.diProduct,
    diFactor: row.diFactor,
    spreadFactor: row.spreadFactor,
    interestFactor: row.interestFactor,
    accrualStart: row.accrualStart,
    businessDays: row.businessDays,
    calendarDays: row.calendarDays,
    amortization: paid(row.amortization),
    payment: paid(row.payment),
    nextBaseValue: row.nextVne,
    version: row.version,
    calendarVersion: row.calendarVersion,
    calculatedAt: row.calculatedAt,
  };
}

/** Formats an exact amount with the decimals that deeds pay with. */
function paid(exact: string): string {
  return truncate(new Decimal(exact), paymentDecimals).toFixed(paymentDecimals);
}
