import { Args, Ctx, Directive, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { type Context, loaderOf, today } from '../../../shared/kernel/context.js';
import { paymentsOf } from '../operations/operation-list.store.js';
import { Series, type SeriesShape } from '../series/series-list.type.js';
import { yieldOf } from '../../securities/yield.js';
import {
  lastReturnDay,
  ReturnPeriodArgs,
  UnitPayment,
  toUnitPayments,
  unitPayments,
} from '../../securities/unit-payment.js';
import { cashFlowsAfter, overduePerUnit, paidPerUnit, paymentsPerUnit, periodReturn } from './returns.js';
import { pricesIn, type PriceRow } from './unit-price.store.js';
import { day, decimal, fields } from '../../../shared/graphql/fields.js';

// Tokenization, which has the DI rates, adds the CDI over the same days.
@Directive('@key(fields: "from to first last paid", resolvable: false)')
@ObjectType({ simpleResolvers: true, description: 'The return of a unit of a series between two of its prices.' })
class SeriesReturn {
  @Field(() => DateScalar, { description: 'Day of the first price' })
  from!: string;

  @Field(() => DateScalar, { description: 'Day of the last price' })
  to!: string;

  @Field(() => DecimalScalar, { description: 'The first price, with 8 decimals' })
  first!: string;

  @Field(() => DecimalScalar, { description: 'The last price, with 8 decimals' })
  last!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'What was paid on a unit in between, interest and amortization, 8 decimals; a payment counts where the first price is with it and the last one without: that of the day on which it fell due, or, where the engine prices the series, of the day after its calculation. Null where the amount of a payment is not known',
  })
  paid!: string | null;

  @Directive('@shareable')
  @Field(() => DecimalScalar, {
    nullable: true,
    description: '(last + paid) ÷ first − 1, in percent, 4 decimals; null where `paid` is, and for a first price of 0',
  })
  percent!: string | null;
}

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
    const prices = await pricesAround(context, series, period);
    if (prices === null) return null;
    const { opening, closing } = prices;
    const payments = await loaderOf(context, paymentsOf).load(series.operationId);
    const paid = paidPerUnit(payments, series, { from: opening.date, to: closing.date }, await this.calendar());
    return {
      from: opening.date,
      to: closing.date,
      first: opening.value,
      last: closing.value,
      paid: paid?.toFixed(8) ?? null,
      percent: (paid && periodReturn(opening.value, closing.value, paid))?.toFixed(4) ?? null,
    };
  }

  @AsOf()
  @Directive('@listSize(assumedSize: 20)')
  @FieldResolver(() => [UnitPayment], { nullable: true, description: unitPayments })
  async unitPayments(
    @Ctx() context: Context,
    @Root() series: SeriesShape,
    @Args(() => ReturnPeriodArgs) period: ReturnPeriodArgs,
  ): Promise<Shape<UnitPayment>[] | null> {
    const prices = await pricesAround(context, series, period);
    if (prices === null) return [];
    const payments = await loaderOf(context, paymentsOf).load(series.operationId);
    const days = { from: prices.opening.date, to: prices.closing.date };
    const paid = paymentsPerUnit(payments, series, days, await this.calendar());
    return paid === undefined ? null : toUnitPayments(paid);
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
      'Yield to maturity and duration at the current unit price, by the payments to come that the operation published; null unless the total of each of them up to the maturity is known, as it is not for an indexed series.',
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
}

async function pricesAround(context: Context, series: SeriesShape, period: ReturnPeriodArgs) {
  const { from } = period;
  const end = lastReturnDay(context, period);
  if (end === undefined) return null;
  const after = { seriesId: series.id, from, to: end, interval: 'DAILY', limit: 1, forward: true } as const;
  const [before, [next], closing] = await Promise.all([
    priceUpTo(context, series, from),
    loaderOf(context, pricesIn).load(after),
    priceUpTo(context, series, end),
  ]);
  const opening = before ?? next;
  return opening === undefined || closing === undefined || closing.date < from ? null : { opening, closing };
}

async function priceUpTo(context: Context, { id }: SeriesShape, day: string): Promise<PriceRow | undefined> {
  const range = { seriesId: id, from: null, to: day, interval: 'DAILY', limit: 1 } as const;
  return (await loaderOf(context, pricesIn).load(range)).at(-1);
}
