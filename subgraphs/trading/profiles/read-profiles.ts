import { pageSizeOf } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
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
  const wanted = pageSizeOf(limit, 'limit');
  const [after = null] = nextToken == null ? [] : cursors.open(companyId, nextToken, 'nextToken');
  const found = await loaderOf(context, profilesAt).load({ companyId, synthetic, after, limit: wanted + 1 });
  const rows = found.slice(0, wanted);
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  return { profiles: rows.map(toProfile), nextToken: last === undefined ? null : cursors.seal(companyId, [last.id]) };
}
