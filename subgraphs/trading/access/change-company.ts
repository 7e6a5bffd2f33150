import { identifyingText } from '../../../shared/identifying-text.js';
import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/errors.js';
import { changedTerms, companyIssues, type CompanyInput } from './company.js';
import { lockCompany, saveCompany, type CompanyRow } from './company.store.js';

/**
 * Changes a company; undefined fields stay as they are. From the next request on, a suspended company can read and cancel, but open nothing new.
 * @throws {ApiError} BAD_REQUEST, NOT_FOUND
 */
export async function changeCompany(context: Context, id: string, input: CompanyInput): Promise<CompanyRow> {
  refuse('BAD_REQUEST', companyIssues(input));
  const { name, rateLimit, accountId, status, terms } = input;
  return inTransaction(context, async (tx) => {
    const row = await lockCompany(tx, id);
    const changed = {
      ...row,
      ...changedTerms(row, terms ?? {}),
      name: name == null ? row.name : identifyingText(name),
      rateLimit: rateLimit === undefined ? row.rateLimit : rateLimit,
      accountId: accountId === undefined ? row.accountId : accountId,
      status: status ?? row.status,
    };
    await saveCompany(tx, changed);
    const subject = { type: 'tradingCompany', id: row.id };
    await recordAudit(tx, { action: 'changeTradingCompany', subject, before: row, after: changed });
    return changed;
  });
}
