import { Arg, Args, ArgsType, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { Access } from '../../../shared/graphql/access.js';
import { CacheResponse, type Stamp } from '../../../shared/graphql/response-cache.js';
import { toConnection, type Connection, type CountAll } from '../../../shared/graphql/connection.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { connectionArgs, CursorPageArgs, PageSize } from '../../../shared/graphql/page-args.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import {
  connectionPage,
  numberKey,
  openNumberedPage,
  pageOfList,
  type ListPage,
} from '../../../shared/graphql/list-page.js';
import { today } from '../../../shared/kernel/today.js';
import { estateOf, figuresOf } from '../patrimonies/patrimony.store.js';
import { Patrimony, toPatrimony, type PatrimonyShape } from '../patrimonies/patrimony.type.js';
import {
  AssetConnection,
  AssetFilter,
  AssetPage,
  AssetPageArgs,
  Asset,
  AssetPayment,
  toAssetPayment,
  type AssetShape,
} from './asset.type.js';
import { assetQuery } from './asset-query.js';
import { assetsById, installmentsOf, type AssetRow } from './asset.store.js';
import type { AssetListing } from './asset-page.resolver.js';
import { pageAssets, pageAssetsOf } from './assets.acts.js';
import type { ReadAssets } from './read-assets.js';
import { showAsset, showAssets } from './show-asset.js';
import { readStamp } from '../revision/revision.js';

/** A search is cached by itself, and may be five minutes old: nothing that is made of it is cached for longer. */
const publishedAssets: Stamp = async (context, { search, filter }) => {
  const searched = search ?? (isRecord(filter) ? filter['search'] : undefined);
  return searched == null ? readStamp(context) : undefined;
};

const historyPage = { usual: 200, most: 1200 } as const;

@ArgsType()
class PaymentHistoryArgs extends connectionArgs(historyPage) {}

const AssetPaymentConnection = connectionType(AssetPayment, {
  name: 'AssetPayment',
  nodes: 'instalments',
  order: 'by number',
});

@Resolver(() => Asset)
export class AssetResolver {
  constructor(
    readonly read: ReadAssets,
    readonly codec: CursorCodec,
  ) {}

  @Access('anyone')
  @CacheResponse(publishedAssets)
  @AsOf()
  @Query(() => AssetConnection, {
    description:
      'Assets of all estates in the order of their registration, in pages. Of a search `totalCount` counts up to 100,000, and a number above 1,000 is five minutes old at most; cursors lead to all that it finds. Errors: 400 for arguments that are out of bounds, an invalid filter and an invalid cursor.',
  })
  async assets(
    @Ctx() context: Context,
    @Arg('filter', () => AssetFilter, { nullable: true, description: 'Restricts the list; all assets when omitted' })
    filter: AssetFilter | null | undefined,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
  ): Promise<Connection<AssetShape>> {
    const { total, ...page } = await pageAssets(context, this, assetQuery(filter ?? {}, 'filter.'), wanted);
    return toAssetConnection(context, page, () => total);
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
  ): Promise<AssetListing> {
    const { totals, ...range } = openNumberedPage({ page, limit }, 10);
    const { rows, total } = await this.read(context, assetQuery(filter), { after: null, backward: false, ...range });
    return {
      data: await showAssets(context, rows),
      ...totals(total),
      patrimonyId: filter.patrimonyId ?? null,
    };
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
    return row === undefined ? null : showAsset(context, row);
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
  @PageSize(historyPage)
  @FieldResolver(() => AssetPaymentConnection, {
    description: 'Its instalments, paid and pending, by number; at most 1,200',
  })
  async paymentHistory(
    @Ctx() context: Context,
    @Root() { id }: AssetShape,
    @Args(() => PaymentHistoryArgs) wanted: PaymentHistoryArgs,
  ): Promise<Connection<Shape<AssetPayment>>> {
    const rows = await loaderOf(context, installmentsOf).load(id);
    const page = pageOfList(this.codec, rows, connectionPage(wanted), {
      ...historyPage,
      scope: JSON.stringify(['paymentHistory', id]),
      keys: [{ of: ({ installmentNumber }) => numberKey(installmentNumber) }],
    });
    const day = today(context);
    return toConnection(
      page,
      (row) => toAssetPayment(row, day),
      () => rows.length,
    );
  }
}

async function toAssetConnection(
  context: Context,
  page: ListPage<AssetRow>,
  countAll: CountAll,
): Promise<Connection<AssetShape>> {
  const rows = await showAssets(context, page.rows);
  return toConnection({ ...page, rows }, (shown) => shown, countAll);
}

@Resolver(() => Patrimony)
export class PatrimonyAssetsResolver {
  constructor(private readonly codec: CursorCodec) {}

  @AsOf()
  @FieldResolver(() => AssetConnection, {
    description:
      'Its assets, in the order of their registration. Errors: 400 for arguments that are out of bounds and for an invalid cursor.',
  })
  async assets(
    @Ctx() context: Context,
    @Root() { id }: PatrimonyShape,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
  ): Promise<Connection<AssetShape>> {
    const page = await pageAssetsOf(context, this.codec, id, wanted);
    return toAssetConnection(context, page, async () => (await loaderOf(context, figuresOf).load(id)).assetCount);
  }
}
