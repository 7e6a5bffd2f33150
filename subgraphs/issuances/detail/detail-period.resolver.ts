import { Arg, Args, ArgsType, Field, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { requireBounds } from '../../../shared/bounds.js';
import { civilDate } from '../../../shared/clock.js';
import { DateScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { within } from '../operations/period.js';
import { shownPrices } from './detail.store.js';
import { SeriesPricing, type PricePoint } from './detail-money.type.js';
import type { Assembleia, DetailPayment, Notice } from './detail-parts.type.js';
import { OperationDetail, type PublicDocument } from './detail.type.js';

/** The days of which a section of the detail has records; all of them by default. */
@ArgsType()
class DetailPeriod {
  @Field(() => DateScalar, {
    nullable: true,
    description: 'First day (of documents: of publication); no lower bound when omitted',
  })
  from?: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'Last day; no upper bound when omitted. Errors: 400 when it is before `from`',
  })
  to?: string | null;
}

/** Restricts the long sections of the detail to a period. */
@Resolver(() => OperationDetail)
export class DetailPeriodResolver {
  @FieldResolver()
  pagamentos(
    @Root() { pagamentos }: Shape<OperationDetail>,
    @Args(() => DetailPeriod) period: DetailPeriod,
  ): readonly Shape<DetailPayment>[] {
    return within(pagamentos, period, ({ dueDateRaw }) => dueDateRaw);
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
