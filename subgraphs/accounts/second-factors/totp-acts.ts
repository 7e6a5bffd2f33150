import type { Context } from '../../../shared/context.js';
import { sessionOwnerOf } from '../../../shared/browser-session.js';
import type { KeyRing } from '../../../shared/crypto.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { byRule, errorAt } from '../../../shared/rule-error.js';
import { addFactor, removeFactor, type ChangeParts } from './change-factors.js';
import { totpAddedMail, totpRemovedMail } from './factor.mails.js';
import { confirmTotpRow, deleteTotp, findTotp, lockFactors, startTotp } from './factor.store.js';
import { sealedTotpSecret } from './sealed-totp-secret.js';
import { matchTotp, newTotpSecret, totpAddress, totpText } from './totp.js';

export interface TotpParts extends ChangeParts {
  readonly keyRing: KeyRing;
}

/** The secret of a new authenticator application, which is shown once. */
export interface StartedTotp {
  /** In base32, as a person types it. */
  readonly secret: string;
  /** As an application reads it from a QR code. */
  readonly address: string;
}

/**
 * Makes the secret of an authenticator application for the caller, in place of one that was not confirmed. It counts once `confirmTotp` has proved it.
 * @param account the name that the application shows
 * @throws {ApiError} CONFLICT when there is a confirmed one
 */
export async function beginTotp(context: Context, { keyRing }: TotpParts, account: string): Promise<StartedTotp> {
  const secret = newTotpSecret();
  const sealed = keyRing.seal(sealedTotpSecret, secret.toString('base64url'));
  const owner = sessionOwnerOf(context.principal);
  const started = await inTransaction(context, async (tx) => {
    await lockFactors(tx, owner.id);
    return startTotp(tx, owner, sealed);
  });
  if (!started) throw new ApiError('CONFLICT', byRule('TOTP_EXISTS'));
  return { secret: totpText(secret), address: totpAddress(secret, account) };
}

/**
 * Confirms the authenticator application of the caller by its first code, and returns recovery codes if it is the first factor.
 * @throws {ApiError} UNPROCESSABLE for a wrong code, or without an application that waits for one
 */
export async function confirmTotp(context: Context, parts: TotpParts, code: string): Promise<readonly string[]> {
  return addFactor(context, parts, { action: 'confirmTotp', mail: totpAddedMail }, async (tx, owner) => {
    const row = await findTotp(tx, owner.id);
    const waits = row?.confirmedAt === null;
    const secret = waits ? Buffer.from(parts.keyRing.open(sealedTotpSecret, row.secret), 'base64url') : undefined;
    const step = secret && matchTotp(secret, code, tx.clock.now(), 0);
    if (step === undefined || !(await confirmTotpRow(tx, owner.id, step)))
      refuse('UNPROCESSABLE', [errorAt('code', waits ? 'TOTP_WRONG' : 'TOTP_NOT_BEGUN')]);
    return {};
  });
}

/** Removes the authenticator application of the caller. @throws {ApiError} NOT_FOUND, and CONFLICT for the last factor of an owner who must have one */
export async function removeTotp(context: Context, parts: TotpParts, isRequired: boolean): Promise<void> {
  await removeFactor(
    context,
    parts,
    { action: 'removeTotp', mail: totpRemovedMail },
    {
      isRequired,
      remove: async (tx, owner) => {
        if (!(await deleteTotp(tx, owner.id)))
          throw new ApiError('NOT_FOUND', { message: 'There is no authenticator application' });
        return {};
      },
    },
  );
}
