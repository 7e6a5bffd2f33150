import { Arg, Ctx, ID, Query, Resolver, Directive } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { refuse, requireFound, errorAt } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { shared } from '../../../shared/memo.js';
import { patrimoniesById } from '../patrimonies/patrimony.store.js';
import { addUpAssets } from './asset-summary.js';
import {
  AssetSummary,
  toAssetSummary,
  AssetDimensionEnum,
  AssetGroup,
  type AssetDimension,
} from './asset-summary.type.js';
import { assetTotals, assetGroups } from './asset-group.store.js';

/** The summary is cached for five minutes (docs/contract/tokenization.md §5.6). */
const keptMs = 5 * 60_000;

@Resolver()
export class AssetSummaryResolver {
  private readonly summaries = shared<Shape<AssetSummary>>({ name: 'asset-summaries', keptMs, maxEntries: 2_000 });

  @Access('anyone')
  @AsOf()
  @Query(() => AssetSummary, {
    description:
      'Totals of the assets of an estate, or of all estates; at most five minutes old. REST: GET /public/assets/summary. Errors: 400 for an id that is not a UUID; 404 when the estate does not exist.',
  })
  async assetSummary(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { nullable: true, description: 'Id of the estate; all estates when omitted' })
    patrimonyId: string | null | undefined,
  ): Promise<Shape<AssetSummary>> {
    if (patrimonyId == null) return this.summaryOf(context, null);
    if (!isUuid(patrimonyId)) refuse('BAD_REQUEST', [errorAt('patrimonyId', 'UUID_FORM')]);
    const id = patrimonyId.toLowerCase();
    requireFound(await loaderOf(context, patrimoniesById).load(id), 'There is no such estate');
    return this.summaryOf(context, id);
  }

  private summaryOf(context: Context, patrimonyId: string | null): Promise<Shape<AssetSummary>> {
    const sum = async () => toAssetSummary(addUpAssets(await assetTotals(context, patrimonyId)));
    if (context.asOf !== undefined) return sum();
    return this.summaries(patrimonyId ?? '', sum, { now: context.clock.now().getTime() });
  }
}

@Resolver()
export class AssetGroupResolver {
  @Access('anyone')
  @AsOf()
  @Directive('@listSize(assumedSize: 1000)')
  @Query(() => [AssetGroup], {
    description:
      'Totals of the assets of an estate, or of all estates, in groups, the largest balance first; at most 1,000. Errors: 400 for an id that is not a UUID; 404 when the estate does not exist.',
  })
  async assetGroups(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { nullable: true, description: 'Id of the estate; all estates when omitted' })
    patrimonyId: string | null | undefined,
    @Arg('by', () => [AssetDimensionEnum], {
      defaultValue: ['TYPE', 'STATUS'],
      description: 'What the assets are grouped by; one group of all assets when empty',
    })
    by: AssetDimension[],
  ): Promise<Shape<AssetGroup>[]> {
    if (patrimonyId == null) return assetGroups(context, null, by);
    if (!isUuid(patrimonyId)) refuse('BAD_REQUEST', [errorAt('patrimonyId', 'UUID_FORM')]);
    const id = patrimonyId.toLowerCase();
    requireFound(await loaderOf(context, patrimoniesById).load(id), 'There is no such estate');
    return assetGroups(context, id, by);
  }
}
