import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import { civilDate } from '../../../shared/clock.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { DateScalar } from '../../../shared/subgraph/scalars.js';
import { requireBounds, requirePeriod } from '../../../shared/bounds.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { PriceInterval } from '../../../shared/securities/price-interval.js';
import { PriceIntervalEnum } from '../../../shared/securities/price-interval.enum.js';
import { Series } from '../series/series.type.js';
import { maxTrusteePrices, trusteePricesOf } from './trustee-price.store.js';
import type { PricePoint } from './unit-price.js';
import { pricesIn } from './unit-price.store.js';
import { toTrusteeUnitPrice, TrusteeUnitPrice, UnitPrice } from './unit-price.type.js';

@ArgsType()
class PriceHistoryArgs {
  @Field(() => DateScalar, { nullable: true, description: 'First day; from the first price when omitted' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Last day; today when omitted or in the future' })
  to?: string | null;

  @Field(() => PriceIntervalEnum, { defaultValue: 'DAILY', description: 'Selection of the prices in the period' })
  granularity!: PriceInterval;

  @Field(() => Int, {
    defaultValue: 400,
    description: 'Maximum number of points, from 1 to 2000; the last ones of the period are returned',
  })
  last!: number;
}

@Resolver(() => Series)
export class UnitPriceResolver {
  @AsOf()
  @FieldResolver(() => UnitPrice, { nullable: true, description: 'Current unit price; null while there is none' })
  async currentUnitPrice(@Ctx() context: Context, @Root() { id }: Shape<Series>): Promise<PricePoint | null> {
    const range = { seriesId: id, from: null, to: today(context), granularity: 'DAILY', limit: 1 } as const;
    const [price] = await loaderOf(context, pricesIn).load(range);
    return price ?? null;
  }

  @AsOf()
  @FieldResolver(() => [UnitPrice], {
    description:
      'History of the unit price in a period, oldest first. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async unitPrices(
    @Ctx() context: Context,
    @Root() { id }: Shape<Series>,
    @Args(() => PriceHistoryArgs) { from, to, granularity, last }: PriceHistoryArgs,
  ): Promise<PricePoint[]> {
    requireBounds({ name: 'last', value: last, min: 1, max: 2000 });
    requirePeriod(from, to);
    const end = to == null || to > today(context) ? today(context) : to;
    return loaderOf(context, pricesIn).load({ seriesId: id, from: from ?? null, to: end, granularity, limit: last });
  }

  @AsOf()
  @FieldResolver(() => [TrusteeUnitPrice], {
    description:
      'Unit prices of the trustee firm with those of the issuer, newest first; empty when the firm publishes none.',
  })
  async trusteeUnitPrices(
    @Ctx() context: Context,
    @Root() { id }: Shape<Series>,
    @Arg('last', () => Int, {
      defaultValue: 30,
      description: 'Maximum number of prices, from 1 to 400; the last ones are returned',
    })
    last: number,
  ): Promise<Shape<TrusteeUnitPrice>[]> {
    requireBounds({ name: 'last', value: last, min: 1, max: maxTrusteePrices });
    const rows = await loaderOf(context, trusteePricesOf).load({ seriesId: id, to: today(context) });
    return rows.slice(0, last).map(toTrusteeUnitPrice);
  }
}

function today(context: Context): string {
  return civilDate(context.clock.now());
}
