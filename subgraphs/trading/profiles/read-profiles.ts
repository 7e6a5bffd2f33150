import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { documentedNames, openPage } from '../../../shared/list-page.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { profilesAt } from './profile.store.js';
import { toProfile, type ProfileList } from './profile.type.js';

/** The page of profiles that a caller asks for. */
export interface ProfilePageRequest {
  readonly limit: number | null | undefined;
  readonly nextToken: string | null | undefined;
  /** Whether to list the synthetic wallet. */
  readonly synthetic: boolean;
}

/**
 * Returns a page of the profiles of a company, oldest first: 20 by default, 100 at most. Pages of several companies are
 * loaded in one query.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or a cursor that is not ours
 */
export async function readProfiles(
  context: Context,
  cursors: CursorCodec,
  companyId: string,
  { limit, nextToken, synthetic }: ProfilePageRequest,
): Promise<Shape<ProfileList>> {
  const page = openPage(cursors, { names: documentedNames, limit, cursor: nextToken }, { scope: companyId });
  const wanted = { companyId, synthetic, after: page.after ?? null, limit: page.limit + 1 };
  const { rows, nextToken: next } = page.take(await loaderOf(context, profilesAt).load(wanted), ({ id }) => [id]);
  return { profiles: rows.map(toProfile), nextToken: next };
}
