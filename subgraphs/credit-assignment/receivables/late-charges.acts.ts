import { inTransaction } from '../../../shared/database/transaction.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { returnLateCharges } from './reversal.store.js';

/** @throws {ApiError} BAD_REQUEST for the reason, CONFLICT where there is nothing to reverse */
export async function reverseLateCharges(
  context: Context,
  receivableId: string,
  batchId: string,
  reason: string,
): Promise<string> {
  const said = requireReason(reason);
  return inTransaction(context, async (tx) => {
    const returned =
      isUuid(receivableId) && isUuid(batchId) ? await returnLateCharges(tx, receivableId, batchId) : '0.00';
    if (new Decimal(returned).isZero())
      throw new ApiError('CONFLICT', {
        message:
          'The batch brought no late charges alone for this receivable, or they were reversed, or are on their way to the asset',
      });
    const subject = { type: 'asset', id: receivableId };
    await recordAudit(tx, { action: 'reverseLateCharges', subject, after: { batchId, returned }, reason: said });
    return returned;
  });
}
