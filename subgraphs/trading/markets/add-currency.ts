import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../shared/kernel/errors.js';
import { errorAt } from '../../../shared/kernel/rule-error.js';
import { unless } from '../../../shared/kernel/unless.js';
import { insertCurrency, type CurrencyRow } from './market.store.js';

/**
 * Adds a currency, in which funds can be held from then on. Its decimals never change, since balances use them.
 * @throws {ApiError} BAD_REQUEST with every error; CONFLICT if the currency exists
 */
export async function addCurrency(context: Context, row: CurrencyRow): Promise<CurrencyRow> {
  const { code, decimals } = row;
  const isCode = /^[A-Z0-9]{2,12}$/.test(code);
  refuse('BAD_REQUEST', [
    ...unless(isCode, errorAt('code', 'CURRENCY_CODE', { min: 2, max: 12 })),
    ...unless(
      decimals >= 0 && decimals <= maxCurrencyDecimals,
      errorAt('decimals', 'NUMBER_RANGE', { min: 0, max: maxCurrencyDecimals }),
    ),
  ]);
  return inTransaction(context, async (tx) => {
    if (!(await insertCurrency(tx, row)))
      throw new ApiError('CONFLICT', { message: `The currency ${code} already exists` });
    await recordAudit(tx, { action: 'addCurrency', subject: { type: 'currency', id: code }, after: row });
    return row;
  });
}

const maxCurrencyDecimals = 18;
