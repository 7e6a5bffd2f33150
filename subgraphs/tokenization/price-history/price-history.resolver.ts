import { Args, ArgsType, Ctx, Field, FieldResolver, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { openPricePage } from '../../../shared/graphql/price-page.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { connectionArgs, PageSize } from '../../../shared/graphql/page-args.js';
import { DateScalar } from '../../../shared/graphql/scalars.js';
import type { PriceInterval } from '../../../shared/securities/price-interval.js';
import { PriceIntervalEnum } from '../../../shared/securities/price-interval.enum.js';
import { Tranche, type TrancheShape } from '../tranches/tranche.type.js';
import { countPricesIn, pricesIn } from './price-history.store.js';
import { toTrancheUnitPrice, TrancheUnitPrice, type TrancheUnitPriceShape } from './tranche-unit-price.type.js';

const pricePage = { usual: 400, most: 1000 } as const;

@ArgsType()
class PriceHistoryArgs extends connectionArgs({ ...pricePage, fromEnd: true }) {
  @Field(() => DateScalar, { nullable: true, description: 'First day; from the first price when omitted' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Last day; up to the last price when omitted' })
  to?: string | null;

  @Field(() => PriceIntervalEnum, { defaultValue: 'DAILY', description: 'Selection of the prices in the period' })
  interval!: PriceInterval;
}

const TrancheUnitPriceConnection = connectionType(TrancheUnitPrice, {
  name: 'TrancheUnitPrice',
  nodes: 'unit prices',
  order: 'oldest first',
});

@Resolver(() => Tranche)
export class PriceHistoryResolver {
  constructor(private readonly codec: CursorCodec) {}

  @AsOf()
  @PageSize(pricePage)
  @FieldResolver(() => TrancheUnitPriceConnection, {
    description:
      'Its unit prices in a period, oldest first; without arguments of a page, the last 400. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async unitPrices(
    @Ctx() context: Context,
    @Root() { id }: TrancheShape,
    @Args(() => PriceHistoryArgs) { from = null, to = null, interval, ...wanted }: PriceHistoryArgs,
  ): Promise<Connection<TrancheUnitPriceShape>> {
    const request = { ...wanted, from, to, interval };
    const { take, ...read } = openPricePage(this.codec, request, { ...pricePage, scope: id });
    const rows = await loaderOf(context, pricesIn).load({ ...read, trancheId: id, interval });
    return toConnection(take(rows), toTrancheUnitPrice, () =>
      loaderOf(context, countPricesIn).load({ trancheId: id, from, to, interval }),
    );
  }
}
