import { identifyingText } from '../../../shared/identifying-text.js';
import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/errors.js';
import { originatorErrors, type OriginatorInput } from './originator.js';
import { lockOriginator, saveOriginator, type OriginatorRow } from './originator.store.js';

/**
 * Changes a client; undefined fields stay as they are. Requests of a suspended client are rejected.
 * @throws {ApiError} BAD_REQUEST, NOT_FOUND
 */
export async function changeOriginator(
  context: Context,
  forgetClient: (id: string) => void,
  originatorId: string,
  { name, rateLimit, status, accountId }: OriginatorInput,
): Promise<OriginatorRow> {
  refuse('BAD_REQUEST', originatorErrors({ name, rateLimit, status, accountId }));
  return inTransaction(context, async (tx) => {
    const row = await lockOriginator(tx, originatorId);
    const isSameAccount = accountId === undefined || accountId === row.accountId;
    const changed = {
      ...row,
      name: name == null ? row.name : identifyingText(name),
      rateLimit: rateLimit === undefined ? row.rateLimit : rateLimit,
      status: status ?? row.status,
      accountId: accountId === undefined ? row.accountId : accountId,
      // What an operator permitted to one account is not permitted to another.
      accountMaySend: isSameAccount && row.accountMaySend,
    };
    await saveOriginator(tx, changed);
    const subject = { type: 'originator', id: row.id };
    await recordAudit(tx, { action: 'changeOriginator', subject, before: row, after: changed });
    afterCommit(tx, () => forgetClient(row.id));
    return changed;
  });
}
