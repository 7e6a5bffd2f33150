import { ArgsType, Directive, ObjectType } from 'type-graphql';
import type { Shape } from '../../shared/graphql/shape.js';
import { addDays } from '../../shared/kernel/calendar/days.js';
import { type Context, today } from '../../shared/kernel/context.js';
import { Decimal, round, sum } from '../../shared/kernel/decimal.js';
import { refuse } from '../../shared/kernel/errors.js';
import { groupBy } from '../../shared/kernel/group-by.js';
import { args, day, decimal, fields, nullable } from '../../shared/graphql/fields.js';

@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: 'What was paid on a unit of a series on a day.' })
export class UnitPayment extends fields({
  date: day('First day whose unit price is without the payment'),
  value: decimal('Interest, amortization and premium in BRL, 8 decimals'),
  unitPrice: decimal(
    'Price without the payment at which it is reinvested, 8 decimals; 0 where nothing is left of the unit',
  ),
  factor: nullable.decimal(
    'Return from the first price up to the payment, with it, as a factor of 12 decimals. Up to a later price it is factor × price ÷ unitPrice, or stays where that is 0. Null after a price of 0',
  ),
}) {}

/** Fields that both domains share for the return of a unit between two prices. All but `percent` are the key: nothing else identifies it. */
export const seriesReturn = {
  from: day('Day of the first price'),
  to: day('Day of the last price'),
  first: decimal('The first price, with 8 decimals'),
  last: decimal('The last price, with 8 decimals'),
  paid: nullable.decimal(
    'What was paid on a unit in between, interest and amortization, 8 decimals; a payment counts where the first price is with it and the last one without: that of the day on which it fell due, or, where the engine prices the series, of the day after its calculation. Null where the amount of a payment is not known',
  ),
  factor: nullable.decimal(
    'last ÷ first × Π (price with the payment ÷ price without it), each payment reinvested in the series, 12 decimals; null where `paid` is, and after a price of 0',
  ),
  percent: nullable.decimal('factor − 1, in percent, 4 decimals'),
};
export const seriesReturnText = 'The return of a unit of a series between two of its prices.';
type SeriesReturn = InstanceType<ReturnType<typeof fields<typeof seriesReturn>>>;

@ArgsType()
export class ReturnPeriodArgs extends args({
  from: day('First day'),
  to: nullable.day('Last day; today when omitted or in the future'),
}) {}

/**
 * Returns the last day of a period; undefined where it begins later than today, as the days of today do on a page of a past moment.
 * @throws {ApiError} BAD_REQUEST for a period that ends before it begins
 */
export function lastReturnDay(context: Context, { from, to }: ReturnPeriodArgs): string | undefined {
  if (to != null && from > to) refuse('BAD_REQUEST', [{ path: 'from', message: 'must not be after the last day' }]);
  const end = to == null || to > today(context) ? today(context) : to;
  return from > end ? undefined : end;
}

/** Describes the payments of a return. */
export const unitPayments =
  'The payments of `priceReturn` for the same period, oldest first; null where `paid` is, and empty without a price in the period. Errors: 400 for a period that ends before it begins.';

/** Payment on a unit; `date` is the first day whose price is without it. */
export interface PaidOnUnit {
  readonly date: string;
  readonly value: Decimal;
  /** Decrease of the last price before `date`, which is with the payment; null if the payment is reinvested at the first price from `date` on. */
  readonly lowers: Decimal | null;
}

export interface DatedPrice {
  readonly date: string;
  readonly value: string;
}

/** The payments on a unit on a day, and where to find the price for their reinvestment: the first one from a day on, or the last one up to a day. */
export interface PaidOnDay extends PaidOnUnit {
  readonly near: { readonly from: string | null; readonly to: string | null };
}

export const paidByDay = (paid: readonly PaidOnUnit[]): PaidOnDay[] =>
  [...groupBy(paid, ({ date }) => date)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([date, rows]) => {
      const lowers = rows.flatMap((row) => row.lowers ?? []);
      const isWith = lowers.length > 0;
      const near = isWith ? { from: null, to: addDays(date, -1) } : { from: date, to: null };
      return { date, value: sum(rows.map(({ value }) => value)), lowers: isWith ? sum(lowers) : null, near };
    });

/** Earnings of a unit between two prices. */
export interface Earned {
  readonly payments: readonly Shape<UnitPayment>[];
  readonly paid: Decimal;
  /** Null after a price of 0. */
  readonly factor: Decimal | null;
}

/**
 * Returns the earnings of a unit: each payment buys more of the paper at its price without the payment, so that a paper that grows as the CDI does returns
 * 100 % of the CDI, whatever it pays. A payment that leaves nothing of the unit is kept. Source: Tesouro Direto, whose returns of bonds have their coupons
 * reinvested in the bond.
 * @param prices near the payments
 */
export function earnedBetween(
  first: DatedPrice,
  last: DatedPrice,
  paid: readonly PaidOnDay[],
  prices: readonly (Pick<DatedPrice, 'value'> | undefined)[],
): Earned {
  let [factor, before]: [Decimal | null, Decimal] = [new Decimal(1), new Decimal(first.value)];
  const grown = (price: Decimal) => (factor === null || before.isZero() ? null : factor.times(price).div(before));
  const payments = paid.map(({ date, value, lowers }, at) => {
    const unitPrice = Decimal.max(new Decimal((prices[at] ?? last).value).minus(lowers ?? 0), 0);
    [factor, before] = [grown(unitPrice.plus(value)), unitPrice];
    return { date, value: value.toFixed(8), unitPrice: unitPrice.toFixed(8), factor: factor?.toFixed(12) ?? null };
  });
  const isKept = paid.length > 0 && before.isZero();
  return {
    payments,
    paid: sum(paid.map(({ value }) => value)),
    factor: isKept ? factor : grown(new Decimal(last.value)),
  };
}

const hundred = new Decimal(100);
/** Returns a factor as a return in percent, not rounded. */
export const percentOf = (factor: Decimal | string): Decimal => new Decimal(factor).minus(1).times(hundred);

export const withPercent = <Return extends Pick<SeriesReturn, 'factor'>>(found: Return) => ({
  ...found,
  percent: found.factor && round(percentOf(found.factor), 4).toFixed(4),
});

export function toSeriesReturn(first: DatedPrice, last: DatedPrice, earned: Earned | null): Shape<SeriesReturn> {
  const period = { from: first.date, to: last.date, first: first.value, last: last.value };
  return withPercent({
    ...period,
    paid: earned?.paid.toFixed(8) ?? null,
    factor: earned?.factor?.toFixed(12) ?? null,
  });
}
