import { noteAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError, refuse } from '../../../shared/kernel/errors.js';
import { openSession, type OpenedSession, type SessionParts } from '../sessions/open-session.js';
import { emailErrors, givenPasswordErrors, trimEmail } from './account.js';
import type { AccountRow } from './account.entity.js';
import { findRegistered, savePortalAccount } from './account.store.js';
import { type Client, type LoginGuard, networkClient } from './login-guard.js';
import { isPassword } from './password.js';
import type { VerifyPortalUser } from './portal.js';

export interface LoginInput {
  readonly email: string;
  readonly password: string;
}

export interface LoginParts extends SessionParts {
  readonly guard: LoginGuard;
  readonly verifyPortalUser: VerifyPortalUser | undefined;
}

/**
 * Opens a session of the account with an e-mail and a password: one registered here, confirmed or not, else one of the issuer's
 * portal, which is created here.
 * @throws {ApiError} BAD_REQUEST for an invalid e-mail or password; TOO_MANY_REQUESTS after ten failures of the client for the e-mail in 15
 *   minutes; UNAUTHORIZED for a wrong pair; SECOND_FACTOR_REQUIRED for an account that has one; UNAVAILABLE if only the portal could verify it and does not respond.
 */
export async function login(context: Context, parts: LoginParts, input: LoginInput): Promise<OpenedSession> {
  const account = await provenAccount(context, parts, input);
  return openSession(context, parts, 'login', account);
}

export type PasswordParts = Pick<LoginParts, 'guard' | 'verifyPortalUser'>;

/** @param device the browser, where its owner has logged in before @throws {ApiError} as `login` */
export async function provenAccount(
  context: Context,
  parts: PasswordParts,
  input: LoginInput,
  device?: Client,
): Promise<AccountRow> {
  refuse('BAD_REQUEST', [...emailErrors(input.email), ...givenPasswordErrors(input.password)]);
  const client = device ?? (await networkClient(context, trimEmail(input.email)));
  const attempt = await parts.guard.begin(input.email, client);
  let account: AccountRow | undefined;
  try {
    account = (await registeredHere(context, input)) ?? (await ofThePortal(context, parts, input));
  } catch (error) {
    await attempt.withdraw();
    throw error;
  }
  if (account === undefined) {
    await attempt.fail();
    noteAudit(context, { action: 'login', outcome: 'REFUSED', reason: 'UNAUTHORIZED: wrong e-mail or password' });
    throw new ApiError('UNAUTHORIZED', { message: 'Wrong e-mail or password' });
  }
  await attempt.succeed();
  return account;
}

async function registeredHere(context: Context, { email, password }: LoginInput): Promise<AccountRow | undefined> {
  const account = await findRegistered(context, trimEmail(email));
  const right = await isPassword(account?.passwordHash ?? null, password);
  return right ? account : undefined;
}

async function ofThePortal(
  context: Context,
  { verifyPortalUser }: PasswordParts,
  { email, password }: LoginInput,
): Promise<AccountRow | undefined> {
  const user = await verifyPortalUser?.(trimEmail(email), password);
  return user && savePortalAccount(context, user);
}
