import type { Job } from '../../../../shared/scheduler.js';
import type { DatabaseGauge } from '../../../../shared/metrics.js';
import type { Custodies } from '../custody/custody.js';
import { readReady } from './withdrawal.store.js';

/** Grows as long as a withdrawal that is ready cannot leave: while no custody is connected, or its currency is halted. */
export const oldestReadyWithdrawal: DatabaseGauge = {
  name: 'trading_oldest_ready_withdrawal_seconds',
  help: 'Seconds for which the oldest withdrawal of real funds has been READY; 0 when there is none.',
  read: async (context) => (await readReady(context)).oldestSeconds,
};

/**
 * Reports real withdrawals that are READY while no custody is connected. They wait for one, and are listed by `transferWithdrawals`;
 * `rejectWithdrawal` releases their funds.
 */
export function strandedWithdrawalsJob(custodies: Custodies): Job {
  return {
    name: 'trading.stranded-withdrawals',
    cron: '*/10 * * * *',
    atStart: true,
    run: async (context) => {
      if (custodies.real !== undefined) return;
      const { count, oldestSeconds } = await readReady(context);
      if (count > 0) context.log.error({ count, oldestSeconds }, 'Withdrawals are ready, but no custody is connected');
    },
  };
}
