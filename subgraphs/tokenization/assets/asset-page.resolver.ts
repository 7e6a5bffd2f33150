import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { patrimoniesById } from '../patrimonies/patrimony.store.js';
import { Patrimony, toPatrimony, type PatrimonyShape } from '../patrimonies/patrimony.type.js';
import { AssetPage } from './asset.type.js';

/** A page with the id of the estate that it is restricted to. */
export type AssetListing = Shape<AssetPage> & { readonly patrimonyId: string | null };

@Resolver(() => AssetPage)
export class AssetPageResolver {
  @FieldResolver(() => Patrimony, {
    nullable: true,
    description:
      'The estate that the list is restricted to; null for a list of all estates. Errors: 404 when it does not exist.',
  })
  async patrimony(@Ctx() context: Context, @Root() { patrimonyId }: AssetListing): Promise<PatrimonyShape | null> {
    if (patrimonyId === null) return null;
    const estate = await loaderOf(context, patrimoniesById).load(patrimonyId.toLowerCase());
    return toPatrimony(requireFound(estate, 'There is no such estate'));
  }
}
