import { recordAudit } from '../../../../shared/audit/record.js';
import type { Context } from '../../../../shared/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { Decimal } from '../../../../shared/decimal.js';
import { errorAt } from '../../../../shared/rule-error.js';
import { unless } from '../../../../shared/unless.js';
import { refuse } from '../../../../shared/errors.js';
import { lockCompany } from '../../access/company.store.js';
import { networksOf } from '../networks.js';
import { lockDailyLimit, saveDailyLimit } from './limit.store.js';

export interface DailyLimit {
  readonly companyId: string;
  readonly currency: string;
  /** Decimal text in the currency, not below zero; null lifts the limit. */
  readonly daily: string | null;
}

/**
 * Limits a company's withdrawals of a currency in 24 hours, for all its profiles together.
 * @throws {ApiError} BAD_REQUEST for an unknown currency or an amount out of bounds; NOT_FOUND
 */
export async function setDailyLimit(context: Context, { companyId, currency, daily }: DailyLimit): Promise<void> {
  const isBounded =
    daily === null || (new Decimal(daily).greaterThanOrEqualTo(0) && new Decimal(daily).lessThan('1e24'));
  refuse('BAD_REQUEST', [
    ...unless(networksOf(currency).length > 0, errorAt('currency', 'NOT_WITHDRAWABLE')),
    ...unless(isBounded, errorAt('daily', 'NUMBER_BELOW', { min: 0, limit: '10^24' })),
  ]);
  await inTransaction(context, async (tx) => {
    const company = await lockCompany(tx, companyId);
    const which = { companyId: company.id, currency };
    const before = await lockDailyLimit(tx, which);
    await saveDailyLimit(tx, which, daily);
    await recordAudit(tx, {
      action: 'setWithdrawalLimit',
      subject: { type: 'tradingCompany', id: company.id },
      before: { currency, daily: before ?? null },
      after: { currency, daily },
    });
  });
}
