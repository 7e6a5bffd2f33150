import { ApiError, refuse } from '../../../shared/errors.js';
import type { AccountRow } from './account.entity.js';
import type { LoginGuard } from './login-guard.js';

/**
 * Has the owner of an account prove a password, as a login would: behind the same limiter, and a wrong one counts as a failed login.
 * @param isRight looks at the password
 * @param path the argument that is the password, for the error
 * @throws {ApiError} UNPROCESSABLE for a wrong one; TOO_MANY_REQUESTS after ten failures for the e-mail; what `isRight` throws.
 */
export async function provePassword(
  guard: LoginGuard,
  { email }: Pick<AccountRow, 'email'>,
  path: string,
  isRight: () => Promise<boolean>,
): Promise<void> {
  const attempt = await guard.begin(email);
  let right: boolean;
  try {
    right = await isRight();
  } catch (error) {
    await attempt.withdraw();
    throw error;
  }
  if (right) return attempt.succeed();
  await attempt.fail();
  refuse('UNPROCESSABLE', [{ path, message: 'is not the password of the account' }]);
}

/** The portal keeps the passwords of its accounts. @throws {ApiError} UNPROCESSABLE for one of the portal. */
export function requirePasswordHere({ ownerType }: Pick<AccountRow, 'ownerType'>): void {
  if (ownerType === 'EMISSOES_USER') return;
  throw new ApiError('UNPROCESSABLE', {
    message: "The password of this account is kept by the issuer's portal: change it there",
  });
}
