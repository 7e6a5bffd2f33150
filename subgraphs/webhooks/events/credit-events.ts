import { data, id, instant, money, oneOf, text, whole, type DataSchema, type EventType } from './event-type.js';

const batchStatuses = ['DRAFT', 'SUBMITTED', 'PROCESSING', 'PROCESSED', 'REJECTED', 'CANCELLED'];
const contractStatus = (description: string) => oneOf(description, 'ACTIVE', 'SETTLED', 'DEFAULTED', 'WRITTEN_OFF');

const creditBatch = (more: Readonly<Record<string, DataSchema>> = {}) =>
  data({
    batchId: id('The credit batch.'),
    patrimonyId: id('The estate that receives the credits.'),
    status: oneOf('State of the batch.', ...batchStatuses),
    receivableCount: whole('Receivables in the batch.'),
    totalFaceValue: money('Face value of all of them, in BRL.'),
    occurredAt: instant('When it happened.'),
    ...more,
  });

const settlement = (more: Readonly<Record<string, DataSchema>> = {}) =>
  data({
    settlementBatchId: id('The settlement batch.'),
    creditBatchId: id('The credit batch whose receivables were paid.'),
    status: oneOf('State of the settlement batch.', ...batchStatuses),
    settlementCount: whole('Payments in the batch.'),
    totalSettledAmount: money('All of them together, in BRL.'),
    occurredAt: instant('When it happened.'),
    ...more,
  });

const reason = { reason: text('Why, in words.') };

const events: readonly (readonly [string, string, DataSchema])[] = [
  ['settlement.processed', 'A settlement batch was processed.', settlement()],
  ['settlement.failed', 'A settlement batch could not be processed.', settlement(reason)],
  ['credit_batch.submitted', 'A credit batch was submitted.', creditBatch()],
  ['credit_batch.approved', 'A credit batch passed the eligibility checks.', creditBatch()],
  ['credit_batch.processed', 'A credit batch was processed: its receivables are assets of the estate.', creditBatch()],
  ['credit_batch.rejected', 'A credit batch was rejected.', creditBatch(reason)],
  [
    'settlement_batch.processed',
    'A settlement batch was processed; what `settlement.processed` says too.',
    settlement(),
  ],
  [
    'contract.status_changed',
    'The status of one contract changed.',
    data({
      assetId: id('The asset that the contract is.'),
      externalId: text("The contract in the originator's system."),
      patrimonyId: id('Its estate.'),
      previousStatus: contractStatus('Before the change.'),
      status: contractStatus('Since the change.'),
      currentBalance: money('Outstanding balance, in BRL.'),
    }),
  ],
];

/** Events of assigned credits and their settlement. */
export const creditEvents: readonly EventType[] = events.map(([name, meaning, schema]) => ({
  name,
  meaning,
  surface: 'credit assignment',
  data: schema,
}));
