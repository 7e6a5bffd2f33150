import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { priceRecords, type PriceKey } from './price-provenance.store.js';
import { UnitPriceProvenance, UnitPrice } from './unit-price.type.js';

@Resolver(() => UnitPrice)
export class PriceProvenanceResolver {
  @FieldResolver(() => UnitPriceProvenance, { description: 'When it was imported, and what it was before' })
  async provenance(@Ctx() context: Context, @Root() { seriesId, date }: PriceKey): Promise<Shape<UnitPriceProvenance>> {
    const record = await loaderOf(context, priceRecords).load({ seriesId, date });
    return requireFound(record, `There is no unit price on ${date}`);
  }
}
