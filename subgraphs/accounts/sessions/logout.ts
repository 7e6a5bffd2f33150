import { recordAudit } from '../../../shared/security/audit/record.js';
import { sessionIdOf, sessionOwnerOf } from '../../../shared/security/browser-session.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { endSession } from './session.store.js';

/** Ends the calling session. Does nothing if it has ended in the meantime. */
export async function logout(context: Context, forgetSessions: (ids: readonly string[]) => void): Promise<void> {
  const [owner, id] = [sessionOwnerOf(context.principal), sessionIdOf(context.principal)];
  await inTransaction(context, async (tx) => {
    if (await endSession(tx, owner.id, id, 'LOGOUT')) {
      await recordAudit(tx, { action: 'logout', subject: { type: 'session', id } });
    }
    afterCommit(tx, () => forgetSessions([id]));
  });
}
