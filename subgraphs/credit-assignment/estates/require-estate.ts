import type { Context } from '../../../shared/kernel/context.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { findEstate, type Estate } from './estate.store.js';

/** @throws {ApiError} NOT_FOUND */
export async function requireEstate(context: Context, id: string): Promise<Estate> {
  return requireFound(isUuid(id) ? await findEstate(context, id) : undefined, 'There is no such estate');
}
