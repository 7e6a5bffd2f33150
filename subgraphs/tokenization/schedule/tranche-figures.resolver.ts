import { Ctx, Directive, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { loaderOf, type Context, today } from '../../../shared/kernel/context.js';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { overdueUntil } from '../../securities/payments.js';
import { standingEvents } from '../events/event.store.js';
import { TrancheUnitPrice, type TrancheUnitPriceShape } from '../price-history/price-history.type.js';
import { tranchesById } from '../tranches/tranche.store.js';
import { Tranche, type TrancheShape } from '../tranches/tranche.type.js';
import { yieldOfSeries } from './project-instalments.js';
import type { Projections } from './projections.js';
import { overdueValues } from './schedule-writes.store.js';
import { schedulesOf } from './schedule.store.js';
import { decimal, fields } from '../../../shared/graphql/fields.js';

const overdueInWords =
  'What is due and unpaid, for a token, in BRL with 8 decimals, truncated: the open amounts of overdue instalments over the tokens, without late charges. It is no part of `unitPrice`. 0.00000000 without arrears; null while the amount of an overdue instalment is not known, and for a series without tokens';

@ObjectType({ simpleResolvers: true, description: 'The yield of a token at its current unit price.' })
class TrancheYield extends fields({
  percent: decimal(
    'Yield to maturity in percent a year, 4 decimals: the y of unitPrice = Σ payment ÷ (1 + y)^(business days ÷ 252)',
  ),
  duration: decimal('Macaulay duration in years of 252 business days, 4 decimals'),
}) {}

@Resolver(() => Tranche)
export class TrancheFiguresResolver {
  constructor(
    private readonly calendar: () => Promise<Calendar>,
    private readonly projections: Projections,
  ) {}

  @Directive('@cost(weight: 10)')
  @FieldResolver(() => TrancheYield, {
    nullable: true,
    description:
      'Its yield by the payments to come, of which those that are not known are projected: exactly for a fixed rate; with the newest rate of DI; with the newest index number, so that the yield is beyond inflation. Null without a price, or without a payment to come',
  })
  async yieldToMaturity(@Ctx() context: Context, @Root() { id }: TrancheShape): Promise<Shape<TrancheYield> | null> {
    const [series, rows, events, projection] = await Promise.all([
      loaderOf(context, tranchesById).load(id),
      loaderOf(context, schedulesOf).load(id),
      loaderOf(context, standingEvents).load(id),
      loaderOf(context, this.projections).load(id),
    ]);
    const found = series && yieldOfSeries({ series, rows, events }, projection, await this.calendar());
    return found === undefined ? null : { percent: found.percent.toFixed(4), duration: found.duration.toFixed(4) };
  }

  @FieldResolver(() => DecimalScalar, { nullable: true, description: overdueInWords })
  async overdueValue(@Ctx() context: Context, @Root() { id: trancheId }: TrancheShape): Promise<string | null> {
    const date = today(context);
    const until = overdueUntil(date, await this.calendar());
    return loaderOf(context, overdueValues).load({ trancheId, date, until });
  }
}

@Resolver(() => TrancheUnitPrice)
export class UnitPriceOverdueResolver {
  constructor(private readonly calendar: () => Promise<Calendar>) {}

  @FieldResolver(() => DecimalScalar, { nullable: true, description: `${overdueInWords}. As of the day of the price` })
  async overdueValue(
    @Ctx() context: Context,
    @Root() { trancheId, date }: TrancheUnitPriceShape,
  ): Promise<string | null> {
    const until = overdueUntil(date, await this.calendar());
    return loaderOf(context, overdueValues).load({ trancheId, date, until });
  }
}
