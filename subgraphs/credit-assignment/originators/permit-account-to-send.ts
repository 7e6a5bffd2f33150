import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';
import { lockOriginator, saveOriginator, type OriginatorRow } from './originator.store.js';

/** Permits people of the linked account to send for a client, or withdraws that. @throws {ApiError} NOT_FOUND, UNPROCESSABLE for a client without an account */
export async function permitAccountToSend(
  context: Context,
  originatorId: string,
  accountMaySend: boolean,
): Promise<OriginatorRow> {
  return inTransaction(context, async (tx) => {
    const row = await lockOriginator(tx, originatorId);
    if (accountMaySend && row.accountId === null)
      throw new ApiError('UNPROCESSABLE', byRule('ORIGINATOR_WITHOUT_ACCOUNT'));
    const changed = { ...row, accountMaySend };
    await saveOriginator(tx, changed);
    const subject = { type: 'originator', id: row.id };
    await recordAudit(tx, { action: 'permitAccountToSend', subject, before: row, after: changed });
    return changed;
  });
}
