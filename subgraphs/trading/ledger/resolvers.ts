import type { CursorCodec } from '../../../shared/cursor.js';
import { BalanceResolver } from './balance.resolver.js';
import { CorrectionResolver } from './corrections/correction.resolver.js';
import { FindingResolver } from './finding.resolver.js';
import { StatementResolver } from './statement.resolver.js';

/** Creates the resolvers of balances, statements, findings and corrections. @param cursors of statements */
export function ledgerResolvers(cursors: CursorCodec): readonly object[] {
  return [new BalanceResolver(), new StatementResolver(cursors), new FindingResolver(), new CorrectionResolver()];
}
