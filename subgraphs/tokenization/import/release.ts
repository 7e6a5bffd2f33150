import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { byRule } from '../../../shared/rule-error.js';
import { readAssignedPatrimonies, readHeldTranches, removeAssignedAssets } from './release.store.js';

/**
 * Checks whether voided series and estates may be deleted, and deletes the credits assigned to them. Held tokens and open credits prevent
 * it.
 * @throws {ApiError} CONFLICT if tokens of a series have holders, if credits that originators assigned to an estate are open, or if it has
 *   any assigned credits and is deleted because its import is undone
 */
export async function releaseRecords(tx: Context): Promise<void> {
  const [held] = await readHeldTranches(tx);
  if (held !== undefined)
    throw new ApiError(
      'CONFLICT',
      byRule('TOKENS_HELD', { supply: held.totalSupply, ticker: held.ticker, address: held.address }),
    );
  const [assigned] = await readAssignedPatrimonies(tx);
  if (assigned !== undefined && assigned.open !== '0')
    throw new ApiError('CONFLICT', byRule('ESTATE_OPEN_CREDITS', { ticker: assigned.ticker, open: assigned.open }));
  if (assigned?.isVoided === false)
    throw new ApiError('CONFLICT', byRule('ESTATE_CREDITS', { closed: assigned.closed, ticker: assigned.ticker }));
  await removeAssignedAssets(tx);
}
