import type { Context } from '../../../../shared/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { Decimal } from '../../../../shared/decimal.js';
import { ApiError } from '../../../../shared/errors.js';
import { listAvailable } from '../../ledger/balance.store.js';
import type { DepositRow } from './deposit.store.js';
import { moveDeposit } from './move-deposit.js';

/** Attempts to take back what a client has, which may become less between the read and the posting. */
const mostAttempts = 3;

/**
 * Takes the credit of a deposit back, which is locked, as far as the client still has it. A deposit that is taken back whole is REVERSED.
 * @param otherwise what happens to it where the client has less
 * @throws {ApiError} INSUFFICIENT_BALANCE if the client spends faster than can be followed
 */
export async function takeBack(
  tx: Context,
  row: DepositRow,
  otherwise: 'QUARANTINE' | 'WRITE_OFF',
): Promise<DepositRow> {
  for (let attempt = 1; ; attempt += 1) {
    const [available = '0'] = await listAvailable(tx, [row]);
    const takenBack = Decimal.min(row.credited, new Decimal(row.takenBack).plus(available));
    const event = takenBack.equals(row.credited) ? 'REVERSE' : otherwise;
    try {
      return await inTransaction(tx, (nested) => moveDeposit(nested, row, event, { takenBack: takenBack.toFixed() }));
    } catch (error) {
      const isSpent = error instanceof ApiError && error.code === 'INSUFFICIENT_BALANCE';
      if (!isSpent || attempt === mostAttempts) throw error;
    }
  }
}
