import { Arg, Args, ArgsType, Ctx, Field, ID, Int, Query, Resolver } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import { openNumberedPage } from '../../../shared/list-page.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { Access } from '../../../shared/subgraph/access.js';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { today } from '../../../shared/today.js';
import { patrimoniesById } from '../patrimonies/patrimony.store.js';
import { assetQuery, searchDescription } from './asset-query.js';
import { AssetStatusEnum, AssetTypeEnum } from './asset.enum.js';
import { assetsById, installmentsOf } from './asset.store.js';
import type { AssetStatus, AssetType } from './asset.js';
import { toAsset, toAssetPayment } from './asset.type.js';
import { AssetDetail, AssetPage } from './documented-asset.type.js';
import type { ReadAssets } from './read-assets.js';

@ArgsType()
class DocumentedAssetListArgs {
  @Field(() => Int, { nullable: true, description: 'Number of the page, from 1; default 1' })
  page?: number | null;

  @Field(() => Int, { nullable: true, description: 'Assets per page, from 1 to 100; default 10' })
  limit?: number | null;

  @Field(() => ID, { nullable: true, description: 'Only assets of the estate with this id' })
  patrimonyId?: string | null;

  @Field(() => AssetStatusEnum, { nullable: true, description: 'Only items with this status' })
  status?: AssetStatus | null;

  @Field(() => AssetTypeEnum, { nullable: true, description: 'Only assets of this type' })
  type?: AssetType | null;

  @AtMost({ maxLength: 100 })
  @Field(() => String, {
    nullable: true,
    description: searchDescription,
  })
  search?: string | null;
}

@Resolver()
export class DocumentedAssetResolver {
  constructor(private readonly read: ReadAssets) {}

  @Access('anyone')
  @AsOf()
  @Query(() => AssetPage, {
    description:
      'Assets of all estates in the order of their registration. REST: GET /public/assets. BAD_REQUEST for arguments that are out of bounds.',
  })
  async assetList(
    @Ctx() context: Context,
    @Args(() => DocumentedAssetListArgs) args: DocumentedAssetListArgs,
  ): Promise<Shape<AssetPage>> {
    const { offset, limit, totals } = openNumberedPage(args, 10);
    const { rows, total } = await this.read(context, assetQuery(args), { after: null, offset, limit });
    return { data: rows.map((row) => toAsset(row, context.principal)), ...totals(total) };
  }

  @Access('anyone')
  @AsOf()
  @Query(() => AssetDetail, {
    description:
      'An asset with its payment history. REST: GET /public/assets/{id}. BAD_REQUEST for an id that is not a UUID, NOT_FOUND when the asset does not exist.',
  })
  async assetDetail(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the asset (UUID)' }) id: string,
  ): Promise<Shape<AssetDetail>> {
    if (!isUuid(id)) refuse('BAD_REQUEST', [{ path: 'id', message: 'must be a UUID' }]);
    const row = await loaderOf(context, assetsById).load(id.toLowerCase());
    if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such asset' });
    const patrimony = await loaderOf(context, patrimoniesById).load(row.patrimonyId);
    const installments = await loaderOf(context, installmentsOf).load(row.id);
    return {
      ...toAsset(row, context.principal),
      patrimonyName: patrimony?.name ?? '',
      paymentHistory: installments.map((one) => toAssetPayment(one, today(context))),
    };
  }
}
