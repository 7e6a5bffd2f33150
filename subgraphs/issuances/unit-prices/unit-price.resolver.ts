import { Arg, Args, ArgsType, Ctx, FieldResolver, Int, Resolver, Root, ObjectType } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { addDays } from '../../../shared/kernel/calendar/days.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { openPricePage, PriceIntervalEnum } from '../../securities/price-page.js';
import { connectionType, PageSize, ofPage } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { priceDueOn } from '../reports/price-due.js';
import { Series, PriceSourceEnum } from '../series/series-list.type.js';
import {
  maxTrusteePrices,
  trusteePricesOf,
  countPricesIn,
  currentPrices,
  pricesIn,
  type PriceRow,
  priceRecords,
  type PriceKey,
  type TrusteePriceRow,
} from './unit-price.store.js';
import { compareTrusteePrice } from './unit-price.js';
import {
  args,
  day,
  decimal,
  fields,
  flag,
  int,
  list,
  nullable,
  of,
  text,
  time,
} from '../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'The unit price (PU) of a series on a day.' })
class UnitPrice extends fields({
  date: day('Date'),
  value: decimal('The price, with 8 decimals'),
  projected: flag(
    'Whether the engine made it with a projected index number, since the number itself was not published',
  ),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'The unit price of a series that the trustee firm published, with that of the issuer.',
})
class TrusteeUnitPrice extends fields({
  date: day('Date'),
  trustee: text('The trustee firm'),
  trusteeValue: decimal('Price of the trustee firm, with 8 decimals'),
  issuerValue: nullable.decimal('Price of the issuer on that day; null when it published none'),
  difference: nullable.decimal('Price of the issuer less that of the trustee firm'),
  differencePercent: nullable.decimal(
    'Difference relative to the price of the trustee firm, in percent, with 8 decimals',
  ),
}) {}

function toTrusteeUnitPrice(row: TrusteePriceRow): Shape<TrusteeUnitPrice> {
  const { difference, percent } = compareTrusteePrice(row);
  return {
    ...row,
    difference: difference?.toFixed(8) ?? null,
    differencePercent: percent?.toFixed(8) ?? null,
  };
}

@ObjectType({ simpleResolvers: true, description: 'A value that a unit price had before it was corrected.' })
export class EarlierUnitPrice extends fields({
  value: decimal('The price, with 8 decimals'),
  recordedAt: nullable.time('When it was recorded; null if that was before versions were kept'),
  correctedAt: time('When it was corrected or removed: `asOf` an earlier moment returns it'),
  reason: nullable.text('The reason for the correction; null when none was given'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description:
    'How a unit price came to be what it is: imported, or computed by the engine from the tranche that names the series, whose factors are in `TrancheUnitPrice`.',
})
class UnitPriceProvenance extends fields({
  version: int('Version, from 1, which every correction increases'),
  source: of(() => PriceSourceEnum, 'Where it comes from'),
  engineVersion: nullable.int(
    'The version of the engine’s price of that day that it is; null for a price that was imported',
  ),
  recordedAt: nullable.time('When this version was recorded; null if that was before versions were kept'),
  earlierValues: list(
    () => EarlierUnitPrice,
    'The values that it had before, newest first: at most 20; empty for a price that was never corrected',
    { assumedSize: 2 },
  ),
}) {}

const pricePage = { usual: 400, most: 2000 } as const;

@ArgsType()
class PriceHistoryArgs extends args({
  ...ofPage({ ...pricePage, fromEnd: true }),
  from: nullable.day('First day; from the first price when omitted'),
  to: nullable.day('Last day; today when omitted or in the future'),
  interval: of(() => PriceIntervalEnum, 'Selection of the prices in the period', { defaultValue: 'DAILY' }),
}) {}

const UnitPriceConnection = connectionType(UnitPrice, {
  name: 'UnitPrice',
  nodes: 'unit prices',
  order: 'oldest first',
});

@Resolver(() => Series)
export class UnitPriceResolver {
  constructor(
    private readonly codec: CursorCodec,
    private readonly calendar: () => Promise<Calendar>,
  ) {}

  @FieldResolver(() => Boolean, {
    description:
      'Whether the price of the last business day that is over is missing; false before the issue date, from the maturity date on, and for a series that is not in force',
  })
  async stale(@Ctx() context: Context, @Root() series: Shape<Series>): Promise<boolean> {
    const due = priceDueOn(await this.calendar(), addDays(today(context), -1));
    if (due === undefined || series.status !== 'ACTIVE' || series.issueDate > due || series.maturityDate <= due)
      return false;
    return ((await this.currentUnitPrice(context, series))?.date ?? '') < due;
  }

  @AsOf()
  @FieldResolver(() => UnitPrice, {
    nullable: true,
    description:
      'Current unit price; null while there is none. Of a series whose tranche owes nothing any more it is 0, of the day of the last payment',
  })
  async currentUnitPrice(@Ctx() context: Context, @Root() { id }: Shape<Series>): Promise<PriceRow | null> {
    return (await loaderOf(context, currentPrices).load({ seriesId: id, today: today(context) })) ?? null;
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
    const rows = await loaderOf(context, pricesIn).load({ ...read, to: end(read.to), id, interval });
    return toConnection(
      take(rows),
      (price) => price,
      () => loaderOf(context, countPricesIn).load({ id, from, to: end(to), interval }),
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
  @FieldResolver(() => UnitPriceProvenance, { description: 'How it came to be what it is' })
  async provenance(@Ctx() context: Context, @Root() { seriesId, date }: PriceKey): Promise<Shape<UnitPriceProvenance>> {
    const record = await loaderOf(context, priceRecords).load({ seriesId, date });
    // The price of a repaid series is in no history.
    if (record === undefined)
      return { version: 1, source: 'ENGINE', engineVersion: null, recordedAt: null, earlierValues: [] };
    return { ...record, source: record.engineVersion === null ? 'TYPED' : 'ENGINE' };
  }
}
