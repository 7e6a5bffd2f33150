import { money, type Parameter, type Route } from '../route.js';
import {
  acts,
  cancelRow,
  idOf,
  keyConflicts,
  largestBatchBody,
  listRow,
  reads,
  submitRow,
  type BatchRows,
} from './batches.js';
import { settlementFile } from './cnab444.js';

const settlementBatches: BatchRows = {
  base: '/tidc/v1/settlement-batches',
  noun: 'settlement batch',
  missing: 'The client has no such settlement batch (code 3001).',
  id: { description: 'Id of the settlement batch.' },
  example: { path: { id: '0190a000-0000-7000-8000-000000000005' } },
};
const { base } = settlementBatches;

const creditBatchId = idOf('Id of the credit batch that assigned the contracts. It is PROCESSED.');

const settlements: Parameter = {
  description: 'The payments, 1 to 50,000. Several of one contract are partial payments, in their order.',
  schema: { minItems: 1, maxItems: 50_000 },
  rule: 'must have from 1 to 50000 items',
  members: {
    contractId: idOf('Id of the receivable: that of the contract in its credit batch.'),
    settledAmount: {
      description: 'What was received in BRL, greater than 0 and at most what is open. Less is a partial payment.',
      schema: money,
    },
    settledDate: {
      description:
        'When it was received: not before the day on which the credit batch was PROCESSED, and not in the future, in São Paulo.',
    },
    paymentReference: {
      description:
        'What the client calls this payment of the contract. Sent again with the same amount and day, in whatever batch, it is the payment that is recorded (`repeated` is true) and is not taken off again. With another amount or day, or once that payment was `reversed`: 422. A payment that takes the place of a reversed one needs another reference.',
      schema: { minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9._:/-]{1,100}$' },
      rule: 'must have from 1 to 100 letters, digits, dots, hyphens, underscores, colons and slashes',
    },
  },
};

const draft: Parameter = {
  description: 'Whether the batch stays a DRAFT until it is submitted; it is SUBMITTED at once when omitted.',
};

const exampleCredit = '0190a000-0000-7000-8000-000000000002';

export const settlementRoutes: readonly Route[] = [
  {
    ...acts,
    path: base,
    operation: 'createSettlementBatch',
    status: 201,
    bodyLimit: largestBatchBody,
    summary: 'Create a settlement batch',
    description:
      'Registers payments that debtors made for assigned contracts. The batch can be cancelled for some seconds; then it is processed, and becomes PROCESSED or REJECTED, whole: PROCESSED once the balances of the assets have followed. Receivables, assets, their payment histories and the summary follow. Send an idempotency key.',
    answer: 'The batch was created.',
    faults: {
      404: 'The client has no such credit batch (code 2001).',
      409: `The credit batch is not PROCESSED (code 2002), ${keyConflicts}`,
      422: 'A contract is none of the credit batch, an amount is not greater than 0, a day is before the assignment or in the future, a payment is not what its reference was recorded with, or its reference is that of a payment which was reversed, or the payments of a receivable are more than is open of it; with code 3002 when a receivable was already settled. All such errors at once.',
    },
    parameters: { creditBatchId, settlements, draft },
    textBody: settlementFile(creditBatchId),
    example: {
      body: {
        creditBatchId: exampleCredit,
        settlements: [
          { contractId: '0190a000-0000-7000-8000-000000000004', settledAmount: 1_250.75, settledDate: '2026-11-19' },
        ],
        draft: true,
      },
    },
  },
  listRow(settlementBatches, 'settlementBatchList', {
    creditBatchId: idOf('Only batches of the credit batch with this id.'),
    patrimonyId: idOf('Only batches of the estate with this id.'),
  }),
  {
    ...reads,
    path: `${base}/:id`,
    operation: 'settlementBatchDetail',
    summary: 'See a settlement batch',
    description:
      'A batch with all its payments and, where it was rejected, what was wrong with them: the first 1,000 errors.',
    answer: 'The batch.',
    faults: { 404: settlementBatches.missing },
    parameters: { id: settlementBatches.id },
    example: settlementBatches.example,
  },
  submitRow(settlementBatches, 'submitSettlementBatch'),
  cancelRow(settlementBatches, 'cancelSettlementBatch'),
];
