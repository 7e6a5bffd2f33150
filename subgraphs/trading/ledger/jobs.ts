import type { Job } from '../../../shared/work/scheduler.js';
import { makeEntryMonths } from './ledger.store.js';
import { proveLedger, reconcileBalances } from './reconcile.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { BalanceResolver, FindingResolver, StatementResolver } from './ledger.resolver.js';
import { CorrectionResolver } from './corrections/correction.resolver.js';

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

/**
 * Creates the resolvers of balances, statements, findings and corrections.
 * @param cursors of statements
 * @param reconcileCustody compares the balances in custody with the ledger, and stores what it finds
 */
export function ledgerResolvers(
  cursors: CursorCodec,
  reconcileCustody: (context: Context) => Promise<void>,
): readonly object[] {
  return [
    new BalanceResolver(),
    new StatementResolver(cursors),
    new FindingResolver(reconcileCustody),
    new CorrectionResolver(),
  ];
}
