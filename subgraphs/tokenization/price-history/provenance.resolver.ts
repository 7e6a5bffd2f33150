import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { LoadProvenance } from './load-provenance.js';
import { PriceProvenance, toPriceProvenance } from './provenance.type.js';
import { TrancheUnitPrice, type TrancheUnitPriceShape } from './tranche-unit-price.type.js';

@Resolver(() => TrancheUnitPrice)
export class ProvenanceResolver {
  constructor(private readonly load: LoadProvenance) {}

  @FieldResolver(() => PriceProvenance, {
    nullable: true,
    description:
      'Its inputs, as they were known when it was calculated; null for a price whose policy version was not stored (calculated before the upgrade). Errors: 400 when the prices of a response use more than 50,000 DI rates in total.',
  })
  async provenance(
    @Ctx() context: Context,
    @Root() price: TrancheUnitPriceShape,
  ): Promise<Shape<PriceProvenance> | null> {
    const provenance = await loaderOf(context, this.load).load(price);
    return provenance === null ? null : toPriceProvenance(provenance);
  }
}
