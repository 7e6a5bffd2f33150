import type { BatchKind } from '../batches/batch-kind.js';
import { sum } from '../../../shared/kernel/decimal.js';
import { batchErrorLoader, visibleBatchLoader } from '../batches/batch.store.js';
import { checkEligibility } from '../eligibility/check-eligibility.js';
import { contractsAt, openReceivables } from '../eligibility/eligibility.store.js';
import { requireAssignable } from '../estates/assignment.js';
import { creditBatchTable, type CreditBatchRow } from './credit-batch.store.js';

/** Batches of contracts that an originator assigns to an estate. Once one is accepted, its contracts are receivables of the estate. */
export const creditBatches: BatchKind<CreditBatchRow> = {
  ...creditBatchTable,
  name: 'credit batch',
  notFound: 'BATCH_NOT_FOUND',
  topics: {
    SUBMITTED: ['credit_batch.submitted'],
    APPROVED: ['credit_batch.approved'],
    PROCESSED: ['credit_batch.processed'],
    REJECTED: ['credit_batch.rejected'],
    CANCELLED: ['credit_batch.cancelled'],
  },
  pieceTopic: 'receivables.assigned',
  confirmationTopic: 'assets.registered',
  load: visibleBatchLoader(creditBatchTable),
  loadErrors: batchErrorLoader(creditBatchTable),
  eventData: ({ id, patrimonyId, lineCount, total }) => ({
    batchId: id,
    patrimonyId,
    receivableCount: lineCount,
    totalFaceValue: total,
  }),
  requireSubmittable: requireAssignable,
  check: checkEligibility,
  accept: (tx, { id }) => openReceivables(tx, id),
  piece: async (tx, { id, name, patrimonyId, originatorId }, from, count) => {
    const contracts = await contractsAt(tx, id, from, count);
    const receivables = contracts.map((contract) => ({
      id: contract.id,
      externalId: contract.externalId,
      debtorDocument: contract.debtorDocument,
      debtorName: contract.debtorName,
      faceValue: contract.faceValue,
      dueDate: contract.dueDate,
      type: contract.type,
      purchasePrice: contract.purchasePrice,
      interestRate: contract.interestRate,
      installments: contract.installments?.map(({ dueDate, principal, interest }) => ({
        dueDate,
        amount: sum([principal, interest]).toFixed(2),
      })) ?? [{ dueDate: contract.dueDate, amount: contract.faceValue }],
    }));
    return { batchName: name, patrimonyId, originatorId, receivables };
  },
};
