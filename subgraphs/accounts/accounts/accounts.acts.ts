import { setTimeout as delay } from 'node:timers/promises';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { bindSubject, subjectOf } from '../../../shared/graphql/in-steps.js';
import type { Context } from '../../../shared/kernel/context.js';
import { refuse, ApiError, byRule } from '../../../shared/kernel/errors.js';
import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { openSession, type OpenedSession, type SessionParts } from '../sessions/open-session.js';
import { removeSessionsOf, findOpened, liveSessionIds, endSessions } from '../sessions/session.store.js';
import { issueToken, useUpTokens, consumeToken, emailOfToken } from '../tokens/one-time-token.store.js';
import type { AccountRow } from './account.entity.js';
import {
  emailErrors,
  trimEmail,
  registrationErrors,
  type Registration,
  givenPasswordErrors,
  passwordErrors,
} from './account.js';
import {
  resetMail,
  accountExistsMail,
  confirmationMail,
  confirmationAgainMail,
  portalAccountMail,
} from './account.mails.js';
import {
  findRegistered,
  mayMail,
  addRegistered,
  findOwner,
  replaceWaiting,
  type NewAccount,
  confirm,
  findAccount,
  takeTurn,
  replacePassword,
} from './account.store.js';
import { mailOwner, type MailDesk, mailConfirmation, notifyOwner } from './mail-desk.js';
import { hashPassword, commonPasswordErrors, isPassword } from './password.js';
import { uselessLink } from '../tokens/one-time-token.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { lockCaller } from '../sessions/lock-caller.js';
import type { LoginGuard } from './login-guard.js';
import { passwordChangedMail, passwordResetMail } from './notices.mails.js';
import { provePassword, requirePasswordHere } from './prove-password.js';
import { revokeAllKeys } from '../api-keys/api-key.store.js';

/** Portal users change theirs in the portal. Three an hour at most, which no other messages use up. The response is the same for every e-mail. @throws {ApiError} BAD_REQUEST */
export function forgotPassword(context: Context, desk: MailDesk, given: string): Promise<void> {
  return tellOwner(context, given, async (tx, account) => {
    if (!(await mayMail(tx, account.email, 'RESET'))) return;
    const token = await issueToken(tx, account.id, 'RESET');
    await mailOwner(tx, desk, account, 'RESET', resetMail(account, desk.links.resetPassword(account, token)));
  });
}

/** Tells the owner of a confirmed account that it is already confirmed. The response is the same for every e-mail. @throws {ApiError} BAD_REQUEST for an invalid e-mail address */
export function resendVerification(context: Context, desk: MailDesk, given: string): Promise<void> {
  return tellOwner(context, given, async (tx, account) => {
    const kind = account.confirmedAt === null ? 'REGISTRATION' : 'EXISTING';
    if (!(await mayMail(tx, account.email, kind))) return;
    if (kind === 'EXISTING') await mailOwner(tx, desk, account, kind, accountExistsMail(account));
    else await mailConfirmation(tx, desk, account, confirmationMail);
  });
}

/** Runs `tell` for the account registered here with an e-mail, one at a time for each e-mail; takes as long if there is no such account. */
async function tellOwner(
  context: Context,
  given: string,
  tell: (tx: Context, account: AccountRow) => Promise<void>,
): Promise<void> {
  refuse('BAD_REQUEST', emailErrors(given));
  const email = trimEmail(given);
  await respondEvenly(context, () =>
    onTurnOf(context, email, async (tx) => {
      const account = await findRegistered(tx, email);
      if (account !== undefined) await tell(tx, account);
    }),
  );
}

export interface RegisterParts {
  readonly desk: MailDesk;
  /** Called after the commit of a change, so that this process does not wait to read it. */
  readonly forgetSessions: (ids: readonly string[]) => void;
}

/**
 * Creates an unconfirmed account and mails the link that confirms it. It replaces a pending registration of the e-mail, whose link, password and sessions become
 * invalid, so that nothing of a stranger remains beside the password of the newest mail. An e-mail with a confirmed account gets the same response in the same
 * time, and its owner is notified by mail, twice an hour at most. If the hourly limit of such mails is reached no account is created: nobody could confirm it.
 * @throws {ApiError} BAD_REQUEST with every error of the input; UNPROCESSABLE for one of the most common passwords.
 */
export async function register(context: Context, parts: RegisterParts, input: Registration): Promise<void> {
  refuse('BAD_REQUEST', registrationErrors(input));
  refuse('UNPROCESSABLE', await commonPasswordErrors(input.password));
  await respondEvenly(context, async () => {
    const account = {
      email: trimEmail(input.email),
      name: identifyingText(input.name),
      company: identifyingText(input.company),
      passwordHash: await hashPassword(input.password),
      mailLanguage: input.mailLanguage,
      confirmedAt: null,
    };
    await onTurnOf(context, account.email, async (tx) => {
      await addOrTell(tx, parts, account);
    });
  });
}

async function addOrTell(context: Context, parts: RegisterParts, account: NewAccount): Promise<void> {
  const { desk, forgetSessions } = parts;
  const owner = await findOwner(context, account.email);
  if (!(await mayMail(context, account.email, owner === undefined ? 'REGISTRATION' : 'EXISTING'))) return;
  if (owner !== undefined) {
    const mail = owner.ownerType === 'AGENT_USER' ? portalAccountMail : accountExistsMail;
    return mailOwner(context, desk, owner, 'EXISTING', mail(owner));
  }
  const replaced = await replaceWaiting(context, account);
  if (replaced !== undefined) {
    await useUpTokens(context, replaced.id, 'CONFIRM');
    const ended = await removeSessionsOf(context, [replaced.id]);
    afterCommit(context, () => forgetSessions(ended));
    return mailConfirmation(context, desk, replaced, confirmationAgainMail);
  }
  const added = await addRegistered(context, account);
  if (added !== undefined) await mailConfirmation(context, desk, added, confirmationMail);
}

/** Stores the name, company and password given in it. Opens a session. @throws {ApiError} UNPROCESSABLE for a link that is unknown, used or expired */
export async function verifyEmail(context: Context, parts: SessionParts, token: string): Promise<OpenedSession> {
  await parts.sessions.prepare();
  const opened = subjectOf(context);
  if (opened !== undefined) return sessionOfEarlierRun(context, parts, opened);
  return inTransaction(context, async (tx) => {
    const email = await emailOfToken(tx, token);
    if (email === undefined) throw uselessLink();
    await takeTurn(tx, email);
    const accountId = await consumeToken(tx, token, 'CONFIRM');
    if (accountId === undefined) throw uselessLink();
    const account = await confirm(tx, accountId);
    // Its own sessions gain permissions now.
    const changed = await liveSessionIds(tx, accountId);
    afterCommit(tx, () => parts.forgetSessions(changed));
    const session = await openSession(tx, parts, 'verifyEmail', account);
    await bindSubject(tx, session.id);
    return session;
  });
}

/** Returns the session that an earlier run of the same request has opened: it has used up the link. */
async function sessionOfEarlierRun(context: Context, { sessions }: SessionParts, id: string): Promise<OpenedSession> {
  const session = await findOpened(context, id);
  const account = session && (await findAccount(context, session.accountId));
  // The account was deleted since.
  if (account == null || session === undefined) throw uselessLink();
  return { id, accessToken: await sessions.issue(session), account };
}

/** Duration in milliseconds of responses that must not reveal whether an e-mail has an account. */
export const evenAnswerMs = 250;

/** Subject of an idempotency key after the commit: the same for every e-mail, so that it reveals nothing. */
const done = 'done';

/** Responds no sooner than `evenAnswerMs` after the call, with and without an account. Work that an earlier run of the same request has committed is not done again. */
async function respondEvenly(context: Context, work: () => Promise<void>): Promise<void> {
  const isDone = subjectOf(context) !== undefined;
  await Promise.all([isDone ? undefined : work(), delay(evenAnswerMs)]);
}

/** Does work on one e-mail in a transaction, one after another, at most once for an idempotency key. */
async function onTurnOf(context: Context, email: string, work: (tx: Context) => Promise<void>): Promise<void> {
  await inTransaction(context, async (tx) => {
    await takeTurn(tx, email);
    await work(tx);
    await bindSubject(tx, done);
  });
}

interface ChangeParts {
  readonly desk: MailDesk;
  readonly guard: LoginGuard;
  readonly forgetSessions: (ids: readonly string[]) => void;
}

interface ChangeInput {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly keepSessions: boolean;
}

/**
 * Sets a new password for the calling account, given its current one. Ends its other sessions unless they are to continue,
 * invalidates its reset links, and notifies the owner by mail. A wrong current password counts as a failed login.
 * @throws {ApiError} BAD_REQUEST for passwords outside the rule; UNPROCESSABLE for a common one, for a wrong current one and for an
 *   account of the portal; TOO_MANY_REQUESTS after ten failures; CONFLICT when the password was changed meanwhile.
 */
export async function changePassword(context: Context, parts: ChangeParts, input: ChangeInput): Promise<void> {
  // An earlier run of the same request has changed it.
  if (subjectOf(context) !== undefined) return;
  const { currentPassword, newPassword, keepSessions } = input;
  refuse('BAD_REQUEST', [
    ...givenPasswordErrors(currentPassword, 'currentPassword'),
    ...passwordErrors(newPassword, 'newPassword'),
  ]);
  refuse('UNPROCESSABLE', await commonPasswordErrors(newPassword, 'newPassword'));
  const account = await findAccount(context, context.principal.ownerId);
  if (account === null) throw new ApiError('UNAUTHORIZED');
  requirePasswordHere(account);
  await provePassword(context, parts.guard, account, 'currentPassword', () =>
    isPassword(account.passwordHash, currentPassword),
  );
  const passwordHash = await hashPassword(newPassword);
  await inTransaction(context, async (tx) => {
    const current = await lockCaller(tx);
    if (current.passwordHash !== account.passwordHash) throw new ApiError('CONFLICT', byRule('PASSWORD_CHANGED'));
    await replacePassword(tx, current.id, passwordHash);
    await bindSubject(tx, current.id);
    await useUpTokens(tx, current.id, 'RESET');
    const ended = keepSessions ? [] : await endSessions(tx, current.id, 'PASSWORD_CHANGED', tx.principal.id);
    await notifyOwner(tx, parts.desk, current, 'ACCOUNT', passwordChangedMail(current, tx.clock.now()));
    const subject = { type: 'account', id: current.id };
    await recordAudit(tx, { action: 'changePassword', subject, after: { sessionsEnded: ended.length } });
    afterCommit(tx, () => parts.forgetSessions(ended));
  });
}

export interface ResetParts extends ChangeParts {
  readonly forgetKey: (prefix: string) => void;
}

/**
 * Sets the password of the account that a reset link was mailed to. Ends every session of the account and invalidates its other reset
 * links, revokes its keys if requested, clears the failed logins of its e-mail, and notifies the owner by mail.
 * @throws {ApiError} BAD_REQUEST for a password outside the rule and UNPROCESSABLE for one of the most common, and the link stays
 *   valid; UNPROCESSABLE for a link that is unknown, used or expired.
 */
export async function resetPassword(
  context: Context,
  { desk, guard, forgetSessions, forgetKey }: ResetParts,
  { token, password, revokeKeys }: { readonly token: string; readonly password: string; readonly revokeKeys: boolean },
): Promise<void> {
  refuse('BAD_REQUEST', passwordErrors(password));
  refuse('UNPROCESSABLE', await commonPasswordErrors(password));
  const passwordHash = await hashPassword(password);
  await inTransaction(context, async (tx) => {
    const accountId = await consumeToken(tx, token, 'RESET');
    if (accountId === undefined) throw uselessLink();
    const account = await replacePassword(tx, accountId, passwordHash);
    const ended = await endSessions(tx, accountId, 'PASSWORD_RESET');
    const revoked = revokeKeys ? await revokeAllKeys(tx, accountId) : undefined;
    await guard.forgive(tx, account.email);
    const notice = passwordResetMail(account, { moment: tx.clock.now(), keys: revoked?.length });
    await notifyOwner(tx, desk, account, 'ACCOUNT', notice);
    const after = { sessionsEnded: ended.length, keysRevoked: revoked?.length ?? 0 };
    await recordAudit(tx, { action: 'resetPassword', subject: { type: 'account', id: accountId }, after });
    afterCommit(tx, () => {
      forgetSessions(ended);
      revoked?.forEach(forgetKey);
    });
  });
}
