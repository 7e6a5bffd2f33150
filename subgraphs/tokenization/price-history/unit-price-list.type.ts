import { Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { PriceVersion } from './price-history.store.js';
import { toTrancheUnitPrice } from './tranche-unit-price.type.js';

@ObjectType({ simpleResolvers: true, description: 'The unit price of a series on a day.' })
export class UnitPriceItem {
  @Field(() => DateScalar, { description: 'Day of the price' })
  date!: string;

  @Field(() => DecimalScalar, {
    description: 'Unit price with accrued interest (PU), before the payment of the day; in BRL with 8 decimals',
  })
  unitPrice!: string;

  @Field(() => DecimalScalar, { description: 'Unit price without accrued interest (clean PU); in BRL with 8 decimals' })
  nominalValue!: string;

  @Field(() => DecimalScalar, { description: 'Accrued interest; in BRL with 8 decimals' })
  interestJ!: string;

  @Field(() => DecimalScalar, { description: 'Amortization of a token on the day; in BRL with 9 decimals' })
  amortization!: string;

  @Field(() => DecimalScalar, {
    description: 'Payment for a token on the day, interest and amortization; in BRL with 9 decimals',
  })
  payment!: string;

  @Field(() => Int, { description: 'Version, from 1; every correction of the day creates a new one' })
  version!: number;

  @Field(() => DateTimeScalar, { description: 'Time at which this version was calculated' })
  calculatedAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A page of the unit prices of a series.' })
export class UnitPriceList {
  @Field(() => [UnitPriceItem], { description: 'The prices of this page, oldest first' })
  items!: readonly UnitPriceItem[];

  @Field(() => Int, { description: 'Number of days with a price in the period, on all pages' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Token to pass for the next page; null on the last page (omitted over REST)',
  })
  nextToken!: string | null;
}

export function toUnitPriceItem(row: PriceVersion): Shape<UnitPriceItem> {
  const { date, unitPrice, nominalValue, interestJ, amortization, payment, version, calculatedAt } =
    toTrancheUnitPrice(row);
  return { date, unitPrice, nominalValue, interestJ, amortization, payment, version, calculatedAt };
}
