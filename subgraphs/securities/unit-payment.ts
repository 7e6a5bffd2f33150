import { ArgsType, Directive, ObjectType } from 'type-graphql';
import type { Shape } from '../../shared/graphql/shape.js';
import { type Context, today } from '../../shared/kernel/context.js';
import { type Decimal, round } from '../../shared/kernel/decimal.js';
import { refuse } from '../../shared/kernel/errors.js';
import { args, day, decimal, fields, nullable } from '../../shared/graphql/fields.js';

@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: 'What was paid on a unit of a series.' })
export class UnitPayment extends fields({
  date: day('First day whose unit price is without the payment'),
  value: decimal('Interest and amortization in BRL, 8 decimals'),
}) {}

@ArgsType()
export class ReturnPeriodArgs extends args({
  from: day('First day'),
  to: nullable.day('Last day; today when omitted or in the future'),
}) {}

/** Returns undefined where the period begins later than today, as on a page of a past moment. @throws {ApiError} BAD_REQUEST for a period that ends before it begins */
export function lastReturnDay(context: Context, { from, to }: ReturnPeriodArgs): string | undefined {
  if (to != null && from > to) refuse('BAD_REQUEST', [{ path: 'from', message: 'must not be after the last day' }]);
  const end = to == null || to > today(context) ? today(context) : to;
  return from > end ? undefined : end;
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
