import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import { createRevisionCache, ofOperation, readStamp } from '../revision/revision.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { findPublicOperation } from '../operations/operation.store.js';
import { tickerArg } from '../operations/ticker-arg.js';
import { toDetail } from './detail.js';
import { loadDetailFacts } from './detail.store.js';
import { OperationDetail } from './detail.type.js';

@Resolver()
export class DetailResolver {
  private readonly details = createRevisionCache<Shape<OperationDetail>>('details', 50, ofOperation);

  constructor(private readonly calendar: () => Promise<Calendar>) {}

  @Access('data')
  @CacheResponse(readStamp, 'everyone')
  @AsOf()
  @Query(() => OperationDetail, {
    description:
      'A public operation with all published data about it. REST: GET /v1/emissoes/operacoes/{ticker}. Errors: 404 when it does not exist or is not public.',
  })
  async operationDetail(
    @Ctx() context: Context,
    @Arg('ticker', () => String, tickerArg) ticker: string,
  ): Promise<Shape<OperationDetail>> {
    const { id } = await findPublicOperation(context, ticker);
    return this.details.one(context, id, async (fresh) => {
      const now = fresh.clock.now();
      const today = civilDate(now);
      // Reads the operation again: the row found before may be older than the revision of the cache entry.
      const facts = await loadDetailFacts(fresh, await findPublicOperation(fresh, ticker), today);
      return toDetail(facts, { now, today, calendar: await this.calendar() });
    });
  }
}
