import { Ctx, Directive, FieldResolver, Resolver, Root, ObjectType } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context, today } from '../../../shared/kernel/context.js';
import { tranchesOfSeries } from '../tranches/tranche.store.js';
import { Tranche, toTranche, type TrancheShape } from '../tranches/tranche.type.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import { fields, text } from '../../../shared/graphql/fields.js';

@Resolver(() => Series)
export class SeriesTranchesResolver {
  @AsOf()
  @Directive('@listSize(assumedSize: 20)')
  @FieldResolver(() => [Tranche], {
    description:
      'The tokenized series (tranches) whose tokens represent units of this series, sorted by ticker: the first 100; empty when it is not tokenized',
  })
  async tranches(@Ctx() context: Context, @Root() { ticker }: Series): Promise<TrancheShape[]> {
    const rows = await loaderOf(context, tranchesOfSeries).load(ticker);
    return rows.map((row) => toTranche(row, today(context)));
  }
}

@Resolver(() => Tranche)
export class TrancheSeriesResolver {
  @FieldResolver(() => Series, {
    nullable: true,
    description:
      'The series of an operation whose units its tokens represent; null when there is none. A series that is not public shows only its ticker: any other field of it is 404.',
  })
  series(@Root() { seriesTicker }: TrancheShape): Readonly<Series> | null {
    return seriesTicker === null ? null : { ticker: seriesTicker };
  }
}

/** The fields of a series of an operation that this domain knows: its ticker. The rest of the entity belongs to issuances. */
@Directive('@key(fields: "ticker")')
@ObjectType({ simpleResolvers: true, description: 'A series of an operation, in raw values.' })
class Series extends fields({
  ticker: text('Ticker, unique without regard to case'),
}) {}

/** Series of operations are referred to by ticker; the issuances subgraph decides whether one exists. */
export const seriesReference: ReferenceRule = {
  access: 'anyone',
  resolve: (_context, { ticker }) => (typeof ticker === 'string' ? { ticker } : null),
};
