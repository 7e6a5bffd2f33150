import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { haltless, saveFindings, type Discrepancy } from './finding.store.js';
import { addHalts } from './halt.store.js';
import { newFindings } from './metrics.js';

/** Stores findings, halts their currencies (except for `haltless` ones), and reports new ones. */
export async function keepFindings(context: Context, found: readonly Discrepancy[]): Promise<void> {
  if (found.length === 0) return;
  const fresh = await inTransaction(context, async (tx) => {
    const halts = new Map(
      found.flatMap(({ currency, synthetic, invariant }) =>
        currency === null || synthetic === null || haltless.has(invariant)
          ? []
          : [[`${currency} ${String(synthetic)}`, { currency, synthetic, reason: `Reconciliation: ${invariant}` }]],
      ),
    );
    const added = await saveFindings(tx, found);
    if (halts.size > 0) await addHalts(tx, [...halts.values()]);
    return added;
  });
  // In an operator's mutation it is part of a transaction, and the findings are reported once that is committed.
  afterCommit(context, () => {
    for (const finding of fresh) {
      const words =
        haltless.get(finding.invariant) ?? 'An invariant of the ledger is violated: trading of the currency is halted';
      context.log.error({ finding }, words);
      newFindings.inc({ invariant: finding.invariant });
    }
  });
}
