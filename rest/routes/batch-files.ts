import type { Parameter, Route, TextBody } from '../route.js';
import { fileName, mode, optionalPaymentTerms, optionalTerms } from './batch-texts.js';
import { idOf, keyConflicts, largestBatchBody } from './batches.js';

/** Paths for files of contracts and payments, in any of their formats: signed by a client, or sent by a person of its account. */
const base = { tag: 'Credit assignment', method: 'POST', bodyLimit: largestBatchBody } as const;
const bySignature = { ...base, credential: 'signature', bucket: 'client' } as const;
const byPerson = { ...base, credential: 'session', bucket: 'session' } as const;

const format: Parameter = {
  description:
    '`CNAB444`, `CSV`: a header, and a line for each record, separated by `;` or by `,` (RFC 4180 without line breaks in cells), or `NDJSON`: a JSON object a line.',
  rule: 'must be CNAB444, CSV or NDJSON',
};
const originatorId = idOf(
  'Id of the client. A client can omit it, and so can the account of only one client; any other client is 404.',
);
const inAnswer: Readonly<Record<string, Parameter>> = {
  errorFile: {
    description: 'Whether the response has the file with a column for the errors of each line.',
    schema: { type: 'boolean', default: false },
    rule: 'must be true or false',
  },
  language: { description: 'Language of the errors in that file.', rule: 'must be PT_BR or EN' },
};

interface FileRows {
  readonly noun: string;
  readonly target: Readonly<Record<string, Parameter>>;
  readonly columns: string;
  readonly example: { readonly target: Readonly<Record<string, string>>; readonly file: string };
}

const assignment: FileRows = {
  noun: 'assignment file',
  target: { patrimonyId: idOf('Id of the estate to which the credits are assigned.') },
  columns: `\`externalId\`, \`debtorDocument\`, \`faceValue\` and \`dueDate\`, and optionally ${optionalTerms}`,
  example: {
    target: { patrimonyId: '0190a000-0000-7000-8000-000000000003' },
    file: 'externalId;debtorDocument;faceValue;dueDate\r\nCCB-2026-000126;52998224725;15000,50;31/01/2031\r\n',
  },
};
const settlement: FileRows = {
  noun: 'settlement file',
  target: { creditBatchId: idOf('Id of the PROCESSED credit batch that assigned the contracts.') },
  columns: `\`externalId\`, \`settledAmount\`, \`settledDate\`, and optionally ${optionalPaymentTerms}`,
  example: {
    target: { creditBatchId: '0190a000-0000-7000-8000-000000000002' },
    file: 'externalId;settledAmount;settledDate\r\nCCB-2026-000123;1500.00;2026-08-03\r\n',
  },
};

/** Returns the common part of all routes for a kind of files: their arguments, in JSON or beside the file itself. */
function takes(
  operation: string,
  { target, columns, example }: FileRows,
  more: Readonly<Record<string, Parameter>> = {},
): Pick<Route, 'operation' | 'parameters' | 'textBodies' | 'example'> {
  const beside = { ...target, format, originatorId, ...more };
  const form = `A CSV file has the columns ${columns}; others are ignored. Amounts have a decimal point or comma (1500.50, 1500,50 or 1.500,50), days are YYYY-MM-DD or DD/MM/YYYY.`;
  const file: Parameter = {
    description: `The file, at most 100,000 characters: a longer one is sent as text. ${form}`,
    schema: { maxLength: 100_000 },
    rule: 'must have at most 100000 characters: send a longer file as text/plain; profile=file',
  };
  const text: TextBody = {
    profile: 'file',
    variable: 'file',
    operation,
    description: `The file. ${form} The text is UTF-8, or otherwise Windows-1252, and may be compressed (\`Content-Encoding: gzip\`): up to 10 MiB as sent, and 64 MiB decompressed, which is the size that counts for the rate limit.`,
    parameters: beside,
    example: example.file,
  };
  const body = { ...example.target, format: 'CSV', file: example.file, ...exampleOf(more) };
  return { operation, parameters: { ...beside, file }, textBodies: [text], example: { body } };
}

function exampleOf(more: Readonly<Record<string, Parameter>>): Readonly<Record<string, unknown>> {
  const originator = { originatorId: '0190a000-0000-7000-8000-000000000009' };
  return 'errorFile' in more ? { ...originator, errorFile: true, language: 'PT_BR' } : originator;
}

const unseen = 'There is no such client that the caller may see.';

function checkRow(kind: FileRows, operation: string, place: Pick<Route, 'path' | 'credential' | 'bucket'>): Route {
  return {
    ...base,
    ...place,
    ...takes(operation, kind, kind === assignment ? { ...inAnswer, mode } : inAnswer),
    operationId: place.credential === 'signature' ? operation : `${operation}AsPerson`,
    status: 200,
    summary: `Check ${kind.noun === 'assignment file' ? 'an' : 'a'} ${kind.noun} before it is sent`,
    description:
      'Lists everything that is wrong with a file, by line, column, field, value and rule, and says which status sending it would have, and whether its batch would be processed as things are now. Writes nothing. What is wrong with the file is part of the response, which is 200.',
    response: 'The result, with the first 1,000 errors.',
    errors: { 404: unseen },
  };
}

const mayNot =
  'The session is not that of a browser, the e-mail of the account is not confirmed, or no operator has permitted the account to send for the client';

type SendPlace = Required<Pick<Route, 'path' | 'byProgram'>>;

function sendRow(kind: FileRows, operation: string, place: SendPlace, errors: Route['errors']): Route {
  return {
    ...byPerson,
    ...place,
    ...takes(operation, kind, kind === assignment ? { mode, fileName } : { fileName }),
    status: 201,
    summary: `Send ${kind.noun === 'assignment file' ? 'an' : 'a'} ${kind.noun} as a person`,
    description:
      'Creates a batch in DRAFT, which has to be submitted, for a client whose account an operator permitted to send for it. The session must be that of a browser (the cookie `__Host-lastro`); a bearer token gets 403.',
    response: 'The batch was created.',
    errors,
  };
}

const sendAssignments: SendPlace = { path: '/v1/assignment-files', byProgram: 'POST /tidc/v1/credit-batches' };
const sendSettlements: SendPlace = { path: '/v1/settlement-files', byProgram: 'POST /tidc/v1/settlement-batches' };

export const batchFileRoutes: readonly Route[] = [
  checkRow(assignment, 'checkAssignmentFile', { ...bySignature, path: '/tidc/v1/credit-batches/check-file' }),
  checkRow(settlement, 'checkSettlementFile', { ...bySignature, path: '/tidc/v1/settlement-batches/check-file' }),
  checkRow(assignment, 'checkAssignmentFile', { ...byPerson, path: '/v1/assignment-files/check' }),
  checkRow(settlement, 'checkSettlementFile', { ...byPerson, path: '/v1/settlement-files/check' }),
  sendRow(assignment, 'createCreditBatchFromFile', sendAssignments, {
    403: `${mayNot}, or the client has no permit for the estate.`,
    404: unseen,
    409: `An external id is used twice (code 2003), ${keyConflicts}`,
    422: 'There is no such estate, it accepts no credits, or, by `ALL_OR_NOTHING`, values cannot be true; all such errors are listed by line.',
  }),
  sendRow(settlement, 'createSettlementBatchFromFile', sendSettlements, {
    403: `${mayNot}.`,
    404: `${unseen} The client has no such credit batch (code 2001).`,
    409: `The credit batch is not PROCESSED (code 2002), ${keyConflicts}`,
    422: 'The file was sent before, a contract is not in the credit batch, or a payment cannot be true or exceeds an open balance; with code 3002 when a receivable was already settled. Amounts and days are checked first, then contracts and balances; all errors of the first stage that fails are listed by line.',
  }),
];
