import { recordAudit } from '../../../../shared/audit/record.js';
import type { Context } from '../../../../shared/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { lockCompany } from '../../access/company.store.js';
import { hasAllowList, saveAllowList } from './allow-list.store.js';

/**
 * Restricts a company's withdrawals to addresses on its list, or lifts the restriction.
 * @throws {ApiError} NOT_FOUND
 */
export async function requireAllowList(context: Context, companyId: string, required: boolean): Promise<void> {
  await inTransaction(context, async (tx) => {
    const { id } = await lockCompany(tx, companyId);
    const before = await hasAllowList(tx, id);
    await saveAllowList(tx, id, required);
    await recordAudit(tx, {
      action: 'requireWithdrawalList',
      subject: { type: 'tradingCompany', id },
      before: { required: before },
      after: { required },
    });
  });
}
