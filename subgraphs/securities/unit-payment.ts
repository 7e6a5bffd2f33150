import { Directive, Field, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../shared/graphql/scalars.js';
import type { Shape } from '../../shared/graphql/shape.js';
import { type Decimal, round } from '../../shared/kernel/decimal.js';

@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: 'What was paid on a unit of a series.' })
export class UnitPayment {
  @Field(() => DateScalar, { description: 'First day whose unit price is without the payment' })
  date!: string;

  @Field(() => DecimalScalar, { description: 'Interest and amortization in BRL, 8 decimals' })
  value!: string;
}

/** Describes the payments of a return. */
export const unitPayments =
  'The payments of `priceReturn` for the same period, oldest first; null where `paid` is, and empty without a price in the period. Errors: 400 for a period that ends before it begins.';

/** What was paid on a unit, by the first day whose price is without it. */
export interface PaidOnUnit {
  readonly date: string;
  readonly value: Decimal;
}

export const toUnitPayments = (paid: readonly PaidOnUnit[]): Shape<UnitPayment>[] =>
  paid
    .map(({ date, value }) => ({ date, value: round(value, 8).toFixed(8) }))
    .sort((one, other) => (one.date < other.date ? -1 : 1));
