import { Args, ArgsType, Ctx, Field, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import { requireBounds, requirePeriod } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { DateScalar } from '../../../shared/subgraph/scalars.js';
import type { PriceInterval } from '../../../shared/securities/price-interval.js';
import { PriceIntervalEnum } from '../../../shared/securities/price-interval.enum.js';
import { Tranche, type TrancheShape } from '../tranches/tranche.type.js';
import { pricesIn } from './price-history.store.js';
import { toTrancheUnitPrice, TrancheUnitPrice, type TrancheUnitPriceShape } from './tranche-unit-price.type.js';

@ArgsType()
class PriceHistoryArgs {
  @Field(() => DateScalar, { nullable: true, description: 'First day; from the first price when omitted' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Last day; up to the last price when omitted' })
  to?: string | null;

  @Field(() => PriceIntervalEnum, { defaultValue: 'DAILY', description: 'Selection of the prices in the period' })
  interval!: PriceInterval;

  @Field(() => Int, {
    defaultValue: 400,
    description: 'Maximum number of prices, from 1 to 1000; the last ones of the period are returned',
  })
  last!: number;
}

@Resolver(() => Tranche)
export class PriceHistoryResolver {
  @AsOf()
  @FieldResolver(() => [TrancheUnitPrice], {
    description:
      'Its unit prices in a period, oldest first; for earlier ones request an earlier `to`. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async unitPrices(
    @Ctx() context: Context,
    @Root() { id }: TrancheShape,
    @Args(() => PriceHistoryArgs) { from, to, interval, last }: PriceHistoryArgs,
  ): Promise<TrancheUnitPriceShape[]> {
    requireBounds({ name: 'last', value: last, min: 1, max: 1000 });
    requirePeriod(from, to);
    const range = { trancheId: id, from: from ?? null, to: to ?? null, interval, limit: last };
    const rows = await loaderOf(context, pricesIn).load(range);
    return rows.map(toTrancheUnitPrice);
  }
}
