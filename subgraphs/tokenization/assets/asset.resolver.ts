import { Arg, Args, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import { requireBounds } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { isUuid } from '../../../shared/ids.js';
import { Access } from '../../../shared/subgraph/access.js';
import { CacheResponse, type Stamp } from '../../../shared/subgraph/response-cache.js';
import { toConnection, type Connection } from '../../../shared/subgraph/connection.js';
import { CursorPageArgs } from '../../../shared/subgraph/page-args.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { openNumberedPage, openPage } from '../../../shared/list-page.js';
import { today } from '../../../shared/today.js';
import { estateOf } from '../patrimonies/patrimony.store.js';
import { Patrimony, toPatrimony, type PatrimonyShape } from '../patrimonies/patrimony.type.js';
import { keyOf, placeOf } from './asset-list.js';
import { AssetConnection, AssetFilter, AssetPage, AssetPageArgs } from './asset-list.type.js';
import { assetQuery } from './asset-query.js';
import { assetsById, firstAssetsOf, installmentsOf } from './asset.store.js';
import { Asset, AssetPayment, toAsset, toAssetPayment, type AssetShape } from './asset.type.js';
import type { ReadAssets } from './read-assets.js';
import { readStamp } from '../revision/revision.js';

/** A search is cached by itself, and may be five minutes old: nothing that is made of it is cached for longer. */
const publishedAssets: Stamp = async (context, { search }) => (search == null ? readStamp(context) : undefined);

@Resolver(() => Asset)
export class AssetResolver {
  constructor(
    private readonly read: ReadAssets,
    private readonly codec: CursorCodec,
  ) {}

  @Access('anyone')
  @AsOf()
  @Query(() => AssetConnection, {
    description:
      'Assets of all estates in the order of their registration, in pages. When a search finds more than 1,000, `totalCount` is as old as the cached search, at most five minutes. Errors: 400 for arguments that are out of bounds, an invalid filter and an invalid cursor.',
  })
  async assets(
    @Ctx() context: Context,
    @Arg('filter', () => AssetFilter, { nullable: true, description: 'Restricts the list; all assets when omitted' })
    filter: AssetFilter | null | undefined,
    @Args(() => CursorPageArgs) { first, after }: CursorPageArgs,
  ): Promise<Connection<AssetShape> & { readonly totalCount: number }> {
    const query = assetQuery(filter ?? {}, 'filter.');
    const page = openPage(this.codec, { limit: first, cursor: after }, { scope: keyOf(query) });
    const places = { after: page.after ?? null, offset: 0, limit: page.limit };
    const { rows, total, last, hasNext } = await this.read(context, query, places);
    const cursors = rows.map((row) => page.seal([placeOf(row)]));
    const nodes = rows.map((row) => toAsset(row, context.principal));
    const endCursor = last === null ? null : page.seal([last]);
    return { ...toConnection(nodes, cursors, hasNext, endCursor), totalCount: total };
  }

  @Access('anyone')
  @CacheResponse(publishedAssets)
  @AsOf()
  @Query(() => AssetPage, {
    description:
      'Assets of all estates in the order of their registration. REST: GET /public/assets. Errors: 400 for arguments that are out of bounds and for an invalid filter.',
  })
  async assetList(
    @Ctx() context: Context,
    @Args(() => AssetPageArgs) { page, limit, ...filter }: AssetPageArgs,
  ): Promise<Shape<AssetPage>> {
    const { totals, ...range } = openNumberedPage({ page, limit }, 10);
    const { rows, total } = await this.read(context, assetQuery(filter), { after: null, ...range });
    return { data: rows.map((row) => toAsset(row, context.principal)), ...totals(total) };
  }

  @Access('anyone')
  @CacheResponse(readStamp)
  @AsOf()
  @Query(() => Asset, {
    nullable: true,
    description: 'An asset; null when it does not exist. REST: GET /public/assets/{id}.',
  })
  async asset(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the asset (UUID)' }) id: string,
  ): Promise<AssetShape | null> {
    const row = isUuid(id) ? await loaderOf(context, assetsById).load(id.toLowerCase()) : undefined;
    return row === undefined ? null : toAsset(row, context.principal);
  }

  @FieldResolver(() => Patrimony, { description: 'The estate to which it belongs' })
  async patrimony(@Ctx() context: Context, @Root() { patrimonyId }: AssetShape): Promise<PatrimonyShape> {
    return toPatrimony(await estateOf(context, patrimonyId));
  }

  @FieldResolver(() => String, { description: 'Name of its estate' })
  async patrimonyName(@Ctx() context: Context, @Root() { patrimonyId }: AssetShape): Promise<string> {
    return (await estateOf(context, patrimonyId)).name;
  }

  @AsOf()
  @FieldResolver(() => [AssetPayment], { description: 'Its instalments, paid and pending, by number; at most 1,200' })
  async paymentHistory(@Ctx() context: Context, @Root() { id }: AssetShape): Promise<Shape<AssetPayment>[]> {
    const rows = await loaderOf(context, installmentsOf).load(id);
    return rows.map((row) => toAssetPayment(row, today(context)));
  }
}

@Resolver(() => Patrimony)
export class PatrimonyAssetsResolver {
  @AsOf()
  @FieldResolver(() => [Asset], {
    description: 'Its first assets, in the order of their registration; use `assets` to page through all',
  })
  async assets(
    @Ctx() context: Context,
    @Root() { id }: PatrimonyShape,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of items, from 1 to 100' }) first: number,
  ): Promise<AssetShape[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: 100 });
    const rows = await loaderOf(context, firstAssetsOf).load({ patrimonyId: id, first });
    return rows.map((row) => toAsset(row, context.principal));
  }
}
