import { Arg, Args, Ctx, ObjectType, Query, Resolver } from 'type-graphql';
import { connectionType, CursorPageArgs } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { Access } from '../../../shared/graphql/access.js';
import { connectionPage, openPage, scopeOf } from '../../../shared/graphql/list-page.js';
import { DateScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { requirePeriod } from '../../../shared/kernel/bounds.js';
import type { Context } from '../../../shared/kernel/context.js';
import { percentageText } from '../../../shared/kernel/format/format.js';
import type { PriceIndex } from '../unit-price/policy.js';
import { countIndexValues, listIndexValues, type ListedValue } from './index-value.store.js';
import { day, fields, int, list, nullable, text, time } from '../../../shared/graphql/fields.js';

const MarketIndexEnum = describeEnum<'DI' | PriceIndex>('MarketIndex', 'Index whose published values are imported.', {
  DI: 'DI rate, by business day',
  IPCA: 'IPCA, by month',
  IGPM: 'IGP-M, by month',
});

@ObjectType({
  simpleResolvers: true,
  description: 'A projection of the index number of a month, in its newest version.',
})
class IndexValueProjection extends fields({
  publishedOn: day('Day of its publication, from which prices use it'),
  percent: nullable.decimal(
    'Projected variation of the month in percent, 2 to 8 decimals; null if the projection was withdrawn',
  ),
  source: text('Who published it, such as ANBIMA'),
  version: int('Version, from 1; every correction creates a new one'),
  recordedAt: time('Time at which this version was recorded'),
  importId: nullable.id('Import that recorded this version; null if none is known'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'A value of an index in its newest version, with the projections of a month beside.',
})
class IndexValue extends fields({
  date: day('DI: day of the rate. IPCA and IGPM: first day of the month'),
  value: nullable.decimal(
    'DI: percent a year. IPCA and IGPM: index number. 10 decimals; null while there are only projections',
  ),
  publishedOn: nullable.day('Day of its publication; null without a value'),
  version: nullable.int('Version, from 1; every correction creates a new one; null without a value'),
  recordedAt: nullable.time('Time at which this version was recorded; null without a value'),
  importId: nullable.id('Import that recorded this version; null if none is known'),
  projections: list<Shape<IndexValueProjection>>(
    () => IndexValueProjection,
    'Projections of the month by their days of publication, oldest first: the newest 50; empty for DI',
    { assumedSize: 4 },
  ),
}) {}

const IndexValueConnection = connectionType(IndexValue, {
  name: 'IndexValue',
  nodes: 'index values',
  order: 'newest first',
});

@Resolver()
export class IndexValueResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('operator', 'read')
  @Query(() => IndexValueConnection, {
    description:
      'Imported values of an index, newest first. Errors: 400 for a period that ends before it begins, for arguments that are out of bounds and for an invalid cursor.',
  })
  async indexValues(
    @Ctx() context: Context,
    @Arg('index', () => MarketIndexEnum, { description: 'Index' }) index: 'DI' | PriceIndex,
    @Arg('from', () => DateScalar, { nullable: true, description: 'First day; from the first value when omitted' })
    from: string | null | undefined,
    @Arg('to', () => DateScalar, { nullable: true, description: 'Last day; up to the last value when omitted' })
    to: string | null | undefined,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
  ): Promise<Connection<Shape<IndexValue>>> {
    requirePeriod(from, to);
    const period = { index, from: from ?? null, to: to ?? null };
    const page = openPage(this.codec, connectionPage(wanted), { scope: scopeOf({ list: 'index-values', ...period }) });
    const rows = await listIndexValues(context, period, page);
    return toConnection(
      page.take(rows, ({ date }) => [date]),
      toIndexValue,
      () => countIndexValues(context, period),
    );
  }
}

function toIndexValue({ projections, ...row }: ListedValue): Shape<IndexValue> {
  return {
    ...row,
    projections: projections.map((one) => ({
      ...one,
      percent: one.percent === null ? null : percentageText(one.percent),
    })),
  };
}
