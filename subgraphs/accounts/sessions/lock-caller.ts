import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import type { AccountRow } from '../accounts/account.entity.js';
import { lockAccount } from '../accounts/account.store.js';
import { holdSession } from './session.store.js';

/**
 * Locks the account of the calling session, and the session, until the end of the transaction: a mutation that needs either
 * never commits after it was ended, whatever this instance has cached.
 * @throws {ApiError} UNAUTHORIZED when the account or the session has ended.
 */
export async function lockCaller(context: Context): Promise<AccountRow> {
  const { id, ownerId } = context.principal;
  const account = await lockAccount(context, ownerId);
  const live = account?.disabledAt === null && (await holdSession(context, ownerId, id));
  if (account === null || !live) throw new ApiError('UNAUTHORIZED');
  return account;
}
