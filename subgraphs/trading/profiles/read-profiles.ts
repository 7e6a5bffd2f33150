import { pageSizeOf } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { profilesAt } from './profile.store.js';
import { toProfile, type ProfileList } from './profile.type.js';

/** A page of profiles, as a caller asks for it. */
export interface ProfilePageWish {
  readonly limit: number | null | undefined;
  readonly nextToken: string | null | undefined;
  /** Of which wallet it tells. */
  readonly synthetic: boolean;
}

/**
 * A page of the profiles of a company, the oldest first: 20 when nothing is asked for, 100 at most. Pages of several companies are
 * read together.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or a cursor that is not ours
 */
export async function readProfiles(
  context: Context,
  cursors: CursorCodec,
  companyId: string,
  { limit, nextToken, synthetic }: ProfilePageWish,
): Promise<Shape<ProfileList>> {
  const wanted = pageSizeOf(limit, 'limit');
  const [after = null] = nextToken == null ? [] : cursors.open(companyId, nextToken, 'nextToken');
  const found = await loaderOf(context, profilesAt).load({ companyId, synthetic, after, limit: wanted + 1 });
  const rows = found.slice(0, wanted);
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  return { profiles: rows.map(toProfile), nextToken: last === undefined ? null : cursors.seal(companyId, [last.id]) };
}
