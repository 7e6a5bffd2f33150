import { money, type Parameter, type Route } from '../route.js';
import { settlementFile } from './cnab444.js';

const signed = { tag: 'Credit assignment', credential: 'signature', bucket: 'client' } as const;
const reads = { ...signed, method: 'GET', status: 200 } as const;
const acts = { ...signed, method: 'POST', status: 200 } as const;

const base = '/tidc/v1/settlement-batches';
const uuid = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';
const noBatch = 'The client has no such settlement batch (code 3001).';

const id: Parameter = { description: 'Id of the settlement batch.' };
const example = { path: { id: '0190a000-0000-7000-8000-000000000005' } };

const creditBatchId: Parameter = {
  description: 'Id of the credit batch that assigned the contracts. It is PROCESSED.',
  schema: { pattern: uuid },
  rule: 'must be a UUID',
};

const settlements: Parameter = {
  description: 'The payments, 1 to 50,000. Several of one contract are partial payments, in their order.',
  schema: { minItems: 1, maxItems: 50_000 },
  rule: 'must have from 1 to 50000 items',
  members: {
    contractId: {
      description: 'Id of the receivable: that of the contract in its credit batch.',
      schema: { pattern: uuid },
      rule: 'must be a UUID',
    },
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

const page: Parameter = {
  description: 'Page, from 1; 1 when omitted. A page after the last has no batches.',
  schema: { type: 'integer', minimum: 1, maximum: 999_999_999, default: 1 },
  rule: 'must be a whole number from 1 to 999999999',
};

const limit: Parameter = {
  description: 'Batches per page, 1 to 100; 20 when omitted.',
  schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  rule: 'must be a whole number from 1 to 100',
};

const status: Parameter = {
  description: 'Only batches that stand here.',
  rule: 'must be one of DRAFT, SUBMITTED, PROCESSING, PROCESSED, REJECTED, CANCELLED',
};

const exampleCredit = '0190a000-0000-7000-8000-000000000002';

export const settlementRoutes: readonly Route[] = [
  {
    ...acts,
    path: base,
    operation: 'createSettlementBatch',
    status: 201,
    bodyLimit: 10 * 1_048_576,
    summary: 'Create a settlement batch',
    description:
      'Registers payments that debtors made for assigned contracts. The batch can be cancelled for some seconds; then it is processed, and becomes PROCESSED or REJECTED, whole: PROCESSED once the balances of the assets have followed. Receivables, assets, their payment histories and the summary follow. Send an idempotency key.',
    answer: 'The batch was created.',
    faults: {
      404: 'The client has no such credit batch (code 2001).',
      409: 'The credit batch is not PROCESSED (code 2002), or the idempotency key conflicts.',
      422: 'A contract is none of the credit batch, an amount is not greater than 0, a day is before the assignment or in the future, a payment is not what its reference was recorded with, or its reference is that of a payment which was reversed, or the payments of a receivable are more than is open of it; with code 3002 when a receivable was already settled. All such errors at once.',
    },
    parameters: { creditBatchId, settlements, draft },
    textBodies: [settlementFile(creditBatchId)],
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
  {
    ...reads,
    path: base,
    operation: 'settlementBatchList',
    summary: 'List settlement batches',
    description: "The client's own settlement batches, the newest first.",
    answer: 'A page of batches.',
    faults: {},
    parameters: {
      page,
      limit,
      status,
      creditBatchId: { ...creditBatchId, description: 'Only batches of the credit batch with this id.' },
      patrimonyId: { ...creditBatchId, description: 'Only batches of the estate with this id.' },
      from: { description: 'Created on this day or later, in São Paulo.' },
      to: { description: 'Created on this day or earlier, in São Paulo.' },
    },
    example: { query: { status: 'DRAFT', page: '1', limit: '20' } },
  },
  {
    ...reads,
    path: `${base}/:id`,
    operation: 'settlementBatchDetail',
    summary: 'See a settlement batch',
    description:
      'A batch with all its payments and, where it was rejected, what was wrong with them: the first 1,000 errors.',
    answer: 'The batch.',
    faults: { 404: noBatch },
    parameters: { id },
    example,
  },
  {
    ...acts,
    path: `${base}/:id/submit`,
    operation: 'submitSettlementBatch',
    summary: 'Submit a settlement batch',
    description: 'Moves a batch from DRAFT to SUBMITTED.',
    answer: 'The batch, submitted.',
    faults: { 404: noBatch, 409: 'The batch is no draft (code 2002), or the idempotency key conflicts.' },
    parameters: { id },
    example,
  },
  {
    ...acts,
    path: `${base}/:id/cancel`,
    operation: 'cancelSettlementBatch',
    summary: 'Cancel a settlement batch',
    description: 'Cancels a batch in DRAFT or SUBMITTED, for good.',
    answer: 'The batch, cancelled.',
    faults: {
      404: noBatch,
      409: 'The batch stands elsewhere, or is cancelled already (code 2002), or the idempotency key conflicts.',
    },
    parameters: { id },
    example,
  },
];
