import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
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
    throw new ApiError('CONFLICT', {
      message: `There are holders of ${held.totalSupply} tokens of the series ${held.ticker} (contract ${held.address}): have the tokens destroyed first, or close the series instead`,
    });
  const [assigned] = await readAssignedPatrimonies(tx);
  if (assigned !== undefined && assigned.open !== '0')
    throw new ApiError('CONFLICT', {
      message: `The estate ${assigned.ticker} has ${assigned.open} open credits that originators assigned: have them settled or written off first, or close the estate instead`,
    });
  if (assigned?.isVoided === false)
    throw new ApiError('CONFLICT', {
      message: `Originators assigned ${assigned.closed} credits to the estate ${assigned.ticker}: void the estate instead, which includes them`,
    });
  await removeAssignedAssets(tx);
}
