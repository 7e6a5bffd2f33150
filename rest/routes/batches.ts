import type { Parameter, Route } from '../route.js';
import { pageSize, uuid } from './parameters.js';

const signed = { tag: 'Credit assignment', credential: 'signature', bucket: 'client' } as const;
/** Fields of a row that reads, and of one that writes. */
export const reads = { ...signed, method: 'GET', status: 200 } as const;
export const acts = { ...signed, method: 'POST', status: 200 } as const;

export const readsWhole = { ...reads, readsWhole: true } as const;
export const readsWholeText =
  'Two such requests of a client are served at a time, and up to 32 wait: more are 429. A response counts as one request for each MiB begun, at most half of the limit.';

/** Largest JSON body of a request with the lines of a batch, in bytes. Longer batches come as text. */
export const largestBatchBody = 2 * 1_048_576;

/** Texts of 409, in parts. */
export const noDraft = 'The batch is not a draft (code 2002)';
export const keyConflicts = 'or the idempotency key conflicts.';

export interface BatchRows {
  readonly base: string;
  /** Noun in descriptions, such as `credit batch`. */
  readonly noun: string;
  readonly missing: string;
  readonly id: Parameter;
  readonly example: { readonly path: { readonly id: string } };
}

export function idOf(description: string): Parameter {
  return { description, schema: { pattern: uuid }, rule: 'must be a UUID' };
}

export function listRow(
  { base, noun }: BatchRows,
  operation: string,
  filters: Readonly<Record<string, Parameter>>,
): Route {
  return {
    ...reads,
    path: base,
    operation,
    summary: `List ${noun}es`,
    description: `The client's own ${noun}es, newest first.`,
    response: 'A page of batches.',
    parameters: {
      page: {
        description: 'Page, from 1; 1 when omitted. A page after the last has no batches.',
        schema: { type: 'integer', minimum: 1, maximum: 999_999_999, default: 1 },
        rule: 'must be a whole number from 1 to 999999999',
      },
      limit: pageSize('Batches'),
      status: {
        description: 'Only batches with this status.',
        rule: 'must be one of DRAFT, SUBMITTED, PROCESSING, PROCESSED, REJECTED, CANCELLED',
      },
      number: {
        description: 'Only batches with this number, of any year.',
        schema: { type: 'integer', minimum: 1, maximum: 999_999_999 },
      },
      ...filters,
      from: { description: 'Created on this day or later, in São Paulo.' },
      to: { description: 'Created on this day or earlier, in São Paulo.' },
    },
    example: { query: { status: 'DRAFT', page: '1', limit: '20' } },
  };
}

/** Returns the row that submits a batch. @param errors further responses, by status */
export function submitRow(
  { base, noun, missing, id, example }: BatchRows,
  operation: string,
  errors: Route['errors'] = {},
): Route {
  return {
    ...acts,
    path: `${base}/:id/submit`,
    operation,
    summary: `Submit a ${noun}`,
    description:
      'Moves a batch from DRAFT to SUBMITTED. It can be cancelled for some seconds; then it is processed, and becomes PROCESSED or REJECTED.',
    response: 'The submitted batch.',
    errors: { 404: missing, 409: `${noDraft}, ${keyConflicts}`, ...errors },
    parameters: { id },
    example,
  };
}

export function cancelRow({ base, noun, missing, id, example }: BatchRows, operation: string): Route {
  return {
    ...acts,
    path: `${base}/:id/cancel`,
    operation,
    summary: `Cancel a ${noun}`,
    description: 'Cancels a batch in DRAFT or SUBMITTED, permanently.',
    response: 'The cancelled batch.',
    errors: {
      404: missing,
      409: `The batch has another status, or is already cancelled (code 2002), ${keyConflicts}`,
    },
    parameters: { id },
    example,
  };
}
