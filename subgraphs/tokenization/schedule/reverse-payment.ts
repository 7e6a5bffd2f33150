import { findActBehind } from '../../../shared/audit/acts-behind.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { requireNoImport } from '../../../shared/import/lock.js';
import { requireTakenBack, takeBack } from '../../../shared/import/revert.js';
import { requireReason } from '../../../shared/reason.js';
import { tokenizationImport } from '../import/domain.js';
import { lockTranche } from '../tranches/tranche-writes.store.js';
import { lockInstalment } from './schedule-writes.store.js';
import type { ScheduleEntryRow } from './schedule.store.js';

/**
 * Reverses the payment of an instalment: restores its previous state, and shows the price of a series again that this payment ended. The payment stays in the
 * history, with the reason.
 * @throws {ApiError} BAD_REQUEST for an empty reason, NOT_FOUND for an unknown instalment, CONFLICT for one that is not paid, one of a series that is CLOSED,
 *   or one without an audit log entry of its payment; UNPROCESSABLE if it changed since
 */
export async function reversePayment(
  context: Context,
  ticker: string,
  installmentNumber: number,
  reason: string,
): Promise<ScheduleEntryRow> {
  const said = requireReason(reason);
  return inTransaction(context, async (tx) => {
    await requireNoImport(tx);
    const tranche = await lockTranche(tx, ticker);
    const label = `payment of instalment ${installmentNumber} of ${tranche.ticker}`;
    const instalment = await lockInstalment(tx, tranche, installmentNumber);
    if (instalment.status !== 'PAID') throw new ApiError('CONFLICT', { message: 'The instalment is not paid' });
    if (tranche.status === 'CLOSED')
      throw new ApiError('CONFLICT', { message: 'The series is CLOSED: its payments cannot be reversed' });
    const id = await findActBehind(tx, 'recordPayment', {
      table: 'tokenization.schedule_entries',
      row: 'tranche_id = $2 AND installment_number = $3',
      values: [tranche.id, installmentNumber],
    });
    if (id === undefined)
      throw new ApiError('CONFLICT', {
        message: `The ${label} was not recorded by an operator, or before operations were logged: import the right schedule with --correct`,
      });
    requireTakenBack(
      await takeBack(tx, [tokenizationImport], { id, action: 'reversePayment', label }, { reason: said }),
    );
    return lockInstalment(tx, tranche, installmentNumber);
  });
}
