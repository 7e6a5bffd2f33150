import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { BalanceResolver } from './balance.resolver.js';
import { CorrectionResolver } from './corrections/correction.resolver.js';
import { FindingResolver } from './finding.resolver.js';
import { StatementResolver } from './statement.resolver.js';

export interface LedgerResolverParts {
  /** Of statements. */
  readonly cursors: CursorCodec;
  /** Compares the balances in custody with the ledger, and stores what it finds. */
  readonly reconcileCustody: (context: Context) => Promise<void>;
}

/** Creates the resolvers of balances, statements, findings and corrections. */
export function ledgerResolvers({ cursors, reconcileCustody }: LedgerResolverParts): readonly object[] {
  return [
    new BalanceResolver(),
    new StatementResolver(cursors),
    new FindingResolver(reconcileCustody),
    new CorrectionResolver(),
  ];
}
