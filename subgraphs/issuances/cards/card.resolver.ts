import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { CacheResponse } from '../../../shared/subgraph/response-cache.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { createRevisionCache, readStamp } from '../revision/revision.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { statsOf, toCards } from './card.js';
import { loadCardFacts, publicOperations } from './card.store.js';
import { OperationCardList, OperationCardPage, OperationCardPageArgs } from './card.type.js';
import { readCardPage } from './read-card-page.js';

@Resolver()
export class CardResolver {
  private readonly lists = createRevisionCache<Shape<OperationCardList>>('cards', 1);

  constructor(private readonly codec: CursorCodec) {}

  @Access('data')
  @CacheResponse(readStamp, 'everyone')
  @AsOf()
  @Query(() => OperationCardList, {
    description: 'All public operations as cards, with their totals. REST: GET /v1/emissoes/operacoes.',
  })
  operationCards(@Ctx() context: Context): Promise<Shape<OperationCardList>> {
    return this.lists.one(context, '', buildList);
  }

  @Access('data')
  @AsOf()
  @Query(() => OperationCardPage, {
    description:
      'Public operations as cards, filtered and in pages, for agents. Errors: 400 for arguments that are out of bounds and for an invalid cursor.',
  })
  operationCardPage(
    @Ctx() context: Context,
    @Args(() => OperationCardPageArgs) args: OperationCardPageArgs,
  ): Promise<Shape<OperationCardPage>> {
    return readCardPage(context, this.codec, args);
  }
}

async function buildList(context: Context): Promise<Shape<OperationCardList>> {
  const now = context.clock.now();
  const operations = await publicOperations(context);
  const facts = await loadCardFacts(context, operations, civilDate(now));
  return { cards: toCards(operations, facts), stats: statsOf(facts.series, operations.length), generatedAt: now };
}
