import { requireBounds } from '../bounds.js';
import type { Context } from '../context.js';
import type { CursorCodec } from '../cursor.js';
import { refuse } from '../errors.js';
import type { CorrectionPageArgs } from './correction.type.js';
import type { CorrectionRow, correctionReader } from './corrections.store.js';

/** Corrections of a page, with what to go on after each of them with. */
export interface CorrectionPage {
  readonly rows: readonly CorrectionRow[];
  readonly cursors: readonly string[];
  readonly hasNext: boolean;
}

/**
 * A page of corrections, newest first. One that comes meanwhile is before the place at which the list goes on.
 * @throws {Fault} BAD_REQUEST for arguments out of bounds and cursors that are not ours
 */
export async function pageCorrections(
  context: Context,
  { codec, read }: { readonly codec: CursorCodec; readonly read: ReturnType<typeof correctionReader> },
  scope: readonly (string | null)[],
  { kind = null, from = null, to = null, first, after }: CorrectionPageArgs,
): Promise<CorrectionPage> {
  const limit = first ?? 20;
  requireBounds({ name: 'first', value: limit, min: 1, max: 100 });
  if (from !== null && to !== null && to < from)
    refuse('BAD_REQUEST', [{ path: 'to', message: 'must not be before `from`' }]);
  const list = JSON.stringify([scope, kind, from, to]);
  const place = after == null ? undefined : codec.open(list, after);
  const found = await read(context, { scope, kind, from, to, after: place, limit: limit + 1 });
  const rows = found.slice(0, limit);
  return {
    rows,
    cursors: rows.map(({ at, kind, key }) => codec.seal(list, [at, kind, key])),
    hasNext: found.length > limit,
  };
}
