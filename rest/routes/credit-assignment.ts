import { money, printable, type Parameter, type Route } from '../route.js';
import {
  acts,
  cancelRow,
  idOf,
  keyConflicts,
  largestBatchBody,
  listRow,
  noDraft,
  reads,
  submitRow,
  type BatchRows,
} from './batches.js';
import { assignmentFile } from './cnab444.js';
import { pageSize, taxId } from './parameters.js';
import { receivableRoutes } from './receivables.js';

const creditBatches: BatchRows = {
  base: '/tidc/v1/credit-batches',
  noun: 'credit batch',
  missing: 'The client has no such credit batch (code 2001).',
  id: { description: 'Id of the credit batch.' },
  example: { path: { id: '0190a000-0000-7000-8000-000000000002' } },
};
const { base, missing, id, example } = creditBatches;

const patrimonyId = idOf('Id of the estate that is to receive the credits.');

const contracts: Parameter = {
  description: 'The contracts, 1 to 50,000.',
  schema: { minItems: 1, maxItems: 50_000 },
  rule: 'must have from 1 to 50000 items',
  members: {
    externalId: {
      description:
        "The contract in the originator's system, 1 to 100 characters without a blank at an end and without control characters. Each once in a batch.",
      schema: { minLength: 1, maxLength: 100, pattern: printable.trimmed },
      rule: 'must have from 1 to 100 characters, no blank at an end and no control character',
    },
    debtorDocument: taxId('CPF (11 digits) or CNPJ (14 digits, or letters and digits in upper case) of the debtor.'),
    faceValue: { description: 'Face value in BRL, greater than 0.', schema: money },
    dueDate: { description: 'When it is due: a day in the future, in São Paulo.' },
  },
};

const exampleContracts = [
  { externalId: 'CCB-2026-000123', debtorDocument: '52998224725', faceValue: 15_000.5, dueDate: '2031-01-31' },
  { externalId: 'CCB-2026-000124', debtorDocument: '11222333000181', faceValue: 250_000, dueDate: '2032-06-30' },
];

const notPermitted = 'The operator has not permitted the client to assign credits to the estate.';
const takesNothing = 'The estate is CLOSED, or has no eligibility criteria and so takes in nothing.';
const meaning =
  'Check digits are wrong, a face value is not greater than 0, a due date is not in the future; all such errors at once.';

export const creditBatchRoutes: readonly Route[] = [
  {
    ...acts,
    path: base,
    operation: 'createCreditBatch',
    status: 201,
    bodyLimit: largestBatchBody,
    summary: 'Create a credit batch',
    description:
      'Creates a batch in DRAFT. Whether its contracts are eligible, and assigned nowhere else, is checked when it is processed. Send an idempotency key.',
    answer: 'The batch was created.',
    faults: {
      403: notPermitted,
      409: `An external id comes twice (code 2003), ${keyConflicts}`,
      422: `There is no such estate. ${takesNothing} ${meaning}`,
    },
    parameters: { patrimonyId, contracts },
    textBody: assignmentFile(patrimonyId),
    example: { body: { patrimonyId: '0190a000-0000-7000-8000-000000000003', contracts: exampleContracts } },
  },
  listRow(creditBatches, 'creditBatchList', { patrimonyId: idOf('Only batches for the estate with this id.') }),
  {
    ...reads,
    path: `${base}/:id`,
    operation: 'creditBatchDetail',
    summary: 'See a credit batch',
    description:
      'A batch with all its contracts and, where it was rejected, what was wrong with them: the first 1,000 errors. With `contracts=false` without its contracts: 50,000 of them are 10 MB.',
    answer: 'The batch.',
    absent: ['contracts'],
    faults: { 404: missing },
    parameters: {
      id,
      contracts: {
        description: 'Whether its contracts are wanted: `true` when omitted, or `false`.',
        schema: { type: 'boolean', default: true },
        rule: 'must be true or false',
      },
    },
    example,
  },
  {
    ...reads,
    path: `${base}/:id/check`,
    operation: 'creditBatchCheck',
    summary: 'Check a credit batch before it is submitted',
    description:
      'A dry run: what processing would say of a batch in DRAFT or SUBMITTED at this moment, with the same sentences: check digits, due dates, the eligibility criteria of the estate, its status and permit, contracts that are assigned in another batch. Nothing is written.',
    answer: 'Whether it would be assigned, and the first 1,000 errors.',
    faults: { 404: missing, 409: 'The batch is neither DRAFT nor SUBMITTED (code 2002).' },
    parameters: { id },
    example,
  },
  {
    ...acts,
    path: `${base}/:id/contracts`,
    operation: 'addContracts',
    bodyLimit: largestBatchBody,
    summary: 'Add contracts to a credit batch',
    description: 'Adds contracts to a batch in DRAFT, behind those that it has; it can have 50,000 in all.',
    answer: 'The batch as it is now.',
    faults: {
      403: notPermitted,
      404: missing,
      409: `${noDraft}, an external id comes twice or is in it already (code 2003), ${keyConflicts}`,
      422: `It would have more than 50,000 contracts. ${takesNothing} ${meaning}`,
    },
    parameters: { id, contracts },
    example: {
      ...example,
      body: { contracts: exampleContracts.map((one) => ({ ...one, externalId: `${one.externalId}-B` })) },
    },
  },
  {
    ...acts,
    method: 'PUT',
    path: `${base}/:id/contracts`,
    operation: 'replaceContracts',
    bodyLimit: largestBatchBody,
    summary: 'Replace the contracts of a credit batch',
    description: 'Gives a batch in DRAFT other contracts, in the place of all that it has. Their ids are new.',
    answer: 'The batch as it is now.',
    faults: {
      403: notPermitted,
      404: missing,
      409: `${noDraft}, an external id comes twice (code 2003), ${keyConflicts}`,
      422: `${takesNothing} ${meaning}`,
    },
    parameters: { id, contracts },
    example: { ...example, body: { contracts: exampleContracts } },
  },
  {
    ...acts,
    method: 'DELETE',
    path: `${base}/:id/contracts/:externalId`,
    operation: 'removeContract',
    summary: 'Remove a contract of a credit batch',
    description:
      'Removes one contract of a batch in DRAFT; those behind it move up. A batch keeps one contract at least.',
    answer: 'The batch as it is now.',
    faults: {
      404: 'The client has no such credit batch (code 2001), or the batch no such contract.',
      409: `${noDraft}.`,
      422: 'It is the only contract of the batch.',
    },
    parameters: { id, externalId: { description: "The contract in the originator's system, percent-encoded." } },
    example: { path: { ...example.path, externalId: 'CCB-2026-000124' } },
  },
  submitRow(creditBatches, 'submitCreditBatch', { 403: notPermitted, 422: takesNothing }),
  cancelRow(creditBatches, 'cancelCreditBatch'),
  {
    ...reads,
    path: `${base}/:id/receivables`,
    operation: 'receivableList',
    summary: 'List the receivables of a credit batch',
    description: 'Its contracts in the order in which they came, page by page, with what is still to be paid.',
    answer: 'A page of receivables.',
    absent: ['nextToken'],
    faults: { 404: missing },
    parameters: {
      id,
      limit: pageSize(),
      nextToken: { description: '`nextToken` of the page before. Omitted: the first page.' },
    },
    example: { ...example, query: { limit: '20' } },
  },
  ...receivableRoutes,
];
