import { recordAudit } from '../../../../shared/audit/record.js';
import type { Context } from '../../../../shared/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { ApiError } from '../../../../shared/errors.js';
import { isUuid } from '../../../../shared/ids.js';
import { requireReason } from '../../../../shared/reason.js';
import { byRule } from '../../../../shared/rule-error.js';
import { wakeTransfers } from '../wake.js';
import { lockDeposit, type DepositRow } from './deposit.store.js';
import { moveDeposit } from './move-deposit.js';
import { takeBack } from './take-back.js';

/** The resolution of a deposit in quarantine. */
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
