import { sessionIdOf, sessionOwnerOf, type SessionOwner } from '../../../shared/security/browser-session.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import type { AccountRow } from '../accounts/account.entity.js';
import { lockAccount } from '../accounts/account.store.js';
import { holdSession } from './session.store.js';

/** Locks the session, too: a mutation that needs either never commits after it was ended, whatever this instance has cached. @throws {ApiError} UNAUTHORIZED when one has ended */
export async function lockCaller(context: Context): Promise<AccountRow> {
  const { ownerId } = context.principal;
  const id = sessionIdOf(context.principal);
  const account = await lockAccount(context, ownerId);
  const live = account?.disabledAt === null && (await holdSession(context, ownerId, id));
  if (account === null || !live) throw new ApiError('UNAUTHORIZED');
  return account;
}

/** Locks in the same way; returns whose it is. @throws {ApiError} UNAUTHORIZED when it has ended */
export async function lockPerson(context: Context): Promise<SessionOwner> {
  const owner = sessionOwnerOf(context.principal);
  if (owner.kind === 'ACCOUNT') await lockCaller(context);
  else if (!(await holdSession(context, owner.id, sessionIdOf(context.principal)))) throw new ApiError('UNAUTHORIZED');
  return owner;
}
