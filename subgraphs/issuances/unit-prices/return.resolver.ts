import { Args, Ctx, Directive, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { type Context, loaderOf, today } from '../../../shared/kernel/context.js';
import { paymentsOf } from '../operations/operation-list.store.js';
import { Series, type SeriesShape } from '../series/series-list.type.js';
import { yieldOf } from '../../securities/yield.js';
import {
  earnedBetween,
  lastReturnDay,
  ReturnPeriodArgs,
  toSeriesReturn,
  UnitPayment,
  unitPayments,
  seriesReturn,
  seriesReturnText,
} from '../../securities/period-return.js';
import { cashFlowsAfter, overduePerUnit, paymentsPerUnit } from './returns.js';
import { pricesIn, type PriceRow } from './unit-price.store.js';
import { day, decimal, fields } from '../../../shared/graphql/fields.js';

// Tokenization, which has the DI rates, adds the CDI over the same days.
@Directive('@key(fields: "from to first last paid factor", resolvable: false)')
@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: seriesReturnText })
class SeriesReturn extends fields(seriesReturn) {}

@ObjectType({ simpleResolvers: true, description: 'The yield of a unit of a series at its current unit price.' })
class SeriesYield extends fields({
  date: day('Day of the price'),
  unitPrice: decimal('The price, with 8 decimals'),
  percent: decimal(
    'Yield to maturity in percent a year, 4 decimals: the y of unitPrice = Σ payment ÷ (1 + y)^(business days ÷ 252)',
  ),
  duration: decimal('Macaulay duration in years of 252 business days, 4 decimals'),
}) {}

@Resolver(() => Series)
export class SeriesReturnResolver {
  constructor(private readonly calendar: () => Promise<Calendar>) {}

  @AsOf()
  @FieldResolver(() => SeriesReturn, {
    nullable: true,
    description:
      'Return of a period, with what was paid in it, between the newest prices up to its two days, or from its first price where there is none before; null without a price in it. Errors: 400 for a period that ends before it begins.',
  })
  async priceReturn(
    @Ctx() context: Context,
    @Root() series: SeriesShape,
    @Args(() => ReturnPeriodArgs) period: ReturnPeriodArgs,
  ): Promise<Shape<SeriesReturn> | null> {
    const found = await this.returnOf(context, series, period);
    return found && toSeriesReturn(found.opening, found.closing, found.earned);
  }

  @AsOf()
  @Directive('@listSize(assumedSize: 20)')
  @FieldResolver(() => [UnitPayment], { nullable: true, description: unitPayments })
  async unitPayments(
    @Ctx() context: Context,
    @Root() series: SeriesShape,
    @Args(() => ReturnPeriodArgs) period: ReturnPeriodArgs,
  ): Promise<readonly Shape<UnitPayment>[] | null> {
    const found = await this.returnOf(context, series, period);
    return found === null ? [] : (found.earned?.payments ?? null);
  }

  @AsOf()
  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description:
      'What is due on a unit and unpaid, in BRL with 8 decimals: it is owed beside the unit price, which is without it. Null where an amount is not known',
  })
  async overdueValue(@Ctx() context: Context, @Root() series: SeriesShape): Promise<string | null> {
    const payments = await loaderOf(context, paymentsOf).load(series.operationId);
    return overduePerUnit(payments, series, today(context), await this.calendar())?.toFixed(8) ?? null;
  }

  @AsOf()
  @FieldResolver(() => SeriesYield, {
    nullable: true,
    description:
      'Yield to maturity and duration at the current unit price, by the payments to come that the operation published, with what is projected of them: beyond the index for one that follows prices; null unless each of them up to the maturity has a total.',
  })
  async yieldToMaturity(@Ctx() context: Context, @Root() series: SeriesShape): Promise<Shape<SeriesYield> | null> {
    const price = await priceUpTo(context, series, today(context));
    if (price === undefined) return null;
    const payments = await loaderOf(context, paymentsOf).load(series.operationId);
    const flows = cashFlowsAfter(price.date, payments, series, await this.calendar());
    const found = flows && yieldOf(price.value, flows);
    if (found === undefined) return null;
    const { percent, duration } = found;
    return { date: price.date, unitPrice: price.value, percent: percent.toFixed(4), duration: duration.toFixed(4) };
  }

  /** Returns the prices at which a period begins and ends, and what it earned; null without a price in it. */
  private async returnOf(context: Context, series: SeriesShape, period: ReturnPeriodArgs) {
    const { from } = period;
    const end = lastReturnDay(context, period);
    if (end === undefined) return null;
    const [before, next, closing] = await Promise.all([
      priceUpTo(context, series, from),
      priceFrom(context, series, from, end),
      priceUpTo(context, series, end),
    ]);
    const opening = before ?? next;
    if (opening === undefined || closing === undefined || closing.date < from) return null;
    const payments = await loaderOf(context, paymentsOf).load(series.operationId);
    const days = { from: opening.date, to: closing.date };
    const paid = paymentsPerUnit(payments, series, days, await this.calendar());
    const near = await Promise.all(
      (paid ?? []).map(({ near: { from: day, to } }) =>
        day === null ? priceUpTo(context, series, to ?? end) : priceFrom(context, series, day, end),
      ),
    );
    const earned = paid === undefined ? null : earnedBetween(opening, closing, paid, near);
    return { opening, closing, earned };
  }
}

async function priceUpTo(context: Context, { id }: SeriesShape, day: string): Promise<PriceRow | undefined> {
  const range = { id, from: null, to: day, interval: 'DAILY', limit: 1 } as const;
  return (await loaderOf(context, pricesIn).load(range)).at(-1);
}

async function priceFrom(
  context: Context,
  { id }: SeriesShape,
  from: string,
  to: string,
): Promise<PriceRow | undefined> {
  const range = { id, from, to, interval: 'DAILY', limit: 1, forward: true } as const;
  return (await loaderOf(context, pricesIn).load(range))[0];
}
