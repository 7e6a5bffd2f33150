import type { Context } from '../../../shared/kernel/context.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { canBeTicker } from '../../../shared/kernel/ticker.js';
import { trancheColumns, type TrancheRow } from './tranche.store.js';
import type { TrancheStatus } from './tranche.js';

export type LockedTranche = TrancheRow & { readonly patrimonyTicker: string };

/**
 * Locks the series with a ticker, ignoring case, until the transaction ends.
 * @throws {ApiError} NOT_FOUND
 */
export async function lockTranche({ manager }: Context, ticker: string): Promise<LockedTranche> {
  const row = await manager.row<LockedTranche>(
    `SELECT ${trancheColumns}, (SELECT p.ticker FROM tokenization.patrimonies p
       WHERE p.id = patrimony_id) AS "patrimonyTicker"
     FROM tokenization.tranches WHERE lower(ticker) = lower($1) FOR NO KEY UPDATE`,
    [canBeTicker(ticker) ? ticker : null],
  );
  return requireFound(row, `There is no series ${ticker}`);
}

/** Counts the instalments of a series, and the unpaid ones. */
export async function countInstalments(
  { manager }: Context,
  trancheId: string,
): Promise<{ readonly instalments: number; readonly unpaid: number }> {
  const row = await manager.row<{ instalments: number; unpaid: number }>(
    `SELECT count(*)::integer AS instalments, (count(*) FILTER (WHERE status <> 'PAID'))::integer AS unpaid
     FROM tokenization.schedule_entries WHERE tranche_id = $1`,
    [trancheId],
  );
  return row ?? { instalments: 0, unpaid: 0 };
}

export async function setTrancheStatus({ manager, clock }: Context, id: string, status: TrancheStatus): Promise<void> {
  await manager.execute('UPDATE tokenization.tranches SET status = $2, updated_at = $3 WHERE id = $1', [
    id,
    status,
    clock.now(),
  ]);
}

/** Raises the policy version of a series, so that its prices are computed again from its start. */
export async function raisePolicyVersion({ manager, clock }: Context, id: string): Promise<void> {
  await manager.execute(
    'UPDATE tokenization.tranches SET policy_version = policy_version + 1, updated_at = $2 WHERE id = $1',
    [id, clock.now()],
  );
}
