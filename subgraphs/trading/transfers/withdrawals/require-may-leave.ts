import type { Context } from '../../../../shared/context.js';
import { ApiError } from '../../../../shared/errors.js';
import { byRule } from '../../../../shared/rule-error.js';
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
  if (companySuspended) throw new ApiError('CONFLICT', byRule('WITHDRAWAL_COMPANY_SUSPENDED'));
  if (profileSuspended) throw new ApiError('CONFLICT', byRule('WITHDRAWAL_PROFILE_SUSPENDED'));
  if (!(await hasAllowList(tx, row.companyId))) return;
  const entry = await findAllowedAddress(tx, row);
  if (entry === undefined) throw new ApiError('CONFLICT', byRule('WITHDRAWAL_ADDRESS_NOT_LISTED'));
  if (entry.usableAt > tx.clock.now())
    throw new ApiError('CONFLICT', byRule('WITHDRAWAL_ADDRESS_TOO_NEW', { from: entry.usableAt.toISOString() }));
}
