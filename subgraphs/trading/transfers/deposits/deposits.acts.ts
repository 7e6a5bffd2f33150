import { recordAudit } from '../../../../shared/security/audit/record.js';
import type { Context } from '../../../../shared/kernel/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { ApiError } from '../../../../shared/kernel/errors.js';
import { isUuid } from '../../../../shared/kernel/ids.js';
import { requireReason } from '../../../../shared/kernel/reason.js';
import { byRule } from '../../../../shared/kernel/rule-error.js';
import { wakeTransfers } from '../wake.js';
import { lockDeposit, type DepositRow } from './deposit.store.js';
import { moveDeposit } from './move-deposit.js';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import { listAvailable } from '../../ledger/ledger.store.js';

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

export type DepositResolution = 'REVERSED' | 'WRITTEN_OFF';

/**
 * Resolves a deposit that its network dropped after the client had spent it: the rest of the credit is taken back (REVERSED), or as much of it
 * as the client has, and the house bears what is missing then (WRITTEN_OFF). The wallet may withdraw again.
 * @throws {ApiError} BAD_REQUEST; NOT_FOUND; CONFLICT for a deposit that is not in quarantine; INSUFFICIENT_BALANCE if the client still has less
 */
export async function resolveDeposit(
  context: Context,
  id: string,
  outcome: DepositResolution,
  reason: string,
): Promise<DepositRow> {
  const resolution = requireReason(reason);
  return inTransaction(context, async (tx) => {
    const row = isUuid(id) ? await lockDeposit(tx, id) : undefined;
    if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such deposit' });
    if (row.state !== 'QUARANTINED') throw new ApiError('CONFLICT', byRule('DEPOSIT_NOT_HELD', { state: row.state }));
    const held = { ...row, resolution };
    const after =
      outcome === 'REVERSED'
        ? await moveDeposit(tx, held, 'REVERSE', { takenBack: row.credited })
        : await takeBack(tx, held, 'WRITE_OFF');
    await recordAudit(tx, {
      action: 'resolveDeposit',
      subject: { type: 'deposit', id: row.id },
      before: { state: row.state, takenBack: row.takenBack },
      after: { state: after.state, takenBack: after.takenBack, reason: resolution },
    });
    wakeTransfers(tx);
    return after;
  });
}
