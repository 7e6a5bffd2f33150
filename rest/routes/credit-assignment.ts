import { amount, money, printable, type Parameter, type Route } from '../route.js';
import {
  acts,
  cancelRow,
  idOf,
  keyConflicts,
  largestBatchBody,
  listRow,
  noDraft,
  reads,
  readsWhole,
  readsWholeText,
  submitRow,
  type BatchRows,
} from './batches.js';
import { assignmentFiles, mode } from './batch-texts.js';
import { pageSize, taxId } from './parameters.js';

const limit = pageSize();

const receivableRoutes: readonly Route[] = [
  {
    ...reads,
    path: '/tidc/v1/receivables',
    operation: 'receivableLookup',
    summary: 'Find receivables by their external id',
    description: "The client's contracts with an external id, in all batches, newest first.",
    response: 'A page of receivables; empty if there are none.',
    parameters: {
      externalId: {
        description: "Id of the contract in the originator's system.",
        schema: { minLength: 1, maxLength: 100 },
        rule: 'must have from 1 to 100 characters',
      },
      limit,
      nextToken: { description: '`nextToken` of the previous page. Omitted: the first page.' },
    },
    example: { query: { externalId: 'CCB-2026-000123', limit: '20' } },
  },
  {
    ...reads,
    path: '/tidc/v1/receivables/:id',
    operation: 'receivableDetail',
    missing: { message: 'There is no such receivable' },
    summary: 'Get a receivable',
    description: 'A contract of one of the batches, with its open balance.',
    response: 'The receivable.',
    errors: { 404: 'The client has no such receivable.' },
    parameters: { id: { description: 'Id of the receivable.' } },
    example: { path: { id: '0190a000-0000-7000-8000-000000000004' } },
  },
  {
    ...reads,
    path: '/tidc/v1/receivable-statements/:month',
    operation: 'receivableStatement',
    summary: 'Get the statement of a month',
    description:
      'What became of the receivables of the client in a month, by the time at which it was recorded: a month that is over does not change. A reversal counts in its own month, against what it reverses. `openBefore` + `assigned` + `renegotiated` − (`received` − `surplus`) − `abated` − `writtenOff` is `openBalance`, to which the bands of `aging` add up.',
    response: 'The statement.',
    errors: { 404: 'The account of the key is linked with no such client.' },
    parameters: {
      month: {
        description: 'The month, as `YYYY-MM`; not in the future.',
        schema: { type: 'string', pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' },
        rule: 'must be a month, as YYYY-MM',
      },
      originatorId: idOf('Id of the client; needed only by keys of an account that is linked with several.'),
      patrimonyId: idOf('Only receivables of the estate with this id. Omitted: all estates.'),
    },
    example: { path: { month: '2026-08' } },
  },
];

const creditBatches: BatchRows = {
  base: '/tidc/v1/credit-batches',
  noun: 'credit batch',
  missing: 'The client has no such credit batch (code 2001).',
  id: { description: 'Id of the credit batch.' },
  example: { path: { id: '0190a000-0000-7000-8000-000000000002' } },
};
const { base, missing, id, example } = creditBatches;

const patrimonyId = idOf('Id of the estate to which the credits are assigned.');

/** Most instalments of a contract: forty years of months. */
const mostInstallments = 480;

const contracts: Parameter = {
  description: 'The contracts, 1 to 50,000.',
  schema: { minItems: 1, maxItems: 50_000 },
  rule: 'must have from 1 to 50000 items',
  members: {
    externalId: {
      description:
        "Id of the contract in the originator's system, 1 to 100 characters that can be seen. It is kept in Unicode's form NFC, with each blank as a space and none at the ends. Unique in the batch.",
      schema: { minLength: 1, maxLength: 100, pattern: printable.trimmed },
      identifies: true,
      rule: 'must have from 1 to 100 characters that can all be seen',
    },
    debtorDocument: taxId('CPF (11 digits) or CNPJ (14 digits, or letters and digits in upper case) of the debtor.'),
    faceValue: { description: 'Face value in BRL, greater than 0.', schema: money },
    dueDate: { description: 'Due date: a day in the future, in São Paulo; of the last instalment.' },
    debtorName: {
      description: 'Name of the debtor, 1 to 200 characters that can be seen.',
      schema: { minLength: 1, maxLength: 200, pattern: printable.trimmed },
      identifies: true,
      rule: 'must have from 1 to 200 characters that can all be seen',
    },
    debtorUf: {
      description: 'State (UF) of the debtor, for limits by state.',
      schema: { pattern: '^(A[CLMP]|BA|CE|DF|ES|GO|M[AGST]|P[ABEIR]|R[JNORS]|S[CEP]|TO)$' },
      rule: 'must be a state of Brazil, as SP',
    },
    purchasePrice: {
      description: 'Price that the estate pays for the contract, in BRL, greater than 0.',
      schema: money,
    },
    baseDate: {
      description:
        'Day of which the price is: not in the future in São Paulo, and before the due date. Omitted: the day on which the batch is created.',
    },
    interestRate: {
      description: 'Interest rate in percent a year; needs `dayCount`.',
      schema: { type: 'number', 'x-decimals': 8, minimum: 0, maximum: 999_999 },
    },
    dayCount: {
      description: 'Day count of the rate, and of the yield; the yield counts by CIVIL_365 when it is omitted.',
      rule: 'must be BUS252, CIVIL_365 or CIVIL_360',
    },
    installments: {
      description:
        'Instalments by number, 1 to 480. Their principal is the face value in all (422), and the last due date is that of the contract (422). Omitted: one instalment of the face value.',
      schema: { minItems: 1, maxItems: mostInstallments },
      rule: `must have from 1 to ${mostInstallments} items`,
      members: {
        number: {
          description: 'Its place, from 1 (422).',
          schema: { type: 'integer', minimum: 1, maximum: mostInstallments },
        },
        dueDate: {
          description:
            'Due date, after that of the instalment before it; of the first, after the base date, or else today.',
        },
        principal: { description: 'Principal in BRL.', schema: amount },
        interest: { description: 'Interest in BRL; with the principal it is greater than 0.', schema: amount },
      },
    },
    coobligation: { description: 'Whether the assignor answers for the debtor.' },
    assignorDocument: taxId('CPF or CNPJ of the assignor, where it is not the originator itself.'),
    invoiceKey: {
      description:
        'Access key of the invoice (NF-e): 44 digits, the last of which is its check digit (422); those of the CNPJ may be letters. With one `dueDate` it is assigned once.',
      schema: { pattern: '^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$' },
      rule: 'must be the access key of an invoice, 44 digits',
    },
    type: {
      description: 'Type of the asset that it becomes; CCB when omitted.',
      rule: 'must be CCB, CRI, CRA, DEBENTURE or PRECATORIO',
    },
  },
};

const exampleContracts = [
  { externalId: 'CCB-2026-000123', debtorDocument: '52998224725', faceValue: 15_000.5, dueDate: '2031-01-31' },
  {
    ...{ externalId: 'CCB-2026-000124', debtorDocument: '11222333000181', faceValue: 250_000, dueDate: '2032-06-30' },
    ...{ debtorName: 'Comercial Exemplo Ltda.', debtorUf: 'SP', purchasePrice: 231_400.25, baseDate: '2026-08-03' },
    ...{ interestRate: 18.5, dayCount: 'BUS252', coobligation: true },
    installments: [
      { number: 1, dueDate: '2031-06-30', principal: 125_000, interest: 46_250 },
      { number: 2, dueDate: '2032-06-30', principal: 125_000, interest: 23_125 },
    ],
  },
];

const notPermitted = 'The client has no permit to assign credits to the estate; an operator grants it.';
const takesNothing = 'The estate is CLOSED, or has no eligibility criteria and so accepts no credits.';
const meaning =
  'Check digits are wrong, an amount is not greater than 0, a day is not where it must be, or instalments do not make up the contract; all such errors are listed. By `ELIGIBLE_ONLY` they refuse only their contracts, when the batch is processed.';

export const creditBatchRoutes: readonly Route[] = [
  {
    ...acts,
    path: base,
    operation: 'createCreditBatch',
    status: 201,
    bodyLimit: largestBatchBody,
    summary: 'Create a credit batch',
    description:
      'Creates a batch in DRAFT. Processing checks whether its contracts are eligible and not assigned elsewhere. Send an idempotency key.',
    response: 'The batch was created.',
    errors: {
      403: notPermitted,
      409: `An external id is used twice (code 2003), ${keyConflicts}`,
      422: `There is no such estate. ${takesNothing} ${meaning}`,
    },
    parameters: { patrimonyId, contracts, mode },
    textBodies: assignmentFiles({ patrimonyId, mode }),
    example: { body: { patrimonyId: '0190a000-0000-7000-8000-000000000003', contracts: exampleContracts } },
  },
  listRow(creditBatches, 'creditBatchList', { patrimonyId: idOf('Only batches for the estate with this id.') }),
  {
    ...readsWhole,
    path: `${base}/:id`,
    operation: 'creditBatchDetail',
    missing: { code: 'BATCH_NOT_FOUND' },
    summary: 'Get a credit batch',
    description: `A batch with all its contracts and, if it was rejected, the first 1,000 errors. \`contracts=false\` omits the contracts: 50,000 of them are 10 MB. ${readsWholeText}`,
    response: 'The batch.',
    errors: { 404: missing },
    parameters: {
      id,
      contracts: {
        description: 'Whether the response has the contracts; `true` when omitted.',
        schema: { type: 'boolean', default: true },
        rule: 'must be true or false',
      },
    },
    example,
  },
  {
    ...readsWhole,
    path: `${base}/:id/check`,
    operation: 'creditBatchCheck',
    summary: 'Check a credit batch before it is submitted',
    description: `A dry run: the result that processing a batch in DRAFT or SUBMITTED would have now, with the same messages: check digits, due dates, the eligibility criteria of the estate, its status, the permit of the client, and contracts that are assigned in another batch. Nothing is written. ${readsWholeText}`,
    response: 'Whether the batch would be assigned, and the first 1,000 errors.',
    errors: { 404: missing, 409: 'The batch is neither DRAFT nor SUBMITTED (code 2002).' },
    parameters: { id },
    example,
  },
  {
    ...acts,
    path: `${base}/:id/contracts`,
    operation: 'addContracts',
    bodyLimit: largestBatchBody,
    summary: 'Add contracts to a credit batch',
    description: 'Appends contracts to a batch in DRAFT; a batch can have 50,000 contracts.',
    response: 'The changed batch.',
    errors: {
      403: notPermitted,
      404: missing,
      409: `${noDraft}, an external id is used twice or is already in the batch (code 2003), ${keyConflicts}`,
      422: `The batch would have more than 50,000 contracts. ${takesNothing} ${meaning}`,
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
    description: 'Replaces all contracts of a batch in DRAFT. The contracts get new ids.',
    response: 'The changed batch.',
    errors: {
      403: notPermitted,
      404: missing,
      409: `${noDraft}, an external id is used twice (code 2003), ${keyConflicts}`,
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
      'Removes one contract of a batch in DRAFT; the following ones move up. A batch has at least one contract.',
    response: 'The changed batch.',
    errors: {
      404: 'The client has no such credit batch (code 2001), or the batch has no such contract.',
      409: `${noDraft}, or the same signed request is still running.`,
      422: 'The contract is the only one of the batch.',
    },
    parameters: { id, externalId: { description: "Id of the contract in the originator's system, percent-encoded." } },
    example: { path: { ...example.path, externalId: 'CCB-2026-000124' } },
  },
  submitRow(creditBatches, 'submitCreditBatch', { 403: notPermitted, 422: takesNothing }),
  cancelRow(creditBatches, 'cancelCreditBatch'),
  {
    ...acts,
    path: `${base}/:id/remake`,
    operation: 'remakeCreditBatch',
    summary: 'Make a rejected credit batch again without its refused contracts',
    description:
      'Creates a DRAFT with the contracts of a REJECTED batch that had no errors. Repeated, it returns the same batch, unless that was cancelled.',
    response: 'The new batch.',
    errors: {
      403: notPermitted,
      404: missing,
      409: `The batch is not REJECTED (code 2002), ${keyConflicts}`,
      422: `Every contract had an error. ${takesNothing}`,
    },
    parameters: { id },
    example: { path: { id: '0190a000-0000-7000-8000-000000000005' } },
  },
  {
    ...readsWhole,
    path: `${base}/:id/return-file`,
    operation: 'creditBatchReturn',
    summary: 'Download the return file of a credit batch',
    description: `The refused contracts of a PROCESSED or REJECTED batch, each with its errors, in the format in which the batch was sent. CNAB 444 is in Windows-1252, where they have occurrence 03, with up to five reasons in columns 319-328. \`position\` counts from 0, as \`index\` of errors does. ${readsWholeText}`,
    response: 'The file.',
    errors: { 404: missing, 409: 'The batch is not decided (code 2002).' },
    parameters: {
      id,
      language: {
        description: 'Language of the errors in a CSV file; JSON has both.',
        rule: 'must be PT_BR or EN',
      },
    },
    file: ['application/json', 'text/csv', 'application/x-ndjson', 'text/plain'],
    example: { path: { id: '0190a000-0000-7000-8000-000000000005' } },
  },
  {
    ...readsWhole,
    path: `${base}/:id/cession-term`,
    operation: 'creditBatchTerm',
    summary: 'Download the term of cession of a credit batch',
    description: `The accepted contracts of a PROCESSED batch with their totals, and lines for signatures, as PDF in Portuguese. ${readsWholeText}`,
    response: 'The term.',
    errors: { 404: missing, 409: 'The batch is not PROCESSED (code 2002).' },
    parameters: { id },
    file: ['application/pdf'],
    example,
  },
  {
    ...reads,
    path: `${base}/:id/receivables`,
    operation: 'receivableList',
    missing: { code: 'BATCH_NOT_FOUND' },
    summary: 'List the receivables of a credit batch',
    description:
      'The contracts of a batch in the order in which they were sent, page by page, with their open balances.',
    response: 'A page of receivables.',
    errors: { 404: missing },
    parameters: {
      id,
      limit: pageSize(),
      nextToken: { description: '`nextToken` of the previous page. Omitted: the first page.' },
    },
    example: { ...example, query: { limit: '20' } },
  },
  ...receivableRoutes,
];
