import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { eachInTurns } from '../../../shared/kernel/turns.js';
import type { OperationFigures } from '../operations/operation-list.store.js';
import { createRevisionCache, ofOperation, readStamp } from '../revision/revision.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { cardOf, statsOf, readCardPage } from './card.js';
import { loadCardFacts, publicOperationIds, publicOperations } from './card.store.js';
import { OperationCardList, type OperationCard, OperationCardPage, OperationCardPageArgs } from './card.type.js';

@Resolver()
export class CardResolver {
  private readonly figures = createRevisionCache<OperationFigures>('operation-figures', 100);
  private readonly cards = createRevisionCache<Shape<OperationCard> | null>('operation-cards', 50_000, ofOperation);
  private readonly lists = createRevisionCache<Shape<OperationCardList>>('cards', 1);

  constructor(private readonly codec: CursorCodec) {}

  @Access('data')
  @CacheResponse(readStamp, 'everyone')
  @AsOf()
  @Query(() => OperationCardList, {
    description: 'All public operations as cards, with their totals. REST: GET /v1/emissoes/operacoes.',
  })
  operationCards(@Ctx() context: Context): Promise<Shape<OperationCardList>> {
    return this.lists.one(context, '', async (fresh) => {
      const now = fresh.clock.now();
      const built = await this.cards.many(fresh, await publicOperationIds(fresh), buildCards);
      const cards = built.filter((card) => card !== null);
      return { cards, stats: statsOf(cards), generatedAt: now };
    });
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
    return readCardPage(context, { codec: this.codec, figures: this.figures }, args);
  }
}

/** How many cards are read at a time, so that other work has its turn. */
const readAtOnce = 500;

/** Returns the cards of operations, in their order; null for one that is no longer public. */
async function buildCards(context: Context, ids: readonly string[]): Promise<(Shape<OperationCard> | null)[]> {
  const cards = new Map<string, Shape<OperationCard>>();
  const today = civilDate(context.clock.now());
  for (let from = 0; from < ids.length; from += readAtOnce) {
    const operations = await publicOperations(context, ids.slice(from, from + readAtOnce));
    const facts = await loadCardFacts(context, operations, today);
    await eachInTurns(operations, (operation) => cards.set(operation.id, cardOf(operation, facts)));
  }
  return ids.map((id) => cards.get(id) ?? null);
}
