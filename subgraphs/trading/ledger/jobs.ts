import type { Job } from '../../../shared/work/scheduler.js';
import { makeEntryMonths } from './ledger.store.js';
import { proveLedger, reconcileBalances } from './reconcile.js';

/** The scheduled jobs of the ledger. */
export const ledgerJobs: readonly Job[] = [
  {
    name: 'trading.entry-months',
    cron: '7 2 * * *',
    atStart: true,
    run: async (context) => {
      await makeEntryMonths(context);
    },
  },
  {
    name: 'trading.reconcile',
    cron: '* * * * *',
    run: async (context) => {
      await reconcileBalances(context);
    },
  },
  {
    name: 'trading.prove-ledger',
    cron: '23 3 * * *',
    run: async (context) => {
      await proveLedger(context);
    },
  },
];
