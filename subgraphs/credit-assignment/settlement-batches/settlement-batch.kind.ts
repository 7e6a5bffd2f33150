import type { BatchKind } from '../batches/batch-kind.js';
import { batchErrorLoader, visibleBatchLoader } from '../batches/batch-list.store.js';
import { checkBalances } from './check-balances.js';
import { keepReferences, moveBalances, settledEntries } from './settle.store.js';
import { settlementBatchTable, type SettlementBatchRow } from './settlement-batch.store.js';

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
  eventData: ({ id, creditBatchId, lineCount, total }) => ({
    settlementBatchId: id,
    creditBatchId,
    settlementCount: lineCount,
    totalSettledAmount: total,
  }),
  check: checkBalances,
  accept: async (tx, { id }) => {
    await keepReferences(tx, id);
    await moveBalances(tx, id);
  },
  piece: async (tx, { id, ownerId }, from, count) => ({
    ownerId,
    entries: await settledEntries(tx, id, from, count),
  }),
};
