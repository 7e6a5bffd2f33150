import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { openPricePage, type PriceInterval, PriceIntervalEnum } from '../../securities/price-page.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { connectionArgs, PageSize } from '../../../shared/graphql/page-args.js';
import { DateScalar } from '../../../shared/graphql/scalars.js';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { Series } from '../series/series-list.type.js';
import {
  maxTrusteePrices,
  trusteePricesOf,
  countPricesIn,
  pricesIn,
  type PriceRow,
  priceRecords,
  type PriceKey,
} from './unit-price.store.js';
import { toTrusteeUnitPrice, TrusteeUnitPrice, UnitPrice, UnitPriceProvenance } from './unit-price.type.js';
import { requireFound } from '../../../shared/kernel/errors.js';

const pricePage = { usual: 400, most: 2000 } as const;

@ArgsType()
class PriceHistoryArgs extends connectionArgs({ ...pricePage, fromEnd: true }) {
  @Field(() => DateScalar, { nullable: true, description: 'First day; from the first price when omitted' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Last day; today when omitted or in the future' })
  to?: string | null;

  @Field(() => PriceIntervalEnum, { defaultValue: 'DAILY', description: 'Selection of the prices in the period' })
  interval!: PriceInterval;
}

const UnitPriceConnection = connectionType(UnitPrice, {
  name: 'UnitPrice',
  nodes: 'unit prices',
  order: 'oldest first',
});

@Resolver(() => Series)
export class UnitPriceResolver {
  constructor(private readonly codec: CursorCodec) {}

  @AsOf()
  @FieldResolver(() => UnitPrice, { nullable: true, description: 'Current unit price; null while there is none' })
  async currentUnitPrice(@Ctx() context: Context, @Root() { id }: Shape<Series>): Promise<PriceRow | null> {
    const range = { seriesId: id, from: null, to: today(context), interval: 'DAILY', limit: 1 } as const;
    const [price] = await loaderOf(context, pricesIn).load(range);
    return price ?? null;
  }

  @AsOf()
  @PageSize(pricePage)
  @FieldResolver(() => UnitPriceConnection, {
    description:
      'History of the unit price in a period, oldest first; without arguments of a page, the last 400. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async unitPrices(
    @Ctx() context: Context,
    @Root() { id }: Shape<Series>,
    @Args(() => PriceHistoryArgs) { from = null, to = null, interval, ...wanted }: PriceHistoryArgs,
  ): Promise<Connection<PriceRow>> {
    const request = { ...wanted, from, to, interval };
    const { take, ...read } = openPricePage(this.codec, request, { ...pricePage, scope: id });
    const end = (day: string | null) => (day === null || day > today(context) ? today(context) : day);
    const rows = await loaderOf(context, pricesIn).load({ ...read, to: end(read.to), seriesId: id, interval });
    return toConnection(
      take(rows),
      (price) => price,
      () => loaderOf(context, countPricesIn).load({ seriesId: id, from, to: end(to), interval }),
    );
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

@Resolver(() => UnitPrice)
export class PriceProvenanceResolver {
  @FieldResolver(() => UnitPriceProvenance, { description: 'When it was imported, and what it was before' })
  async provenance(@Ctx() context: Context, @Root() { seriesId, date }: PriceKey): Promise<Shape<UnitPriceProvenance>> {
    const record = await loaderOf(context, priceRecords).load({ seriesId, date });
    return requireFound(record, `There is no unit price on ${date}`);
  }
}
