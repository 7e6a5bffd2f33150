import type { Context } from '../../../shared/context.js';
import { Fault } from '../../../shared/errors.js';
import { readAssignedPatrimonies, readHeldTranches, removeAssignedAssets } from './release.store.js';

/**
 * Lets series and estates go that are voided, with what stands for ever of them staying behind. Whatever somebody holds or owes does not go.
 * @throws {Fault} CONFLICT where tokens of a series have holders, or where credits that originators assigned to an estate are open
 */
export async function releaseRecords(tx: Context): Promise<void> {
  const [held] = await readHeldTranches(tx);
  if (held !== undefined)
    throw new Fault('CONFLICT', {
      message: `Somebody holds ${held.totalSupply} tokens of the series ${held.ticker} (contract ${held.address}): have them destroyed first, or close the series instead`,
    });
  const [assigned] = await readAssignedPatrimonies(tx);
  if (assigned !== undefined)
    throw new Fault('CONFLICT', {
      message: `Originators assigned ${assigned.open} credits to the estate ${assigned.ticker} that are open: have them settled or written off first, or close the estate instead`,
    });
  await removeAssignedAssets(tx);
}
