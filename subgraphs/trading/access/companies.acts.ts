import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import { openWallets, type FundWallet } from '../profiles/profiles.acts.js';
import { changedTerms, companyIssues, usualTerms, type CompanyInput } from './company.js';
import { insertCompany, type CompanyRow, lockCompany, saveCompany, unlinkCompanies } from './access.store.js';
import { onAccountsDeleted } from '../../../shared/events/outbox/outbox.js';

/** The company can log in once it has a credential. @throws {ApiError} BAD_REQUEST */
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

/** Undefined fields stay. From the next request on, a suspended company can read and cancel, but open nothing new. @throws {ApiError} BAD_REQUEST, NOT_FOUND */
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

/** Unlinks companies from deleted accounts, in the relay's transaction; their trades stay. */
export const unlinkTradingAccounts = onAccountsDeleted(unlinkCompanies);
