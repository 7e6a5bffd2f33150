import type { Context } from '../../../shared/context.js';
import { keepFindings } from '../ledger/keep-findings.js';
import type { ChangedFill } from './fill.store.js';

/**
 * Stores a finding for each fill that its venue has corrected: what was booked stays, and an operator books the difference.
 * @param isSynthetic returns the world of an order by its id at the venue
 */
export async function keepChangedFills(
  tx: Context,
  changed: readonly ChangedFill[],
  isSynthetic: (clientOrderId: string) => boolean,
): Promise<void> {
  const findings = changed.map(({ fill: { venue, tradeId, clientOrderId, symbol }, recorded, reported }) => ({
    invariant: 'VENUE_BALANCE' as const,
    currency: symbol.split('/')[0] ?? null,
    synthetic: isSynthetic(clientOrderId),
    subject: `venue ${venue}, trade ${tradeId}`.slice(0, 200),
    expected: recorded,
    actual: reported,
  }));
  await keepFindings(tx, findings);
}
