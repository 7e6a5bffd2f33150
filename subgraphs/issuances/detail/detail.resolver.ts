import { Arg, Args, ArgsType, FieldResolver, Int, Resolver, Root, Ctx, Query } from 'type-graphql';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { byKeys, connectionPage, numberKey, pageOfList, type ListKey } from '../../../shared/graphql/list-page.js';
import { connectionType, CursorPageArgs } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { within } from '../operations/period.js';
import { shownPrices, loadDetailFacts } from './detail.store.js';
import { SeriesPricing, type PricePoint } from './detail-chain.type.js';
import { DetailPayment, type Assembleia, type Notice, OperationDetail, type PublicDocument } from './detail.type.js';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import { createRevisionCache, ofOperation, readStamp } from '../revision/revision.js';
import { findPublicOperation } from '../operations/operation.store.js';
import { tickerArg } from '../operations/operation.type.js';
import { toDetail } from './detail.js';
import { args, nullable } from '../../../shared/graphql/fields.js';

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

/** The days of which a section of the detail has records; all of them by default. */
@ArgsType()
class DetailPeriod extends args({
  from: nullable.day('First day (of documents: of publication); no lower bound when omitted'),
  to: nullable.day('Last day; no upper bound when omitted. Errors: 400 when it is before `from`'),
}) {}

const DetailPaymentConnection = connectionType(DetailPayment, {
  name: 'DetailPayment',
  nodes: 'payments',
  order: 'by due date',
});

const paymentKeys: readonly ListKey<Shape<DetailPayment>>[] = [
  { of: ({ dueDateRaw }) => dueDateRaw },
  { of: ({ installmentNumber }) => numberKey(installmentNumber) },
  { of: ({ trancheTicker }) => trancheTicker ?? '' },
  { of: ({ evento }) => evento },
];

@Resolver(() => OperationDetail)
export class DetailPeriodResolver {
  constructor(private readonly codec: CursorCodec) {}

  @FieldResolver()
  pagamentos(
    @Root() { pagamentos }: Shape<OperationDetail>,
    @Args(() => DetailPeriod) period: DetailPeriod,
  ): readonly Shape<DetailPayment>[] {
    return within(pagamentos, period, ({ dueDateRaw }) => dueDateRaw);
  }

  @FieldResolver(() => DetailPaymentConnection, {
    description:
      'Payments to the holders in a period, in pages, by due date. Errors: 400 for a period that ends before it begins, for arguments that are out of bounds and for an invalid cursor.',
  })
  paymentPage(
    @Root() { id, pagamentos }: Shape<OperationDetail>,
    @Args(() => DetailPeriod) period: DetailPeriod,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
  ): Connection<Shape<DetailPayment>> {
    const found = [...within(pagamentos, period, ({ dueDateRaw }) => dueDateRaw)].sort(byKeys(paymentKeys));
    const scope = JSON.stringify(['payments', id, period.from ?? null, period.to ?? null]);
    const page = pageOfList(this.codec, found, connectionPage(wanted), { scope, keys: paymentKeys });
    return toConnection(
      page,
      (payment) => payment,
      () => found.length,
    );
  }

  @FieldResolver()
  documents(
    @Root() { documents }: Shape<OperationDetail>,
    @Args(() => DetailPeriod) period: DetailPeriod,
  ): readonly Shape<PublicDocument>[] {
    return within(documents, period, ({ createdAt }) => civilDate(createdAt));
  }

  @FieldResolver()
  assembleias(
    @Root() { assembleias }: Shape<OperationDetail>,
    @Args(() => DetailPeriod) period: DetailPeriod,
  ): readonly Shape<Assembleia>[] {
    return within(assembleias, period, ({ dataRaw }) => dataRaw);
  }

  @FieldResolver()
  comunicacao(
    @Root() { comunicacao }: Shape<OperationDetail>,
    @Args(() => DetailPeriod) period: DetailPeriod,
  ): readonly Shape<Notice>[] {
    return within(comunicacao, period, ({ dataRaw }) => dataRaw);
  }
}

@Resolver(() => SeriesPricing)
export class PricingPeriodResolver {
  @FieldResolver()
  historico(
    @Root() { historico }: Shape<SeriesPricing>,
    @Args(() => DetailPeriod) period: DetailPeriod,
    @Arg('last', () => Int, {
      nullable: true,
      description: 'Number of prices, the last ones of the period, from 1 to 756; all when omitted',
    })
    last: number | null | undefined,
  ): readonly Shape<PricePoint>[] {
    const wanted = last ?? shownPrices;
    requireBounds({ name: 'last', value: wanted, min: 1, max: shownPrices });
    return within(historico, period, ({ dataRaw }) => dataRaw).slice(-wanted);
  }
}
