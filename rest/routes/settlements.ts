import { amount, printable, type Parameter, type Route } from '../route.js';
import {
  acts,
  cancelRow,
  idOf,
  keyConflicts,
  largestBatchBody,
  listRow,
  readsWhole,
  readsWholeText,
  submitRow,
  type BatchRows,
} from './batches.js';
import { settlementFiles } from './batch-texts.js';

const settlementBatches: BatchRows = {
  base: '/tidc/v1/settlement-batches',
  noun: 'settlement batch',
  missing: 'The client has no such settlement batch (code 3001).',
  id: { description: 'Id of the settlement batch.' },
  example: { path: { id: '0190a000-0000-7000-8000-000000000005' } },
};
const { base } = settlementBatches;

const creditBatchId = idOf('Id of the PROCESSED credit batch that assigned the contracts.');

const settlements: Parameter = {
  description:
    'The payments, 1 to 50,000. Several payments of one contract are partial payments, applied in their order.',
  schema: { minItems: 1, maxItems: 50_000 },
  rule: 'must have from 1 to 50000 items',
  members: {
    contractId: idOf('Id of the receivable: the id of the contract in its credit batch.'),
    settledAmount: {
      description:
        'Amount in BRL by which the balance falls, at most the open balance. A smaller amount is a partial payment; 0 only with a `PAYMENT` that has a surplus.',
      schema: amount,
    },
    kind: {
      description:
        '`PAYMENT` when it is omitted. `ABATEMENT`: the debtor owes less, and nothing was received; it is in no sum of receipts. `DISCOUNT`: what an early payment or repurchase of the same day and batch need not pay, at most what the rate of the contract gives. `REPURCHASE`: the assignor buys the receivable back, which is closed; a receipt. `SUBSTITUTION`: `substituteId` takes the place of the receivable, which is closed; no receipt.',
      rule: 'must be PAYMENT, ABATEMENT, DISCOUNT, REPURCHASE or SUBSTITUTION',
    },
    surplus: {
      description:
        'Late interest and fines in BRL that were received with a payment beyond the open balance, which does not fall by them; 0 when it is omitted, and for what is no receipt.',
      schema: amount,
    },
    settledDate: {
      description:
        'Day on which the payment was received, in São Paulo: not before the base date of the contract, or without one the day on which the credit batch was PROCESSED, and not in the future.',
    },
    paymentReference: {
      description:
        'Reference of this payment of the contract, chosen by the client. A payment with a recorded reference and the same kind, amounts and day, in any batch, is that recorded payment (`repeated` is true) and is not deducted again. With others, or if that payment was `reversed`: 422. A payment that replaces a reversed one needs another reference.',
      schema: { minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9._:/-]{1,100}$' },
      identifies: true,
      rule: 'must have from 1 to 100 letters, digits, dots, hyphens, underscores, colons and slashes',
    },
    reason: {
      description: 'Reason, 1 to 200 characters; required with DISCOUNT, REPURCHASE and SUBSTITUTION.',
      schema: { minLength: 1, maxLength: 200, pattern: printable.trimmed },
      rule: 'must have from 1 to 200 characters that can all be seen',
    },
    substituteId: idOf(
      'Required with SUBSTITUTION, and only there: id of another open receivable of the client and estate that owes at least as much, is not in the batch, and takes no other place.',
    ),
  },
};

const draft: Parameter = {
  description: 'Whether the batch stays a DRAFT until it is submitted; when omitted, it is SUBMITTED immediately.',
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
      'Registers payments of debtors for assigned contracts. With `draft: true`, and from a text body, the batch stays in DRAFT until it is submitted; otherwise it is SUBMITTED at once, can be cancelled for some seconds, and is then processed as a whole: PROCESSED or REJECTED. It is PROCESSED once the balances of the assets are updated; the receivables, the payment histories of the assets and the summary are updated too. Send an idempotency key.',
    response: 'The batch was created.',
    errors: {
      404: 'The client has no such credit batch (code 2001).',
      409: `The credit batch is not PROCESSED (code 2002), ${keyConflicts}`,
      422: 'A contract is not in the credit batch, an amount is not greater than 0, nor 0 with a surplus, a surplus is negative or of an abatement, a day is before the base date or the assignment, or in the future, a payment differs from the recorded one with its reference, its reference belongs to a reversed payment, the payments of a receivable exceed its open balance, a repurchase or substitution leaves a part open, a substitute cannot take the place, or a discount is above what the rate gives; with code 3002 when a receivable was already settled. Amounts and days are checked first, then contracts and balances, then discounts; all errors of the first stage that fails are listed.',
    },
    parameters: { creditBatchId, settlements, draft },
    textBodies: settlementFiles(creditBatchId),
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
    ...readsWhole,
    path: `${base}/:id`,
    operation: 'settlementBatchDetail',
    missing: { code: 'SETTLEMENT_BATCH_NOT_FOUND' },
    summary: 'Get a settlement batch',
    description: `A batch with all its payments and, if it was rejected, the first 1,000 errors. \`settlements=false\` omits the payments. ${readsWholeText}`,
    response: 'The batch.',
    errors: { 404: settlementBatches.missing },
    parameters: {
      id: settlementBatches.id,
      settlements: {
        description: 'Whether the response has the payments; `true` when omitted.',
        schema: { type: 'boolean', default: true },
        rule: 'must be true or false',
      },
    },
    example: settlementBatches.example,
  },
  submitRow(settlementBatches, 'submitSettlementBatch'),
  cancelRow(settlementBatches, 'cancelSettlementBatch'),
];
