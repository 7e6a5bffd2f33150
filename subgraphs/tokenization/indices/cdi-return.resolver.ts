import { Arg, Ctx, Directive, FieldResolver, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { z } from 'zod';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { Access } from '../../../shared/graphql/access.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import { DateScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import { addDays } from '../../../shared/kernel/calendar/days.js';
import { type Context, loaderOf } from '../../../shared/kernel/context.js';
import { Decimal, round } from '../../../shared/kernel/decimal.js';
import { percentOf, seriesReturn, seriesReturnText, withPercent } from '../../securities/period-return.js';
import { readStamp } from '../revision/revision.js';
import { type DiStretch, type DiTable, roundDiFactor } from '../unit-price/di-factor.js';
import { isMissing } from '../unit-price/missing.js';
import type { Market } from './held-market.js';
import { day, decimal, fields, nullable } from '../../../shared/graphql/fields.js';

@ObjectType({
  simpleResolvers: true,
  description: 'The return of the CDI over a period, and another return beside it.',
})
class CdiReturn extends fields({
  percent: decimal(
    'Return of the CDI in percent, 4 decimals: the factor of the DI rates (B3, 8 decimals) of the business days from the first day up to the one before the last, less 1',
  ),
  percentOfCdi: nullable.decimal(
    'The return as percent of that of the CDI, 4 decimals; null where one of them is not known, or the CDI returned 0',
  ),
}) {}

@Directive('@key(fields: "from to first last paid factor")')
@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: seriesReturnText })
export class SeriesReturn extends fields(seriesReturn) {}

@ObjectType({ simpleResolvers: true, description: 'The return of the CDI up to a day.' })
class CdiDay extends fields({
  date: day('The day; its own rate is not counted'),
  percent: decimal('Percent, 6 decimals'),
}) {}

type Factors = (context: Context, periods: readonly SeriesReturn[]) => Promise<(Decimal | undefined)[]>;

/** Adds the CDI to the returns of series, since DI rates are data of this domain. */
@Resolver(() => SeriesReturn)
export class CdiReturnResolver {
  private readonly factors: Factors;

  constructor(private readonly market: Market) {
    // Once for all periods of a request: the rates of a past moment are not cached.
    this.factors = async (context, periods) => {
      const { di } = await market(context);
      return periods.map((period) => factorOf(di, period));
    };
  }

  @AsOf()
  @FieldResolver(() => CdiReturn, {
    nullable: true,
    description: 'The CDI over the same days; null where the DI rate of one of them is not known',
  })
  async cdi(@Ctx() context: Context, @Root() series: SeriesReturn): Promise<Shape<CdiReturn> | null> {
    const factor = await loaderOf(context, this.factors).load(series);
    return factor === undefined ? null : againstCdi(series, percentOf(factor));
  }

  @Access('anyone')
  @CacheResponse(readStamp)
  @AsOf()
  @Directive('@listSize(slicingArguments: ["first"])')
  @Query(() => [CdiDay], {
    description:
      'The return of the CDI from a day up to each day of a period, as in `SeriesReturn.cdi`, oldest first; it ends before the first day for which a DI rate is not known. Errors: 400 for `first` out of bounds.',
  })
  async cdiReturns(
    @Ctx() context: Context,
    @Arg('from', () => DateScalar, { description: 'First day, whose return is 0' }) from: string,
    @Arg('first', () => Int, { description: 'Number of days, 1 to 20,000' }) first: number,
  ): Promise<Shape<CdiDay>[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: mostDays });
    const { di } = await this.market(context);
    const returns: Shape<CdiDay>[] = [];
    let product: Decimal | undefined = one;
    for (let [day, before] = [from, from]; returns.length < first; [day, before] = [addDays(day, 1), day]) {
      product = productOf(di, { from: before, to: day, product });
      if (product === undefined) break;
      returns.push({ date: day, percent: percentOf(roundDiFactor(product)).toFixed(6) });
    }
    return returns;
  }
}

/** Days of the longest chart: 54 years. */
const mostDays = 20_000;

const one = new Decimal(1);
const hundred = new Decimal(100);

function factorOf(di: DiTable, { from, to }: SeriesReturn): Decimal | undefined {
  const product = productOf(di, { from, to, product: one });
  return product && roundDiFactor(product);
}

function productOf(di: DiTable, stretch: Pick<DiStretch, 'from' | 'to' | 'product'>): Decimal | undefined {
  try {
    const product = di.accrue({ ...stretch, percentage: hundred, lagBusinessDays: 0 });
    return isMissing(product) ? undefined : product;
  } catch (error) {
    // Days that the calendar does not cover have no rate either.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function againstCdi({ factor }: Pick<SeriesReturn, 'factor'>, cdi: Decimal): Shape<CdiReturn> {
  const ratio = factor === null || cdi.isZero() ? null : percentOf(factor).div(cdi).times(hundred);
  return { percent: round(cdi, 4).toFixed(4), percentOfCdi: ratio && round(ratio, 4).toFixed(4) };
}

const returnForm = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  first: z.string(),
  last: z.string(),
  paid: z.string().nullable(),
  factor: z.string().nullable(),
});

/** Returns of series are referred to by all that they say. */
export const seriesReturnReference: ReferenceRule = {
  access: 'data',
  resolve: (_context, reference) => {
    const { data } = returnForm.safeParse(reference);
    return data === undefined ? null : withPercent(data);
  },
};
