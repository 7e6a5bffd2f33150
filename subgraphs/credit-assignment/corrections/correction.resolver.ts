import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { correctionPages, toCorrection } from '../../../shared/corrections/correction.type.js';
import { correctionPager, type PageCorrections } from '../../../shared/corrections/page-corrections.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { refuse } from '../../../shared/errors.js';
import { Access } from '../../../shared/subgraph/access.js';
import { toConnection } from '../../../shared/subgraph/connection.js';
import { requireEstate } from '../estates/require-estate.js';
import { readScope } from '../originators/visible-originators.js';
import { correctionSources } from './correction.sources.js';
import { CreditAssignmentCorrectionArgs, CreditAssignmentCorrectionConnection } from './correction.type.js';

@Resolver()
export class CorrectionResolver {
  private readonly page: PageCorrections;

  constructor(codec: CursorCodec) {
    this.page = correctionPager(codec, correctionSources, 1);
  }

  @Access('originator', readScope)
  @Query(() => CreditAssignmentCorrectionConnection, {
    description: `Changes and removals of the eligibility criteria of estates, newest first. Setting criteria for the first time, or anew after a removal, is not a correction. ${correctionPages} Errors: 400 for arguments that are out of bounds, for an invalid cursor, and for a missing estate unless the caller is an operator; 404 for an estate that does not exist.`,
  })
  async creditAssignmentCorrections(
    @Ctx() context: Context,
    @Args(() => CreditAssignmentCorrectionArgs) { patrimonyId, ...request }: CreditAssignmentCorrectionArgs,
  ) {
    const estate = await estateOf(context, patrimonyId ?? null);
    const page = await this.page(context, [estate], request);
    return toConnection(page, (row) => ({ ...toCorrection(row), patrimonyTicker: row.subject ?? '' }), page.count);
  }
}

/** Only operators list estates that are not public yet: whoever names one already has its id. */
async function estateOf(context: Context, patrimonyId: string | null): Promise<string | null> {
  if (patrimonyId !== null) return (await requireEstate(context, patrimonyId)).id;
  if (!['OPERATOR', 'SYSTEM'].includes(context.principal.kind))
    refuse('BAD_REQUEST', [
      { path: 'patrimonyId', message: 'is required: only operators may list the corrections of all estates' },
    ]);
  return null;
}
