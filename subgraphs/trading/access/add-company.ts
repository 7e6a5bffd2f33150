import { identifyingText } from '../../../shared/identifying-text.js';
import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import { openWallets, type FundWallet } from '../profiles/open-wallets.js';
import { changedTerms, companyIssues, usualTerms, type CompanyInput } from './company.js';
import { insertCompany, type CompanyRow } from './company.store.js';

/**
 * Onboards a company, with its own wallets. It can log in once it has a credential.
 * @throws {ApiError} BAD_REQUEST
 */
export async function addCompany(
  context: Context,
  fund: FundWallet,
  { name, rateLimit, accountId, terms }: Omit<CompanyInput, 'status'> & { readonly name: string },
): Promise<CompanyRow> {
  refuse('BAD_REQUEST', companyIssues({ name, rateLimit, accountId, terms }));
  return inTransaction(context, async (tx) => {
    const createdAt = tx.clock.now();
    const row = {
      ...changedTerms(usualTerms, terms ?? {}),
      id: newId(createdAt.getTime()),
      name: identifyingText(name),
      accountId: accountId ?? null,
      rateLimit: rateLimit ?? null,
      status: 'ACTIVE',
      createdAt,
    } as const;
    await insertCompany(tx, row);
    await openWallets(tx, fund, { companyId: row.id, profileId: null });
    await recordAudit(tx, { action: 'addTradingCompany', subject: { type: 'tradingCompany', id: row.id }, after: row });
    return row;
  });
}
