import { Args, ArgsType, Ctx, Directive, Resolver, FieldResolver, Root, Arg } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { type Context, loaderOf } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { countPricesIn, pricesIn, type PriceVersion } from './price-history.store.js';
import {
  toTrancheUnitPrice,
  TrancheUnitPrice,
  type TrancheUnitPriceShape,
  PriceProvenance,
  toPriceProvenance,
  type PriceProvenanceShape,
} from './price-history.type.js';
import {
  earnedBetween,
  lastReturnDay,
  paidByDay,
  ReturnPeriodArgs,
  toSeriesReturn,
  UnitPayment,
  unitPayments,
} from '../../securities/period-return.js';
import { openPricePage, PriceIntervalEnum } from '../../securities/price-page.js';
import { connectionType, PageSize, ofPage } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { paidOnUnit } from '../events/entry-values.js';
import { standingEvents } from '../events/event.store.js';
import { SeriesReturn } from '../indices/cdi-return.resolver.js';
import { schedulesOf } from '../schedule/schedule.store.js';
import { tranchesById } from '../tranches/tranche.store.js';
import { Tranche, type TrancheShape } from '../tranches/tranche.type.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Locale } from '../../../shared/graphql/labels.js';
import type { LoadProvenance } from './load-provenance.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { args, nullable, of } from '../../../shared/graphql/fields.js';

/** The languages in which texts for people are returned, for arguments of a resolver; labels of enums have theirs by themselves. */
const LocaleEnum = describeEnum<Locale>('Locale', 'Language of a label.', {
  PT_BR: 'Brazilian Portuguese',
  EN: 'English',
});

const pricePage = { usual: 400, most: 1000 } as const;

@ArgsType()
class PriceHistoryArgs extends args({
  ...ofPage({ ...pricePage, fromEnd: true }),
  from: nullable.day('First day; from the first price when omitted'),
  to: nullable.day('Last day; up to the last price when omitted'),
  interval: of(() => PriceIntervalEnum, 'Selection of the prices in the period', { defaultValue: 'DAILY' }),
}) {}

const TrancheUnitPriceConnection = connectionType(TrancheUnitPrice, {
  name: 'TrancheUnitPrice',
  nodes: 'unit prices',
  order: 'oldest first',
  documented: 'token',
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
    const rows = await loaderOf(context, pricesIn).load({ ...read, id, interval });
    return toConnection(take(rows), toTrancheUnitPrice, () =>
      loaderOf(context, countPricesIn).load({ id, from, to, interval }),
    );
  }

  @FieldResolver(() => SeriesReturn, {
    nullable: true,
    description:
      'Return of a period, with what was paid in it, between the newest prices up to its two days, or from its first price where there is none before; null without a price in it. The price of a day is before what is paid by the schedule of that day. Errors: 400 for a period that ends before it begins.',
  })
  async priceReturn(
    @Ctx() context: Context,
    @Root() { id: trancheId }: TrancheShape,
    @Args(() => ReturnPeriodArgs) period: ReturnPeriodArgs,
  ): Promise<Shape<SeriesReturn> | null> {
    const found = await returnOf(context, trancheId, period);
    return found && toSeriesReturn(found.opening, found.closing, found.earned);
  }

  @Directive('@listSize(assumedSize: 20)')
  @FieldResolver(() => [UnitPayment], { nullable: true, description: unitPayments })
  async unitPayments(
    @Ctx() context: Context,
    @Root() { id: trancheId }: TrancheShape,
    @Args(() => ReturnPeriodArgs) period: ReturnPeriodArgs,
  ): Promise<readonly Shape<UnitPayment>[] | null> {
    const found = await returnOf(context, trancheId, period);
    return found === null ? [] : (found.earned?.payments ?? null);
  }
}

/** Reads the prices at which a period begins and ends, and what it earned; null without a price in it. */
async function returnOf(context: Context, trancheId: string, period: ReturnPeriodArgs) {
  const { from } = period;
  const end = lastReturnDay(context, period);
  if (end === undefined) return null;
  const range = { id: trancheId, from: null, to: null, interval: 'DAILY', limit: 1, forward: false } as const;
  const [[before], [next], [closing], series, rows, events] = await Promise.all([
    loaderOf(context, pricesIn).load({ ...range, to: from }),
    loaderOf(context, pricesIn).load({ ...range, from, to: end, forward: true }),
    loaderOf(context, pricesIn).load({ ...range, to: end }),
    loaderOf(context, tranchesById).load(trancheId),
    loaderOf(context, schedulesOf).load(trancheId),
    loaderOf(context, standingEvents).load(trancheId),
  ]);
  const first = before ?? next;
  if (series === undefined || first === undefined || closing === undefined || closing.date < from) return null;
  const due = rows.filter((row) => row.calculationDate >= first.date && row.calculationDate < closing.date);
  const paid = paidOnUnit(series.tokenQuantity, due, events);
  const days = paidByDay(paid ?? []);
  const near = await Promise.all(
    days.map(({ near: { to } }) => loaderOf(context, pricesIn).load({ ...range, to: to ?? end })),
  );
  const [opening, last] = [toDated(first), toDated(closing)];
  const earned =
    paid &&
    earnedBetween(
      opening,
      last,
      days,
      near.map(([one]) => one && toDated(one)),
    );
  return { opening, closing: last, earned };
}

const toDated = ({ date, unitPrice: value }: PriceVersion) => ({ date, value });

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
