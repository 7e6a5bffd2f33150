import type { ActName } from '../../../shared/registry.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { sessionIdOf, type SessionOwner } from '../../../shared/security/browser-session.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';
import { findBrowserSession, noteProof } from '../browser-sessions/browser-session.store.js';
import { endTokenSessions, liveSessionIds } from '../sessions/session.store.js';
import { lockPerson } from '../sessions/lock-caller.js';
import { type FactorMail, notifyFactorOwner, type NoticeParts } from './factor.mails.js';
import {
  isEnrolled,
  lockFactors,
  readHeldFactors,
  removeCodes,
  replaceCodes,
  type HeldFactors,
} from './factor.store.js';
import { newRecoveryCode, recoveryCodeCount, recoveryCodeHash } from './recovery-code.js';

export interface FactorChange {
  readonly action: ActName;
  readonly mail: FactorMail;
}

interface Changed<T> {
  readonly result: T;
  readonly audit: object;
  /** How many sessions by token it has ended. */
  readonly endedTokens?: number;
}

export interface ChangeParts extends NoticeParts {
  /** Called after the commit of a change, so that this process does not wait to read what sessions may do now. */
  readonly forgetSessions: (ids: readonly string[]) => void;
}

/**
 * Changes the factors of the caller in one transaction, one change of an owner at a time, with the audit entry and the notice.
 * @param change makes the change
 * @throws {ApiError} UNAUTHORIZED when the session has ended; SECOND_FACTOR_REQUIRED when another session has added the first factor since this one was
 *   checked; and what `change` throws
 */
async function changeFactors<T>(
  context: Context,
  parts: ChangeParts,
  { action, mail }: FactorChange,
  change: (tx: Context, owner: SessionOwner) => Promise<Changed<T>>,
): Promise<T> {
  return inTransaction(context, async (tx) => {
    const owner = await lockPerson(tx);
    await lockFactors(tx, owner.id);
    const before = await readHeldFactors(tx, owner.id);
    await requireProof(tx, before);
    // Before the change: it may end some of them.
    const sessions = await liveSessionIds(tx, owner.id);
    const { result, audit, endedTokens = 0 } = await change(tx, owner);
    const after = await readHeldFactors(tx, owner.id);
    await recordAudit(tx, {
      action,
      subject: { type: owner.kind.toLowerCase(), id: owner.id },
      before: countsOf(before),
      after: { ...audit, ...countsOf(after) },
    });
    await notifyFactorOwner(tx, parts, owner, (reader, moment) => mail(reader, moment, endedTokens));
    afterCommit(tx, () => parts.forgetSessions(sessions));
    return result;
  });
}

/** Checks again, under the lock: a session that was read before the owner had a factor would add or remove one without having proved any. */
async function requireProof(tx: Context, held: HeldFactors): Promise<void> {
  const session = await findBrowserSession(tx, sessionIdOf(tx.principal));
  if (session === undefined) throw new ApiError('UNAUTHORIZED');
  if (isEnrolled(held) && session.secondFactorAt === null) throw new ApiError('SECOND_FACTOR_REQUIRED');
}

/** The factor was just proved: the session needs no other proof. The first factor comes with recovery codes, which are returned, and ends sessions by token: they needed only a password, and would bypass the factor. */
export async function addFactor(
  context: Context,
  parts: ChangeParts,
  change: FactorChange,
  add: (tx: Context, owner: SessionOwner) => Promise<object>,
): Promise<readonly string[]> {
  return changeFactors(context, parts, change, async (tx, owner) => {
    const first = !isEnrolled(await readHeldFactors(tx, owner.id));
    const audit = await add(tx, owner);
    await noteProof(tx, sessionIdOf(tx.principal));
    if (!first) return { result: [], audit };
    const endedTokens = (await endTokenSessions(tx, owner.id, 'ENDED')).length;
    return { result: await issueCodes(tx, owner.id), audit: { ...audit, endedSessions: endedTokens }, endedTokens };
  });
}

/** Removes the recovery codes with the last one. @param isRequired whether the owner must have a second factor @throws {ApiError} CONFLICT for the last one then */
export async function removeFactor(
  context: Context,
  parts: ChangeParts,
  change: FactorChange,
  {
    isRequired,
    remove,
  }: {
    readonly isRequired: boolean;
    readonly remove: (tx: Context, owner: SessionOwner) => Promise<object>;
  },
): Promise<void> {
  await changeFactors(context, parts, change, async (tx, owner) => {
    const audit = await remove(tx, owner);
    if (!isEnrolled(await readHeldFactors(tx, owner.id))) {
      if (isRequired) throw new ApiError('CONFLICT', byRule('LAST_FACTOR'));
      await removeCodes(tx, owner.id);
    }
    return { result: undefined, audit };
  });
}

/** Replaces the recovery codes of the caller, and returns the new ones. @throws {ApiError} CONFLICT without a second factor */
export async function replaceRecoveryCodes(
  context: Context,
  parts: ChangeParts,
  mail: FactorMail,
): Promise<readonly string[]> {
  return changeFactors(context, parts, { action: 'replaceRecoveryCodes', mail }, async (tx, owner) => {
    if (!isEnrolled(await readHeldFactors(tx, owner.id)))
      throw new ApiError('CONFLICT', byRule('CODES_WITHOUT_FACTOR'));
    return { result: await issueCodes(tx, owner.id), audit: {} };
  });
}

async function issueCodes(tx: Context, ownerId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await replaceCodes(
    tx,
    ownerId,
    codes.flatMap((code) => recoveryCodeHash(code) ?? []),
  );
  return codes;
}

function countsOf({ passkeys, totp, codes }: HeldFactors) {
  return { passkeys, totp, recoveryCodes: codes };
}
