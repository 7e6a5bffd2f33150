import { data, id, instant, money, oneOf, text, whole, type DataSchema, type EventType } from './event-type.js';

const batchStatuses = ['DRAFT', 'SUBMITTED', 'PROCESSING', 'PROCESSED', 'REJECTED', 'CANCELLED'];
const contractStatus = (description: string) => oneOf(description, 'ACTIVE', 'SETTLED', 'DEFAULTED', 'WRITTEN_OFF');

const creditBatch = (more: Readonly<Record<string, DataSchema>> = {}) =>
  data({
    batchId: id('Id of the credit batch.'),
    patrimonyId: id('Id of the estate that receives the credits.'),
    status: oneOf('Status of the batch.', ...batchStatuses),
    receivableCount: whole('Number of receivables in the batch.'),
    totalFaceValue: money('Total face value of the receivables, in BRL.'),
    occurredAt: instant('Time of the event.'),
    ...more,
  });

const settlement = (more: Readonly<Record<string, DataSchema>> = {}) =>
  data({
    settlementBatchId: id('Id of the settlement batch.'),
    creditBatchId: id('Id of the credit batch whose receivables were paid.'),
    status: oneOf('Status of the settlement batch.', ...batchStatuses),
    settlementCount: whole('Number of payments in the batch.'),
    totalSettledAmount: money(
      'Total amount of the payments as they were sent, in BRL: also of those that repeat a recorded one and so reduce no balance.',
    ),
    occurredAt: instant('Time of the event.'),
    ...more,
  });

const reason = { reason: text('Reason in words.') };

const events: readonly (readonly [string, string, DataSchema])[] = [
  ['settlement.processed', 'A settlement batch was processed.', settlement()],
  ['settlement.failed', 'A settlement batch was rejected.', settlement(reason)],
  ['credit_batch.submitted', 'A credit batch was submitted.', creditBatch()],
  ['credit_batch.approved', 'A credit batch passed the eligibility checks.', creditBatch()],
  ['credit_batch.processed', 'A credit batch was processed: its receivables are assets of the estate.', creditBatch()],
  ['credit_batch.rejected', 'A credit batch was rejected.', creditBatch(reason)],
  [
    'settlement_batch.processed',
    'A settlement batch was processed; sent together with `settlement.processed`, with the same meaning.',
    settlement(),
  ],
  [
    'contract.status_changed',
    'The status of one contract changed.',
    data(
      {
        assetId: id('Id of the asset, which is that of the contract.'),
        contractId: id('Id of the contract, by which settlements name it: the same as `assetId`.'),
        externalId: text("Identifier of the contract in the originator's system."),
        patrimonyId: id('Id of its estate.'),
        previousStatus: contractStatus('Status before the change.'),
        status: contractStatus('Status since the change.'),
        currentBalance: money('Outstanding balance, in BRL.'),
      },
      { batchId: id('Id of its credit batch; absent without one.') },
    ),
  ],
];

/** Events of assigned credits and their settlement. */
export const creditEvents: readonly EventType[] = events.map(([name, meaning, schema]) => ({
  name,
  meaning,
  surface: 'CREDIT_ASSIGNMENT',
  data: schema,
}));
