import type { Context } from '../../../shared/kernel/context.js';
import { ApiError, refuse, byRule, errorAt } from '../../../shared/kernel/errors.js';
import type { AccountRow } from './account.entity.js';
import { type LoginGuard, sessionClient } from './login-guard.js';
import { isPassword } from './password.js';
import type { VerifyPortalUser } from './portal.js';

/**
 * Requires the owner of the calling session to prove a password, behind the limiter of logins. A wrong one counts as a failed login, for a browser only as a
 * failure of its session.
 * @param isRight verifies the password
 * @param path the argument that is the password, for the error
 * @throws {ApiError} UNPROCESSABLE for a wrong one; TOO_MANY_REQUESTS after ten failures; the errors of `isRight`.
 */
export async function provePassword(
  context: Context,
  guard: LoginGuard,
  { email }: Pick<AccountRow, 'email'>,
  path: string,
  isRight: () => Promise<boolean>,
): Promise<void> {
  const attempt = await guard.begin(email, await sessionClient(context, email));
  let right: boolean;
  try {
    right = await isRight();
  } catch (error) {
    await attempt.withdraw();
    throw error;
  }
  if (right) return attempt.succeed();
  await attempt.fail();
  refuse('UNPROCESSABLE', [errorAt(path, 'PASSWORD_WRONG')]);
}

/** Requires an account with its password here, not in the portal. @throws {ApiError} UNPROCESSABLE for a portal account. */
export function requirePasswordHere({ ownerType }: Pick<AccountRow, 'ownerType'>): void {
  if (ownerType === 'EMISSOES_USER') return;
  throw new ApiError('UNPROCESSABLE', byRule('PASSWORD_ELSEWHERE'));
}

/** Whether a password belongs to an account; the password of a portal account is verified by a login at the portal. */
export async function isOwnPassword(
  { ownerType, passwordHash, portalId, email }: AccountRow,
  verifyPortalUser: VerifyPortalUser | undefined,
  password: string,
): Promise<boolean> {
  if (ownerType === 'EMISSOES_USER') return isPassword(passwordHash, password);
  const user = await verifyPortalUser?.(email, password);
  return user?.id === portalId;
}
