import type { Context } from '../../../shared/context.js';

/** The time at which all open orders of a wallet are cancelled, unless the timer is set again before. */
export interface CancelTimer {
  readonly walletId: string;
  readonly firesAt: Date;
}

export async function setTimer({ manager }: Context, { walletId, firesAt }: CancelTimer): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.cancel_timers (wallet_id, fires_at) VALUES ($1, $2)
     ON CONFLICT (wallet_id) DO UPDATE SET fires_at = excluded.fires_at`,
    [walletId, firesAt],
  );
}

/** Removes a timer; with `dueAt`, one that was set again meanwhile stays. */
export async function removeTimer({ manager }: Context, walletId: string, dueAt?: Date): Promise<void> {
  await manager.execute(
    'DELETE FROM trading.cancel_timers WHERE wallet_id = $1 AND ($2::timestamptz IS NULL OR fires_at <= $2)',
    [walletId, dueAt ?? null],
  );
}

/** Lists the timers that are due. */
export function dueTimers({ manager, clock }: Context, limit: number): Promise<CancelTimer[]> {
  return manager.rows(
    `SELECT wallet_id AS "walletId", fires_at AS "firesAt" FROM trading.cancel_timers WHERE fires_at <= $1
     ORDER BY fires_at LIMIT $2`,
    [clock.now(), limit],
  );
}
