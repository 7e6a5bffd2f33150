import { Args, ArgsType, Ctx, Field, Query, Resolver, Int, ObjectType } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { requirePeriod } from '../../../shared/kernel/bounds.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import { TokenPageArgs } from '../../../shared/graphql/page-args.js';
import { DateScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { documentedNames, openPage } from '../../../shared/graphql/list-page.js';
import { findTranche } from '../tranches/tranche.store.js';
import { countPrices, listPrices } from './price-history.store.js';
import { toTrancheUnitPrice, TrancheUnitPrice } from './tranche-unit-price.type.js';
import { readStamp } from '../revision/revision.js';

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
