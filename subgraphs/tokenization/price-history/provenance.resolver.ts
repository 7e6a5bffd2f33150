import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { Locale } from '../../../shared/graphql/labels.js';
import { LocaleEnum } from '../../../shared/graphql/locale.enum.js';
import type { LoadProvenance } from './load-provenance.js';
import { PriceProvenance, toPriceProvenance, type PriceProvenanceShape } from './provenance.type.js';
import { TrancheUnitPrice, type TrancheUnitPriceShape } from './tranche-unit-price.type.js';

@Resolver(() => TrancheUnitPrice)
export class ProvenanceResolver {
  constructor(private readonly load: LoadProvenance) {}

  @FieldResolver(() => PriceProvenance, {
    nullable: true,
    description:
      'Its inputs, as they were known when it was calculated; null for a price whose policy version was not stored. Errors: 400 when the prices of a response use more than 50,000 DI rates in total.',
  })
  async provenance(
    @Ctx() context: Context,
    @Root() price: TrancheUnitPriceShape,
  ): Promise<PriceProvenanceShape | null> {
    const provenance = await loaderOf(context, this.load).load(price);
    return provenance === null ? null : toPriceProvenance(provenance);
  }
}

@Resolver(() => PriceProvenance)
export class PriceRulesResolver {
  @FieldResolver(() => [String], {
    description:
      'The rules of the calculation, in their order. They name factors and inputs by their fields, in each language',
  })
  rules(
    @Root() { rules }: PriceProvenanceShape,
    @Arg('locale', () => LocaleEnum, { defaultValue: 'EN', description: 'Language of the rules' }) locale: Locale,
  ): readonly string[] {
    return rules(locale);
  }
}
