import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { visibleOriginators } from '../originators/visible-originators.js';
import { findReceivable, type ReceivableRow } from './receivable.store.js';

/**
 * Returns a receivable that the caller may see.
 * @throws {ApiError} NOT_FOUND for one that does not exist or belongs to someone else.
 */
export async function requireReceivable(context: Context, id: string): Promise<ReceivableRow> {
  const row = isUuid(id) ? await findReceivable(context, await visibleOriginators(context), id) : undefined;
  if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such receivable' });
  return row;
}
