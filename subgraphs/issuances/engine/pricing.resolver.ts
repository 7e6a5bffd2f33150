import { Arg, Ctx, Directive, FieldResolver, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { hasRole } from '../../../shared/graphql/roles.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Series, PriceSourceEnum, toSeries, type PriceSource, type SeriesShape } from '../series/series-list.type.js';
import { mostDifferences, priceDifferences } from './book.store.js';
import { setPricing } from './pricing.acts.js';
import { day, decimal, fields, nullable, text } from '../../../shared/graphql/fields.js';

@ObjectType({
  simpleResolvers: true,
  description: 'A typed unit price that differs from the one that the engine computed.',
})
class TypedPriceDifference extends fields({
  seriesTicker: text('Ticker of the series'),
  date: day('Day of the price'),
  value: decimal('The typed price, with 8 decimals'),
  engineValue: decimal('The price of the engine, with 8 decimals'),
  difference: decimal('The typed price less that of the engine, with 8 decimals'),
  reason: nullable.text('The reason with which it was imported; null without one'),
}) {}

@Resolver(() => Series)
export class PricingResolver {
  @Access('operator', 'publish')
  @Directive(`@listSize(assumedSize: ${mostDifferences})`)
  @Query(() => [TypedPriceDifference], {
    description: `Typed unit prices that differ from those of the engine by more than 0.00000001, newest first, at most ${mostDifferences}.`,
  })
  typedPriceDifferences(@Ctx() context: Context): Promise<Shape<TypedPriceDifference>[]> {
    return priceDifferences(context);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Why an operator has it TYPED; null for ENGINE, without a tranche, and for all but operators',
  })
  pricingReason(@Ctx() context: Context, @Root() { typedReason }: SeriesShape): string | null {
    return hasRole(context.principal, 'read') ? typedReason : null;
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => Series, {
    description:
      'Chooses where the prices, payments, status and quantity of a series come from that a tranche names. TYPED: an operator imports them, and each price that differs from the engine’s needs a reason. ENGINE: the whole book of the tranche replaces what was typed. Errors: 400 for a reason that is empty, longer than 500 characters or not one line; 404 for a series that does not exist; 409 for one that no tranche names.',
  })
  async setSeriesPricing(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: 'Ticker of the series, in any case' }) ticker: string,
    @Arg('pricing', () => PriceSourceEnum, { description: 'Where they come from' }) pricing: PriceSource,
    @Arg('reason', () => String, { description: 'Why, 1 to 500 characters on one line' }) reason: string,
  ): Promise<SeriesShape> {
    return toSeries(await setPricing(context, ticker, pricing, reason));
  }
}
