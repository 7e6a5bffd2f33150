import type { BatchKind } from '../batches/batch-kind.js';
import { sum } from '../../../shared/kernel/decimal.js';
import { batchErrorLoader, visibleBatchLoader } from '../batches/batch.store.js';
import { checkEligibility } from '../eligibility/check-eligibility.js';
import { contractsAt, openReceivables } from '../eligibility/eligibility.store.js';
import { requireAssignable } from '../estates/assignment.js';
import { creditBatchTable, decisionOf, type CreditBatchRow } from './credit-batch.store.js';

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
  eventData: (batch) => {
    const { id, patrimonyId, mode, lineCount, total, totalPurchasePrice } = batch;
    const priced = totalPurchasePrice === null ? {} : { totalPurchasePrice };
    const own = { batchId: id, patrimonyId, mode, receivableCount: lineCount, totalFaceValue: total, ...priced };
    const { acceptedCount, acceptedFaceValue, refusedCount, refusedFaceValue } = decisionOf(batch);
    return acceptedCount === null ? own : { ...own, acceptedCount, acceptedFaceValue, refusedCount, refusedFaceValue };
  },
  requireSubmittable: requireAssignable,
  check: checkEligibility,
  accept: async (tx, batch) => ({ ...batch, ...(await openReceivables(tx, batch.id)) }),
  piece: async (tx, { id, name, patrimonyId, originatorId }, from, count) => {
    const contracts = await contractsAt(tx, id, from, count);
    const assigned = contracts.filter(({ status }) => status === 'OPEN');
    const receivables = assigned.map((contract) => ({
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
