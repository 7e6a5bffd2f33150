import { onAccountsDeleted } from '../../../shared/outbox/payloads.js';
import { unlinkCompanies } from './company.store.js';

/** Unlinks companies from deleted accounts, in the relay's transaction; their trades stay. */
export const unlinkTradingAccounts = onAccountsDeleted(unlinkCompanies);
