import { Ctx, Query, Resolver } from 'type-graphql';
import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { createRevisionCache } from '../common/revision.js';
import type { Shape } from '../common/shape.js';
import { statsOf, toCard } from './card.js';
import { loadCardFacts } from './card.store.js';
import { OperationCardList } from './card.type.js';

@Resolver()
export class CardResolver {
  private readonly lists = createRevisionCache<Shape<OperationCardList>>('cards', 1);

  @Access('data')
  @Query(() => OperationCardList, {
    description: 'All public operations as cards, with the figures above them. Document 1, GET /v1/emissoes/operacoes.',
  })
  operationCards(@Ctx() context: Context): Promise<Shape<OperationCardList>> {
    return this.lists.one(context, '', buildList);
  }
}

async function buildList(context: Context): Promise<Shape<OperationCardList>> {
  const now = context.clock.now();
  const { operations, series, prices, tokenized } = await loadCardFacts(context, civilDate(now));
  return {
    cards: operations.map((operation) =>
      toCard({ operation, series: series.get(operation.id) ?? [], prices, tokenized }),
    ),
    stats: statsOf(series, operations.length),
    generatedAt: now,
  };
}
