import { lockSchedules } from '../../securities/schedule-lock.store.js';
import type { BatchKind, Rejection } from '../batches/batch-kind.js';
import { batchErrorLoader, visibleBatchLoader, maxErrors } from '../batches/batch.store.js';
import {
  keepReferences,
  moveBalances,
  settledEntries,
  lockPaidReceivables,
  requireKnownSchedules,
  settlementBatchTable,
  type SettlementBatchRow,
  storedEntries,
  type Refusal,
} from './settlement.store.js';
import type { Context } from '../../../shared/kernel/context.js';
import { byRule } from '../../../shared/kernel/errors.js';
import { paymentsInBody } from './check-settlements.js';
import { refusalOf, refusedBy } from './refused-payment.js';

/** Batches of payments that debtors made for receivables of a credit batch. Once one is accepted, the balances of the receivables are lower. */
export const settlementBatches: BatchKind<SettlementBatchRow> = {
  ...settlementBatchTable,
  name: 'settlement batch',
  notFound: 'SETTLEMENT_BATCH_NOT_FOUND',
  topics: {
    SUBMITTED: ['settlement_batch.submitted'],
    PROCESSED: ['settlement.processed', 'settlement_batch.processed'],
    REJECTED: ['settlement.failed'],
    CANCELLED: ['settlement_batch.cancelled'],
    PAYMENTS_REVERSED: ['settlement_batch.payments_reversed'],
  },
  pieceTopic: 'receivables.settled',
  confirmationTopic: 'assets.settled',
  load: visibleBatchLoader(settlementBatchTable),
  loadErrors: batchErrorLoader(settlementBatchTable),
  eventData: ({ id, creditBatchId, lineCount, total, totalSurplus, totalAbated }) => ({
    settlementBatchId: id,
    creditBatchId,
    settlementCount: lineCount,
    totalSettledAmount: total,
    totalSurplus,
    totalAbated,
  }),
  check: checkBalances,
  accept: async (tx, batch) => {
    await keepReferences(tx, batch.id);
    await moveBalances(tx, batch.id);
    return batch;
  },
  piece: async (tx, { id, ownerId }, from, count) => ({ ownerId, entries: await settledEntries(tx, id, from, count) }),
};

/** Receivables are locked before they are checked, so that one of two batches competing for a balance is rejected. */
async function checkBalances(
  tx: Context,
  { id, creditBatchId, lineCount }: SettlementBatchRow,
): Promise<Rejection | undefined> {
  await lockSchedules(tx, creditBatchId, 'SHARED');
  await lockPaidReceivables(tx, id);
  await requireKnownSchedules(tx, id);
  const { refused, total } = await refusalOf(tx, creditBatchId, await storedEntries(tx, id), maxErrors);
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
  if (kinds.has('UNFIT') || kinds.has('UNCLOSED') || kinds.has('DISCOUNT')) return 'SETTLEMENTS_REFUSED';
  if (kinds.has('REVERSED') && kinds.has('CHANGED')) return 'PAYMENTS_REFUSED_REVERSED_CHANGED';
  if (kinds.has('REVERSED')) return 'PAYMENTS_REFUSED_REVERSED';
  return kinds.has('CHANGED') ? 'PAYMENTS_REFUSED_CHANGED' : 'PAYMENTS_REFUSED';
}
