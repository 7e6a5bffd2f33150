import { recordAudit } from '../../../shared/audit/record.js';
import type { OwnerKind } from '../../../shared/browser-session.js';
import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { requireReason } from '../../../shared/reason.js';
import { lockAccount } from '../accounts/account.store.js';
import { endSessions } from '../sessions/session.store.js';
import { factorsResetMail } from './factor.mails.js';
import { findOwnerKind, lockFactors, readHeldFactors, removeFactorsOf } from './factor.store.js';
import { notifyFactorOwner, type NoticeParts } from './notify-factor-owner.js';

export interface ResetFactorsParts extends NoticeParts {
  readonly forgetSessions: (ids: readonly string[]) => void;
}

/**
 * Removes every second factor of somebody who has lost them, and ends the owner's sessions. An operator's act.
 * @throws {ApiError} BAD_REQUEST for the reason; NOT_FOUND for an id without second factors
 */
export async function resetFactors(
  context: Context,
  parts: ResetFactorsParts,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<void> {
  const text = requireReason(reason);
  await inTransaction(context, async (tx) => {
    const kind = await lockOwner(tx, id);
    const { passkeys, totp, codes } = await readHeldFactors(tx, id);
    if (passkeys === 0 && !totp) throw missing(id);
    await removeFactorsOf(tx, [id]);
    const ended = await endSessions(tx, id, 'OPERATOR');
    await recordAudit(tx, {
      action: 'resetSecondFactors',
      subject: { type: kind.toLowerCase(), id },
      before: { passkeys, totp, recoveryCodes: codes },
      after: { endedSessions: ended.length },
      reason: text,
    });
    await notifyFactorOwner(tx, parts, { kind, id }, factorsResetMail);
    afterCommit(tx, () => parts.forgetSessions(ended));
  });
}

/**
 * Ends every session of an account, or every browser's session of an operator or a trading credential; returns their number. An operator's act.
 * @throws {ApiError} NOT_FOUND for an id that has no sessions
 */
export async function endSessionsOf(
  context: Context,
  { forgetSessions }: ResetFactorsParts,
  id: string,
): Promise<number> {
  return inTransaction(context, async (tx) => {
    const kind = await lockOwner(tx, id);
    const ended = await endSessions(tx, id, 'OPERATOR');
    const subject = { type: kind.toLowerCase(), id };
    await recordAudit(tx, { action: 'endSessionsOf', subject, after: { ended: ended.length } });
    afterCommit(tx, () => forgetSessions(ended));
    return ended.length;
  });
}

/** Locks the owner of sessions and factors until the end of the transaction, and returns its kind. @throws {ApiError} NOT_FOUND */
async function lockOwner(tx: Context, id: string): Promise<OwnerKind> {
  const kind = isUuid(id) ? await findOwnerKind(tx, id) : undefined;
  if (kind === undefined) throw missing(id);
  if (kind === 'ACCOUNT') await lockAccount(tx, id);
  await lockFactors(tx, id);
  return kind;
}

function missing(id: string): ApiError {
  return new ApiError('NOT_FOUND', { message: `There are neither sessions nor second factors of ${id}` });
}
