import type { Context } from '../../../shared/context.js';
import { byRule } from '../../../shared/rule-error.js';
import type { Rejection } from '../batches/batch-kind.js';
import { maxErrors } from '../batches/batch.store.js';
import { paymentsInBody } from './check-settlements.js';
import { refusedBy } from './refused-payment.js';
import { lockPaidReceivables } from './settle.store.js';
import type { SettlementBatchRow } from './settlement-batch.store.js';
import { refusalOfBatch, type Refusal } from './settlement.store.js';

/**
 * Checks the payments of a batch against the open balances. Receivables are locked before they are checked, so that of two batches competing for one
 * balance one is rejected.
 */
export async function checkBalances(
  tx: Context,
  { id, creditBatchId, lineCount }: SettlementBatchRow,
): Promise<Rejection | undefined> {
  await lockPaidReceivables(tx, id);
  const { refused, total } = await refusalOfBatch(tx, creditBatchId, id, maxErrors);
  if (total === 0) return undefined;
  const { message: reason, rule, values } = byRule(ruleOf(refused), { count: total, total: lineCount });
  return {
    reason,
    rules: [{ rule, values }],
    errorCount: total,
    errors: refused.map((one) => {
      const [field, { code, message, messagePt }] = refusedBy(one);
      const path = paymentsInBody(one.position, field);
      return { index: one.position, externalId: one.externalId, path, message, field, rule: code, messagePt };
    }),
  };
}

/** The balances are named in each case, since a payment that the rejection does not list may exceed one. */
function ruleOf(refused: Refusal['refused']) {
  const kinds = new Set(refused.map(({ kind }) => kind));
  if (kinds.has('REVERSED') && kinds.has('CHANGED')) return 'PAYMENTS_REFUSED_REVERSED_CHANGED';
  if (kinds.has('REVERSED')) return 'PAYMENTS_REFUSED_REVERSED';
  return kinds.has('CHANGED') ? 'PAYMENTS_REFUSED_CHANGED' : 'PAYMENTS_REFUSED';
}
