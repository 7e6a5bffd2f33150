import { Args, ArgsType, Ctx, Field, Query, Resolver, Int, ObjectType, FieldResolver, Root, Arg } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { requirePeriod } from '../../../shared/kernel/bounds.js';
import { type Context, loaderOf } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import { TokenPageArgs, connectionArgs, PageSize } from '../../../shared/graphql/page-args.js';
import { DateScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { documentedNames, openPage } from '../../../shared/graphql/list-page.js';
import { findTranche } from '../tranches/tranche.store.js';
import { countPrices, listPrices, countPricesIn, pricesIn } from './price-history.store.js';
import {
  toTrancheUnitPrice,
  TrancheUnitPrice,
  type TrancheUnitPriceShape,
  PriceProvenance,
  toPriceProvenance,
  type PriceProvenanceShape,
} from './price-history.type.js';
import { readStamp } from '../revision/revision.js';
import { openPricePage, type PriceInterval, PriceIntervalEnum } from '../../securities/price-page.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { Tranche, type TrancheShape } from '../tranches/tranche.type.js';
import type { Locale } from '../../../shared/graphql/labels.js';
import type { LoadProvenance } from './load-provenance.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';

/** The languages in which texts for people are returned, for arguments of a resolver; labels of enums have theirs by themselves. */
const LocaleEnum = describeEnum<Locale>('Locale', 'Language of a label.', {
  PT_BR: 'Brazilian Portuguese',
  EN: 'English',
});

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

@ArgsType()
class UnitPriceListArgs {
  @Field(() => String, { description: 'Ticker of the series, in any case' })
  ticker!: string;

  @Field(() => DateScalar, { nullable: true, description: 'First day; from the first price when omitted' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Last day; up to the last price when omitted' })
  to?: string | null;
}

@Resolver()
export class UnitPriceListResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('anyone')
  @CacheResponse(readStamp)
  @AsOf()
  @Query(() => UnitPriceList, {
    description:
      'The unit prices of a series by day, oldest first; for each day the newest version. REST: GET /public/tranches/{ticker}/unit-prices. Errors: 400 for a period that ends before it begins, arguments that are out of bounds and an invalid page token; 404 when the series does not exist.',
  })
  async unitPriceList(
    @Ctx() context: Context,
    @Args(() => UnitPriceListArgs) { ticker, from, to }: UnitPriceListArgs,
    @Args(() => TokenPageArgs) { limit, nextToken }: TokenPageArgs,
  ): Promise<Shape<UnitPriceList>> {
    requirePeriod(from, to);
    const scope = JSON.stringify(['unit-prices', ticker.toLowerCase(), from ?? null, to ?? null]);
    const page = openPage(this.codec, { names: documentedNames, limit, cursor: nextToken }, { scope });
    const tranche = requireFound(await findTranche(context, ticker), 'There is no such series');
    const period = { trancheId: tranche.id, from: from ?? null, to: to ?? null };
    const { rows, nextToken: next } = page.take(await listPrices(context, period, page), ({ date }) => [date]);
    return { items: rows.map(toTrancheUnitPrice), count: await countPrices(context, period), nextToken: next };
  }
}

@ObjectType({ simpleResolvers: true, description: 'A page of the unit prices of a series.' })
class UnitPriceList {
  @Field(() => [TrancheUnitPrice], { description: 'The prices of this page, oldest first' })
  items!: readonly TrancheUnitPrice[];

  @Field(() => Int, { description: 'Number of days with a price in the period, on all pages' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Token to pass for the next page; null on the last page (omitted over REST)',
  })
  nextToken!: string | null;
}

@Resolver(() => TrancheUnitPrice)
export class ProvenanceResolver {
  constructor(private readonly load: LoadProvenance) {}

  @FieldResolver(() => PriceProvenance, {
    nullable: true,
    description:
      'Its inputs, as they were known when it was calculated; null for a price whose policy version was not stored. Errors: 400 when the prices of a response use more than 50,000 DI rates in total.',
  })
  async provenance(
    @Ctx() context: Context,
    @Root() price: TrancheUnitPriceShape,
  ): Promise<PriceProvenanceShape | null> {
    const provenance = await loaderOf(context, this.load).load(price);
    return provenance === null ? null : toPriceProvenance(provenance);
  }
}

@Resolver(() => PriceProvenance)
export class PriceRulesResolver {
  @FieldResolver(() => [String], {
    description:
      'The rules of the calculation, in their order. They name factors and inputs by their fields, in each language',
  })
  rules(
    @Root() { rules }: PriceProvenanceShape,
    @Arg('locale', () => LocaleEnum, { defaultValue: 'EN', description: 'Language of the rules' }) locale: Locale,
  ): readonly string[] {
    return rules(locale);
  }
}
