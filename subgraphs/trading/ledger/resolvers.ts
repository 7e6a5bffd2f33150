import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { BalanceResolver, FindingResolver, StatementResolver } from './ledger.resolver.js';
import { CorrectionResolver } from './corrections/correction.resolver.js';

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
