import { Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { PriceVersion } from './price-history.store.js';
import { toTrancheUnitPrice } from './tranche-unit-price.type.js';

@ObjectType({ simpleResolvers: true, description: 'The unit price of a series on a day.' })
export class UnitPriceItem {
  @Field(() => DateScalar, { description: 'The day' })
  date!: string;

  @Field(() => DecimalScalar, {
    description: 'Unit price with accrued interest (PU), before what is paid on the day; in BRL with 8 decimals',
  })
  unitPrice!: string;

  @Field(() => DecimalScalar, { description: 'The same without accrued interest (clean PU); in BRL with 8 decimals' })
  nominalValue!: string;

  @Field(() => DecimalScalar, { description: 'Accrued interest; in BRL with 8 decimals' })
  interestJ!: string;

  @Field(() => DecimalScalar, { description: 'What the day amortizes of a token; in BRL with 9 decimals' })
  amortization!: string;

  @Field(() => DecimalScalar, {
    description: 'What the day pays for a token, interest and amortization; in BRL with 9 decimals',
  })
  payment!: string;

  @Field(() => Int, { description: 'Version, from 1: a correction of the day is a further one' })
  version!: number;

  @Field(() => DateTimeScalar, { description: 'When this version was calculated' })
  calculatedAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A page of the unit prices of a series.' })
export class UnitPriceList {
  @Field(() => [UnitPriceItem], { description: 'The prices of this page, oldest first' })
  items!: readonly UnitPriceItem[];

  @Field(() => Int, { description: 'Days with a price in the period, on all pages' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'What to send for the next page; null on the last one (REST leaves it out)',
  })
  nextToken!: string | null;
}

export function toUnitPriceItem(row: PriceVersion): Shape<UnitPriceItem> {
  const { date, unitPrice, nominalValue, interestJ, amortization, payment, version, calculatedAt } =
    toTrancheUnitPrice(row);
  return { date, unitPrice, nominalValue, interestJ, amortization, payment, version, calculatedAt };
}
