import { Ctx, Directive, FieldResolver, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import { volumeOf } from '../cards/card.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { publicOperationById } from '../operations/operation.store.js';
import { Operation, toOperation, type OperationShape } from '../operations/operation.type.js';
import { remunerationOfAll } from './series.js';
import { seriesOf } from './series.store.js';
import { Series, toSeries, type SeriesShape } from './series-list.type.js';

@Resolver(() => Operation)
export class OperationSeriesResolver {
  @AsOf()
  @Directive('@listSize(assumedSize: 4)')
  @FieldResolver(() => [Series], { description: 'Its series, by number' })
  async series(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<SeriesShape[]> {
    return (await loaderOf(context, seriesOf).load(id)).map(toSeries);
  }

  @FieldResolver(() => DecimalScalar, { description: 'Issued volume in BRL, 2 decimals: the sum of its series' })
  async volume(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<string> {
    return volumeOf(await loaderOf(context, seriesOf).load(id)).toFixed(2);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Remuneration as displayed, once for all series with the same one: `CDI + 3,50% a.a. / IPCA + 9,00% a.a.`',
  })
  async remuneration(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<string | null> {
    return remunerationOfAll(await loaderOf(context, seriesOf).load(id)) ?? null;
  }
}

@Resolver(() => Series)
export class SeriesResolver {
  @AsOf()
  @FieldResolver(() => Operation, { description: 'The operation that it belongs to' })
  async operation(@Ctx() context: Context, @Root() { operationId }: SeriesShape): Promise<OperationShape> {
    const row = await publicOperationById(context, operationId);
    return toOperation(requireFound(row, 'There is no such operation'));
  }
}
