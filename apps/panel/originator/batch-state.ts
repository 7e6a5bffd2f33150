import type { Tone } from '../../design/basics.js';

/** The statuses of batches, in the order of their lives. */
export const batchStates = ['DRAFT', 'SUBMITTED', 'PROCESSING', 'PROCESSED', 'REJECTED', 'CANCELLED'] as const;
export type BatchState = (typeof batchStates)[number];

export const toneOf: Readonly<Record<BatchState, Tone>> = {
  DRAFT: 'plain',
  SUBMITTED: 'warn',
  PROCESSING: 'warn',
  PROCESSED: 'good',
  REJECTED: 'bad',
  CANCELLED: 'plain',
};

/** Parameters of the address that filter a list of batches. */
export interface BatchParameters {
  readonly status?: BatchState;
  /** First and last day of creation, in São Paulo. */
  readonly from?: string;
  readonly to?: string;
}

const day = /^\d{4}-\d\d-\d\d$/;

/** Returns the parameters of an address that filter batches; all others are left out. */
export function batchParameters({ status, from, to }: Readonly<Record<string, unknown>>): BatchParameters {
  const state = batchStates.find((one) => one === status);
  return {
    ...(state === undefined ? {} : { status: state }),
    ...(typeof from === 'string' && day.test(from) ? { from } : {}),
    ...(typeof to === 'string' && day.test(to) ? { to } : {}),
  };
}
