import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { findEstate, findEstateNamed, type Estate } from './estate.store.js';

/**
 * Returns the estate with an id.
 * @throws {ApiError} NOT_FOUND
 */
export async function requireEstate(context: Context, id: string): Promise<Estate> {
  const estate = isUuid(id) ? await findEstate(context, id) : undefined;
  if (estate === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such estate' });
  return estate;
}

/**
 * Returns the estate with an id or a ticker.
 * @throws {ApiError} NOT_FOUND
 */
export async function requireEstateNamed(context: Context, idOrTicker: string): Promise<Estate> {
  const estate = await findEstateNamed(context, idOrTicker);
  if (estate === undefined) throw new ApiError('NOT_FOUND', { message: `There is no estate ${idOrTicker}` });
  return estate;
}
