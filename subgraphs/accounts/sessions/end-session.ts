import { recordAudit } from '../../../shared/security/audit/record.js';
import { sessionIdOf, sessionOwnerOf } from '../../../shared/security/browser-session.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { lockPerson } from './lock-caller.js';
import { endSession as end, endSessions } from './session.store.js';

type ForgetSessions = (ids: readonly string[]) => void;

/** The session may be the calling one. @throws {ApiError} NOT_FOUND for a session that has ended, does not exist or belongs to someone else */
export async function endSession(context: Context, forgetSessions: ForgetSessions, id: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const owner = await lockPerson(tx);
    if (!isUuid(id) || !(await end(tx, owner.id, id, 'ENDED')))
      throw new ApiError('NOT_FOUND', { message: 'The account has no such session' });
    await recordAudit(tx, { action: 'endSession', subject: { type: 'session', id } });
    afterCommit(tx, () => forgetSessions([id]));
  });
}

export async function endOtherSessions(context: Context, forgetSessions: ForgetSessions): Promise<number> {
  return inTransaction(context, async (tx) => {
    const owner = await lockPerson(tx);
    const ids = await endSessions(tx, owner.id, 'ENDED', sessionIdOf(tx.principal));
    const subject = { type: owner.kind.toLowerCase(), id: owner.id };
    await recordAudit(tx, { action: 'endOtherSessions', subject, after: { ended: ids.length } });
    afterCommit(tx, () => forgetSessions(ids));
    return ids.length;
  });
}

/** Ends the calling session. Does nothing if it has ended in the meantime. */
export async function logout(context: Context, forgetSessions: ForgetSessions): Promise<void> {
  const [owner, id] = [sessionOwnerOf(context.principal), sessionIdOf(context.principal)];
  await inTransaction(context, async (tx) => {
    if (await end(tx, owner.id, id, 'LOGOUT'))
      await recordAudit(tx, { action: 'logout', subject: { type: 'session', id } });
    afterCommit(tx, () => forgetSessions([id]));
  });
}
