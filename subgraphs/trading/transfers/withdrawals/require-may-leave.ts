import type { Context } from '../../../../shared/context.js';
import { ApiError } from '../../../../shared/errors.js';
import { findAllowedAddress, hasAllowList } from '../allow-list/allow-list.store.js';
import { suspensionOf } from '../transfer.store.js';
import type { WithdrawalRow } from './withdrawal.store.js';

/**
 * Checks again whether a withdrawal may leave, since conditions may have changed after the request. An engine checks once more when it claims it.
 * @throws {ApiError} CONFLICT while its company or its profile is suspended, and for an address that is not on the company's list, or
 * may not be used yet
 */
export async function requireMayLeave(tx: Context, row: WithdrawalRow): Promise<void> {
  const { companySuspended, profileSuspended } = await suspensionOf(tx, row.walletId);
  if (companySuspended) throw waits('The company is suspended');
  if (profileSuspended) throw waits('The profile is suspended');
  if (!(await hasAllowList(tx, row.companyId))) return;
  const entry = await findAllowedAddress(tx, row);
  if (entry === undefined) throw waits("The address is not on the company's list of withdrawal addresses");
  if (entry.usableAt > tx.clock.now())
    throw waits(`The address may only be used from ${entry.usableAt.toISOString()} on`);
}

function waits(why: string): ApiError {
  return new ApiError('CONFLICT', { message: `${why}: approve it once this has changed, or reject it` });
}
