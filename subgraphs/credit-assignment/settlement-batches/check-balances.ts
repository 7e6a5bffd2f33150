import type { Context } from '../../../shared/context.js';
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
  return {
    reason: `${reasonOf(refused)}: ${total} of ${lineCount}`,
    errorCount: total,
    errors: refused.map((one) => {
      const [field, { code, message, messagePt }] = refusedBy(one);
      const path = paymentsInBody(one.position, field);
      return { index: one.position, externalId: one.externalId, path, message, field, rule: code, messagePt };
    }),
  };
}

function reasonOf(refused: Refusal['refused']): string {
  const kinds = new Set(refused.map(({ kind }) => kind));
  return [
    'Payments exceed the open balances of their receivables',
    ...(kinds.has('REVERSED') ? ['repeat the reference of a reversed payment'] : []),
    ...(kinds.has('CHANGED') ? ['differ from the payments recorded with their references'] : []),
  ].join(', or ');
}
